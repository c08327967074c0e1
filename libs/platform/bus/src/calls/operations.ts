/** The calls that operations answers. */

import type { Fenced } from '../messages/authority.ts'
import type { DecideIntentAnswer, DecideIntentRequest, FindIntentRequest, OwnerIntent } from '../messages/intents.ts'
import type { ChangedRequest, OperationStateView } from '../messages/operation-states.ts'
import type {
  AcceptRequest,
  AcceptResult,
  CheckPaymentRequest,
  CheckPaymentResponse,
  DecideRequest,
  DecideResponse,
  KeyResult,
  PayloadsRequest,
  PayloadsResponse,
  ResultRequest,
} from '../messages/operations.ts'
import type {
  FindOperationsRequest,
  FoundOperations,
  GrantActivity,
  OperationsOverview,
  OperatorMove,
  OperatorOperationRow,
  SubmissionHealth,
  SubmissionHealthRequest,
} from '../messages/operator.ts'
import type {
  OwnerActivity,
  OwnerActivityRequest,
  OwnerHistoryRequest,
  OwnerOperation,
  OwnerOperationAnswer,
  OwnerSpending,
} from '../messages/owner-activity.ts'
import type { OwnerPayment } from '../messages/owner-events.ts'
import type { LostOperations, Recovered, WitnessedPayments, WitnessReport } from '../messages/witness.ts'
import { call, notice, writingAreas } from './row.ts'

type History = { operation: OperatorOperationRow; history: OperatorMove[] } | null

export const operationsCalls = {
  'int.operations.witness': call<null, WitnessReport>({
    askedBy: ['provisioner', 'ops-console'],
    meaning: 'why nothing is accepted, if the database is not proven to be the newest',
  }),
  'int.operations.lost': call<null, LostOperations | null>({
    askedBy: ['provisioner', 'ops-console'],
    meaning: 'for operators: the operations that events name and the database has lost; null while no loss is known',
  }),
  'int.operations.recover': call<null, Recovered>({
    askedBy: ['provisioner'],
    meaning: 'proves the database anew after a loss, and opens. Idempotent',
  }),
  'int.operations.reserve-again': call<WitnessedPayments, WitnessedPayments>({
    askedBy: ['provisioner'],
    meaning: 'reserves the payments again that the database has lost, and answers them. Idempotent',
  }),
  'int.operations.accept': call<AcceptRequest, AcceptResult>({
    askedBy: writingAreas,
    meaning:
      "validates the key, the owner's confirmation and the day's ceiling, and accepts the operation, in one transaction; no other call creates an operation",
  }),
  'int.operations.check-payment': call<CheckPaymentRequest, CheckPaymentResponse>({
    askedBy: ['spending', 'beneficiaries'],
    meaning: "checks a payment by the day's ceiling, as `accept` would, without a lock; writes nothing",
  }),
  'int.operations.result': call<ResultRequest, KeyResult>({
    askedBy: writingAreas,
    meaning: 'the key result alone, for an area that is about to refuse a write; writes nothing',
  }),
  'int.operations.decide': call<DecideRequest, DecideResponse>({
    askedBy: writingAreas,
    meaning: 'voids the ids that no accept has decided, and answers the state of every id (`void` has sequence 0)',
  }),
  'int.operations.payloads': call<PayloadsRequest, PayloadsResponse>({
    askedBy: ['submitter'],
    meaning: 'accepted operations with their sealed payloads, as many as fit one message; the answer names the rest',
  }),
  'int.operations.fenced': notice<Fenced>({
    askedBy: ['submitter'],
    meaning: 'a fence was set: operations looks at once after the approvals that wait under it. May be lost',
  }),
  'int.operations.unsettled-bindings': call<{ binding_ids: string[] }, string[]>({
    askedBy: ['onboarding'],
    meaning: 'the given bindings that have operations without an outcome',
  }),
  'int.operations.states': call<{ operation_ids: string[] }, OperationStateView[]>({
    askedBy: ['notifier', 'provisioner'],
    meaning: "operations' latest state, as their clients see it; unknown ids are left out",
  }),
  'int.operations.changed': call<ChangedRequest, OperationStateView[]>({
    askedBy: ['notifier'],
    meaning:
      'the operations that changed since a moment, oldest first; a service that follows events catches up with them after an outage',
  }),
  'int.operations.owner-payments': call<{ operation_ids: string[] }, OwnerPayment[]>({
    askedBy: ['notifier'],
    meaning: 'the payments of these operations, for the events of owners; operations that pay nothing are left out',
  }),
  'int.operations.owner-activity': call<OwnerActivityRequest, OwnerActivity>({
    askedBy: ['authz'],
    meaning:
      "for the owner's pages: the operations without an outcome, the latest operation of each grant, and the open confirmations",
  }),
  'int.operations.owner-history': call<OwnerHistoryRequest, OwnerOperation[]>({
    askedBy: ['authz'],
    meaning: "for the owner's pages: operations or payments of all clients or of one, newest first, page by page",
  }),
  'int.operations.owner-operation': call<{ owner_id: string; operation_id: string }, OwnerOperationAnswer>({
    askedBy: ['authz'],
    meaning: "for the owner's pages: one operation of the owner with its course; null if there is none",
  }),
  'int.operations.owner-spending': call<{ owner_id: string }, OwnerSpending[]>({
    askedBy: ['authz'],
    meaning:
      "for the owner's pages: the sums of each client's payments today, this month and in all, by the days for which limits are counted",
  }),
  'int.operations.find-intent': call<FindIntentRequest, OwnerIntent | null>({
    askedBy: ['authz'],
    meaning: 'a confirmation intent of an owner, for the page of the owner; null if there is none',
  }),
  'int.operations.decide-intent': call<DecideIntentRequest, DecideIntentAnswer>({
    askedBy: ['authz'],
    meaning: "records the owner's decision on a confirmation intent",
  }),
  'int.operations.approval-returned': call<{ operation_id: string }, null>({
    askedBy: ['authz'],
    meaning:
      "reports that the owner returned from the provider's approval page; operations polls the approval, no more often than the provider permits. The answer is always null",
  }),
  'int.operations.find-operations': call<FindOperationsRequest, FoundOperations>({
    askedBy: ['ops-console'],
    meaning: 'for operators: operations of any owner and client that match the filters, newest first',
  }),
  'int.operations.operation-history': call<{ operation_id: string }, History>({
    askedBy: ['ops-console'],
    meaning: 'for operators: an operation with all its moves and their evidence; null if there is none',
  }),
  'int.operations.overview': call<null, OperationsOverview>({
    askedBy: ['ops-console'],
    meaning: 'for operators: counts of the operations in flight and of the last 24 hours',
  }),
  'int.operations.submission-health': call<SubmissionHealthRequest, SubmissionHealth[]>({
    askedBy: ['ops-console'],
    meaning: "for operators: the provider's answers to submissions by kind, with their times, in a stretch of time",
  }),
  'int.operations.grant-activity': call<{ grant_ids: string[] }, GrantActivity[]>({
    askedBy: ['ops-console'],
    meaning: 'for operators: the last operation of each grant, and the number of its operations in flight',
  }),
}
