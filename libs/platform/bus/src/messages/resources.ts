/** Requests of services to the area beneficiaries about an owner's beneficiaries and mandates. Never account details. */

import type { MandateCaps } from '@financial-agents/contract/lower-caps'
import type { Beneficiary } from '@financial-agents/contract/schemas/beneficiary'
import type { Mandate } from '@financial-agents/contract/schemas/mandate'

/** Asks for a visible beneficiary of this owner. */
export type FindBeneficiaryRequest = { owner_id: string; beneficiary_id: string }

/** A beneficiary with the provider's reference, which is known once the beneficiary is active. */
export type KnownBeneficiary = Beneficiary & { upstream_reference: string | null }

/** Asks for a mandate of this owner that is visible to the client, or to any client if `client_id` is null. */
export type FindMandateRequest = { owner_id: string; client_id: string | null; mandate_id: string }

/**
 * The authority of a client's grant to pay under a mandate. Authority is never withdrawn from a grant. A grant that has ended pays
 * nothing, and never becomes active again.
 */
export type MandateAuthority = { client_id: string; grant_id: string }

/** A mandate with the name of its beneficiary, and every grant that ever had authority under it. */
export type OwnerMandate = Mandate & {
  client_id: string
  beneficiary_name: string
  authorities: MandateAuthority[]
}

/** The maximum number of running mandates in one answer, and of ended mandates that an owner can list. */
export const ownerMandatesPage = 100
export const ownerMandatesOver = 50

/**
 * Asks for an owner's mandates of all clients, newest first. `running`: the mandates that have not ended, in pages of
 * `ownerMandatesPage`; `after` is the last mandate of the page before. `over`: the newest `ownerMandatesOver` that have ended.
 */
export type OwnerMandatesRequest =
  | { owner_id: string; which: 'running'; after: { created_at: string; id: string } | null }
  | { owner_id: string; which: 'over' }

/**
 * An action of an owner on one of the owner's mandates, without a client: pause it, end it or lower its caps. `key`:
 * one for each form, so that a form that is sent twice acts once. `binding_id`: the owner's connection. `lower` sets
 * all caps and raises none. It holds for every payment that is accepted later, and needs no connection. The answer is
 * null; a problem says why nothing was changed.
 */
export type OwnerMandateAction =
  | {
      owner_id: string
      subject: string
      binding_id: string
      mandate_id: string
      action: 'suspend' | 'revoke'
      key: string
    }
  | { owner_id: string; mandate_id: string; action: 'lower'; caps: MandateCaps }

/** Asks for the names behind an owner's operations. Ids that are not the owner's are left out of the answer. */
export type OwnerNamesRequest = { owner_id: string; beneficiary_ids: string[]; mandate_ids: string[] }

/** Names by the ids of beneficiaries, and the names of the beneficiaries that mandates pay, by the ids of the mandates. */
export type OwnerNames = { id: string; beneficiary_name: string }[]

/** The states in which a mandate may still pay, now or later. Consent gives authority only under mandates in these states. */
export const payableStates: ReadonlySet<Mandate['state']> = new Set(['pending', 'active', 'exhausted'])

/** Records the owner's consent: this grant of this client may pay under these mandates from now on. */
export type AuthorizeMandatesRequest = { owner_id: string; client_id: string; grant_id: string; mandate_ids: string[] }

/** The given mandates under which the grant now has authority, whether new or from before. */
export type AuthorizeMandatesResponse = { mandate_ids: string[] }
