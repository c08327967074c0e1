/** The people of a chaos run, with the clients that act for them. */

import type { ApiClient } from '@financial-agents/testkit/client'

/** An owner and the client that acts for her. */
export type Party = { owner_id: string; client: ApiClient }

/** A party that pays: her beneficiary, and the amount of a withdrawal. */
export type Payer = Party & {
  currency: string
  payout: Readonly<Record<string, unknown>>
  /** The amount of her withdrawals: one that needs her approval, if the provider asks her for approvals at all. */
  amount: string
  beneficiary?: string
  /** The mandate for transfers. */
  mandate?: string
}
