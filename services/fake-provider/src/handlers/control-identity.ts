/**
 * `PUT /control/identity`: changes a persona's identity status without a visit, as when papers expire or a review ends.
 */

import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import { identityStatuses, personas } from '../personas.ts'
import { readControlBody } from '../read-control-body.ts'
import type { World } from '../world.ts'

const IdentityChange = z.strictObject({
  persona: z.string().refine((id) => personas.some((persona) => persona.id === id), { error: 'not a persona' }),
  status: z.enum(identityStatuses),
  reason: z.string().nullable().default(null),
})

export function addControlIdentity(app: FastifyInstance, { identities }: World): void {
  app.put('/control/identity', async (request) => {
    const { persona, status, reason } = readControlBody(IdentityChange, request)
    identities.record(persona, status, reason)
    return { persona, status }
  })
}
