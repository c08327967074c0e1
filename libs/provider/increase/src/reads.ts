/**
 * The reads of the port: the account and its balance, posted movements, and the ways to pay that the adapter knows. For
 * a read that Increase does not offer, the answer is an empty list, `null` limits or a refused quote.
 */

import type { CallContext, Provider, ReadResult } from '@financial-agents/provider-port/port'
import { notOffered as noReads } from '@financial-agents/provider-port/reads'
import { z } from 'zod'
import { readActivity } from './activity.ts'
import type { Asking } from './client.ts'
import { dollars, timestampOf } from './money.ts'
import { readOf } from './outcomes.ts'
import { addressCountries, payoutSchemas } from './payout-schemas.ts'
import { findPerson, type Person } from './person.ts'

const Account = z.object({
  type: z.literal('account'),
  id: z.string().min(1),
  name: z.string(),
  currency: z.literal('USD'),
  status: z.enum(['open', 'closed']),
  created_at: z.iso.datetime({ offset: true }),
})

const Balance = z.object({
  type: z.literal('balance_lookup'),
  account_id: z.string(),
  available_balance: z.int(),
  current_balance: z.int(),
})

const notOffered = { type: 'unavailable', reason: 'provider_refused' } as const
const refusedSession = {
  type: 'refused',
  failureCode: 'provider_refused',
  failureDetail: 'The platform verifies its customers with Increase itself.',
} as const

export function createReads(asking: Asking) {
  return {
    ...noReads,
    accounts: (call) => forPerson(call, (person) => readAccounts(asking, call, person)),
    activity: (query) => forPerson(query, (person) => readActivity(asking, query, person)),
    payoutSchemas: (call) => forPerson(call, () => ok(payoutSchemas)),
    addressCountries: (call) => forPerson(call, () => ok(addressCountries)),
    withdrawalLimits: (call) => forPerson(call, () => ok(null)),
    virtualAccountEconomics: (call) => forPerson(call, () => ok([])),
    purchases: (call) => forPerson(call, () => ok([])),
    transferQuote: (call) => forPerson(call, () => ok({ type: 'refused', member: 'target_currency' } as const)),
    purchaseQuote: (call) => forPerson(call, () => ok({ type: 'refused', member: 'service_reference' } as const)),
    // Increase has no spending account and no identity check, so any answer would be invented.
    spendingAccount: (call) => forPerson(call, async () => notOffered),
    identityStatus: (call) => forPerson(call, async () => notOffered),
    startIdentityCheck: async () => refusedSession,
    purchasableServices: () => ok([]),
    assets: () => ok([]),
    fiatPrices: () => ok([]),
    startDeviceAuthentication: async () => notOffered,
    pollDeviceAuthentication: async () => notOffered,
  } satisfies Partial<Provider>
}

async function ok<Data>(data: Data): Promise<ReadResult<Data>> {
  return { type: 'ok', data }
}

async function forPerson<Data>(
  { credentials }: CallContext,
  read: (person: Person) => Promise<ReadResult<Data>>,
): Promise<ReadResult<Data>> {
  const person = findPerson(credentials)
  return person === undefined ? { type: 'unavailable', reason: 'provider_authentication_failed' } : read(person)
}

async function readAccounts(asking: Asking, { timeoutMs, traceHeaders }: CallContext, { account_id }: Person) {
  const endMs = performance.now() + timeoutMs
  const options = () => ({ timeoutMs: Math.floor(endMs - performance.now()), traceHeaders })
  const account = readOf(await asking.ask((client) => client.accounts.retrieve(account_id), options()), Account)
  if (account.type !== 'ok') return account
  const balance = readOf(await asking.ask((client) => client.accounts.balance(account_id), options()), Balance)
  if (balance.type !== 'ok') return balance
  const { id, name, currency, status, created_at } = account.data
  if (id !== account_id || balance.data.account_id !== account_id)
    return { type: 'contract_broken', reason: 'an account other than the one asked for' } as const
  return ok([
    {
      reference: id,
      name,
      type: 'current' as const,
      currency,
      status: status === 'open' ? ('active' as const) : ('closed' as const),
      balance: { available: dollars(balance.data.available_balance), current: dollars(balance.data.current_balance) },
      masked_number: null,
      opened_at: timestampOf(created_at),
    },
  ])
}
