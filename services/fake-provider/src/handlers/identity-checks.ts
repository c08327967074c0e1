/**
 * `POST /provider/v1/identity-checks`: a visit to the hosted page that changes the status of a person's identity check.
 */

import { newIdentityCheck } from '@financial-agents/provider-http/api/hosted'
import { pathPattern } from '@financial-agents/provider-http/api/paths'
import type { FastifyInstance } from 'fastify'
import type { ReceivedBody } from '../mutation.ts'
import { answerQuietly, Refused } from '../quiet-call.ts'
import type { World } from '../world.ts'

export function addIdentityChecks(app: FastifyInstance, world: World, publicUrl: string | undefined): void {
  app.post(pathPattern('startIdentityCheck'), (request, reply) => {
    const parsed = newIdentityCheck.safeParse((request.body as ReceivedBody | undefined)?.value)
    const clientReference = parsed.data?.client_reference ?? null
    return answerQuietly(world, { kind: 'identity_check', clientReference, request, reply }, ({ testUser }, fault) => {
      if (!parsed.success) throw new Refused(400, 'invalid_request')
      const { client_reference, return_url: returnUrl } = parsed.data
      if (world.identities.show(testUser).status === 'verified') throw new Refused(409, 'identity_verified')
      const started = world.identityChecks.start(
        testUser.id,
        client_reference,
        { returnUrl },
        fault?.script === 'expire',
      )
      if (started.content.returnUrl !== returnUrl) throw new Refused(409, 'reference_reused')
      return {
        data: {
          reference: started.ref,
          client_reference,
          hosted_url: new URL(`/hosted/identity-checks/${started.token}`, publicUrl ?? `http://${request.host}`).href,
          expires_at: new Date(started.expiresAtMs).toISOString(),
        },
      }
    })
  })
}
