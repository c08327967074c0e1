/**
 * Objects whose state later mutations change: cards, mandates, connections. The state follows from the creation
 * and the actions, each after it is final, by one table.
 *
 * Every action may follow itself. If repeated instructions are executed again (`EXECUTES_REPEATS`), both executions are
 * shown.
 */

import type { RecordOf, ShownRecord } from './records.ts'

/** The state to which each action leads, by the state before. A missing pair is refused. */
export type Moves<State extends string, Action extends string> = {
  readonly [A in Action]: { readonly [S in State]?: State }
}

/** An action that the provider executed, final or not, and its object. */
export type Done<On, Action extends string> = { readonly action: Action; readonly on: On }

export type Stateful<State extends string, Action extends string> = {
  /** `pending` until the creation is final; `failed` if the creation failed. */
  state(): State | 'pending' | 'failed'
  allows(action: Action): boolean
  /** Adds an action, which takes effect when its record is final. */
  act(action: Action, record: RecordOf): void
}

/** Sorts actions by the time at which they became final, which is the order of their effects. */
function bySettlement(one: ShownRecord, other: ShownRecord): number {
  return (one.settled_at ?? '') < (other.settled_at ?? '') ? -1 : Number(one.settled_at !== other.settled_at)
}

/** @param created returns the creation's record; undefined for an object that always existed */
export function createStateful<State extends string, Action extends string>(
  start: State,
  moves: Moves<State, Action>,
  created: () => RecordOf | undefined,
): Stateful<State, Action> {
  let current = start
  let open: { action: Action; record: RecordOf }[] = []
  const state = () => {
    const status = created()?.show().status ?? 'succeeded'
    if (status !== 'succeeded') return status
    const shown = open.map((one) => ({ ...one, ...one.record.show() }))
    open = open.filter((_, index) => shown[index]?.status === 'pending')
    const done = shown.filter((one) => one.status === 'succeeded')
    for (const { action } of done.toSorted(bySettlement)) current = moves[action][current] ?? current
    return current
  }
  return {
    state,
    allows(action) {
      const now = state()
      return now !== 'pending' && now !== 'failed' && moves[action][now] !== undefined
    },
    act(action, record) {
      open.push({ action, record })
    },
  }
}
