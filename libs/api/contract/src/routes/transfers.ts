/** Transfers area: the payments of the current subject and client, and their state. It has reads only. */

import { z } from 'zod'
import { route } from '../route.ts'
import { operationState } from '../schemas/operation.ts'
import { cursor, id, limit, page, pathId, timestamp } from '../schemas/primitives.ts'
import { transfer } from '../schemas/transfer.ts'

const reads = {
  area: 'transfers',
  service: 'operations',
  scope: 'operations:read',
  binding: true,
  method: 'GET',
} as const

export const transfersRoutes = {
  listTransfers: route({
    summary: 'List transfers, newest first',
    description: 'Withdrawals and transfers under mandates that this client made for the owner.',
    ...reads,
    path: '/v1/transfers',
    client: 'payments.list',
    cli: 'payments list',
    capability: 'transfers.read',
    query: z.strictObject({
      mandate_id: id.optional().describe('Only transfers under this mandate.'),
      beneficiary_id: id.optional().describe('Only transfers to this beneficiary.'),
      state: operationState.optional().describe('Only transfers in this state.'),
      created_after: timestamp.optional().describe('Only transfers that were accepted after this time.'),
      created_before: timestamp.optional().describe('Only transfers that were accepted before this time.'),
      cursor,
      limit,
    }),
    response: page(transfer),
  }),
  getTransfer: route({
    summary: 'Read a transfer',
    ...reads,
    path: '/v1/transfers/{transfer_id}',
    client: 'payments.get',
    capability: 'transfers.read',
    params: z.strictObject({ transfer_id: pathId('The transfer.') }),
    response: transfer,
    problems: ['transfer_not_found'],
  }),
}
