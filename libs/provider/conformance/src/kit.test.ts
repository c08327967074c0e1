/** A run of the kit and its reports. The whole kit: `kit.deep.test.ts`. */

import { operationKinds } from '@financial-agents/contract/kinds'
import { createSameClockAdapter } from '@financial-agents/provider-http/testing/same-clock'
import { startFakeProvider } from '@financial-agents/testkit/fake-provider'
import { expect, test } from 'vitest'
import { isPassed, jsonReport, junitReport, textReport } from './report.ts'
import { runCases } from './run.ts'

const ofTransfersAndInterface = /^(?:transfer|money|cards|searches|grants|connections|sign-in|answers): /

test('the fake provider conforms by one kind and by its interface, and the reports say so', async () => {
  const fake = await startFakeProvider({ executesRepeats: false })
  try {
    const isWanted = (name: string) => ofTransfersAndInterface.test(name)
    const results = await runCases({ url: fake.url, open: createSameClockAdapter, kinds: operationKinds, isWanted })
    expect(results.filter(({ outcome }) => outcome === 'failed')).toEqual([])
    expect(textReport(results).at(-1)).toBe('It conforms.')
    expect(JSON.parse(jsonReport(fake.url, results))).toMatchObject({ conforms: true, failed: 0 })
    expect(junitReport(results).match(/<testcase /g)).toHaveLength(results.length)
  } finally {
    await fake.stop()
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
