/**
 * The adapter for the fake provider: the provider port over HTTP. It holds no state but its connections; what an
 * answer proves is judged in fake-outcomes.ts, how a kind is said in fake-kinds.ts.
 *
 * Invariant: one `submit` is one exchange. No retry, no redirect, no second connection for the same submission.
 */

import { createExchange, type Exchange } from './exchange.ts'
import { polledOf, startedOf } from './fake-device-authentication.ts'
import { kindRows } from './fake-kinds.ts'
import { outcomeOfSubmit, resultOfLookup } from './fake-outcomes.ts'
import { addressCountriesOf, payoutSchemasOf } from './fake-reference-data.ts'
import type {
  AnonymousCallContext,
  CallContext,
  DeviceAuthenticationStart,
  LookupRequest,
  LookupResult,
  Provider,
  StartedDeviceAuthentication,
  Submission,
  SubmitOutcome,
} from './port.ts'

export type FakeAdapterOptions = {
  /** The provider's address, such as `http://127.0.0.1:4010`; only its origin is used. */
  readonly baseUrl: string
  /** Open connections at most; also how many calls are in flight at most. Further calls wait inside their time-out. */
  readonly connections: number
  /** Apart from a call's own time-out; undici's timers make it about half a second coarse. */
  readonly connectTimeoutMs: number
  /** A longer answer is unreadable. Default 1 MiB. */
  readonly maxResponseBytes?: number
}

/** Makes the port to a fake provider. No connection is opened until the first call. */
export function createFakeAdapter(options: FakeAdapterOptions): Provider {
  const exchange = createExchange({
    origin: new URL(options.baseUrl).origin,
    connections: options.connections,
    connectTimeoutMs: options.connectTimeoutMs,
    maxResponseBytes: options.maxResponseBytes ?? 1024 * 1024,
  })
  return {
    supports: (kind) => kindRows[kind] !== undefined,
    submit: (submission) => submit(exchange, submission),
    lookup: (request) => lookup(exchange, request),
    payoutSchemas: async (call) => payoutSchemasOf(await get(exchange, '/provider/payout-schemas', call)),
    addressCountries: async (call) => addressCountriesOf(await get(exchange, '/provider/countries', call)),
    startDeviceAuthentication: (request) => startDeviceAuthentication(exchange, request),
    pollDeviceAuthentication: async (request) =>
      polledOf(await get(exchange, `${deviceAuthentications}/${encodeURIComponent(request.authentication)}`, request)),
    close: () => exchange.close(),
  }
}

const deviceAuthentications = '/provider/device-authentications'

async function submit(exchange: Exchange, submission: Submission): Promise<SubmitOutcome> {
  const row = kindRows[submission.kind]
  if (row === undefined) {
    return {
      type: 'failed',
      failureCode: 'operation_kind_unsupported',
      failureDetail: 'The provider does not offer this kind of operation; nothing was sent.',
    }
  }
  const body = row.findBody(submission.reference, submission.payload)
  if (body === undefined) {
    return {
      type: 'failed',
      failureCode: 'submission_invalid',
      failureDetail: 'The accepted payload cannot be put into the words of the provider; nothing was sent.',
    }
  }
  const result = await exchange.send({
    method: 'POST',
    path: row.path,
    headers: { ...headersOf(submission), 'content-type': 'application/json' },
    body: JSON.stringify(body),
    timeoutMs: submission.timeoutMs,
  })
  return outcomeOfSubmit(result, submission.reference)
}

async function lookup(exchange: Exchange, request: LookupRequest): Promise<LookupResult> {
  const row = kindRows[request.kind]
  if (row === undefined) return { type: 'unavailable', reason: 'operation_kind_unsupported' }
  return resultOfLookup(await get(exchange, row.readPath(request.reference), request), row.read, request)
}

async function startDeviceAuthentication(
  exchange: Exchange,
  request: DeviceAuthenticationStart,
): Promise<StartedDeviceAuthentication> {
  const { reference, returnUrl, timeoutMs } = request
  const result = await exchange.send({
    method: 'POST',
    path: deviceAuthentications,
    headers: { ...headersOf(request), 'content-type': 'application/json' },
    body: JSON.stringify({ client_reference: reference, return_url: returnUrl }),
    timeoutMs,
  })
  return startedOf(result, reference)
}

function get(exchange: Exchange, path: string, call: AnonymousCallContext | CallContext) {
  return exchange.send({ method: 'GET', path, headers: headersOf(call), body: null, timeoutMs: call.timeoutMs })
}

function headersOf(call: AnonymousCallContext | CallContext): Record<string, string> {
  const authorization = 'credentials' in call ? { authorization: `Bearer ${call.credentials}` } : {}
  return { ...call.traceHeaders, accept: 'application/json', ...authorization }
}
