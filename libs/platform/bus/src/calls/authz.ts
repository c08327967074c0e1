/** The calls that authz answers. */

import type { GrantedClient, GrantView, OwnerClient, OwnerIdentity } from '../messages/authority.ts'
import type { KeySet, TunnelledRequest, TunnelledResponse } from '../messages/http.ts'
import type {
  FindGrantsRequest,
  OperatorGrantRow,
  SuspendGrantAnswer,
  SuspendGrantRequest,
} from '../messages/operator.ts'
import type { AccessGiven, AccessGivenRequest } from '../messages/owner-events.ts'
import type { RepeatEnd } from '../messages/witness.ts'
import { call } from './row.ts'

type OwnerAndClient = { owner_id: string; client_id: string }

export const authzCalls = {
  'rpc.authz.http': call<TunnelledRequest, TunnelledResponse>({
    askedBy: ['gateway'],
    meaning: 'an HTTP request to the origin of the API, answered by the application of authz',
  }),
  'rpc.authz.grant': call<{ grant_id: string }, GrantView | null>({
    askedBy: ['gateway'],
    meaning:
      'a grant with its connection; null if the grant does not exist; `authorization_unavailable` if onboarding does not answer',
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
    meaning: "reports a change of an owner's binding; authz tells the gateways before it answers",
  }),
  'int.authz.owner-clients': call<{ owner_id: string }, GrantedClient[]>({
    askedBy: ['operations', 'beneficiaries'],
    meaning: 'all clients that hold grants of an owner, with their names and their active grants',
  }),
  'int.authz.identity': call<{ owner_id: string }, OwnerIdentity>({
    askedBy: ['onboarding'],
    meaning: "an owner's display name, locale and time zone; defaults for an owner who never signed in",
  }),
  'int.authz.active-grants': call<{ clients: OwnerAndClient[] }, GrantView[]>({
    askedBy: ['notifier'],
    meaning:
      'the active grants of the given pairs of owner and client, each with its connection; `authorization_unavailable` if onboarding does not answer',
  }),
  'int.authz.access-given': call<AccessGivenRequest, AccessGiven[]>({
    askedBy: ['notifier'],
    meaning: 'the grants that were given since a moment, oldest first, for the events of owners',
  }),
  'int.authz.find-grants': call<FindGrantsRequest, OperatorGrantRow[]>({
    askedBy: ['ops-console'],
    meaning: 'for operators: grants of any owner, with the pairwise subject instead of the owner',
  }),
  'int.authz.client-names': call<{ client_ids: string[] }, OwnerClient[]>({
    askedBy: ['ops-console'],
    meaning: 'for operators: the names of clients',
  }),
  'int.authz.repeat-end': call<RepeatEnd, boolean>({
    askedBy: ['provisioner'],
    meaning:
      'suspends a client with its grants, whose end the database may have lost; true if the database had lost that. Idempotent',
  }),
  'int.authz.suspend-grant': call<SuspendGrantRequest, SuspendGrantAnswer>({
    askedBy: ['ops-console', 'provisioner'],
    meaning: 'for operators: suspends a grant',
  }),
}
