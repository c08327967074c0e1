/** Several adapters as one port: each call goes to the provider of its binding, and to no other. */

import type { OperationKind } from '@financial-agents/contract/kinds'
import type { Provider } from '@financial-agents/provider-port/port'
import { expect, test } from 'vitest'
import { everyProvider, routed } from './routed.ts'

/** An adapter that notes its calls. */
function noting(name: string, kinds: readonly OperationKind[] = []) {
  const calls: string[] = []
  const note = (member: string) => async () => (calls.push(member), { type: 'ok', data: name })
  const provider = {
    supports: (kind: OperationKind) => kinds.includes(kind),
    mayAskApproval: (kind: OperationKind) => kinds.includes(kind),
    deadlines: { refusesAfterDeadline: true, completeByReference: true, clockMarginMs: 1 },
    submit: note('submit'),
    accounts: note('accounts'),
    assets: note('assets'),
    close: async () => void calls.push('close'),
  } as unknown as Provider
  return { calls, adapter: { name, kinds, provider } }
}

const call = { credentials: 'secret', timeoutMs: 1_000 }

test('a call for a person reaches the adapter of the binding alone', async () => {
  const [one, two] = [noting('one'), noting('two')]
  const port = routed([one.adapter, two.adapter])
  expect(await port.accounts({ ...call, provider: 'two' })).toEqual({ type: 'ok', data: 'two' })
  expect([one.calls, two.calls]).toEqual([[], ['accounts']])
})

test('a call without a person reaches the first adapter', async () => {
  const [one, two] = [noting('one'), noting('two')]
  await routed([one.adapter, two.adapter]).assets({ timeoutMs: 1_000 })
  expect([one.calls, two.calls]).toEqual([['assets'], []])
})

test('a binding whose adapter is not there gets no answer, and nothing is sent to anybody', async () => {
  const one = noting('one')
  const port = routed([one.adapter])
  const asked = { ...call, provider: 'gone' }
  expect(await port.accounts(asked)).toEqual({ type: 'unavailable', reason: 'provider_unreachable' })
  const submitted = await port.submit({ ...asked } as Parameters<Provider['submit']>[0])
  expect(submitted).toMatchObject({ type: 'unsent', failureCode: 'provider_unreachable' })
  expect(port.of('gone')).toBeUndefined()
  expect(one.calls).toEqual([])
})

test('the adapter for every provider serves what no other is named for', async () => {
  const [all, named] = [noting(everyProvider), noting('named')]
  const port = routed([all.adapter, named.adapter])
  expect(port.of('any')).toBe(all.adapter.provider)
  expect(port.of('named')).toBe(named.adapter.provider)
})

test('what one adapter alone promises or offers is asked of it alone, and all are closed', async () => {
  const [one, two] = [noting('one', ['transfer']), noting('two', ['card_create'])]
  const port = routed([one.adapter, two.adapter])
  expect(port.deadlines).toBeNull()
  expect(port.of('one')?.deadlines).not.toBeNull()
  expect(['transfer', 'card_create', 'card_close'].map((kind) => port.supports(kind as OperationKind))).toEqual([
    true,
    true,
    false,
  ])
  expect([...port.kinds]).toEqual([
    ['one', ['transfer']],
    ['two', ['card_create']],
  ])
  await port.close()
  expect([one.calls, two.calls]).toEqual([['close'], ['close']])
})
