/** What authz answers. */

import type { GrantedClient, GrantView, OwnerClient, OwnerIdentity } from '../messages/authority.ts'
import type { CarriedRequest, CarriedResponse, KeySet } from '../messages/http.ts'
import type {
  FindGrantsRequest,
  OperatorGrantRow,
  SuspendGrantAnswer,
  SuspendGrantRequest,
} from '../messages/operator.ts'
import { call } from './row.ts'

type OwnerAndClient = { owner_id: string; client_id: string }

export const authzCalls = {
  'rpc.authz.http': call<CarriedRequest, CarriedResponse>({
    askedBy: ['gateway'],
    meaning: 'an HTTP request of the origin, answered by the application',
  }),
  'rpc.authz.grant': call<{ grant_id: string }, GrantView | null>({
    askedBy: ['gateway'],
    meaning:
      'a grant with the connection it acts over; null where there is none; `authorization_unavailable` where onboarding cannot be asked',
  }),
  'rpc.authz.keys': call<null, KeySet>({
    askedBy: ['gateway'],
    meaning: 'the public JWK Set of access tokens, next and retired keys included',
  }),
  'rpc.authz.origins': call<null, { origins: string[] }>({
    askedBy: ['gateway'],
    meaning: 'the origins of active browser clients',
  }),
  'int.authz.owner-changed': call<{ owner_id: string }, null>({
    askedBy: ['onboarding'],
    meaning: "an owner's binding changed: the gateways are told before the answer",
  }),
  'int.authz.owner-clients': call<{ owner_id: string }, GrantedClient[]>({
    askedBy: ['operations', 'beneficiaries'],
    meaning: 'every client that holds a grant of this owner, by name, with the grants that are active',
  }),
  'int.authz.identity': call<{ owner_id: string }, OwnerIdentity>({
    askedBy: ['onboarding'],
    meaning: 'how an owner wants to be shown things; defaults for one who never signed in',
  }),
  'int.authz.active-grants': call<{ clients: OwnerAndClient[] }, GrantView[]>({
    askedBy: ['notifier'],
    meaning:
      'of these owners and clients, the grants that are active now, each with the connection it acts over; `authorization_unavailable` where onboarding cannot be asked',
  }),
  'int.authz.find-grants': call<FindGrantsRequest, OperatorGrantRow[]>({
    askedBy: ['ops-console'],
    meaning: 'for operators: grants of any owner, by the pairwise subject',
  }),
  'int.authz.client-names': call<{ client_ids: string[] }, OwnerClient[]>({
    askedBy: ['ops-console'],
    meaning: 'for operators: the names of clients',
  }),
  'int.authz.suspend-grant': call<SuspendGrantRequest, SuspendGrantAnswer>({
    askedBy: ['ops-console'],
    meaning: "for operators: ends a grant's use",
  }),
}
