/**
 * A fake API in memory, for the unit tests of an agent. `api.agent()` is a client of it: no network, no sign-in, no owner to ask. It accepts each write once, shows its operation, and fails as a test orders it.
 */

import * as oauth from 'oauth4webapi'
import { type Agent, FinancialAgents } from '../client.ts'
import { table } from '../generated/table.ts'
import type { Beneficiary, Mandate, Operation, Problem, ProblemCode } from '../generated/types.ts'
import type { Fetch } from '../http.ts'
import { accessEnded } from '../oauth-failure.ts'
import type { FinancialAgentsOptions } from '../options.ts'
import { rowFor } from '../request-log.ts'
import { type Row, rowOf } from '../row.ts'
import { idOf, operation, problem } from './answers.ts'
import { networkFaults, providerFaults } from './faults.ts'

export { operation, problem } from './answers.ts'

/** A fault by name: between client and API, of the provider, or the code of a refusal of the API. */
export type FaultName = keyof typeof networkFaults | keyof typeof providerFaults | ProblemCode

/** A method of the client: `spending.pay`. */
export type MethodName = {
  [Resource in keyof typeof table]: `${Resource}.${keyof (typeof table)[Resource] & string}`
}[keyof typeof table]

/** A payment that the API has accepted. */
export type Payment = {
  /** The identifier of its operation. */
  operation: string
  /** The identifiers of the payee, and of the allowance if it is paid under one. */
  payee: string
  allowance: string | null
  amount: string
  currency: string
  reference: string | null
}

/** A fake API. */
export type FakeApi = {
  /** A client of this API, with options of yours, for example a store. */
  agent(options?: Partial<FinancialAgentsOptions>): Agent
  /** The options of such a client, for a program that makes its client itself. */
  readonly options: FinancialAgentsOptions
  /** The payments that the API has accepted, in order. A repeated payment is one. */
  readonly payments: readonly Payment[]
  /** The requests that the API has received: `POST /v1/spending-account/withdrawals`. */
  readonly requests: readonly string[]
  /** Orders a fault for the next payment, or for the next call of a method; `times` of them. */
  fault(name: FaultName, order?: { on?: MethodName; times?: number }): void
  /** Gives a method the answer of a read from now on. A read that has none is refused with `route_not_found`. */
  answer(on: MethodName, body: object): void
  /** Moves every operation to its end, as the provider's word would. */
  settle(): void
}

type Fault = { name: FaultName; on: readonly MethodName[]; times: number }
type Write = { body: string; operation: Operation; last: Operation['state'] }
type Body = Readonly<Record<string, string>>

const origin = 'https://api.test'
const payments: readonly MethodName[] = ['spending.pay', 'mandates.pay']
const lost = () => new TypeError('fetch failed')

/** Creates a fake API. It knows one payout schema, `iban`, and no payee. */
export function fakeApi(): FakeApi {
  return new Api()
}

class Api implements FakeApi {
  readonly payments: Payment[] = []
  readonly requests: string[] = []
  readonly #faults: Fault[] = []
  readonly #answers = new Map<string, object>()
  /** The accepted writes, by their keys. */
  readonly #writes = new Map<string, Write>()
  readonly #beneficiaries = new Map<string, Partial<Beneficiary>>()
  readonly #mandates = new Map<string, Partial<Mandate>>()
  #count = 0
  #hasEnded = false

  readonly options: FinancialAgentsOptions = {
    baseUrl: origin,
    clientId: 'agent-under-test',
    auth: {
      profile: 'service',
      authenticate: () => oauth.None(),
      obtain: async () => {
        if (this.#hasEnded) throw accessEnded()
        return { access_token: 'token', expires_in: 3_600 }
      },
    },
    fetch: (url, init) => this.#fetch(new URL(url), init),
  }

  agent(options: Partial<FinancialAgentsOptions> = {}): Agent {
    return FinancialAgents({ ...this.options, ...options })
  }

  fault(name: FaultName, { on, times = 1 }: { on?: MethodName; times?: number } = {}): void {
    this.#faults.push({ name, on: on === undefined ? payments : [on], times })
  }

  answer(on: MethodName, body: object): void {
    this.#answers.set(on, body)
  }

  settle(): void {
    for (const write of this.#writes.values()) {
      const { failure_code } = write.operation
      const isFailed = write.last === 'failed'
      Object.assign(write.operation, {
        state: write.last,
        submission_uncertain: false,
        failure_code: isFailed ? (failure_code ?? 'provider_refused') : null,
        updated_at: new Date().toISOString(),
      })
    }
  }

  async #fetch(url: URL, { method = 'GET', headers, body }: Parameters<Fetch>[1]): Promise<Response> {
    const { pathname } = url
    this.requests.push(`${method} ${pathname}`)
    const row = rowFor(method, pathname)
    const name = row && nameOf(row)
    const fault = this.#next(name)
    if (fault === undefined) return this.#answerTo(url, row, headers, body)
    if (fault in providerFaults)
      return this.#answerTo(url, row, headers, body, providerFaults[fault as keyof typeof providerFaults])
    if (!(fault in networkFaults)) {
      const refusal = problem(origin, fault)
      if (refusal.submission_uncertain) this.#answerTo(url, row, headers, body)
      return refused(refusal)
    }
    const { accepted, answer } = networkFaults[fault as keyof typeof networkFaults]
    if (accepted) this.#answerTo(url, row, headers, body)
    if (answer === 'ended') this.#hasEnded = true
    return disturbed(answer)
  }

  #next(name: string | undefined): FaultName | undefined {
    const fault = this.#faults.find(({ on, times }) => times > 0 && on.some((one) => one === name))
    if (!fault) return undefined
    fault.times -= 1
    return fault.name
  }

  #answerTo(url: URL, row: Row | undefined, headers: unknown, body: unknown, fault?: ProviderFault): Response {
    const given = row && this.#answers.get(nameOf(row) ?? '')
    if (given) return Response.json(given)
    if (row?.keyed)
      return this.#write(
        url,
        row,
        new Headers(headers as Record<string, string>),
        typeof body === 'string' ? body : '',
        fault,
      )
    const answer = this.#read(url, row)
    if (answer) return Response.json(answer, { status: row?.method === 'POST' ? 201 : 200 })
    return refused(problem(origin, 'route_not_found', { detail: `The fake API has no answer: ${url.pathname}` }))
  }

  #write(url: URL, row: Row, headers: Headers, body: string, fault?: ProviderFault): Response {
    const key = headers.get('idempotency-key') ?? ''
    const earlier = this.#writes.get(key)
    if (earlier && earlier.body !== body) return refused(problem(origin, 'idempotency_key_conflict'))
    const write = earlier ?? this.#accepted(row, url.pathname.split('/')[3] ?? '', body, fault)
    this.#writes.set(key, write)
    return Response.json(write.operation, { status: 202, headers: earlier ? { 'idempotent-replayed': 'true' } : {} })
  }

  #accepted(row: Row, parent: string, text: string, fault?: ProviderFault): Write {
    const body = (text === '' ? {} : JSON.parse(text)) as Body
    const kind = row.keyed as Operation['kind']
    const { state, failure, last } = fault ?? { state: 'succeeded', failure: null, last: 'succeeded' }
    const [id, resource_id] = [this.#newId(), this.#newId()]
    const made = operation({ id, kind, state, resource_id, resource_type: kind, failure_code: failure })
    if (state !== 'failed') this.#make(made, parent, body)
    return { body: text, operation: made, last }
  }

  /** Makes the resource of an accepted write. */
  #make({ id, kind, resource_id }: Operation, parent: string, body: Body): void {
    const resource = { ...body, id: resource_id, state: 'active', operation_id: id }
    if (kind === 'beneficiary_create') this.#beneficiaries.set(resource_id, masked(resource))
    if (kind === 'mandate_create') this.#mandates.set(resource_id, resource as Partial<Mandate>)
    if (kind !== 'transfer' && kind !== 'mandate_transfer') return
    const { beneficiary_id, amount = '', currency = '', memo, reference } = body
    const allowance = kind === 'mandate_transfer' ? parent : null
    this.payments.push({
      operation: id,
      payee: beneficiary_id ?? this.#mandates.get(parent)?.beneficiary_id ?? '',
      allowance,
      amount,
      currency,
      reference: memo ?? reference ?? null,
    })
  }

  #read({ pathname, searchParams }: URL, row: Row | undefined): object | undefined {
    const id = pathname.split('/').at(-1) ?? ''
    const writes = [...this.#writes.values()].map((write) => write.operation)
    switch (row && nameOf(row)) {
      case 'operations.get':
        return writes.find((one) => one.id === id)
      case 'operations.list': {
        const key = searchParams.get('idempotency_key')
        const found = key === null ? undefined : this.#writes.get(key)
        return { items: key === null ? writes.toReversed() : found ? [found.operation] : [] }
      }
      case 'beneficiaries.list':
        return { items: [...this.#beneficiaries.values()], next_cursor: null }
      case 'beneficiaries.get':
        return this.#beneficiaries.get(id)
      case 'mandates.list':
        return { items: [...this.#mandates.values()], next_cursor: null }
      case 'mandates.get':
        return this.#mandates.get(id)
      case 'payoutSchemas.list':
        return { items: [{ id: 'iban', fields: [{ key: 'iban', required: true }] }], next_cursor: null }
      case 'confirmations.create':
      case 'confirmations.get':
        return { id: idOf(0), status: 'confirmed' }
      default:
        return undefined
    }
  }

  #newId(): string {
    this.#count += 1
    return idOf(this.#count)
  }
}

type ProviderFault = (typeof providerFaults)[keyof typeof providerFaults]

/** A payee as the API shows it: with the end of each detail alone. */
function masked({ details, ...payee }: { id: string; details?: unknown }): Partial<Beneficiary> {
  const ends = Object.entries((details ?? {}) as Body).map(([name, detail]) => [name, detail.slice(-4)])
  return { ...payee, masked_details: Object.fromEntries(ends) as Body }
}

/** The method of the client with this row. */
function nameOf({ method, path }: Row): string | undefined {
  const names = Object.entries(table).flatMap(([resource, rows]) =>
    Object.entries<string>(rows).map(([name, row]) => [`${resource}.${name}`, rowOf(row)] as const),
  )
  return names.find(([, row]) => row.method === method && row.path === path)?.[0]
}

function refused(body: Problem, headers: Record<string, string> = {}): Response {
  return new Response(JSON.stringify(body), {
    status: body.status,
    headers: { 'content-type': 'application/problem+json', ...headers },
  })
}

/** The end of a request that something between client and API disturbs. */
function disturbed(answer: (typeof networkFaults)[keyof typeof networkFaults]['answer']): Response {
  switch (answer) {
    case 'lost':
      throw lost()
    case 'unsent':
      throw Object.assign(lost(), { cause: { code: 'ECONNREFUSED' } })
    case 'late':
      throw new DOMException('The operation timed out', 'TimeoutError')
    case 'ended':
      return refused(problem(origin, 'invalid_token'), { 'www-authenticate': 'DPoP error="invalid_token"' })
    case 'page':
      return new Response('<html></html>', { status: 403, headers: { 'content-type': 'text/html' } })
    case 'cut': {
      const body = new ReadableStream({ start: (controller) => controller.error(lost()) })
      return new Response(body, { status: 202, headers: { 'content-type': 'application/json' } })
    }
  }
}
