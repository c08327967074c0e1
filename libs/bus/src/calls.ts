/**
 * Every call between services by its subject: request and answer. `int.` calls stay inside the services' account;
 * `rpc.` ones are those the gateway may make besides the routes of the contract.
 */

import type { mandatesRoutes } from '@financial-agents/contract/routes/mandates'
import type { onboardingRoutes } from '@financial-agents/contract/routes/onboarding'
import type { spendingRoutes } from '@financial-agents/contract/routes/spending'
import type { WebhookDelivery } from '@financial-agents/contract/schemas/webhook'
import type {
  Binding,
  FenceRequest,
  FenceResponse,
  GrantedClient,
  GrantView,
  OwnerClient,
  OwnerIdentity,
  SealedCredentials,
  UnfenceRequest,
} from './messages/authority.ts'
import type { Confirmation, LateAnswer } from './messages/events.ts'
import type { CarriedRequest, CarriedResponse } from './messages/http.ts'
import type { DecideIntentAnswer, DecideIntentRequest, FindIntentRequest, OwnerIntent } from './messages/intents.ts'
import type { JudgeRequest } from './messages/judgements.ts'
import type { ChangedRequest, OperationStateView } from './messages/operation-states.ts'
import type {
  AcceptRequest,
  AcceptVerdict,
  DecideRequest,
  DecideResponse,
  KeyVerdict,
  PayloadsRequest,
  PayloadsResponse,
  VerdictRequest,
} from './messages/operations.ts'
import type {
  FindGrantsRequest,
  FindOperationsRequest,
  GrantActivity,
  OperationsOverview,
  OperatorGrantRow,
  OperatorMove,
  OperatorOperationRow,
  Review,
  ReviewsRequest,
  SuspendGrantAnswer,
  SuspendGrantRequest,
} from './messages/operator.ts'
import type { OwnerActivity } from './messages/owner-activity.ts'
import type {
  AuthorizeMandatesRequest,
  AuthorizeMandatesResponse,
  FindBeneficiaryRequest,
  FindMandateRequest,
  KnownBeneficiary,
  OwnerMandate,
  OwnerMandatesRequest,
} from './messages/resources.ts'
import type {
  ConnectAnswer,
  FinishSignInAnswer,
  FinishSignInRequest,
  MayConnectAnswer,
  StartSignInAnswer,
  StartSignInRequest,
} from './messages/sign-in.ts'

/** Every call between services by its subject: what is asked and what is answered. */
export type Calls = {
  /** Key verdict and acceptance in one; the only way an operation comes into being. */
  'int.operations.accept': { request: AcceptRequest; answer: AcceptVerdict }
  /** The key verdict alone, before an area refuses. */
  'int.operations.verdict': { request: VerdictRequest; answer: KeyVerdict }
  /** Decides undecided ids against acceptance, and tells the state of decided ones. */
  'int.operations.decide': { request: DecideRequest; answer: DecideResponse }
  'int.operations.payloads': { request: PayloadsRequest; answer: PayloadsResponse }
  'int.operations.owner-activity': { request: { owner_id: string }; answer: OwnerActivity }
  /** A confirmation intent of this owner; null where there is none. */
  'int.operations.find-intent': { request: FindIntentRequest; answer: OwnerIntent | null }
  'int.operations.decide-intent': { request: DecideIntentRequest; answer: DecideIntentAnswer }
  /** The owner came back from the provider's approval page: the approval is polled. Null whatever became of it. */
  'int.operations.approval-returned': { request: { operation_id: string }; answer: null }
  /** Of these bindings, those that still have operations without an outcome. */
  'int.operations.unsettled-bindings': { request: { binding_ids: string[] }; answer: string[] }
  /** The latest state of operations as their clients see it now; what is not known is left out. */
  'int.operations.states': { request: { operation_ids: string[] }; answer: OperationStateView[] }
  /** What changed since, oldest first: the way to catch up for who follows events and was away. */
  'int.operations.changed': { request: ChangedRequest; answer: OperationStateView[] }
  /** For operators. */
  'int.operations.find-operations': { request: FindOperationsRequest; answer: OperatorOperationRow[] }
  'int.operations.operation-history': {
    request: { operation_id: string }
    answer: { operation: OperatorOperationRow; history: OperatorMove[] } | null
  }
  'int.operations.overview': { request: null; answer: OperationsOverview }
  'int.operations.grant-activity': { request: { grant_ids: string[] }; answer: GrantActivity[] }
  'int.reconciler.reviews': { request: ReviewsRequest; answer: Review[] }
  'int.notifier.operation-deliveries': { request: { operation_id: string }; answer: WebhookDelivery[] }
  'int.authz.find-grants': { request: FindGrantsRequest; answer: OperatorGrantRow[] }
  'int.authz.client-names': { request: { client_ids: string[] }; answer: OwnerClient[] }
  'int.authz.suspend-grant': { request: SuspendGrantRequest; answer: SuspendGrantAnswer }
  'int.beneficiaries.find-beneficiary': { request: FindBeneficiaryRequest; answer: KnownBeneficiary | null }
  'int.beneficiaries.find-mandate': { request: FindMandateRequest; answer: OwnerMandate | null }
  'int.beneficiaries.owner-mandates': { request: OwnerMandatesRequest; answer: OwnerMandate[] }
  /** Leaves out what is not the owner's, may not be paid under any more, or does not name the client. */
  'int.beneficiaries.authorize-mandates': { request: AuthorizeMandatesRequest; answer: AuthorizeMandatesResponse }
  /**
   * Whether the write that an owner is to confirm would be refused now; it writes nothing. Null where it would not, else
   * the write's own problem.
   */
  'int.beneficiaries.judge-mandate-create': { request: JudgeRequest<typeof mandatesRoutes.createMandate>; answer: null }
  'int.beneficiaries.judge-mandate-revoke': { request: JudgeRequest<typeof mandatesRoutes.revokeMandate>; answer: null }
  'int.onboarding.judge-disconnect': { request: JudgeRequest<typeof onboardingRoutes.disconnectService>; answer: null }
  'int.spending.judge-withdrawal': { request: JudgeRequest<typeof spendingRoutes.createWithdrawal>; answer: null }
  'int.onboarding.bindings': { request: { owner_ids: string[] }; answer: Binding[] }
  /** Provider-device authentication of an owner. */
  'int.onboarding.start-sign-in': { request: StartSignInRequest; answer: StartSignInAnswer }
  'int.onboarding.finish-sign-in': { request: FinishSignInRequest; answer: FinishSignInAnswer }
  /** Whether an owner who has just signed in can connect. */
  'int.onboarding.may-connect': { request: { owner_id: string }; answer: MayConnectAnswer }
  /** The owner connects: the only way in which a sign-in makes a binding. May be repeated. */
  'int.onboarding.connect': { request: { owner_id: string }; answer: ConnectAnswer }
  /**
   * The owner disconnects at the account page: opens a `transfer_grant_revoke`. False where nothing is connected.
   * `fenced`: the submitter has confirmed that it sends nothing more over the connection.
   */
  'int.onboarding.disconnect': {
    /** `subject`: by which operators know the owner in what was done on the account page. */
    request: { owner_id: string; subject: string }
    answer: { disconnected: true; fenced: boolean } | { disconnected: false }
  }
  'int.onboarding.credentials': { request: { binding_ids: string[] }; answer: SealedCredentials[] }
  /** Reaches every replica; the first answer counts. Repeating it changes nothing. */
  'int.submitter.fence': { request: FenceRequest; answer: FenceResponse }
  'int.submitter.unfence': { request: UnfenceRequest; answer: null }
  /** Answered once the answer is committed there; the submitter keeps it until then. */
  'int.reconciler.late-answer': { request: LateAnswer; answer: null }
  /** Announces that an owner's binding changed, for the gateways' feed. */
  'int.authz.owner-changed': { request: { owner_id: string }; answer: null }
  /** Every client that holds a grant of this owner, by name. */
  'int.authz.owner-clients': { request: { owner_id: string }; answer: GrantedClient[] }
  /** How an owner wants to be shown things; defaults for one who never signed in. */
  'int.authz.identity': { request: { owner_id: string }; answer: OwnerIdentity }
  /** Of these owners and clients, the grants that are active now. */
  'int.authz.active-grants': { request: { clients: { owner_id: string; client_id: string }[] }; answer: GrantView[] }
  'rpc.authz.grant': { request: { grant_id: string }; answer: GrantView | null }
  /** A JWK Set. */
  'rpc.authz.keys': { request: null; answer: { keys: Record<string, unknown>[] } }
  /** A JWK Set: verifies the signatures of webhooks. */
  'rpc.notifier.keys': { request: null; answer: { keys: Record<string, unknown>[] } }
  /** Origins of registered browser clients. */
  'rpc.authz.origins': { request: null; answer: { origins: string[] } }
  'rpc.authz.http': { request: CarriedRequest; answer: CarriedResponse }
  /** A JWK Set: verifies operators' tokens. */
  'rpc.ops-console.keys': { request: null; answer: { keys: Record<string, unknown>[] } }
  /** The console's pages. */
  'rpc.ops-console.http': { request: CarriedRequest; answer: CarriedResponse }
  /** Between gateways, `edge.proof.<boot id>`: whether a proof whose nonce that process issued is used for the first time. */
  [proof: `edge.proof.${string}`]: {
    request: { replay_key: string; nonce_issued_at_ms: number }
    answer: { verdict: 'fresh' | 'replayed' | 'refused' }
  }
}

/** The subject of a call. */
export type CallSubject = keyof Calls

/** Notices: sent without an answer, repeated by a sweep until their effect is seen. */
export type Notices = {
  'int.submitter.confirm': Confirmation
  'int.reconciler.confirm': Confirmation
}
