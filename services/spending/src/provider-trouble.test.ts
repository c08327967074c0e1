/** The common behaviour of every read while the provider, or the owner's connection to it, fails. */

import type { ProblemCode } from '@financial-agents/contract/problem-catalogue'
import { createFrozenClock } from '@financial-agents/runtime/clock'
import { problemOf } from '@financial-agents/testkit/test-service'
import { afterAll, afterEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { newPrincipal, startStack } from './started.test-helper.ts'

let calls = 0
let aheadMs = 0
const stack = await startStack({
  clock: createFrozenClock(),
  adapt: (provider) => ({
    ...provider,
    accounts: (call) => (calls++, provider.accounts(call)),
    withdrawalLimits: (call) => (calls++, provider.withdrawalLimits(call)),
    spendingAccount: (call) => (calls++, provider.spendingAccount(call)),
    activity: (call) => (calls++, provider.activity(call)),
  }),
})
afterAll(() => stack.stop())
afterEach(() => stack.provider.ask('DELETE', '/control/faults'))

const routes = [
  ['listAccounts', {}, 'accounts'],
  ['getAccount', { params: { account_id: '01990000-0000-7000-8000-000000000000' } }, 'accounts'],
  ['getWithdrawalLimits', { query: { schema: 'sepa_pt_eur' } }, 'withdrawalLimits'],
  ['getSpendingAccount', {}, 'spendingAccount'],
  ['listActivity', {}, 'activity'],
] as const

type Script = 'drop_before_accept' | 'refuse' | 'malform'
const disturb = (script: Script, kind: string) =>
  stack.provider.ask('POST', '/control/faults', { script, match: { kind } })
/** A refusal for an unknown account counts as an answer too. */
const isAnswered = (reply: Awaited<ReturnType<typeof stack.send>>) =>
  reply.ok || problemOf(reply).code === 'account_not_found'

describe.each(routes)('%s', (name, given, kind) => {
  const send = (principal = newPrincipal()) => stack.send(name, principal, given)

  test.each([
    ['drop_before_accept', 'provider_unavailable'],
    ['refuse', 'provider_connection_unavailable'],
    ['malform', 'response_contract_failed'],
  ] as [Script, ProblemCode][])(
    '%s is %s; nothing of it is kept, and nothing that was said is in the log',
    async (script, code) => {
      const principal = newPrincipal()
      stack.logLines.length = 0
      await disturb(script, kind)
      expect(problemOf(await send(principal)).code).toBe(code)
      await stack.provider.ask('DELETE', '/control/faults')
      expect(isAnswered(await send(principal))).toBe(true)
      expect(stack.logLines.join('')).toContain(code)
      expect(stack.logLines.join('')).not.toMatch(/ines_|Poupan|2500000|testUser-/)
    },
  )

  test('credentials that the provider refuses, and a binding without any, are 409', async () => {
    const refused = newPrincipal()
    stack.credentialsOf.set(refused.binding_id ?? '', 'test-user-nobody')
    const gone = newPrincipal({ binding_id: `gone-${crypto.randomUUID()}` })
    for (const principal of [refused, gone, newPrincipal({ binding_id: null })])
      expect(problemOf(await send(principal)).code).toBe('provider_connection_unavailable')
  })

  test('what was answered is kept for seconds, for its binding alone', async () => {
    const principal = newPrincipal()
    await send(principal)
    await disturb('drop_before_accept', kind)
    expect(isAnswered(await send(principal))).toBe(true)
    expect(problemOf(await send()).code).toBe('provider_unavailable')
    stack.clock.setOffsetMs((aheadMs += 60_000))
    expect(problemOf(await send(principal)).code).toBe('provider_unavailable')
  })
})

/** The last test, because it leaves circuits open. */
test.each(routes.filter(([name]) => name !== 'getAccount'))(
  '%s: a provider that fails again and again is left alone for a while',
  async (name, given, kind) => {
    // The circuit does not close by itself.
    vi.useFakeTimers({ toFake: ['Date'] })
    onTestFinished(() => void vi.useRealTimers())
    const send = () => stack.send(name, newPrincipal(), given)
    await disturb('drop_before_accept', kind)
    for (let failures = 0; failures < 5; failures += 1) await send()
    await stack.provider.ask('DELETE', '/control/faults')
    calls = 0
    expect(problemOf(await send()).code).toBe('provider_unavailable')
    expect(calls).toBe(0)
  },
)
