/**
 * A transfer under a mandate. Its draft validates the authority of its grant and reserves against every limit, under the
 * mandate's lock, one draft after another. The operation carries the grant, so that its claim checks the grant's fence.
 * The reservation is held until it is certain that no money moved (write protocol, rule 12).
 */

import { Problem } from '@financial-agents/contract/problem'
import { routeString } from '@financial-agents/contract/route'
import { mandatesRoutes } from '@financial-agents/contract/routes/mandates'
import type { MoveTo, WriteKind } from '@financial-agents/writes/write'
import { findAuthorityRefusal } from './authority.ts'
import { findExceeded, takeFrom } from './caps.ts'
import { notActive } from './decision.ts'
import { lockMandates } from './lock.ts'
import { visibleState } from './machine.ts'
import { type Reservation, recordReleased, recordReservations, removeReservations } from './reservation-store.ts'
import { type MandateRow, readMandates } from './store.ts'

/** The amount is a canonical decimal. The grant is the one that pays. */
export type TransferInput = { mandate_id: string; amount: string; grant_id: string }

const notMade: ReadonlySet<MoveTo> = new Set(['void', 'failed', 'cancelled'])

export const mandateTransfer: WriteKind<TransferInput, 'mandate_transfer'> = {
  kind: 'mandate_transfer',
  route: routeString(mandatesRoutes.createMandateTransfer),
  lock: lockMandates,
  draft: async (tx, drafts, now) => {
    const rows = await readMandates(tx, [...new Set(drafts.map(({ input }) => input.mandate_id))], now)
    const refused = new Map<string, Problem>()
    const reserved: Reservation[] = []
    for (const { operation_id, client_id, input } of drafts) {
      const { mandate_id, amount, grant_id } = input
      const row = rows.get(mandate_id)
      const refusal = row
        ? (findAuthorityRefusal(row, { client_id, grant_id }) ?? findTransferRefusal(row, amount, now))
        : new Problem('mandate_not_found')
      if (refusal) refused.set(operation_id, refusal)
      else if (row) {
        rows.set(mandate_id, takeFrom(row, amount))
        reserved.push({ operation_id, mandate_id, amount })
      }
    }
    await recordReservations(tx, reserved, now)
    return refused
  },
  follow: async (tx, moves) => {
    const released = moves.filter(({ to }) => notMade.has(to))
    const gone = moves.filter(({ to }) => to === 'gone')
    const ids = (some: typeof moves) => some.map(({ operation_id }) => operation_id)
    if (released[0]) await recordReleased(tx, ids(released), released[0].at)
    if (gone.length > 0) await removeReservations(tx, ids(gone))
  },
}

/** Returns the refusal by state and limits. */
export function findTransferRefusal(row: MandateRow, amount: string, now: Date): Problem | undefined {
  const state = visibleState(row, now)
  if (state !== 'active') return notActive(state)
  const detail = findExceeded(row, amount)
  return detail === undefined ? undefined : new Problem('mandate_cap_exceeded', { detail })
}
