/** `init` without a sandbox. With one it runs in `test/journeys/sandbox-published.test.ts`. */

import { expect, test } from 'vitest'
import { runInProcess } from '../in-process.test-helper.ts'

const env = { FINANCIAL_AGENTS_HOME: '/nonexistent', FINANCIAL_AGENTS_KEYCHAIN: 'off' }

test('for a deployment it prints the registration in the form of the values of the chart', async () => {
  const { code, stdout, stderr } = await runInProcess(['init', '--name', 'Rent Payer'], env)
  expect(code).toBe(0)
  expect(stdout).toMatch(
    /^clients:\n {2}declarations:\n {4}- client_id: "agent-[0-9a-f]{8}"\n {6}name: "Rent Payer"\n {6}profile: "device"\n {6}scopes: \[/,
  )
  expect(stderr).toContain('Send this to the operator')
})

test.each(['1w', '0d', 'day'])('a clock is not advanced by %s', async (duration) => {
  const { code, stderr } = await runInProcess(['clock', 'advance', duration], env)
  expect(code).toBe(2)
  expect(stderr).toContain('give a number and a unit')
})
