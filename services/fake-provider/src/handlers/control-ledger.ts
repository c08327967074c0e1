/** `GET` and `DELETE /control/ledger`, `GET /control/ledger/summary`: the mutations that arrived. */

import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import type { World } from '../world.ts'

const Filter = z.strictObject({ client_reference: z.string().optional() })

export function addControlLedger(app: FastifyInstance, { ledger }: World): void {
  app.get('/control/ledger', async (request) => {
    const { client_reference } = Filter.parse(request.query)
    return { entries: ledger.list(client_reference) }
  })
  app.get('/control/ledger/summary', async () => ledger.summary())
  app.delete('/control/ledger', async (_request, reply) => {
    ledger.clear()
    return reply.code(204).send()
  })
}
