/**
 * `POST /provider/v1/device-authentications` and `GET /provider/v1/device-authentications/{reference}`: an application requests a
 * person's approval on the hosted page, and reads the decision. Starting is idempotent by client reference.
 */

import { setTimeout as sleep } from 'node:timers/promises'
import { newDeviceAuthentication } from '@financial-agents/provider-http/api/hosted'
import { pathPattern } from '@financial-agents/provider-http/api/paths'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { z } from 'zod'
import { breakConnection } from '../break-connection.ts'
import type { DeviceAuthentication } from '../device-authentications.ts'
import type { ReceivedBody } from '../mutation.ts'
import { refusal } from '../refusal.ts'
import type { World } from '../world.ts'

export function addDeviceAuthentications(app: FastifyInstance, world: World, publicUrl: string | undefined): void {
  app.post(pathPattern('startDeviceAuthentication'), async (request, reply) => {
    await world.waitLatency()
    const parsed = newDeviceAuthentication.safeParse((request.body as ReceivedBody | undefined)?.value)
    if (!parsed.success) return refusal(reply, 400, 'invalid_request')
    return start(world, parsed.data, publicUrl ?? `http://${request.host}`, request, reply)
  })

  app.get<{ Params: { reference: string } }>(pathPattern('readDeviceAuthentication'), async (request, reply) => {
    await world.waitLatency()
    const found = world.deviceAuthentications.find(request.params.reference)
    if (found === undefined) return refusal(reply, 404, 'unknown_authentication')
    const facts = { kind: 'device_authentication_read', clientReference: found.clientReference, name: null }
    const fault = world.faults.takeNamed(facts)
    if (fault?.script === 'drop_before_accept') return breakConnection(request, reply)
    if (fault?.script === 'refuse') return refusal(reply, 403, 'refused')
    if (fault?.script === 'slow') await sleep(fault.options.delay_ms)
    return { data: resultOf(world, found) }
  })
}

async function start(
  world: World,
  asked: z.infer<typeof newDeviceAuthentication>,
  pagesUrl: string,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<unknown> {
  const { client_reference: clientReference, return_url: returnUrl } = asked
  const fault = world.faults.takeNamed({ kind: 'device_authentication', clientReference, name: null })
  if (fault?.script === 'drop_before_accept') return breakConnection(request, reply)
  if (fault?.script === 'refuse') return refusal(reply, 403, 'refused')
  const script = fault?.script === 'expire' || fault?.script === 'decline' ? { script: fault.script } : {}
  const started = world.deviceAuthentications.start({ clientReference, returnUrl, ...script })
  if (started === undefined) return refusal(reply, 409, 'reference_reused')
  if (fault?.script === 'accept_drop_reply') return breakConnection(request, reply)
  if (fault?.script === 'slow') await sleep(fault.options.delay_ms)
  return reply.code(201).send({
    data: {
      reference: started.ref,
      client_reference: started.clientReference,
      hosted_url: new URL(`/hosted/sign-in/${started.token}`, pagesUrl).href,
      expires_at: new Date(started.expiresAtMs).toISOString(),
    },
  })
}

function resultOf(world: World, authentication: DeviceAuthentication) {
  const { decision } = authentication
  if (decision?.type !== 'approved') return { status: world.deviceAuthentications.status(authentication) }
  const { id, name, locale, timezone, credentials } = decision.testUser
  return {
    status: 'approved',
    credentials,
    customer: { reference: id, display_name: name, locale, timezone },
  }
}
