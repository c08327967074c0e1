/**
 * The messages about operations and grants, for operators. The types require messages for every state and every move of the tables.
 * The word for a kind is in its row.
 */

import type { Mover, OperationState, transitions } from '@financial-agents/contract/machine'
import type { ClientProfile, GrantStatus } from '@financial-agents/contract/schemas/authorization'
import type { Tone } from '@financial-agents/pages/parts'
import texts from '../../messages/en.json' with { type: 'json' }
import type { AuditAction } from '../store/audit.ts'

/** `next`: the next step if nobody acts. */
export const stateWords: { readonly [S in OperationState]: { tone: Tone; word: string; next: string } } = {
  requires_action: { tone: 'neutral', ...texts.states.requires_action },
  accepted: { tone: 'neutral', ...texts.states.accepted },
  submitting: { tone: 'neutral', ...texts.states.submitting },
  submitted: { tone: 'neutral', ...texts.states.submitted },
  indeterminate: { tone: 'warning', ...texts.states.indeterminate },
  succeeded: { tone: 'good', ...texts.states.succeeded },
  failed: { tone: 'bad', ...texts.states.failed },
  cancelled: { tone: 'neutral', ...texts.states.cancelled },
}

export const moverWords: { readonly [M in Mover]: string } = texts.movers

type MoveOf<Row> = Row extends { from: infer From extends string | null; to: infer To extends string }
  ? `${From extends null ? 'new' : From}>${To}`
  : never

/** A move, named by its states before and after. */
type Move = MoveOf<(typeof transitions)[number]>

const moves: { readonly [M in Move]: { what: string; meaning: string } } = texts.moves

export function moveWords(from: OperationState | null, to: OperationState): { what: string; meaning: string } {
  const known: Partial<Record<string, { what: string; meaning: string }>> = moves
  return known[`${from ?? 'new'}>${to}`] ?? { what: stateWords[to].word, meaning: '' }
}

/** The result of a read, by the evidence's word for it. */
export const resultWords: Readonly<Record<string, string>> = texts.results

export const grantWords: { readonly [S in GrantStatus]: { tone: Tone; word: string } } = {
  active: { tone: 'good', word: texts.grantStates.active },
  suspended: { tone: 'warning', word: texts.grantStates.suspended },
  revoked: { tone: 'neutral', word: texts.grantStates.revoked },
  expired: { tone: 'neutral', word: texts.grantStates.expired },
}

export const profileWords: { readonly [P in ClientProfile]: string } = texts.profiles

export const auditWords: { readonly [A in AuditAction]: string } = texts.auditActions
