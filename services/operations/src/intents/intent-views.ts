/** An intent as the client sees it and as the owner's page does, each made in this one place. What it quotes is shown while it is open. */

import type { OwnerIntent } from '@financial-agents/bus/messages/intents'
import type { ConfirmationIntent } from '@financial-agents/contract/schemas/confirmation-intent'
import type { Sealer } from '@financial-agents/runtime/sealing'
import { type IntentRow, statusOf } from '../store/confirmation-intents.ts'

const pollAfterMs = 2_000

type Opener = Pick<Sealer, 'open'>

export function toConfirmationIntent(row: IntentRow, baseUrl: string, sealer: Opener, now: Date): ConfirmationIntent {
  const status = statusOf(row, now)
  return {
    id: row.id,
    action: row.action,
    status,
    summary: summaryOf(row, sealer, now),
    confirmation_url: `${baseUrl}/confirm/${row.id}`,
    expires_at: row.expires_at.toISOString(),
    poll_after_ms: status === 'pending' ? pollAfterMs : null,
  }
}

export function toOwnerIntent(row: IntentRow, sealer: Opener, now: Date): OwnerIntent {
  return {
    intent_id: row.id,
    client_id: row.client_id,
    action: row.action,
    status: statusOf(row, now),
    summary: summaryOf(row, sealer, now),
    created_at: row.created_at.toISOString(),
    expires_at: row.expires_at.toISOString(),
    decided_at: row.decided_at?.toISOString() ?? null,
  }
}

function summaryOf(row: IntentRow, sealer: Opener, now: Date): string {
  if (!row.quoted_sealed || statusOf(row, now) === 'expired') return row.summary
  return `${row.summary} ${sealer.open(row.quoted_sealed, row.id).toString()}`
}
