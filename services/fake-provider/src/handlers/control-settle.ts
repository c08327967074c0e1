/** `POST /control/settle`: settles records that wait for it. Records with the script `never_settle` stay pending. */

import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import { readControlBody } from '../read-control-body.ts'
import type { World } from '../world.ts'

const SettleRequest = z.strictObject({
  /** By default, every waiting record is settled. */
  client_reference: z.string().optional(),
  as: z.enum(['succeeded', 'failed']).default('succeeded'),
  reason: z
    .string()
    .regex(/^[a-z][a-z0-9_]{0,63}$/)
    .default('account_closed'),
})

export function addControlSettle(app: FastifyInstance, { records }: World): void {
  app.post('/control/settle', async (request) => {
    const { client_reference, as, reason } = readControlBody(SettleRequest, request)
    const which = client_reference === undefined ? {} : { clientReference: client_reference }
    return { settled: records.settle({ ...which, as, reason }) }
  })
}
