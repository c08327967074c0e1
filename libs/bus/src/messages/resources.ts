/** What services ask the area beneficiaries about what an owner pays and under which mandate. Never account details. */

import type { Beneficiary } from '@financial-agents/contract/schemas/beneficiary'
import type { Mandate } from '@financial-agents/contract/schemas/mandate'

/** A visible beneficiary of this owner, if there is one. */
export type FindBeneficiaryRequest = { owner_id: string; beneficiary_id: string }

/** A beneficiary with the provider's own reference, which is known once it is active. */
export type KnownBeneficiary = Beneficiary & { upstream_reference: string | null }

/** A mandate of this owner that this client sees; whichever client where none is named. */
export type FindMandateRequest = { owner_id: string; client_id: string | null; mandate_id: string }

/**
 * A grant of a client that may pay under a mandate. It is given once, for good: where the grant has ended, nothing is paid by
 * it, and nothing brings it back.
 */
export type MandateAuthority = { client_id: string; grant_id: string }

/** A mandate with the name of whom it pays, and by which grants it was ever to be paid. */
export type OwnerMandate = Mandate & {
  client_id: string
  beneficiary_name: string
  authorities: MandateAuthority[]
}

/** How many running mandates one answer holds at most, and how many of those that are over are ever told. */
export const ownerMandatesPage = 100
export const ownerMandatesOver = 50

/**
 * An owner's mandates, whichever client made them, newest first. `running`: all that are not over, a page of
 * `ownerMandatesPage` at a time, each after the last one of the page before. `over`: the newest `ownerMandatesOver` that are.
 */
export type OwnerMandatesRequest =
  | { owner_id: string; which: 'running'; after: { created_at: string; id: string } | null }
  | { owner_id: string; which: 'over' }

/** The states of mandates under which something may still be paid, now or later: authority is given again in no other. */
export const payableStates: ReadonlySet<Mandate['state']> = new Set(['pending', 'active', 'suspending', 'exhausted'])

/** The owner consented: this grant of this client may pay under these mandates from now on. */
export type AuthorizeMandatesRequest = { owner_id: string; client_id: string; grant_id: string; mandate_ids: string[] }

/** Those of the mandates asked for under which the grant has authority, since now or before. */
export type AuthorizeMandatesResponse = { mandate_ids: string[] }
