/**
 * The only place that builds the views of an intent, for the client and for the owner's page. Quotes are shown only
 * while the intent is open.
 */

import type { OwnerFact, OwnerIntent } from '@financial-agents/bus/messages/intents'
import type { ConfirmationFact, ConfirmationIntent } from '@financial-agents/contract/schemas/confirmation-intent'
import type { Sealer } from '@financial-agents/runtime/sealing'
import { type IntentRow, statusOf } from '../store/confirmation-intents.ts'
import { linesOf } from './facts.ts'

const pollAfterMs = 2_000

type Opener = Pick<Sealer, 'open'>

export function toConfirmationIntent(row: IntentRow, baseUrl: string, sealer: Opener, now: Date): ConfirmationIntent {
  const status = statusOf(row, now)
  const facts = factsOf(row, 'client', sealer, now)
  return {
    id: row.id,
    action: row.action,
    status,
    summary: [row.summary, ...linesOf(facts)].join('\n'),
    facts,
    confirmation_url: `${baseUrl}/confirm/${row.id}`,
    expires_at: row.expires_at.toISOString(),
    poll_after_ms: status === 'pending' ? pollAfterMs : null,
  }
}

export function toOwnerIntent(row: IntentRow, sealer: Opener, now: Date): OwnerIntent {
  return {
    intent_id: row.id,
    client_id: row.client_id,
    grant_id: row.grant_id,
    action: row.action,
    status: statusOf(row, now),
    opening: row.summary,
    facts: factsOf(row, 'owner', sealer, now),
    operation_id: row.consumed_operation_id,
    created_at: row.created_at.toISOString(),
    expires_at: row.expires_at.toISOString(),
    decided_at: row.decided_at?.toISOString() ?? null,
  }
}

function factsOf(row: IntentRow, reader: 'client' | 'owner', sealer: Opener, now: Date): OwnerFact[] {
  const facts = row.facts[reader]
  if (!row.quoted_sealed || statusOf(row, now) === 'expired') return facts
  return [...facts, ...(JSON.parse(sealer.open(row.quoted_sealed, row.id).toString()) as ConfirmationFact[])]
}
