import type { Account } from '@financial-agents/contract/schemas/account'
import type { ProviderAccount } from '@financial-agents/provider-port/account-reads'
import { dataOf, problemOf } from '@financial-agents/testkit/test-service'
import { afterAll, beforeEach, expect, test } from 'vitest'
import type { Page } from '../started.test-helper.ts'
import { newPrincipal, startStack } from '../started.test-helper.ts'

/** The provider's list, made from its real list. */
let relist = (accounts: readonly ProviderAccount[]): readonly unknown[] => accounts
const stack = await startStack({
  replicas: 2,
  adapt: (provider) => ({
    ...provider,
    accounts: async (call) => {
      const answer = await provider.accounts(call)
      return answer.type === 'ok' ? { ...answer, data: relist(answer.data) as readonly ProviderAccount[] } : answer
    },
  }),
})
afterAll(() => stack.stop())
beforeEach(() => {
  relist = (accounts) => accounts
})

type Asking = ReturnType<typeof newPrincipal>
const list = async (principal: Asking, query: Record<string, string> = {}) =>
  dataOf(await stack.send('listAccounts', principal, { query })) as Page<Account>
const get = (principal: Asking, account_id: string) => stack.send('getAccount', principal, { params: { account_id } })
/** Waits until cached reads have expired. */
const wait = () => stack.clock.setOffsetMs(stack.clock.nowMs() - Date.now() + 60_000)
const template: Omit<ProviderAccount, 'reference'> = {
  name: 'Savings',
  type: 'savings',
  currency: 'EUR',
  status: 'active',
  balance: { available: { amount: '-0.50', currency: 'EUR' }, current: { amount: '1', currency: 'EUR' } },
  masked_number: null,
  opened_at: null,
}

test('accounts are listed by when they were opened, with identifiers of ours, and read one by one', async () => {
  const principal = newPrincipal()
  const { items, next_cursor } = await list(principal)
  expect(next_cursor).toBeNull()
  expect(items.map(({ name, currency, masked_number }) => [name, currency, masked_number])).toEqual([
    ['Conta à ordem', 'EUR', '••••4821'],
    ['Poupança', 'EUR', '••••7710'],
    ['Conta em dólares', 'USD', null],
  ])
  for (const account of items) expect(dataOf(await get(principal, account.id))).toEqual(account)
  expect(dataOf(await get(principal, items[0]?.id.toUpperCase() ?? ''))).toEqual(items[0])
  expect(JSON.stringify(items)).not.toContain('ines_')
})

test('first sights of one owner at the same time, in several processes, agree on the identifiers', async () => {
  const principal = newPrincipal()
  const lists = await Promise.all(Array.from({ length: 12 }, () => list(principal)))
  for (const each of lists) expect(each).toEqual(lists[0])
  wait()
  expect(await list(principal)).toEqual(lists[0])
})

test('another client of the owner sees the same accounts; another owner’s account answers like one that never was', async () => {
  const principal = newPrincipal()
  const [account] = (await list(principal)).items
  const id = account?.id ?? ''
  expect(dataOf(await get({ ...principal, client_id: 'client-two', subject: 'other' }, id))).toEqual(account)
  const refused = [
    await get(newPrincipal(), id),
    await get(principal, '01990000-0000-7000-8000-000000000000'),
    await get(principal, 'ines_1'),
    await get(principal, "no-uuid'; --\u0000"),
  ].map(problemOf)
  expect(refused[0]).toMatchObject({ code: 'account_not_found', fields: null })
  for (const problem of refused) expect(problem).toEqual(refused[0])
})

test('an account that the provider no longer lists is not found, and has its old identifier when it comes back', async () => {
  const principal = newPrincipal()
  const before = (await list(principal)).items
  const first = before[0]?.id ?? ''
  relist = (accounts) => accounts.slice(1)
  wait()
  expect(problemOf(await get(principal, first)).code).toBe('account_not_found')
  expect((await list(principal)).items).toEqual(before.slice(1))
  relist = (accounts) => accounts
  wait()
  expect((await list(principal)).items).toEqual(before)
})

test('pages follow each other and show each account once, although one closes and another opens in between', async () => {
  const principal = newPrincipal()
  const many = Array.from({ length: 23 }, (_, index) => ({
    ...template,
    reference: `account ${index}`,
    name: `Pot ${index % 5}`,
    opened_at: index % 3 === 0 ? null : `2026-01-${String(28 - index).padStart(2, '0')}T10:00:00+01:00`,
  }))
  relist = () => many
  const all = (await list(principal, { limit: '100' })).items
  expect(all).toHaveLength(23)
  const opened = all.map((each) => each.opened_at ?? '~')
  expect(opened).toEqual(opened.toSorted())
  const seen: Account[] = []
  let cursor: string | null = null
  do {
    const page: Page<Account> = await list(principal, { limit: '5', ...(cursor ? { cursor } : {}) })
    expect(page.items.length).toBeLessThanOrEqual(5)
    seen.push(...page.items)
    cursor = page.next_cursor
    wait()
    relist = () => many.filter(({ reference }) => reference !== 'account 9')
  } while (cursor)
  expect(seen.map(({ id }) => id)).toEqual([...new Set(seen.map(({ id }) => id))])
  expect(seen.length).toBeGreaterThanOrEqual(22)
  relist = () => many
  wait()
  expect((await list(principal, { limit: '23' })).next_cursor).toBeNull()
})

test('a cursor of another owner, another query or nobody is refused with the path cursor', async () => {
  const principal = newPrincipal()
  const cursor = (await list(principal, { limit: '1' })).next_cursor ?? ''
  // Changes the first character. The last one may have bits without meaning.
  const changed = `${cursor.startsWith('A') ? 'B' : 'A'}${cursor.slice(1)}`
  const refused = [
    await stack.send('listAccounts', newPrincipal(), { query: { limit: '1', cursor } }),
    await stack.send('listAccounts', principal, { query: { limit: '2', cursor } }),
    await stack.send('listAccounts', principal, { query: { limit: '1', cursor: changed } }),
    await stack.send('listAccounts', principal, { query: { limit: '1', cursor: 'x' } }),
  ]
  for (const reply of refused)
    expect(problemOf(reply)).toMatchObject({ code: 'validation_failed', fields: [{ path: 'cursor' }] })
})

test('names are sanitised, numbers are written in one way, and what a provider adds is not shown', async () => {
  const name = 'Of rui@example.com, PT50000201231234567890154'
  relist = () => [{ ...template, reference: 'r', name, masked_number: '•••• •••• 0154', wallet: 'w' }]
  const [account] = (await list(newPrincipal())).items
  expect(account?.masked_number).toBe('••••0154')
  expect(account?.name).not.toMatch(/example|5678/)
  expect(account?.balance.available.amount).toBe('-0.50')
  expect(account).not.toHaveProperty('wallet')
})

const secret = 'SECRET-4111111111111111'
test.each([
  ['an account without a balance', [{ ...template, reference: secret, balance: undefined }]],
  ['a balance that is no decimal', [{ ...template, reference: 'a', balance: { available: secret, current: '1' } }]],
  ['an unknown status', [{ ...template, reference: 'a', status: secret }]],
  ['a number with more than its end', [{ ...template, reference: 'a', masked_number: secret }]],
  ['a reference that no row can hold', [{ ...template, reference: `${secret}\u0000` }]],
  ['an account twice', [secret, secret].map((reference) => ({ ...template, reference }))],
  ['no list', secret],
])('%s is 500, and what it held is in no log', async (_name, accounts) => {
  relist = () => accounts as unknown[]
  const principal = newPrincipal()
  stack.logLines.length = 0
  expect(problemOf(await stack.send('listAccounts', principal)).code).toBe('response_contract_failed')
  expect(stack.logLines.join('')).toContain('broke')
  expect(stack.logLines.join('')).not.toContain('SECRET')
  relist = (given) => given
  expect((await list(principal)).items).toHaveLength(3)
})
