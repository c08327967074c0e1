/**
 * An adapter as somebody outside this repository writes it: against the published port alone, for a bank that knows payees and
 * payments. `bank.ts` is that bank.
 *
 * Invariant: the connection is made before the request is written. A failure before that is `unsent`, and a failure
 * after it is `uncertain`.
 */

import { request as httpRequest } from 'node:http'
import { connect, type Socket } from 'node:net'
import { AdapterError, type ProviderAdapter } from '@financial-agents/provider-port/adapter'
import type {
  CallContext,
  LookupRequest,
  LookupResult,
  Provider,
  ProviderFailureCode,
  ReadResult,
  Submission,
  SubmitOutcome,
} from '@financial-agents/provider-port/port'
import { notOffered as noReads } from '@financial-agents/provider-port/reads'

type ProviderCall = { readonly method: 'GET' | 'POST'; readonly path: string; readonly body?: object }
type Answer =
  | { readonly type: 'answered'; readonly status: number; readonly body: unknown }
  | { readonly type: 'unsent' }
  | { readonly type: 'lost'; readonly code: ProviderFailureCode }

const maxAnswerBytes = 100_000

function open(url: URL, timeoutMs: number): Promise<Socket | undefined> {
  return new Promise((resolve) => {
    const socket = connect({ host: url.hostname, port: Number(url.port || 80) })
    const fail = () => {
      socket.destroy()
      resolve(undefined)
    }
    socket.setTimeout(timeoutMs, fail)
    socket.once('error', fail)
    socket.once('connect', () => {
      socket.setTimeout(0)
      socket.off('error', fail)
      resolve(socket)
    })
  })
}

/** One request on a connection of its own, written once. */
async function ask(url: URL, call: CallContext, { method, path, body }: ProviderCall): Promise<Answer> {
  const endMs = performance.now() + call.timeoutMs
  const socket = await open(url, call.timeoutMs)
  if (socket === undefined) return { type: 'unsent' }
  return new Promise((resolve) => {
    const lost = (code: ProviderFailureCode) => {
      clearTimeout(timer)
      socket.destroy()
      resolve({ type: 'lost', code })
    }
    const timer = setTimeout(() => lost('provider_timeout'), Math.max(0, endMs - performance.now()))
    const text = body === undefined ? undefined : JSON.stringify(body)
    const headers = {
      authorization: `Bearer ${call.credentials}`,
      connection: 'close',
      ...(text === undefined ? {} : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) }),
    }
    const sent = httpRequest(new URL(path, url), { method, headers, createConnection: () => socket }, (response) => {
      const parts: Buffer[] = []
      let length = 0
      response.on('data', (part: Buffer) => {
        length += part.length
        if (length > maxAnswerBytes) return lost('provider_response_invalid')
        parts.push(part)
      })
      response.on('error', () => lost('provider_connection_lost'))
      response.on('end', () => {
        if (!response.complete) return lost('provider_connection_lost')
        clearTimeout(timer)
        resolve({ type: 'answered', status: response.statusCode ?? 0, body: parsed(Buffer.concat(parts).toString()) })
      })
    })
    sent.on('error', () => lost('provider_connection_lost'))
    sent.end(text)
  })
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** A payee or a payment: the bank keeps both by the reference of the application. */
type Entry = { readonly id: string; readonly external_id: string }

function isEntry(value: unknown): value is Entry {
  if (typeof value !== 'object' || value === null) return false
  const { id, external_id } = value as Partial<Entry>
  return typeof id === 'string' && /^[\w-]{1,64}$/.test(id) && typeof external_id === 'string'
}

type Row = {
  readonly path: string
  /** The member of a list's answer. */
  readonly list: string
  readonly read: string
  /** The bank's words for the submission, or undefined if it has none. */
  readonly say: (submission: Submission) => object | undefined
}

const isText = (value: unknown): value is string => typeof value === 'string'

const rows: Readonly<Partial<Record<Submission['kind'], Row>>> = {
  beneficiary_create: {
    path: '/payees',
    list: 'payees',
    read: 'payee_by_external_id',
    say({ payload: { name, details } }) {
      const iban = (details as { iban?: unknown } | undefined)?.iban
      return isText(name) && isText(iban) ? { holder: name, iban } : undefined
    },
  },
  transfer: {
    path: '/payments',
    list: 'payments',
    read: 'payment_by_external_id',
    say({ payload: { amount, currency }, target }) {
      if (!isText(amount) || currency !== 'EUR' || target === undefined) return undefined
      return { payee: target.upstreamReference, amount, currency }
    },
  },
}

const failed = (failureCode: ProviderFailureCode, failureDetail: string): SubmitOutcome => ({
  type: 'failed',
  failureCode,
  failureDetail,
})
const uncertain = (failureCode: ProviderFailureCode): SubmitOutcome => ({
  type: 'uncertain',
  failureCode,
  failureDetail: 'The bank was asked; its answer does not say what happened.',
})

/** The refusals that the bank documents as definitive. */
const refusals: Readonly<Record<number, ProviderFailureCode>> = {
  401: 'provider_authentication_failed',
  409: 'provider_refused',
  422: 'provider_rejected_details',
}

async function submit(url: URL, submission: Submission): Promise<SubmitOutcome> {
  const row = rows[submission.kind]
  if (row === undefined)
    return failed('operation_kind_unsupported', 'The bank does not offer this kind of operation; nothing was sent.')
  const words = row.say(submission)
  if (words === undefined)
    return failed('submission_invalid', 'The payload cannot be said in the words of the bank; nothing was sent.')
  const body = { external_id: submission.reference, ...words }
  const answer = await ask(url, submission, { method: 'POST', path: row.path, body })
  if (answer.type === 'unsent')
    return {
      type: 'unsent',
      failureCode: 'provider_unreachable',
      failureDetail: 'The bank was not reached; nothing was sent.',
    }
  if (answer.type === 'lost') return uncertain(answer.code)
  if (answer.status === 201 && isEntry(answer.body) && answer.body.external_id === submission.reference)
    return { type: 'succeeded', upstreamReference: answer.body.id }
  const refused = refusals[answer.status]
  if (refused !== undefined) return failed(refused, `The bank refused it (${answer.status}).`)
  return uncertain(answer.status >= 500 ? 'provider_error' : 'provider_response_invalid')
}

/** Returns the body of an answer with 200, or the reason why there is none. */
async function read(url: URL, call: CallContext, path: string): Promise<ReadResult<unknown>> {
  const answer = await ask(url, call, { method: 'GET', path })
  if (answer.type === 'unsent') return { type: 'unavailable', reason: 'provider_unreachable' }
  if (answer.type === 'lost') return { type: 'unavailable', reason: answer.code }
  if (answer.status === 200) return { type: 'ok', data: answer.body }
  const reason = refusals[answer.status] ?? (answer.status >= 500 ? 'provider_error' : 'provider_response_invalid')
  return { type: 'unavailable', reason }
}

async function lookup(url: URL, request: LookupRequest): Promise<LookupResult> {
  const row = rows[request.kind]
  if (row === undefined) return { type: 'unavailable', reason: 'operation_kind_unsupported' }
  const result = await read(url, request, `${row.path}?external_id=${encodeURIComponent(request.reference)}`)
  if (result.type === 'contract_broken') return { type: 'unavailable', reason: 'provider_response_invalid' }
  if (result.type === 'unavailable') return result
  const entries = (result.data as Record<string, unknown> | undefined)?.[row.list]
  if (!Array.isArray(entries) || !entries.every(isEntry))
    return { type: 'unavailable', reason: 'provider_response_invalid' }
  const found = { read: row.read, observed: JSON.stringify(entries.map(({ id }) => id).toSorted()) }
  const [entry, ...others] = entries
  if (entry === undefined) return { type: 'not_found', ...found }
  if (others.length > 0) return { type: 'ambiguous', reason: 'more than one entry', ...found }
  if (entry.external_id !== request.reference)
    return { type: 'ambiguous', reason: 'an entry of another reference', ...found }
  if (request.upstreamReference !== null && request.upstreamReference !== entry.id)
    return { type: 'ambiguous', reason: 'another entry than the one acknowledged', ...found }
  return { type: 'found', state: 'succeeded', upstreamReference: entry.id, ...found }
}

const schema = {
  id: 'sepa_pt_eur',
  name: 'SEPA',
  country: 'PT',
  currency: 'EUR',
  rail: 'sepa',
  fields: [
    {
      key: 'iban',
      label: 'IBAN',
      type: 'string',
      pattern: '^PT[0-9]{23}$',
      min_length: 25,
      max_length: 25,
      options: null,
      required: true,
    },
  ],
  example_details: { iban: 'PT50000201231234567890154' },
} as const

/** Without limits a payment is refused before it is accepted. */
const limits = {
  currency: schema.currency,
  minimum_amount: '0.01',
  maximum_amount: '10000.00',
  fee_fixed: '0.00',
  fee_basis_points: '0',
  rail: schema.rail,
  memo: { supported: false, minimum_characters: 0, maximum_characters: 0 },
  purpose_codes: [],
} as const

const notOffered = { type: 'unavailable', reason: 'provider_refused' } as const
const noPage = {
  type: 'refused',
  failureCode: 'provider_refused',
  failureDetail: 'The bank has no page for this.',
} as const

function createPort(url: URL): Provider {
  /** Returns data that the adapter knows by itself, for a person whom the bank knows. */
  const known = async <Data>(call: CallContext, data: Data): Promise<ReadResult<Data>> => {
    const result = await read(url, call, '/session')
    return result.type === 'ok' ? { type: 'ok', data } : result
  }
  const nothing = async () => ({ type: 'ok', data: [] }) as const
  return {
    supports: (kind) => rows[kind] !== undefined,
    // The bank promises nothing about deadlines.
    deadlines: null,
    submit: (submission) => submit(url, submission),
    lookup: (request) => lookup(url, request),
    mayAskApproval: () => false,
    prepareApproval: async () => ({ type: 'not_needed' }),
    pollApproval: async () => notOffered,
    startCardReveal: async () => noPage,
    startIdentityCheck: async () => noPage,
    ...noReads,
    accounts: (call) => known(call, []),
    activity: (call) => known(call, { items: [], next_cursor: null }),
    withdrawalLimits: (call) => {
      const isOffered = call.schema === schema.id && (call.currency ?? schema.currency) === schema.currency
      return known(call, isOffered ? limits : null)
    },
    virtualAccountEconomics: (call) => known(call, []),
    transferQuote: (call) => known(call, { type: 'refused', member: 'target_currency' }),
    purchaseQuote: (call) => known(call, { type: 'refused', member: 'service_reference' }),
    purchases: (call) => known(call, []),
    payoutSchemas: (call) => known(call, [schema]),
    addressCountries: (call) => known(call, [{ code: 'PT', alpha3: 'PRT', name: 'Portugal' }]),
    purchasableServices: nothing,
    assets: nothing,
    fiatPrices: nothing,
    startDeviceAuthentication: async () => notOffered,
    pollDeviceAuthentication: async () => notOffered,
    // Each call has a connection of its own, which ends with it.
    close: async () => {},
  }
}

const adapter: ProviderAdapter = {
  portVersion: 1,
  kinds: ['beneficiary_create', 'transfer'],
  open({ variables }) {
    const { URL: address = '' } = variables
    if (!URL.canParse(address)) throw new AdapterError('URL (give the address of the bank)')
    return createPort(new URL(address))
  },
}

export default adapter
