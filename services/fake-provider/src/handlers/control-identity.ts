/**
 * `PUT /control/identity`: changes a test user's identity status without a visit, as when papers expire or a review ends.
 */

import { identityStatus } from '@financial-agents/provider-port/identity'
import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import { readControlBody } from '../read-control-body.ts'
import { testUsers } from '../test-users.ts'
import type { World } from '../world.ts'

const IdentityChange = z.strictObject({
  test_user: z.string().refine((id) => testUsers.some((testUser) => testUser.id === id), { error: 'not a test user' }),
  status: identityStatus.shape.status,
  reason: z.string().nullable().default(null),
})

export function addControlIdentity(app: FastifyInstance, { identities }: World): void {
  app.put('/control/identity', async (request) => {
    const { test_user: testUser, status, reason } = readControlBody(IdentityChange, request)
    identities.record(testUser, status, reason)
    return { test_user: testUser, status }
  })
}
