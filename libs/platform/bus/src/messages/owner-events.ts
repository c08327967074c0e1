/** The facts from which the notifier makes the events of owners for the operator's platform. */

import type { PaymentKind } from '@financial-agents/contract/kinds'
import type { reportedCaps } from '@financial-agents/contract/schemas/owner-event'

/** A page of the grants that were given since a moment. `after` is the last one of the page before. */
export type AccessGivenRequest = { since: string; after: { at: string; grant_id: string } | null; limit: number }

export type AccessGiven = {
  grant_id: string
  client_id: string
  owner_id: string
  given_by: 'owner' | 'operator'
  /** RFC 3339. */
  at: string
}

export type OwnerPayment = {
  operation_id: string
  kind: PaymentKind
  owner_id: string
  client_id: string
  mandate_id: string | null
  beneficiary_id: string
  amount: string
  currency: string
  /** The time of acceptance, RFC 3339. */
  accepted_at: string
  /** No earlier payment of the owner to this payee was accepted, by any client. */
  is_first: boolean
}

/** `at` chooses the day, week and month for which the use is returned. */
export type CapUseRequest = { mandates: { mandate_id: string; at: string }[] }

/** A cap of a mandate with the part that is used. */
export type CapUse = {
  mandate_id: string
  owner_id: string
  beneficiary_id: string
  cap: (typeof reportedCaps)[number]
  /** `2026-11-20`; null for a cap that never starts again. */
  period_start: string | null
  limit: string
  used: string
  /** Whole percent, rounded down. */
  used_percent: number
  /** Null if payments are counted. */
  currency: string | null
}

export type OwnerReference = { owner_id: string; provider: string; reference: string }
