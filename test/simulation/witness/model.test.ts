/** The rules of the witness hold in a small world in every order of its steps, and each of them is needed. */

import { describe, expect, test } from 'vitest'
import { explore, follow } from './explore.ts'
import { type Rule, safetyRules } from './model.ts'
import { removals } from './removals.ts'
import { repair } from './repair.ts'
import { type Budgets, begin, type State } from './state.ts'

const maxStates = 200_000

const worlds: readonly (Partial<Budgets> & { joins: number })[] = [
  { joins: 2 },
  { joins: 2, restarts: 1, lateClaims: 1 },
  { joins: 2, emptyClaims: 1 },
  { joins: 2, losses: 1, makes: 1 },
  { joins: 2, streamCopies: 1, streamRestores: 1 },
]

test.each(worlds)('no operation is sent twice, and repairs open every state: %o', (budgets) => {
  const closed: State[] = []
  const visit = (state: State) => {
    if (repair(state) === 'impossible') closed.push(state)
  }
  expect(explore(begin(budgets), {}, { maxStates, visit }).history).toBeUndefined()
  expect(closed).toEqual([])
})

describe('an operation is sent twice without the rule:', () => {
  test.each(safetyRules)('%s', (removed) => {
    const { after = [], ...budgets } = removals[removed]
    const explored = (rule: Rule | undefined) =>
      explore(follow(begin({ joins: 2, ...budgets }), after, { removed: rule }), { removed: rule }, { maxStates })
    expect(explored(removed).history, 'without the rule').toBeDefined()
    expect(explored(undefined).history, 'with all rules').toBeUndefined()
  })
})

/** Tells whether some state satisfies a condition. */
function some(removed: Rule | undefined, budgets: Partial<Budgets>, condition: (state: State) => boolean): boolean {
  let found = false
  explore(begin(budgets), { removed }, { maxStates, visit: (state) => void (found ||= condition(state)) })
  return found
}

test('a restart that loses nothing needs no operator, because the number of a mark only grows', () => {
  const needsOperator = (removed?: Rule) =>
    some(
      removed,
      { copies: 0, moves: 0, restarts: 2, joins: 2, lateClaims: 1 },
      (state) => repair(state, removed) !== 'nobody',
    )
  expect(needsOperator()).toBe(false)
  expect(needsOperator('the number of a mark only grows')).toBe(true)
})

test('an old primary never shuts out the newest one, because an earlier epoch is superseded', () => {
  const isShutOut = ({ databases, newest, stream }: State) => {
    const { epoch, verifiedEpoch } = databases[newest] ?? { epoch: 0, verifiedEpoch: 0 }
    return verifiedEpoch === epoch && (stream.registered?.epoch ?? epoch) < epoch
  }
  expect(some(undefined, { joins: 2 }, isShutOut)).toBe(false)
  expect(some('an earlier epoch is superseded', { joins: 2 }, isShutOut)).toBe(true)
})
