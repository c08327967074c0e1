import { dataOf, newPrincipal, problemOf } from '@financial-agents/testkit/test-service'
import { afterAll, afterEach, expect, test } from 'vitest'
import { startStack } from '../started.test-helper.ts'

const stack = await startStack()
afterAll(() => stack.stop())
afterEach(() => stack.provider.ask('DELETE', '/control/faults'))

type Economics = { items: { currency: string }[] }
const ask = (principal = newPrincipal()) => stack.send('getVirtualAccountEconomics', principal)
const fault = (script: string) =>
  stack.provider.ask('POST', '/control/faults', { script, match: { kind: 'virtualAccountEconomics' }, options: {} })

test('what an account number costs is shown currency by currency, and kept for the binding', async () => {
  const principal = newPrincipal()
  const { items } = dataOf(await ask(principal)) as Economics
  const currencies = items.map((item) => item.currency)
  expect(currencies).toContain('EUR')
  expect(new Set(currencies).size).toBe(items.length)
  await fault('drop_before_accept')
  expect(dataOf(await ask(principal))).toEqual({ items })
})

test('a provider that does not answer, one that breaks the contract, and a binding that is gone are told apart', async () => {
  await fault('drop_before_accept')
  expect(problemOf(await ask()).code).toBe('provider_unavailable')
  await stack.provider.ask('DELETE', '/control/faults')
  await fault('malform')
  expect(problemOf(await ask()).code).toBe('response_contract_failed')
  const gone = await ask(newPrincipal({ binding_id: 'gone' }))
  expect(problemOf(gone).code).toBe('provider_connection_unavailable')
})
