/** What onboarding answers. */

import type { onboardingRoutes } from '@financial-agents/contract/routes/onboarding'
import type { Binding, SealedCredentials } from '../messages/authority.ts'
import type {
  ConnectAnswer,
  DisconnectAnswer,
  DisconnectRequest,
  FinishSignInAnswer,
  FinishSignInRequest,
  MayConnectAnswer,
  StartSignInAnswer,
  StartSignInRequest,
} from '../messages/sign-in.ts'
import { call, judgement } from './row.ts'

/** Each may wait for the provider. */
const signInsInFlight = 256

export const onboardingCalls = {
  'int.onboarding.bindings': call<{ owner_ids: string[] }, Binding[]>({
    askedBy: ['authz'],
    meaning: 'the binding of each owner asked for: the connected one, else the latest; owners without any are absent',
  }),
  'int.onboarding.credentials': call<{ binding_ids: string[] }, SealedCredentials[]>({
    askedBy: ['operations', 'submitter', 'reconciler', 'beneficiaries', 'cards', 'spending', 'catalog'],
    meaning:
      'sealed credentials by binding id, whatever the status: operations of a binding that is gone are still settled by reads',
  }),
  'int.onboarding.start-sign-in': call<StartSignInRequest, StartSignInAnswer>({
    askedBy: ['authz'],
    maxInFlight: signInsInFlight,
    meaning: 'starts a device authentication of the provider: its hosted page, and the id by which to finish',
  }),
  'int.onboarding.finish-sign-in': call<FinishSignInRequest, FinishSignInAnswer>({
    askedBy: ['authz'],
    maxInFlight: signInsInFlight,
    meaning: 'the end of a sign-in: the owner, known or new; the same again until it expires',
  }),
  'int.onboarding.may-connect': call<{ owner_id: string }, MayConnectAnswer>({
    askedBy: ['authz'],
    meaning: 'whether an owner who has just signed in can connect',
  }),
  'int.onboarding.connect': call<{ owner_id: string }, ConnectAnswer>({
    askedBy: ['authz'],
    meaning: 'the owner connects: the only way in which a sign-in makes a binding. May be repeated',
  }),
  'int.onboarding.disconnect': call<DisconnectRequest, DisconnectAnswer>({
    askedBy: ['authz'],
    meaning: 'the owner disconnects at the account page: opens a `transfer_grant_revoke` without a client',
  }),
  'int.onboarding.judge-disconnect': judgement<typeof onboardingRoutes.disconnectService>({
    askedBy: ['operations'],
    meaning: 'whether a disconnect would be refused now, before its owner is asked to confirm it; writes nothing',
  }),
}
