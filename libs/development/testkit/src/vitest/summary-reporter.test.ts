import { expect, test } from 'vitest'
import type { TestModule } from 'vitest/node'
import { countsOf } from './summary-reporter.ts'
import { linesOf } from './test-counts.ts'

/** A file with tests of these names and states, in a run whose command had this pattern. */
function moduleOf(tests: Record<string, string>, testNamePattern?: RegExp): TestModule {
  const project = { config: { testNamePattern } }
  const all = Object.entries(tests).map(([fullName, state]) => ({ fullName, project, result: () => ({ state }) }))
  return { children: { allTests: () => all }, state: () => 'passed', errors: () => [] } as never
}

test('a test that the command left out counts as not run, and one that skips itself as skipped', () => {
  const tests = { 'pays once': 'passed', 'pays nobody': 'skipped', 'reads once': 'skipped', 'reads twice': 'pending' }
  expect(countsOf([moduleOf(tests, /pays/)], 0)).toMatchObject({ passed: 1, skipped: 1, notRun: 2 })
  const whole = countsOf([moduleOf(tests)], 0)
  expect(whole).toMatchObject({ passed: 1, skipped: 2, notRun: 1 })
  expect(linesOf([whole])).toBe('skipped 2: no reason given\n1 passed, 0 failed, 2 skipped, 1 not run\n')
})
