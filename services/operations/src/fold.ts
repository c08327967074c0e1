/**
 * Sorting out what arrived before anything is written: which transitions the machine knows, and how those of one
 * operation move its view. Pure; one bad transition never stands in the way of the others.
 */

import type { EventBatch, OperationTransition, ReadPlanned } from '@financial-agents/bus/messages/events'
import { apply, isTerminal } from '@financial-agents/operation-machine/machine'
import { isUuid } from '@financial-agents/postgres/is-uuid'
import type { Parked, Standing } from './store/projection.ts'

/** What arrived about one operation: transitions by ascending sequence, each once, and the latest plan. */
export type Arrived = {
  id: string
  moves: OperationTransition[]
  plan: ReadPlanned | null
  /** The lowest sequence that was set aside: from there on nothing is confirmed, so that it comes again. */
  parkedFrom: number
}

/** Groups what arrived by operation, sorted by id; what the machine does not know is set aside. */
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
  /** For history. */
  moves: OperationTransition[]
  /** The transition the view moves to, where one is ahead of it. */
  view: OperationTransition | null
  broken: OperationTransition[]
}

/** Applies ascending transitions to where an operation stands. What contradicts the chain is broken. */
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

/** Told to the areas, and committed here before. */
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

/** Movers of before say nothing of the resource. */
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
