/** The calls that beneficiaries answers. */

import type { mandatesRoutes } from '@financial-agents/contract/routes/mandates'
import type { CapUse, CapUseRequest } from '../messages/owner-events.ts'
import type {
  AuthorizeMandatesRequest,
  AuthorizeMandatesResponse,
  FindBeneficiaryRequest,
  FindMandateRequest,
  KnownBeneficiary,
  OwnerMandate,
  OwnerMandateAction,
  OwnerMandatesRequest,
  OwnerNames,
  OwnerNamesRequest,
} from '../messages/resources.ts'
import type { RepeatEnd, WitnessedPayments } from '../messages/witness.ts'
import { call, decision } from './row.ts'

export const beneficiariesCalls = {
  'int.beneficiaries.find-beneficiary': call<FindBeneficiaryRequest, KnownBeneficiary | null>({
    askedBy: ['operations', 'spending', 'catalog'],
    meaning: "a visible beneficiary with the provider's reference; null if there is none",
  }),
  'int.beneficiaries.find-mandate': call<FindMandateRequest, OwnerMandate | null>({
    askedBy: ['operations'],
    meaning:
      'a mandate with the name of its beneficiary and every grant that ever had authority under it; null if there is none',
  }),
  'int.beneficiaries.owner-mandates': call<OwnerMandatesRequest, OwnerMandate[]>({
    askedBy: ['authz'],
    meaning: "an owner's mandates, for the pages",
  }),
  'int.beneficiaries.reserve-again': call<WitnessedPayments, null>({
    askedBy: ['provisioner'],
    meaning: 'counts payments that the database has lost against the caps of their mandates. Idempotent',
  }),
  'int.beneficiaries.repeat-end': call<RepeatEnd, boolean>({
    askedBy: ['provisioner'],
    meaning: 'suspends a mandate, whose end the database may have lost; true if the database had lost that. Idempotent',
  }),
  'int.beneficiaries.cap-use': call<CapUseRequest, CapUse[]>({
    askedBy: ['notifier'],
    meaning: 'the caps of mandates with the part of each that is used, for the events of owners',
  }),
  'int.beneficiaries.owner-action': call<OwnerMandateAction, null>({
    askedBy: ['authz'],
    meaning:
      'pauses or ends a mandate for its owner, from the pages: opens the operation of the route, without a client; or lowers its caps',
  }),
  'int.beneficiaries.owner-names': call<OwnerNamesRequest, OwnerNames>({
    askedBy: ['authz'],
    meaning: "the names of an owner's beneficiaries, and of those that the owner's mandates pay, for the pages",
  }),
  'int.beneficiaries.authorize-mandates': call<AuthorizeMandatesRequest, AuthorizeMandatesResponse>({
    askedBy: ['authz'],
    meaning:
      "records the owner's consent: a grant may pay under these mandates from now on. A mandate is left out if it is not the owner's, no longer allows payments, or does not name the client",
  }),
  'int.beneficiaries.validate-mandate-create': decision<typeof mandatesRoutes.createMandate>({
    askedBy: ['operations'],
    meaning: 'checks if a mandate would be refused now, before its owner is asked to confirm it; writes nothing',
  }),
  'int.beneficiaries.validate-mandate-revoke': decision<typeof mandatesRoutes.revokeMandate>({
    askedBy: ['operations'],
    meaning: 'checks if a revocation would be refused now, before its owner is asked to confirm it; writes nothing',
  }),
}
