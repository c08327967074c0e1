import { dataOf, problemOf } from '@financial-agents/testkit/test-service'
import { afterAll, expect, test } from 'vitest'
import { newPrincipal, startStack } from '../started.test-helper.ts'

/** The answer of a provider that the test controls. */
let state: unknown
const stack = await startStack({
  adapt: (provider) => ({
    ...provider,
    spendingAccount: async (call) => (state ? { type: 'ok', data: state as never } : provider.spendingAccount(call)),
  }),
})
afterAll(() => stack.stop())

const zero = { amount: '0.00', currency: 'EUR' }

test('the spending account is its three amounts, and nothing else', async () => {
  const principal = newPrincipal()
  stack.credentialsOf.set(principal.binding_id ?? '', 'test-user-amara-okafor-leeds')
  expect(dataOf(await stack.send('getSpendingAccount', principal))).toEqual({
    held: { amount: '125000.00', currency: 'GBP' },
    promotional_credit: { amount: '0.00', currency: 'GBP' },
    owed: { amount: '12.40', currency: 'GBP' },
  })
})

test.each([
  ['without what is owed', { held: zero, promotional_credit: zero }],
  ['with an amount below zero', { held: { ...zero, amount: '-SECRET' }, promotional_credit: zero, owed: zero }],
  ['with an amount of another kind', { held: { ...zero, amount: 1 }, promotional_credit: zero, owed: zero }],
])('one %s is 500, and its content is in no log', async (_name, given) => {
  state = given
  stack.logLines.length = 0
  expect(problemOf(await stack.send('getSpendingAccount', newPrincipal())).code).toBe('response_contract_failed')
  expect(stack.logLines.join('')).toContain('broke the contract')
  expect(stack.logLines.join('')).not.toContain('SECRET')
})

test('what a provider adds to it, such as a wallet, reaches neither the client nor a log', async () => {
  state = { held: { ...zero, note: 'SECRET' }, promotional_credit: zero, owed: zero, wallet: 'SECRET' }
  stack.logLines.length = 0
  const answer = dataOf(await stack.send('getSpendingAccount', newPrincipal()))
  expect(answer).toEqual({ held: zero, promotional_credit: zero, owed: zero })
  expect(stack.logLines.join('')).not.toContain('SECRET')
})

test('a query is refused', async () => {
  const reply = await stack.send('getSpendingAccount', newPrincipal(), { query: { currency: 'EUR' } })
  expect(problemOf(reply)).toMatchObject({ code: 'validation_failed', fields: [{ path: 'currency' }] })
})
