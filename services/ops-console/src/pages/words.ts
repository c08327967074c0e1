/**
 * Words for operations and grants, for operators. The types require words for every state and every move of the tables. The
 * word for a kind is in its row.
 */

import type { Mover, OperationState, transitions } from '@financial-agents/contract/machine'
import type { ClientProfile, GrantStatus } from '@financial-agents/contract/schemas/authorization'
import type { Tone } from '@financial-agents/pages/parts'
import type { AuditAction } from '../store/audit.ts'

export type StateWords = {
  tone: Tone
  word: string
  /** The next step if nobody acts. */
  next: string
}

export const stateWords: { readonly [S in OperationState]: StateWords } = {
  requires_action: {
    tone: 'neutral',
    word: 'Requires action',
    next: 'The owner’s approval at the provider is awaited. Given, it is sent; declined or late, it is cancelled.',
  },
  accepted: { tone: 'neutral', word: 'Accepted', next: 'The submitter claims it and sends it, once.' },
  submitting: {
    tone: 'neutral',
    word: 'Submitting',
    next: 'The provider’s answer is awaited. If the attempt’s lease runs out first, the outcome counts as unknown.',
  },
  submitted: { tone: 'neutral', word: 'Submitted', next: 'The provider has it. Reads find out how it ends.' },
  indeterminate: {
    tone: 'warning',
    word: 'Indeterminate',
    next: 'Whether the provider took it is unknown. Reads go on without end until one proves it; it is never sent again.',
  },
  succeeded: { tone: 'good', word: 'Succeeded', next: 'Nothing: this is final.' },
  failed: { tone: 'bad', word: 'Failed', next: 'Nothing: this is final.' },
  cancelled: { tone: 'neutral', word: 'Cancelled', next: 'Nothing: this is final.' },
}

export const moverWords: { readonly [M in Mover]: string } = {
  operations: 'operations',
  submitter: 'the submitter',
  reconciler: 'the reconciler',
}

type MoveOf<Row> = Row extends { from: infer From extends string | null; to: infer To extends string }
  ? `${From extends null ? 'new' : From}>${To}`
  : never

/** A move, named by its states before and after. */
type Move = MoveOf<(typeof transitions)[number]>

const moves: { readonly [M in Move]: readonly [what: string, meaning: string] } = {
  'new>accepted': ['Accepted', 'It was recorded and queued. Nothing had been sent.'],
  'new>requires_action': ['Recorded, waiting for the owner', 'The provider wants the owner’s approval first.'],
  'requires_action>accepted': ['Approved by the owner', 'It was queued. Nothing had been sent.'],
  'requires_action>cancelled': ['Cancelled without an approval', 'Nothing was sent.'],
  'requires_action>failed': ['Failed before it was sent', 'The approval could not be had. Nothing was sent.'],
  'accepted>submitting': ['Claimed for sending', 'From here on the provider may have been asked.'],
  'accepted>failed': ['Failed before it was sent', 'Nothing was sent.'],
  'accepted>cancelled': ['Cancelled before it was sent', 'Nothing was sent.'],
  'submitting>submitted': ['Taken by the provider', 'The provider acknowledged it; the outcome was still open.'],
  'submitting>succeeded': ['Done by the provider', 'The provider’s answer said so.'],
  'submitting>failed': ['Refused by the provider', 'The provider’s answer said so. Nothing was executed.'],
  'submitting>indeterminate': [
    'Outcome unknown',
    'No answer reported whether the provider took it. It is never sent again; from here on reads alone decide.',
  ],
  'submitted>succeeded': ['Settled', 'A read found it done.'],
  'submitted>failed': ['Failed at the provider', 'A read found it failed.'],
  'submitted>indeterminate': ['Outcome unclear', 'Reads contradicted each other.'],
  'indeterminate>submitted': ['Proved to be at the provider', 'A read found it, not finished yet.'],
  'indeterminate>succeeded': ['Settled by proof', 'A read proved that the provider had done it.'],
  'indeterminate>failed': ['Failed by proof', 'A read proved that the provider had not done it.'],
}

export function moveWords(from: OperationState | null, to: OperationState): { what: string; meaning: string } {
  const known = (moves as Readonly<Record<string, readonly [string, string]>>)[`${from ?? 'new'}>${to}`]
  return { what: known?.[0] ?? stateWords[to].word, meaning: known?.[1] ?? '' }
}

/** The result of a read, by the evidence's word for it. */
export const resultWords: Readonly<Record<string, string>> = {
  found_succeeded: 'found it, done',
  found_failed: 'found it, failed',
  found_pending: 'found it, not finished',
  not_found: 'did not find it',
  ambiguous: 'contradicted itself',
}

export const grantWords: { readonly [S in GrantStatus]: { tone: Tone; word: string } } = {
  active: { tone: 'good', word: 'Active' },
  suspended: { tone: 'warning', word: 'Suspended' },
  revoked: { tone: 'neutral', word: 'Revoked' },
  expired: { tone: 'neutral', word: 'Expired' },
}

export const profileWords: { readonly [P in ClientProfile]: string } = {
  web: 'Website',
  spa: 'Browser application',
  native: 'Native application',
  device: 'Device',
  service: 'Service account',
}

export const auditWords: { readonly [A in AuditAction]: string } = {
  listOperatorOperations: 'List of operations',
  getOperatorOperation: 'One operation',
  listOperatorGrants: 'List of grants',
  suspendOperatorGrant: 'Suspension of a grant',
  signIn: 'Sign-in',
  signOut: 'Sign-out',
  viewOverview: 'Overview',
  viewProvider: 'Provider',
  viewSuspension: 'What a suspension stops',
  viewClientSuspension: 'What a suspension of all grants stops',
  suspendClient: 'Suspension of all grants of a client',
  viewAudit: 'Audit',
  exportOperations: 'Operations as CSV',
  exportGrants: 'Grants as CSV',
  refusedPage: 'Page refused',
}

/** Beside the fields for times, and for a value that is no time. */
export const timeAdvice =
  'Times are in UTC or have an offset: 2026-11-23, 2026-11-23T19:00, 2026-11-23T19:00Z or 2026-11-23T20:00+01:00.'
