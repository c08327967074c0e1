/** The clients' requests, one in each turn: mostly reads, some writes to the provider, replays of these, tokens. */

import { randomUUID } from 'node:crypto'
import type { ServiceName } from '@financial-agents/testkit/stack-services'
import type { Random } from '../../chaos/random.ts'
import type { Form, LoadClient, RollingResponse } from './client.ts'
import { type Account, scope } from './parties.ts'
import type { Record } from './record.ts'

/** Sends one request; to this service, if one is named. */
export type Turn = (service?: ServiceName) => Promise<void>

type MixContext = {
  client: LoadClient
  account: Account
  record: Record
  assertion: (scope: string) => Promise<Form>
  random: Random
}
type Written = { path: string; body: string; key: string; id: string }

/** Shares in a hundred turns. */
type Kind = keyof typeof shares
const shares = { read: 56, poll: 18, beneficiary: 5, card: 4, replay: 5, quote: 4, token: 4, open: 4 }

const reads = [
  '/v1/accounts',
  '/v1/activity?limit=5',
  '/v1/authorization',
  '/v1/beneficiaries?limit=5',
  '/v1/cards?limit=5',
  '/v1/identity',
  '/v1/kyc',
  '/v1/mandates?limit=5',
  '/v1/onboarding',
  '/v1/operations?limit=5',
  '/v1/purchases?limit=5',
  '/v1/services?limit=5',
  '/v1/spending-account',
  '/v1/webhook-subscriptions',
]
/** The requests that involve a service, taken in turn. */
const of: { [Name in ServiceName]: readonly (Kind | `/${string}`)[] } = {
  gateway: ['read', 'card', 'replay', '/v1/health'],
  authz: ['token', '/v1/authorization', '/v1/identity'],
  onboarding: ['/v1/onboarding', '/v1/kyc'],
  operations: ['poll', 'card', 'replay', '/v1/operations?limit=5'],
  submitter: ['card'],
  reconciler: ['card', 'beneficiary'],
  beneficiaries: ['beneficiary', '/v1/beneficiaries?limit=5', '/v1/mandates?limit=5'],
  cards: ['card', '/v1/cards?limit=5'],
  spending: ['/v1/accounts', '/v1/spending-account', '/v1/activity?limit=5'],
  catalog: ['/v1/services?limit=5', 'quote', '/v1/purchases?limit=5'],
  notifier: ['/v1/webhook-subscriptions', 'card'],
  'ops-console': ['/ops'],
}

const openReads = ['/v1/reference-data/assets', '/v1/health', '/.well-known/openid-configuration', '/ops']

/** The turns of a service account, with each kind spread evenly. */
export function createTurns({ client, account, record, assertion, random }: MixContext): Turn {
  const written: Written[] = []
  const expect = (what: string, { status, body }: RollingResponse, ...wanted: number[]) => {
    record.answered += 1
    if (!wanted.includes(status))
      record.failures.push(`${what} of ${client.name} got ${status} ${JSON.stringify(body)}`)
  }
  const turnOf = (list: readonly string[]) => {
    let next = 0
    return () => list[next++ % list.length] as string
  }
  const nextRead = turnOf(reads)
  const nextOpen = turnOf(openReads)
  const read = async (path = nextRead()) => {
    const name = `GET ${path.replace(/[?].*$/, '')}`
    expect(name, await client.protected({ name, method: 'GET', path }), 200)
  }
  const open = async (path = nextOpen()) => {
    const name = `GET ${path}`
    expect(name, await client.open({ name, method: 'GET', path }), 200, 302, 303)
  }
  const send = async (name: string, { path, body, key }: Omit<Written, 'id'>): Promise<string> => {
    const headers = { 'content-type': 'application/json', 'idempotency-key': key }
    const answer = await client.protected({ name, method: 'POST', path, headers, body })
    expect(name, answer, 202)
    if (answer.status === 202) record.noteOperation(key, answer.body.id)
    return answer.body.id
  }
  const write = async (path: string, body: object) => {
    const one = { path, body: JSON.stringify(body), key: randomUUID() }
    record.keys.add(one.key)
    written.push({ ...one, id: await send(`POST ${path}`, one) })
  }
  const kinds: { [Name in Kind]: () => Promise<void> } = {
    read,
    open,
    poll: async () => {
      const { id } = written.at(-1) ?? {}
      if (id === undefined) return read()
      const name = 'GET /v1/operations/{id}'
      expect(name, await client.protected({ name, method: 'GET', path: `/v1/operations/${id}` }), 200)
    },
    beneficiary: () => write('/v1/beneficiaries', { name: client.name, currency: account.currency, ...account.payout }),
    card: () => write('/v1/cards', { type: 'virtual', currency: account.currency }),
    replay: async () => {
      const one = written.at(-1)
      if (!one) return read()
      const id = await send('replay', one)
      if (id !== one.id) record.failures.push(`a replay of ${one.id} got ${id}`)
    },
    quote: async () => {
      const { currency } = account
      const quote = { source_currency: currency, target_currency: currency, amount: '10.00', fixed_side: 'source' }
      const headers = { 'content-type': 'application/json' }
      const asked = { name: 'POST /v1/quotes', method: 'POST', path: '/v1/quotes', headers } as const
      expect(asked.name, await client.protected({ ...asked, body: JSON.stringify(quote) }), 201)
    },
    token: async () => expect('token', await client.token('token', () => assertion(scope)), 200),
  }
  const order = spread(shares)
  let next = random.below(order.length)
  let about = next
  return (service) => {
    if (service === undefined) return kinds[order[next++ % order.length] as Kind]()
    const one = of[service][about++ % of[service].length] as (typeof of)[ServiceName][number]
    if (!one.startsWith('/')) return kinds[one as Kind]()
    return openReads.includes(one) ? open(one) : read(one)
  }
}

/** Refreshes the token, then reads with the new one. */
export function createRefreshing(client: LoadClient, form: Form, record: Record): Turn {
  let refreshes = false
  return async () => {
    refreshes = !refreshes
    const answer = refreshes
      ? await client.token('refresh', () => form)
      : await client.protected({ name: 'GET /v1/identity', method: 'GET', path: '/v1/identity' })
    record.answered += 1
    if (answer.status !== 200)
      record.failures.push(`${client.name} got ${answer.status} ${JSON.stringify(answer.body)}`)
  }
}

/** Repeats each name by its share, at equal distances. */
function spread(parts: { readonly [name: string]: number }): string[] {
  return Object.entries(parts)
    .flatMap(([name, share]) => Array.from({ length: share }, (_, index) => ({ name, at: (index + 0.5) / share })))
    .toSorted((one, other) => one.at - other.at)
    .map(({ name }) => name)
}
