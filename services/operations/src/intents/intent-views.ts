/** An intent as the client sees it and as the owner's page does, each made in this one place. */

import type { OwnerIntent } from '@financial-agents/bus/messages/intents'
import type { ConfirmationIntent } from '@financial-agents/contract/schemas/confirmation-intent'
import { type IntentRow, statusOf } from '../store/confirmation-intents.ts'

const pollAfterMs = 2_000

export function toConfirmationIntent(row: IntentRow, baseUrl: string, now: Date): ConfirmationIntent {
  const status = statusOf(row, now)
  return {
    id: row.id,
    action: row.action,
    status,
    summary: row.summary,
    confirmation_url: `${baseUrl}/confirm/${row.id}`,
    expires_at: row.expires_at.toISOString(),
    poll_after_ms: status === 'pending' ? pollAfterMs : null,
  }
}

export function toOwnerIntent(row: IntentRow, now: Date): OwnerIntent {
  return {
    intent_id: row.id,
    client_id: row.client_id,
    action: row.action,
    status: statusOf(row, now),
    summary: row.summary,
    created_at: row.created_at.toISOString(),
    expires_at: row.expires_at.toISOString(),
    decided_at: row.decided_at?.toISOString() ?? null,
  }
}
