/**
 * A fake of Increase, written from its documentation: it keeps objects, idempotency keys and errors as documented, and makes faults on
 * order. Its objects have the types of the package `increase`.
 */

import { randomBytes } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type Increase from 'increase'

export const apiKey = 'sandbox_key_of_the_tests'

export type Fault =
  | 'refuse'
  | 'reject'
  | 'slow'
  | 'drop_reply'
  | 'drop_request'
  | 'settle_later'
  | 'two_records'
  | 'used_key'
  | 'rate_limited'
  | 'error_500'
  | 'error_reply'
  | 'bare_403'
  | 'nonsense'

type FakeRecord =
  | Increase.Card
  | Increase.ExternalAccount
  | Increase.ACHTransfer
  | Increase.RealTimePaymentsTransfer
  | Increase.CardIframeURL

/** A request and its answer, for the check against the published document. */
export type Exchanged = {
  readonly method: string
  readonly path: string
  readonly query: Readonly<Record<string, string>>
  readonly body: unknown
  readonly status: number
  readonly answer: unknown
}

export type Fake = {
  readonly url: string
  readonly exchanged: readonly Exchanged[]
  /** Changes that arrived with this key. */
  arrivals(key: string): number
  /** All changes that arrived. */
  mutations(): number
  order(key: string, fault: Fault): void
  /** Changes the kept object of this key. */
  change(key: string, members: object): void
  addTransactions(transactions: readonly Increase.Transaction[]): void
  close(): Promise<void>
}

const accounts = ['account_first', 'account_second']
const at = '2026-01-31T23:59:59Z'

export async function startFake(): Promise<Fake> {
  const objects: { readonly key: string; readonly path: string; readonly object: FakeRecord }[] = []
  const transactions: Increase.Transaction[] = []
  const faults = new Map<string, Fault>()
  const arrivals: string[] = []
  const exchanged: Exchanged[] = []
  const held = new Set<ServerResponse>()

  const server = createServer((request, response) => {
    void readBody(request).then((body) => {
      const address = new URL(request.url ?? '/', 'http://fake')
      const key = String(request.headers['idempotency-key'] ?? '')
      const changes = request.method !== 'GET'
      const fault = changes ? faults.get(key) : undefined
      // Creating an iframe changes nothing, so it does not count.
      if (changes && !address.pathname.endsWith('/create_details_iframe')) arrivals.push(key)
      if (fault === 'drop_request') {
        request.socket.destroy()
        return
      }
      const early =
        request.headers.authorization === `Bearer ${apiKey}` ? findEarly(fault) : problem(401, 'invalid_api_key_error')
      const answered = early ?? answer(request.method ?? '', address, key, body, fault)
      exchanged.push({
        method: request.method ?? '',
        path: address.pathname,
        query: Object.fromEntries(address.searchParams),
        body,
        status: answered.status,
        answer: answered.body,
      })
      if (fault === 'drop_reply') {
        request.socket.destroy()
        return
      }
      if (fault === 'slow') {
        held.add(response)
        return
      }
      const { status, body: said } = fault === 'error_reply' ? problem(500, 'internal_server_error') : answered
      const text = fault === 'nonsense' ? '<html>' : JSON.stringify(said)
      response.writeHead(status, { 'content-type': 'application/json' }).end(text)
    })
  })

  function answer(method: string, { pathname, searchParams }: URL, key: string, body: Body, fault: Fault | undefined) {
    const [, collection = '', id, action] = pathname.split('/')
    const path = `/${collection}`
    if (collection === 'accounts') return readAccount(id ?? '', action)
    if (collection === 'transactions') return listTransactions(transactions, searchParams)
    if (method === 'POST') return create(path, id, key, body, fault)
    if (id === undefined) return list(path, searchParams)
    const object = objects.find((one) => one.path === path && 'id' in one.object && one.object.id === id)?.object
    if (object === undefined) return problem(404, 'object_not_found_error')
    if (method === 'PATCH') {
      if ('status' in object && object.status === 'canceled') return problem(409, 'invalid_operation_error')
      Object.assign(object, body)
    }
    return { status: 200, body: object }
  }

  function create(path: string, id: string | undefined, key: string, body: Body, fault: Fault | undefined) {
    const before = objects.find((one) => one.key === key)
    if (before !== undefined) return { status: 200, body: before.object }
    const account = body['account_id'] ?? accounts[0]
    if (!accounts.some((one) => one === account)) return problem(404, 'object_not_found_error')
    const made = make(path, id, key, body, fault === 'settle_later' || fault === 'two_records')
    if (made === undefined) return problem(404, 'api_method_not_found_error')
    objects.push({ key, path, object: made })
    if (fault === 'two_records') {
      objects.push({ key, path, object: { ...made, id: `${'id' in made ? made.id : ''}_model` } as FakeRecord })
    }
    return { status: 200, body: made }
  }

  function list(path: string, query: URLSearchParams) {
    const key = query.get('idempotency_key')
    const account = query.get('account_id')
    const data = objects
      .filter((one) => one.path === path && (key === null || one.key === key))
      .map(({ object }) => object)
      .filter((object) => account === null || !('account_id' in object) || object.account_id === account)
    return { status: 200, body: { data, next_cursor: null } }
  }

  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    exchanged,
    arrivals: (key) => arrivals.filter((one) => one === key).length,
    mutations: () => arrivals.length,
    order: (key, fault) => void faults.set(key, fault),
    change(key, members) {
      for (const one of objects.filter((kept) => kept.key === key)) Object.assign(one.object, members)
    },
    addTransactions: (more) => void transactions.push(...more),
    async close() {
      for (const response of held) response.destroy()
      server.closeAllConnections()
      await new Promise((resolve) => {
        server.close(resolve)
      })
    },
  }
}

type Body = Readonly<Record<string, unknown>>
type Reply = { readonly status: number; readonly body: unknown }

async function readBody(request: IncomingMessage): Promise<Body> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return chunks.length === 0 ? {} : (JSON.parse(Buffer.concat(chunks).toString()) as Body)
}

/**
 * The answer of a fault that comes before anything is executed. `used_key` plays that another request has used the key.
 */
function findEarly(fault: Fault | undefined): Reply | undefined {
  switch (fault) {
    case 'refuse':
      return problem(409, 'invalid_operation_error')
    case 'reject':
      return problem(400, 'invalid_parameters_error')
    case 'used_key':
      return problem(409, 'idempotency_key_already_used_error')
    case 'rate_limited':
      return problem(429, 'rate_limited_error')
    case 'error_500':
      return problem(500, 'internal_server_error')
    case 'bare_403':
      return { status: 403, body: 'Forbidden' }
    default:
      return undefined
  }
}

function problem(status: number, type: string): Reply {
  return { status, body: { type, status, title: 'A title of the fake.', detail: null } }
}

function newId(prefix: string): string {
  return `${prefix}_${randomBytes(10).toString('hex')}`
}

function make(path: string, id: string | undefined, key: string, body: Body, later: boolean): FakeRecord | undefined {
  switch (path) {
    case '/external_accounts':
      return externalAccount(key, body as unknown as Increase.ExternalAccountCreateParams)
    case '/cards':
      return id === undefined ? card(key, body as unknown as Increase.CardCreateParams) : iframe(key)
    case '/ach_transfers':
      return achTransfer(key, body as unknown as Increase.ACHTransferCreateParams, later)
    case '/real_time_payments_transfers':
      return realTimeTransfer(key, body as unknown as Increase.RealTimePaymentsTransferCreateParams, later)
    default:
      return undefined
  }
}

function externalAccount(key: string, body: Increase.ExternalAccountCreateParams): Increase.ExternalAccount {
  return {
    type: 'external_account',
    id: newId('external_account'),
    account_holder: 'unknown',
    account_number: body.account_number,
    created_at: at,
    description: body.description,
    funding: body.funding ?? 'checking',
    idempotency_key: key,
    routing_number: body.routing_number,
    status: 'active',
  }
}

function card(key: string, { account_id, description }: Increase.CardCreateParams): Increase.Card {
  return {
    type: 'card',
    id: newId('card'),
    account_id,
    authorization_controls: null,
    billing_address: { city: null, line1: null, line2: null, postal_code: null, state: null },
    bin: '42424242',
    created_at: at,
    description: description ?? null,
    digital_wallet: null,
    entity_id: null,
    expiration_month: 11,
    expiration_year: 2030,
    idempotency_key: key,
    last4: '4242',
    status: 'active',
  }
}

function iframe(key: string): Increase.CardIframeURL {
  return {
    type: 'card_iframe_url',
    iframe_url: `https://increase.com/card_details_iframe/${key}`,
    expires_at: '2026-12-01T00:00:00Z',
  }
}

const shared = { acknowledgement: null, cancellation: null, created_at: at, created_by: null, currency: 'USD' } as const

function achTransfer(key: string, body: Increase.ACHTransferCreateParams, later: boolean): Increase.ACHTransfer {
  const waits = body.require_approval === true
  return {
    ...shared,
    type: 'ach_transfer',
    id: newId('ach_transfer'),
    account_id: body.account_id,
    account_number: '987654321',
    addenda: null,
    amount: body.amount,
    approval: null,
    company_descriptive_date: null,
    company_discretionary_data: null,
    company_entry_description: null,
    company_id: '1234987601',
    company_name: null,
    destination_account_holder: 'unknown',
    external_account_id: body.external_account_id ?? null,
    funding: 'checking',
    idempotency_key: key,
    inbound_funds_hold: null,
    individual_id: null,
    individual_name: body.individual_name ?? null,
    network: 'ach',
    notifications_of_change: [],
    pending_transaction_id: null,
    preferred_effective_date: { date: null, settlement_schedule: 'same_day' },
    return: null,
    routing_number: '101050001',
    settlement: later || waits ? null : { settled_at: at },
    standard_entry_class_code: 'corporate_credit_or_debit',
    statement_descriptor: body.statement_descriptor,
    status: waits ? 'pending_approval' : later ? 'pending_submission' : 'submitted',
    submission: null,
    transaction_id: null,
  }
}

function realTimeTransfer(
  key: string,
  body: Increase.RealTimePaymentsTransferCreateParams,
  later: boolean,
): Increase.RealTimePaymentsTransfer {
  return {
    ...shared,
    type: 'real_time_payments_transfer',
    id: newId('real_time_payments_transfer'),
    account_id: 'account_first',
    account_number: '987654321',
    amount: body.amount,
    approval: null,
    creditor_name: body.creditor_name,
    debtor_name: null,
    external_account_id: body.external_account_id ?? null,
    idempotency_key: key,
    pending_transaction_id: null,
    rejection: null,
    routing_number: '101050001',
    source_account_number_id: body.source_account_number_id,
    status: body.require_approval ? 'pending_approval' : later ? 'submitted' : 'complete',
    submission: null,
    transaction_id: null,
    ultimate_creditor_name: null,
    ultimate_debtor_name: null,
    unstructured_remittance_information: body.unstructured_remittance_information,
  }
}

function readAccount(id: string, action: string | undefined): Reply {
  if (!accounts.includes(id)) return problem(404, 'object_not_found_error')
  const balance: Increase.BalanceLookup = {
    type: 'balance_lookup',
    account_id: id,
    available_balance: 12_345,
    current_balance: 20_000,
    loan: null,
  }
  if (action === 'balance') return { status: 200, body: balance }
  const account: Increase.Account = {
    type: 'account',
    id,
    account_revenue_rate: null,
    bank: 'grasshopper_bank',
    closed_at: null,
    created_at: at,
    currency: 'USD',
    entity_id: 'entity_of_the_tests',
    funding: 'deposits',
    idempotency_key: null,
    informational_entity_id: null,
    interest_rate: '0',
    loan: null,
    name: 'Main account',
    program_id: 'program_of_the_tests',
    status: 'open',
  }
  return { status: 200, body: account }
}

/** Newest first; the cursor is the place in the filtered list. */
function listTransactions(all: readonly Increase.Transaction[], query: URLSearchParams): Reply {
  const from = query.get('created_at.on_or_after')
  const to = query.get('created_at.before')
  const matching = all
    .filter((one) => one.account_id === query.get('account_id'))
    .filter((one) => query.get('route_id') === null || one.route_id === query.get('route_id'))
    .filter((one) => from === null || Date.parse(one.created_at) >= Date.parse(from))
    .filter((one) => to === null || Date.parse(one.created_at) < Date.parse(to))
    .toSorted((a, b) => b.created_at.localeCompare(a.created_at))
  const start = Number(query.get('cursor') ?? 0)
  const end = start + Number(query.get('limit') ?? 100)
  const data = matching.slice(start, end)
  return { status: 200, body: { data, next_cursor: end < matching.length ? String(end) : null } }
}
