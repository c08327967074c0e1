/** Takes the steps of the model in every order, shortest histories first, until an operation is sent twice. */

import { canonical } from './canonical.ts'
import { type Options, steps } from './model.ts'
import type { State } from './state.ts'

export type Explored = {
  states: number
  /** The shortest history that sends an operation twice. */
  history: string[] | undefined
}

export const defaults: Options = { removed: undefined, fine: false, anySequence: false }

export function explore(
  start: State,
  options: Partial<Options> = {},
  { maxStates = Number.POSITIVE_INFINITY, visit }: { maxStates?: number; visit?: (state: State) => void } = {},
): Explored {
  const known = new Set([canonical(start)])
  const queue: { state: State; parent: number; step: string }[] = [{ state: start, parent: -1, step: '' }]
  const historyTo = (index: number): string[] => {
    const entry = queue[index]
    return entry && index > 0 ? [...historyTo(entry.parent), entry.step] : []
  }
  for (let head = 0; head < queue.length; head += 1) {
    const entry = queue[head]
    if (!entry) break
    const { state } = entry
    visit?.(state)
    for (const { by, what, apply } of steps(state, { ...defaults, ...options })) {
      const next = apply()
      const text = canonical(next)
      if (known.has(text)) continue
      known.add(text)
      queue.push({ state: next, parent: head, step: `${by} ${what}` })
      if (next.sent.some((count) => count > 1)) return { states: known.size, history: historyTo(queue.length - 1) }
      if (known.size > maxStates) throw new Error(`more than ${maxStates} states`)
    }
    // Only the history of a state is still needed.
    queue[head] = { ...entry, state: start }
  }
  return { states: known.size, history: undefined }
}

/** Takes the named steps. Throws if one of them is not possible. */
export function follow(start: State, history: readonly string[], options: Partial<Options> = {}): State {
  let state = start
  for (const wanted of history) {
    const step = [...steps(state, { ...defaults, ...options })].find(({ by, what }) => `${by} ${what}` === wanted)
    if (!step) throw new Error(`not possible: ${wanted}`)
    state = step.apply()
  }
  return state
}
