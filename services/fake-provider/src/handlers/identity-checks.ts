/**
 * `GET /provider/v1/identity` and `POST /provider/v1/identity-checks`: the status of a person's identity check, and a visit
 * to the hosted page that changes it.
 */

import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import type { ReceivedBody } from '../mutation.ts'
import { answerQuietly, Refused } from '../quiet-call.ts'
import type { World } from '../world.ts'

const NewCheck = z.object({
  client_reference: z.string().min(1).max(200),
  return_url: z
    .url({ protocol: /^https?$/ })
    .max(2_048)
    .nullable(),
})

export function addIdentityChecks(app: FastifyInstance, world: World, publicUrl: string | undefined): void {
  app.get('/provider/v1/identity', (request, reply) =>
    answerQuietly(world, { kind: 'identity_read', clientReference: null, request, reply }, ({ persona }) => ({
      identity: world.identities.show(persona),
    })),
  )

  app.post('/provider/v1/identity-checks', (request, reply) => {
    const parsed = NewCheck.safeParse((request.body as ReceivedBody | undefined)?.value)
    const clientReference = parsed.data?.client_reference ?? null
    return answerQuietly(world, { kind: 'identity_check', clientReference, request, reply }, ({ persona }, fault) => {
      if (!parsed.success) throw new Refused(400, 'invalid_request')
      const { client_reference, return_url: returnUrl } = parsed.data
      if (world.identities.show(persona).status === 'passed') throw new Refused(409, 'identity_known')
      const started = world.identityChecks.start(
        persona.id,
        client_reference,
        { returnUrl },
        fault?.script === 'expire',
      )
      if (started.content.returnUrl !== returnUrl) throw new Refused(409, 'reference_reused')
      return {
        identity_check: {
          check_ref: started.ref,
          client_reference,
          page_url: new URL(`/hosted/identity-checks/${started.token}`, publicUrl ?? `http://${request.host}`).href,
          expires_at: new Date(started.expiresAtMs).toISOString(),
        },
      }
    })
  })
}
