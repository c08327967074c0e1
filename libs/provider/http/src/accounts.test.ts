/** A read whose answer has another shape than promised is `contract_broken` as a whole. */

import type { Provider } from '@financial-agents/provider-port/port'
import { afterEach, expect, it } from 'vitest'
import { createHttpAdapter } from './adapter.ts'
import { answer, startRawServer } from './raw-server.test-helper.ts'

const closing: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0)) await close()
})

async function answering(bytes: string): Promise<Provider> {
  const server = await startRawServer((socket) => socket.write(bytes))
  const provider = createHttpAdapter({
    baseUrl: `http://127.0.0.1:${server.port}`,
    connections: 1,
    connectTimeoutMs: 10_000,
  })
  closing.push(
    () => provider.close(),
    () => server.close(),
  )
  return provider
}

const call = { credentials: 'x', timeoutMs: 60_000 }
const account = {
  account_ref: 'acc_1',
  title: 'Current',
  sort: 'current',
  ccy: 'EUR',
  status: 'open',
  available: '1.00',
  booked: '1.00',
  number_tail: '1234',
  opened_at: null,
}
const limits = {
  scheme_id: 'sepa',
  ccy: 'EUR',
  lowest: '0.01',
  highest: '10.00',
  fee: { fixed: '0', basis_points: '0' },
  network: 'sepa',
  note: { allowed: true, min: 0, max: 140 },
  purposes: [],
}
const euro = { value: '1.00', ccy: 'EUR' }

const rows: [name: string, body: unknown, read: (provider: Provider) => Promise<{ type: string }>][] = [
  ['a whole account number', { accounts: [{ ...account, number_tail: '123456789' }] }, (p) => p.accounts(call)],
  ['an amount that is no decimal', { accounts: [{ ...account, booked: '1e3' }] }, (p) => p.accounts(call)],
  ['an unknown status', { accounts: [account, { ...account, status: 'odd' }] }, (p) => p.accounts(call)],
  ['a purse without what is owed', { purse: { held: euro, promotional: euro } }, (p) => p.spendingAccount(call)],
  ['limits of another schema', { limits }, (p) => p.withdrawalLimits({ ...call, schema: 'ach' })],
  [
    'a note longer than the contract lets it be',
    { limits: { ...limits, note: { ...limits.note, max: 8193 } } },
    (p) => p.withdrawalLimits({ ...call, schema: 'sepa' }),
  ],
  [
    'an unknown identity status',
    { identity: { status: 'odd', reason: null, changed_at: null } },
    (p) => p.identityStatus(call),
  ],
]

it.each(rows)('%s breaks the contract', async (_name, body, read) => {
  expect(await read(await answering(answer(200, body)))).toMatchObject({ type: 'contract_broken' })
})

it.each(rows)('a failure instead of %s is unavailable', async (_name, _body, read) => {
  expect(await read(await answering(answer(503, '')))).toEqual({ type: 'unavailable', reason: 'provider_error' })
})
