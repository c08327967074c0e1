/** The rules of the witness hold in larger worlds, in every order of their steps. */

import { expect, test } from 'vitest'
import { explore } from './explore.ts'
import type { Options } from './model.ts'
import { type Budgets, begin } from './state.ts'

const worlds: readonly { budgets: Partial<Budgets>; options?: Partial<Options> }[] = [
  { budgets: { joins: 3 }, options: { fine: true } },
  { budgets: { joins: 3, restarts: 1 } },
  { budgets: { joins: 2, emptyClaims: 1, copies: 2, moves: 2 } },
  { budgets: { joins: 3, losses: 1, makes: 1 } },
  { budgets: { joins: 2, losses: 1, makes: 2 }, options: { fine: true, anySequence: true } },
  { budgets: { joins: 2, recovers: 1 } },
  { budgets: { joins: 3, streamCopies: 1, streamRestores: 1 } },
]

test.each(worlds)('no operation is sent twice: %o', ({ budgets, options = {} }) => {
  expect(explore(begin(budgets), options, { maxStates: 3_000_000 }).history).toBeUndefined()
})
