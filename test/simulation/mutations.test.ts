/**
 * The simulator notices each rule that is broken on purpose. Without this test, thousands of seeds without a violation
 * would prove nothing.
 */

import { describe, expect, test } from 'vitest'
import { mutations } from './mutations.ts'
import { runSeeds } from './runner.test-helper.ts'

const maxSeeds = 10_000

describe('the simulator notices', () => {
  test.concurrent.each(mutations)('$name', async ({ name, invariants, shownBy }) => {
    const search = (first: number, last: number) => runSeeds(last, { first, mutation: name, shares: 1 })
    const known = shownBy === undefined ? undefined : await search(shownBy, shownBy + 1)
    const { found, broken } = known?.found ? known : await search(0, maxSeeds)
    expect(broken, 'the run broke off').toBeNull()
    expect(found, `${maxSeeds} seeds did not notice`).not.toBeNull()
    expect(invariants).toContain(found?.invariant)
  })
})
