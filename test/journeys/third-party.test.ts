/**
 * The adapter of a small bank, written against the published port alone, passes the published cases. In `third-party.deep.test.ts` it is
 * installed as a package, lies, and serves an owner of a stack.
 */

import { conformanceCases } from '@financial-agents/provider-conformance/cases'
import { readConformanceCases } from '@financial-agents/provider-conformance/read-cases'
import { afterAll, expect, test } from 'vitest'
import open from './third-party/harness.ts'

const { kinds, harness, readHarness, reads = [], close } = await open()
afterAll(close)

const cases = conformanceCases(kinds, harness.faults)
const readCases = readConformanceCases(readHarness.faults)

test('only the cases about deadlines are left out: the bank promises nothing about them', () => {
  const reasons = cases.flatMap(({ leftOut }) => leftOut?.(harness) || [])
  expect(new Set(reasons)).toEqual(new Set(['the provider promises nothing about deadlines']))
})

test.each(cases.filter(({ leftOut }) => !leftOut?.(harness)))('$name', ({ run }) => run(harness))

test.each(readCases.filter(({ name }) => reads.some((read) => name.startsWith(`${read}: `))))('$name', ({ run }) =>
  run(readHarness),
)
