/** The calls that onboarding answers. */

import type { onboardingRoutes } from '@financial-agents/contract/routes/onboarding'
import type { Binding, SealedCredentials } from '../messages/authority.ts'
import type { ValidatedDisconnect, ValidateRequest } from '../messages/decisions.ts'
import type { OwnerReference } from '../messages/owner-events.ts'
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
import type { RepeatEnd } from '../messages/witness.ts'
import { call } from './row.ts'

/** The limit of concurrent calls about sign-ins in one process. Each may wait for the provider. */
const signInsInFlight = 256

export const onboardingCalls = {
  'int.onboarding.bindings': call<{ owner_ids: string[] }, Binding[]>({
    askedBy: ['authz'],
    meaning:
      'the binding of each given owner: the connected one, else the latest; an owner without bindings is left out',
  }),
  'int.onboarding.credentials': call<{ binding_ids: string[] }, SealedCredentials[]>({
    askedBy: ['operations', 'submitter', 'reconciler', 'beneficiaries', 'cards', 'spending', 'catalog'],
    meaning:
      'sealed credentials by binding id, for bindings of any status: reads still settle the operations of a disconnected binding',
  }),
  'int.onboarding.start-sign-in': call<StartSignInRequest, StartSignInAnswer>({
    askedBy: ['authz'],
    maxInFlight: signInsInFlight,
    meaning: "starts a device authentication at the provider; answers the hosted page and the sign-in's id",
  }),
  'int.onboarding.finish-sign-in': call<FinishSignInRequest, FinishSignInAnswer>({
    askedBy: ['authz'],
    maxInFlight: signInsInFlight,
    meaning:
      'finishes a sign-in; answers the owner, known or new. Repeated calls get the same answer until the sign-in expires',
  }),
  'int.onboarding.may-connect': call<{ owner_id: string }, MayConnectAnswer>({
    askedBy: ['authz'],
    meaning: 'checks if an owner who has just signed in can connect',
  }),
  'int.onboarding.connect': call<{ owner_id: string }, ConnectAnswer>({
    askedBy: ['authz'],
    meaning: 'connects the owner: no other call creates a binding from a sign-in. May be repeated',
  }),
  'int.onboarding.disconnect': call<DisconnectRequest, DisconnectAnswer>({
    askedBy: ['authz'],
    meaning: 'disconnects the owner, from the account page: opens a `transfer_grant_revoke` without a client',
  }),
  'int.onboarding.repeat-end': call<RepeatEnd, boolean>({
    askedBy: ['provisioner'],
    meaning: 'ends a connection, whose end the database may have lost; true if the database had lost that. Idempotent',
  }),
  'int.onboarding.find-owner': call<{ reference: string }, string | null>({
    askedBy: ['ops-console'],
    meaning: 'for operators: the owner whom the provider knows by this reference; null if there is none',
  }),
  'int.onboarding.owner-references': call<{ owner_ids: string[] }, OwnerReference[]>({
    askedBy: ['notifier'],
    meaning: 'the references under which providers know owners; an owner who never signed in is left out',
  }),
  'int.onboarding.validate-disconnect': call<
    ValidateRequest<typeof onboardingRoutes.disconnectService>,
    ValidatedDisconnect
  >({
    askedBy: ['operations'],
    meaning:
      'checks if a disconnect would be refused now, before its owner is asked to confirm it; answers the connection that it would end; writes nothing',
  }),
}
