/**
 * Sorts incoming transitions before anything is written. It checks which transitions the machine knows, and computes
 * how the transitions of one operation move its view. Pure. One bad transition never blocks the others.
 */

import type { EventBatch, OperationTransition, ReadPlanned } from '@financial-agents/bus/messages/events'
import { apply, isTerminal } from '@financial-agents/contract/machine'
import { isUuid } from '@financial-agents/postgres/is-uuid'
import type { HistoryRow, Parked, Standing } from './store/projection.ts'

/** The incoming messages about one operation: transitions by ascending sequence, each once, and the latest plan. */
export type Arrived = {
  id: string
  moves: OperationTransition[]
  plan: ReadPlanned | null
  /** The lowest sequence that was parked. Nothing is confirmed from there on, so that it is delivered again. */
  parkedFrom: number
}

/** Groups the incoming messages by operation, sorted by id. Parks transitions that the machine does not know. */
export function sortOut(messages: readonly EventBatch[]): { arrived: Arrived[]; parked: Parked[] } {
  const byId = new Map<string, Arrived>()
  const parked: Parked[] = []
  const about = (id: string) => {
    const known = byId.get(id) ?? { id, moves: [], plan: null, parkedFrom: Number.POSITIVE_INFINITY }
    byId.set(id, known)
    return known
  }
  for (const move of messages.flatMap((message) => listOf(message?.transitions))) {
    if (!isWellFormed(move)) parked.push({ reason: 'malformed', transition: move })
    else if (isOwn(move)) continue
    else if (isLegal(move)) about(move.operation_id).moves.push(move)
    else {
      parked.push({ reason: 'illegal_transition', transition: move })
      const operation = about(move.operation_id)
      operation.parkedFrom = Math.min(operation.parkedFrom, move.sequence)
    }
  }
  for (const plan of messages.flatMap((message) => listOf(message?.reads_planned))) {
    if (!isUuid(plan?.operation_id) || !isTime(plan.next_reconcile_at) || !isSequence(plan.sequence)) continue
    const operation = about(plan.operation_id)
    if (!operation.plan || isLater(plan, operation.plan)) operation.plan = plan
  }
  for (const operation of byId.values()) operation.moves = ascending(operation.moves)
  return { arrived: [...byId.values()].toSorted((a, b) => (a.id < b.id ? -1 : 1)), parked }
}

export type Folded = {
  /** The transitions to append to history. */
  moves: OperationTransition[]
  /** The transition to which the view moves, or null if none is ahead of the view. */
  view: OperationTransition | null
  broken: OperationTransition[]
}

/** Applies ascending transitions to the standing of an operation. A transition that contradicts the chain is broken. */
export function fold(standing: Standing, moves: readonly OperationTransition[]): Folded {
  const folded: Folded = { moves: [], view: null, broken: [] }
  let { state, sequence } = standing
  for (const move of moves) {
    if (move.sequence > sequence) {
      const contradicts = isTerminal(state) || (move.sequence === sequence + 1 && move.from !== state)
      if (contradicts) {
        folded.broken.push(move)
        continue
      }
      state = move.to
      sequence = move.sequence
      folded.view = move
    }
    folded.moves.push(move)
  }
  return folded
}

/**
 * The rows of history for ascending transitions of one operation that are ahead of its view. A claim and the transition
 * after it are one row.
 */
export function rowsOf(moves: readonly OperationTransition[]): HistoryRow[] {
  const rows: HistoryRow[] = []
  for (const move of moves) {
    const before = rows.at(-1)
    const merges = before?.event === 'claim' && before.sequence === move.sequence - 1 && isBare(before)
    if (merges) rows.pop()
    rows.push({ ...move, claimed_at: merges ? before.at : null })
  }
  return rows
}

/** True for a move without facts of its own. A fact that is null may be absent. */
function isBare({ failure_code, reason, evidence }: OperationTransition): boolean {
  return [failure_code, reason, evidence].every((fact) => fact === null || fact === undefined)
}

/** True for a transition of this service's own. It was committed here before it was announced to the areas. */
function isOwn(move: OperationTransition): boolean {
  return move.by === 'operations' && isLegal(move)
}

function isLegal(move: OperationTransition): boolean {
  const applied = apply(move.from, move.event)
  return applied.ok && applied.to === move.to && applied.by === move.by
}

function isWellFormed(move: OperationTransition | null): boolean {
  return (
    isUuid(move?.operation_id) &&
    isSequence(move.sequence) &&
    isTime(move.at) &&
    (move.next_reconcile_at === null || isTime(move.next_reconcile_at)) &&
    isFacts(move.resource)
  )
}

function isFacts(value: unknown): boolean {
  if (value === null || value === undefined) return true
  return (
    typeof value === 'object' && !Array.isArray(value) && Object.values(value).every((fact) => typeof fact === 'string')
  )
}

function isSequence(value: unknown): boolean {
  return Number.isInteger(value) && (value as number) > 0 && (value as number) < 2 ** 31
}

const time = /^[1-9]\d{3}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/

function isTime(value: unknown): boolean {
  return typeof value === 'string' && time.test(value) && !Number.isNaN(Date.parse(value))
}

function isLater(a: ReadPlanned, b: ReadPlanned): boolean {
  if (a.sequence !== b.sequence) return a.sequence > b.sequence
  return Date.parse(a.next_reconcile_at) > Date.parse(b.next_reconcile_at)
}

function ascending(moves: readonly OperationTransition[]): OperationTransition[] {
  const bySequence = new Map(moves.map((move) => [move.sequence, move]))
  return [...bySequence.values()].toSorted((a, b) => a.sequence - b.sequence)
}

function listOf<Item>(value: readonly Item[] | undefined): readonly Item[] {
  return Array.isArray(value) ? (value as readonly Item[]) : []
}
