/**
 * The adapter for every provider that speaks the Provider API: the provider port over HTTP. Its only state is its connections. outcomes.ts decides what an
 * answer proves; kinds.ts has the terms of each kind.
 *
 * Invariant: one `submit` is one exchange. No retry, no redirect, no second connection for the same submission.
 */

import { kindFacts, type OperationKind } from '@financial-agents/contract/kinds'
import { createOpenidSignIn } from '@financial-agents/provider-openid/sign-in'
import type { OpenidOptions } from '@financial-agents/provider-openid/variables'
import type { ApprovalRequest, PreparedApproval } from '@financial-agents/provider-port/approval'
import type {
  Instruction,
  LookupRequest,
  LookupResult,
  Provider,
  Submission,
  SubmitOutcome,
} from '@financial-agents/provider-port/port'
import { providerPath } from './api/paths.ts'
import { approvalOf, preparedOf } from './approvals.ts'
import { type Authentication, authenticated } from './authentication.ts'
import { get, post } from './calls.ts'
import { polledOf, startedOf } from './device-authentication.ts'
import { createExchange, type Exchange } from './exchange.ts'
import { cardRevealOf, identityCheckOf } from './hosted-sessions.ts'
import { findRow, type KindRow } from './kinds.ts'
import { resultOfLookup, searchPath } from './lookups.ts'
import { outcomeOfSubmit } from './outcomes.ts'
import { withPersonTokens } from './person-tokens.ts'
import { createReads } from './reads.ts'

export type HttpAdapterOptions = {
  /** The provider's address, such as `http://127.0.0.1:4010`; only its origin is used. */
  readonly baseUrl: string
  /** The most open connections, and so the most calls in flight. Further calls wait within their time-out. */
  readonly connections: number
  /** Bounds the making of a connection, within about half a second (undici's timers). Each call has its own time-out as well. */
  readonly connectTimeoutMs: number
  /** A longer answer counts as unreadable. Default 1 MiB. */
  readonly maxResponseBytes?: number
  /** The largest difference between the provider's clocks, and its reads' delay (`DeadlinePromise`). Default 5 s. */
  readonly clockMarginMs?: number
  /**
   * The kinds that the provider offers; all of them by default. Operations of another kind are not sent; earlier ones
   * are still looked up.
   */
  readonly kinds?: readonly OperationKind[] | undefined
  /** The proof of who we are; without it the person's credentials alone are sent, which suits a sandbox. */
  readonly authentication?: Authentication | undefined
  /** The OpenID provider at which people sign in; without it they sign in at the provider's hosted page. */
  readonly openid?: OpenidOptions | undefined
}

/** Makes the port to a provider. No connection is made before the first call. */
export function createHttpAdapter(options: HttpAdapterOptions): Provider {
  const { origin } = new URL(options.baseUrl)
  const { authentication, openid } = options
  const plain = createExchange({
    origin,
    connections: options.connections,
    connectTimeoutMs: options.connectTimeoutMs,
    maxResponseBytes: options.maxResponseBytes ?? 1024 * 1024,
    tls: authentication?.tls,
  })
  const proven = authentication === undefined ? plain : authenticated(plain, origin, authentication)
  const exchange = openid?.credentials === 'refresh_token' ? withPersonTokens(proven, openid) : proven
  const signIn = openid && createOpenidSignIn(openid)
  const isOffered = (kind: OperationKind) => findRow(kind) !== undefined && (options.kinds?.includes(kind) ?? true)
  return {
    supports: isOffered,
    // The Provider API makes both promises of a provider that shows its clock in its searches.
    deadlines: { refusesAfterDeadline: true, completeByReference: true, clockMarginMs: options.clockMarginMs ?? 5_000 },
    submit: async (submission) => (isOffered(submission.kind) ? submit(exchange, submission) : unsupported),
    lookup: (request) => lookup(exchange, request),
    mayAskApproval: (kind) => isOffered(kind) && findRow(kind)?.approval !== undefined,
    prepareApproval: async (request) =>
      isOffered(request.kind) ? prepareApproval(exchange, request) : { ...unsupported, type: 'refused' },
    pollApproval: async (request) =>
      approvalOf(await get(exchange, providerPath('readApproval', request.approval), request), request.approval),
    ...hostedSessions(exchange),
    ...createReads(exchange),
    ...signIn,
    close: async () => {
      await Promise.all([exchange.close(), signIn?.close()])
    },
  }
}

function hostedSessions(exchange: Exchange) {
  return {
    startCardReveal: async (request) => {
      const card = request.card.upstreamReference
      const body = { client_reference: request.reference, card_reference: card }
      return cardRevealOf(await post(exchange, providerPath('startCardReveal'), request, body), request.reference, card)
    },
    startIdentityCheck: async (request) => {
      const body = { client_reference: request.reference, return_url: request.returnUrl }
      return identityCheckOf(await post(exchange, providerPath('startIdentityCheck'), request, body), request.reference)
    },
    startDeviceAuthentication: async (request) => {
      const body = { client_reference: request.reference, return_url: request.returnUrl }
      return startedOf(
        await post(exchange, providerPath('startDeviceAuthentication'), request, body),
        request.reference,
      )
    },
    pollDeviceAuthentication: async (request) =>
      polledOf(await get(exchange, providerPath('readDeviceAuthentication', request.authentication), request)),
  } satisfies Partial<Provider>
}

async function submit(exchange: Exchange, submission: Submission): Promise<SubmitOutcome> {
  const { reference, validUntil } = submission
  const found = findTerms(submission)
  if (found.type === 'failed') return found
  const { row, target, terms } = found
  const body = { client_reference: reference, ...terms, valid_until: validUntil.toISOString() }
  return outcomeOfSubmit(await post(exchange, providerPath(row.call, target), submission, body), reference, row)
}

async function prepareApproval(exchange: Exchange, request: ApprovalRequest): Promise<PreparedApproval> {
  const found = findTerms(request)
  if (found.type === 'failed') return { ...found, type: 'refused' }
  if (found.row.approval === undefined) return { type: 'not_needed' }
  const { kind, reference, returnUrl } = request
  const body = { client_reference: reference, return_url: returnUrl, instruction: { kind, terms: found.terms } }
  return preparedOf(await post(exchange, providerPath('prepareApproval'), request, body), reference)
}

type Terms =
  | { readonly type: 'found'; readonly row: KindRow; readonly target: string; readonly terms: object }
  | Extract<SubmitOutcome, { type: 'failed' }>

/** The terms of the mutation, or the failure if it has none. Sends nothing. */
function findTerms({ kind, payload, target: named }: Instruction): Terms {
  const row = findRow(kind)
  if (row === undefined) return unsupported
  if (needsTarget(kind) && named === undefined) return invalid
  const target = named?.upstreamReference ?? ''
  const { data: terms } = row.terms.safeParse({ ...payload, beneficiary_reference: target })
  return terms === undefined ? invalid : { type: 'found', row, target, terms }
}

function needsTarget(kind: OperationKind): boolean {
  return kindFacts[kind].target !== null
}

const unsupported = {
  type: 'failed',
  failureCode: 'operation_kind_unsupported',
  failureDetail: 'The provider does not offer this kind of operation; nothing was sent.',
} as const

const invalid = {
  type: 'failed',
  failureCode: 'submission_invalid',
  failureDetail: 'The accepted payload does not have the form of its kind; nothing was sent.',
} as const

async function lookup(exchange: Exchange, request: LookupRequest): Promise<LookupResult> {
  const row = findRow(request.kind)
  if (row === undefined) return { type: 'unavailable', reason: 'operation_kind_unsupported' }
  return resultOfLookup(await get(exchange, searchPath(row, request), request), row, request)
}
