/** The fake provider and the one in Python, which share no code, keep every promise of the Provider API. */

import { operationKinds } from '@financial-agents/contract/kinds'
import { createHttpAdapter } from '@financial-agents/provider-http/adapter'
import { startFakeProvider } from '@financial-agents/testkit/fake-provider'
import { hasPython, startPythonProvider } from '@financial-agents/testkit/python-provider'
import { expect, test, vi } from 'vitest'
import { isPassed, jsonReport, junitReport, textReport } from './report.ts'
import { runCases } from './run.ts'

// One test runs some hundred cases. The time-out only bounds a hang.
vi.setConfig({ testTimeout: 1_800_000 })

async function judge(url: string) {
  const results = await runCases({ url, open: createHttpAdapter, kinds: operationKinds })
  expect(results.filter(({ outcome }) => outcome === 'failed')).toEqual([])
  expect(results.length).toBeGreaterThan(400)
  return results
}

test('the fake provider conforms, and the reports say so', async () => {
  const fake = await startFakeProvider({ executesRepeats: false })
  try {
    const results = await judge(fake.url)
    expect(textReport(results).at(-1)).toBe('It conforms.')
    expect(JSON.parse(jsonReport(fake.url, results))).toMatchObject({ conforms: true, failed: 0 })
    expect(junitReport(results).match(/<testcase /g)).toHaveLength(results.length)
  } finally {
    await fake.stop()
  }
})

// The provider in Python needs python3 3.9 with sqlite3, which not every machine has.
test.skipIf(!hasPython())('a provider that was written from the document in another language conforms', async () => {
  const python = await startPythonProvider()
  try {
    await judge(python.url)
  } finally {
    await python.stop()
  }
})

test('a run without a single passed case does not conform, and reports escape what they quote', () => {
  const results = [
    { group: 'wire', name: 'a', outcome: 'left_out', why: 'no fault', durationMs: 0 },
    { group: 'reads', name: 'b "<&>"', outcome: 'failed', why: 'one\ntwo', durationMs: 5 },
  ] as const
  expect(isPassed(results.slice(0, 1))).toBe(false)
  expect(textReport(results)).toEqual([
    '✗ b "<&>"',
    '    one',
    '    two',
    '',
    '1 cases left out: no fault',
    'Instructions and their proof: 0 passed, 0 failed, 0 left out',
    'Reads: 0 passed, 1 failed, 0 left out',
    'The interface itself: 0 passed, 0 failed, 1 left out',
    'It does not conform.',
  ])
  expect(junitReport(results)).toContain(
    'name="b &quot;&lt;&amp;&gt;&quot;" time="0.005"><failure message="one&#10;two"/>',
  )
})
