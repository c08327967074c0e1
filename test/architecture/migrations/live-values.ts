/**
 * The values that the code uses today for each column whose CHECK lists values, and for each expression over states.
 *
 * Migrations are frozen, so a new state or kind needs a new migration. `values.test.ts` compares this table with the
 * newest schema.
 */

import { fenceTargets } from '@financial-agents/contract/kinds'
import {
  holdsPayload,
  isTerminal,
  type Mover,
  operationStates,
  terminalStates,
  transitions,
} from '@financial-agents/contract/machine'
import { grantStatus } from '@financial-agents/contract/schemas/authorization'
import type { Beneficiary } from '@financial-agents/contract/schemas/beneficiary'
import type { Card } from '@financial-agents/contract/schemas/card'
import { kycStatus } from '@financial-agents/contract/schemas/kyc'
import type { Move } from '@financial-agents/writes/write'
import { profiles } from '../../../services/authz/src/registration/registration.ts'
import type { ClientStatus } from '../../../services/authz/src/store/clients.ts'
import type { FenceTarget as AuthzFenceTarget } from '../../../services/authz/src/store/fences.ts'
import type { GrantRow } from '../../../services/authz/src/store/grants.ts'
import type { StoredState } from '../../../services/beneficiaries/src/mandates/machine.ts'
import { type CardRowState, cardChanges, type PriorState } from '../../../services/cards/src/card-machine.ts'
import type { Result as DeliveryResult } from '../../../services/notifier/src/claim-store.ts'
import type { About } from '../../../services/notifier/src/owner-events/candidates.ts'
import type { BindingSource } from '../../../services/onboarding/src/binding-changes.ts'
import type { BindingStatus } from '../../../services/onboarding/src/binding-machine.ts'
import type { SignIn } from '../../../services/onboarding/src/sign-ins-store.ts'
import type { OpenApproval } from '../../../services/operations/src/approvals/item.ts'
import type { Outcome as ApprovalOutcome } from '../../../services/operations/src/approvals/validate.ts'
import type { IntentRow } from '../../../services/operations/src/store/confirmation-intents.ts'

/** Lists the members of a union. The compiler requires exactly its members. */
const members = <Member extends string>(all: Readonly<Record<Member, true>>) => Object.keys(all)

/** Values that only SQL statements contain. A statement that writes another value fails in the tests of its service. */
const inStatements = (...values: string[]) => values

const states = (which: (row: (typeof transitions)[number]) => boolean, ends: readonly ('from' | 'to')[]) => [
  ...new Set(transitions.filter(which).flatMap((row) => ends.map((end) => row[end]).filter((state) => state !== null))),
]
const by = (mover: Mover) => (row: (typeof transitions)[number]) => row.by === mover

const archivedMonths = { stage: inStatements('detached', 'written', 'removed') }

const writes = {
  state: members<Move['was']>({ draft: true, accepted: true, void: true }),
  outcome: terminalStates,
}

/** Values by service, table and column. */
export const liveValues: Readonly<Record<string, readonly string[]>> = {
  'authz.clients.profile': profiles,
  'authz.clients.status': members<ClientStatus>({ active: true, suspended: true }),
  'authz.fences.target': members<AuthzFenceTarget>({ grant: true, client: true }),
  'authz.grants.kind': members<GrantRow['kind']>({ human: true, service: true }),
  // An expired grant keeps its status, or is revoked with that reason.
  'authz.grants.status': grantStatus.exclude(['expired']).options,
  'beneficiaries.beneficiaries.state': members<Beneficiary['state'] | 'draft' | 'void'>({
    draft: true,
    pending: true,
    active: true,
    failed: true,
    void: true,
  }),
  'beneficiaries.mandate_authorities.how': inStatements('confirmed', 'consented'),
  'beneficiaries.mandate_windows.period': inStatements('day', 'week', 'month'),
  'beneficiaries.mandates.state': members<StoredState>({
    draft: true,
    pending: true,
    active: true,
    suspending: true,
    suspended: true,
    revoking: true,
    revoked: true,
    revocation_failed: true,
    failed: true,
    void: true,
  }),
  'beneficiaries.writes.outcome': writes.outcome,
  'beneficiaries.writes.state': writes.state,
  'cards.cards.prior_state': members<PriorState>({ active: true, frozen: true }),
  'cards.cards.state': members<CardRowState>({
    draft: true,
    pending: true,
    active: true,
    freezing: true,
    frozen: true,
    unfreezing: true,
    closing: true,
    closed: true,
    failed: true,
    void: true,
  }),
  'cards.cards.type': members<Card['type']>({ virtual: true, physical: true }),
  'cards.writes.outcome': writes.outcome,
  'cards.writes.state': writes.state,
  'notifier.deliveries.status': members<DeliveryResult['status']>({ pending: true, delivered: true, failed: true }),
  'notifier.owner_candidates.about': members<About>({ payment: true, uncertain: true }),
  'notifier.owner_events.status': members<DeliveryResult['status']>({ pending: true, delivered: true, failed: true }),
  'notifier.subscriptions.disabled_reason': inStatements('endpoint_gone', 'endpoint_failing'),
  'onboarding.bindings.source': members<BindingSource>({ declared: true, sign_in: true }),
  'onboarding.bindings.status': members<BindingStatus>({ connected: true, disconnecting: true, disconnected: true }),
  'onboarding.kyc.status': kycStatus.options,
  'onboarding.kyc_changes.status': kycStatus.options,
  'onboarding.sign_ins.outcome': members<NonNullable<SignIn['outcome']>>({
    signed_in: true,
    declined: true,
    refused: true,
  }),
  'onboarding.writes.outcome': writes.outcome,
  'onboarding.writes.state': writes.state,
  'operations.approvals.state': members<OpenApproval['state'] | ApprovalOutcome['state']>({
    unprepared: true,
    waiting: true,
    granted: true,
    declined: true,
    expired: true,
    failed: true,
  }),
  'operations.archived_months.stage': archivedMonths.stage,
  'operations.confirmation_intents.status': members<IntentRow['status']>({
    pending: true,
    confirmed: true,
    declined: true,
    consumed: true,
  }),
  'reconciler.reconciliations.state': states(by('reconciler'), ['from', 'to']),
  'spending.writes.outcome': writes.outcome,
  'spending.writes.state': writes.state,
  'submitter.archived_months.stage': archivedMonths.stage,
  'submitter.fence_versions.target': fenceTargets,
  'submitter.fences.target': fenceTargets,
  'submitter.submissions.state': states(by('submitter'), ['to']),
}

/** States in the expressions of generated columns and of multi-column constraints, by service, table and name. */
export const liveExpressions: Readonly<Record<string, readonly string[]>> = {
  'cards.cards.cards_check': Object.values(cardChanges).map((change) => change.during),
  'operations.approvals.open_ones_are_looked_after': members<OpenApproval['state']>({
    unprepared: true,
    waiting: true,
  }),
  'operations.history.legal_transition': transitions.map(
    (row) => `${row.from ?? 'new'} ${row.event} ${row.to} ${row.by}`,
  ),
  'operations.operations.payload_gone_with_outcome': operationStates.filter(holdsPayload),
  'reconciler.reconciliations.reconciliations_check': states(by('reconciler'), ['to']).filter(isTerminal),
}
