/** What services ask the area beneficiaries about what an owner pays and under which mandate. Never account details. */

import type { Beneficiary } from '@financial-agents/contract/schemas/beneficiary'
import type { Mandate } from '@financial-agents/contract/schemas/mandate'

/** A visible beneficiary of this owner, if there is one. */
export type FindBeneficiaryRequest = { owner_id: string; beneficiary_id: string }

/** A beneficiary with the provider's own reference, which is known once it is active. */
export type KnownBeneficiary = Beneficiary & { upstream_reference: string | null }

/** A mandate of this owner that this client sees; whichever client where none is named. */
export type FindMandateRequest = { owner_id: string; client_id: string | null; mandate_id: string }

/** A mandate with the name of whom it pays. */
export type OwnerMandate = Mandate & { client_id: string; beneficiary_name: string }
