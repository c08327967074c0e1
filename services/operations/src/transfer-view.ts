/**
 * Builds a client's view of a transfer. Only this file opens a reference. A reference that no key of the ring
 * opens is shown as null, so a lost key hides no transfer.
 */

import type { Transfer } from '@financial-agents/contract/schemas/transfer'
import type { Log } from '@financial-agents/runtime/log'
import type { Sealer } from '@financial-agents/runtime/sealing'
import type { TransferRow } from './store/transfers.ts'

/** The dependencies of a transfer's view. */
export type Opening = { sealer: Pick<Sealer, 'open'>; log: Pick<Log, 'error'> }

export function toTransfer(row: TransferRow, opening: Opening): Transfer {
  return {
    id: row.id,
    operation_id: row.operation_id,
    kind: row.kind,
    state: row.state,
    mandate_id: row.mandate_id,
    beneficiary_id: row.beneficiary_id,
    amount: { amount: row.amount, currency: row.currency },
    reference: row.reference_sealed && openReference(row.reference_sealed, row.id, opening),
    rule: row.rule,
    upstream_reference: row.upstream_reference,
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  }
}

export function openReference(sealed: Buffer, id: string, { sealer, log }: Opening): string | null {
  try {
    return sealer.open(sealed, id).toString()
  } catch (error) {
    log.error({ err: error, transfer_id: id }, 'the reference of a transfer cannot be opened')
    return null
  }
}
