/** What beneficiaries answers. */

import type { mandatesRoutes } from '@financial-agents/contract/routes/mandates'
import type {
  AuthorizeMandatesRequest,
  AuthorizeMandatesResponse,
  FindBeneficiaryRequest,
  FindMandateRequest,
  KnownBeneficiary,
  OwnerMandate,
  OwnerMandatesRequest,
} from '../messages/resources.ts'
import { call, judgement } from './row.ts'

export const beneficiariesCalls = {
  'int.beneficiaries.find-beneficiary': call<FindBeneficiaryRequest, KnownBeneficiary | null>({
    askedBy: ['operations', 'spending', 'catalog'],
    meaning: "a visible beneficiary with the provider's reference",
  }),
  'int.beneficiaries.find-mandate': call<FindMandateRequest, OwnerMandate | null>({
    askedBy: ['operations'],
    meaning: 'a mandate with whom it pays and by which grants',
  }),
  'int.beneficiaries.owner-mandates': call<OwnerMandatesRequest, OwnerMandate[]>({
    askedBy: ['authz'],
    meaning: "the owner's mandates, for the pages",
  }),
  'int.beneficiaries.authorize-mandates': call<AuthorizeMandatesRequest, AuthorizeMandatesResponse>({
    askedBy: ['authz'],
    meaning:
      "the owner consented: a grant may pay under these mandates from now on. Leaves out a mandate that is not the owner's, may not be paid under any more, or does not name the client",
  }),
  'int.beneficiaries.judge-mandate-create': judgement<typeof mandatesRoutes.createMandate>({
    askedBy: ['operations'],
    meaning: 'whether a mandate would be refused now, before its owner is asked to confirm it; writes nothing',
  }),
  'int.beneficiaries.judge-mandate-revoke': judgement<typeof mandatesRoutes.revokeMandate>({
    askedBy: ['operations'],
    meaning: 'whether a revocation would be refused now, before its owner is asked to confirm it; writes nothing',
  }),
}
