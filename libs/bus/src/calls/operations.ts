/** What operations answers. */

import type { DecideIntentAnswer, DecideIntentRequest, FindIntentRequest, OwnerIntent } from '../messages/intents.ts'
import type { ChangedRequest, OperationStateView } from '../messages/operation-states.ts'
import type {
  AcceptRequest,
  AcceptVerdict,
  DecideRequest,
  DecideResponse,
  KeyVerdict,
  PayloadsRequest,
  PayloadsResponse,
  VerdictRequest,
} from '../messages/operations.ts'
import type {
  FindOperationsRequest,
  GrantActivity,
  OperationsOverview,
  OperatorMove,
  OperatorOperationRow,
} from '../messages/operator.ts'
import type { OwnerActivity } from '../messages/owner-activity.ts'
import { call, writingAreas } from './row.ts'

type History = { operation: OperatorOperationRow; history: OperatorMove[] } | null

export const operationsCalls = {
  'int.operations.accept': call<AcceptRequest, AcceptVerdict>({
    askedBy: writingAreas,
    meaning:
      "key verdict, the owner's confirmation, the day's ceiling and acceptance in one: the only way an operation comes into being",
  }),
  'int.operations.verdict': call<VerdictRequest, KeyVerdict>({
    askedBy: writingAreas,
    meaning: 'the key verdict alone, before an area refuses; writes nothing',
  }),
  'int.operations.decide': call<DecideRequest, DecideResponse>({
    askedBy: writingAreas,
    meaning: 'voids ids that no accept has decided, and tells the state of the decided ones (`void` has sequence 0)',
  }),
  'int.operations.payloads': call<PayloadsRequest, PayloadsResponse>({
    askedBy: ['submitter'],
    meaning: 'accepted operations with their sealed payload, as many as one message carries; the rest is named',
  }),
  'int.operations.unsettled-bindings': call<{ binding_ids: string[] }, string[]>({
    askedBy: ['onboarding'],
    meaning: 'of these bindings, those that have operations without an outcome',
  }),
  'int.operations.states': call<{ operation_ids: string[] }, OperationStateView[]>({
    askedBy: ['notifier'],
    meaning: 'the latest state of operations as their clients see it now; unknown ids are left out',
  }),
  'int.operations.changed': call<ChangedRequest, OperationStateView[]>({
    askedBy: ['notifier'],
    meaning:
      'the operations that changed since a moment, oldest first: a follower catches up with them after being away',
  }),
  'int.operations.owner-activity': call<{ owner_id: string }, OwnerActivity>({
    askedBy: ['authz'],
    meaning: "for the account page: the owner's operations without an outcome, and the latest of each grant",
  }),
  'int.operations.find-intent': call<FindIntentRequest, OwnerIntent | null>({
    askedBy: ['authz'],
    meaning: "a confirmation intent of this owner, for the owner's page; null where there is none",
  }),
  'int.operations.decide-intent': call<DecideIntentRequest, DecideIntentAnswer>({
    askedBy: ['authz'],
    meaning: "the owner's decision on a confirmation intent",
  }),
  'int.operations.approval-returned': call<{ operation_id: string }, null>({
    askedBy: ['authz'],
    meaning:
      "the owner came back from the provider's approval page: the approval is polled, no more often than the provider wants. Always null",
  }),
  'int.operations.find-operations': call<FindOperationsRequest, OperatorOperationRow[]>({
    askedBy: ['ops-console'],
    meaning: 'for operators: operations of everybody by any filters, newest first',
  }),
  'int.operations.operation-history': call<{ operation_id: string }, History>({
    askedBy: ['ops-console'],
    meaning: 'for operators: an operation with every move and its evidence',
  }),
  'int.operations.overview': call<null, OperationsOverview>({
    askedBy: ['ops-console'],
    meaning: 'for operators: the operations in flight and those of the last 24 hours, counted',
  }),
  'int.operations.grant-activity': call<{ grant_ids: string[] }, GrantActivity[]>({
    askedBy: ['ops-console'],
    meaning: 'for operators: the last use of grants, and the operations that each has under way',
  }),
}
