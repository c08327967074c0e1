/**
 * The client of the Financial Agents API: one object for one OAuth client and one owner. Web standards only.
 *
 * Imports of this module have no effect: nothing is read or sent before the first call.
 */

import type { TrackedOperation, WriteOptions } from './call-options.ts'
import { createCore } from './create-core.ts'
import type { Resources } from './generated/methods.ts'
import type { Beneficiary, Mandate } from './generated/types.ts'
import { type Note, noteOf } from './intent-record.ts'
import { type FinancialAgentsOptions } from './options.ts'
import type { Outcome, WaitOptions } from './outcome.ts'
import { createPoller } from './poller.ts'
import { ApiProblem } from './problem.ts'
import { reached } from './repeat.ts'
import { createResources, tracker } from './resources.ts'
import type { SignIn } from './session.ts'
import { timeLeft } from './time-limit.ts'
import { send } from './transport.ts'
import { isReason } from './uncertain.ts'
import { type AllowanceRequest, allowance } from './verbs/allowance.ts'
import { type PayRequest, pay } from './verbs/pay.ts'
import { type PayeeRequest, payee } from './verbs/payee.ts'
import { waitFailed } from './wait-failed.ts'
import { writeTo } from './write-to.ts'

export { type Amount, writtenAmount } from './amount.ts'
export type { CallOptions, Metadata, TrackedOperation, WriteOptions } from './call-options.ts'
export { ClientError, type ClientErrorCode } from './client-error.ts'
export type { Resources } from './generated/methods.ts'
export type * from './generated/types.ts'
export type { Note } from './intent-record.ts'
export type { FinancialAgentsOptions } from './options.ts'
export type { Outcome, WaitOptions } from './outcome.ts'
export type { OnOwnerNeeded, OwnerNeeded } from './owner.ts'
export type { Page, Pages } from './pages.ts'
export { ApiProblem } from './problem.ts'
export type { RepeatEntry, RequestEntry, ResponseEntry } from './request-log.ts'
export type { SignIn } from './session.ts'
export type { SetOptions, Store } from './store.ts'
export { memoryStore } from './stores/memory.ts'
export { type AllowanceRequest, type AllowanceTerms, mandateOf } from './verbs/allowance.ts'
export type { PayRequest } from './verbs/pay.ts'
export { type PayeeRequest, payoutSchemaFor } from './verbs/payee.ts'
export { NotSettledError } from './verbs/settled.ts'

/** A client of the API for one owner. */
export type Agent = Resources & {
  /** Begins a sign-in: waits for the owner (device, native), or returns the address for the browser (spa, web). */
  signIn(options?: { signal?: AbortSignal }): Promise<SignIn>
  /** Ends a sign-in by redirect with the address to which the browser came back. */
  completeSignIn(url: string | URL): Promise<SignIn>
  /** Forgets the tokens; a web application also revokes its grant. */
  signOut(): Promise<void>
  /** Adds a payee, or finds the one that this intent added; waits until it can be paid. */
  payee(request: PayeeRequest): Promise<Beneficiary>
  /** Asks the owner for an allowance, or finds the one that this intent asked for; waits until it is active. */
  allowance(request: AllowanceRequest): Promise<Mandate>
  /** Pays once per intent, and waits for the outcome. */
  pay(request: PayRequest): Promise<Outcome>
  /**
   * Waits for an operation by its id, for example after a webhook.
   *
   * @throws ClientError `wait_failed`: the operation goes on; ApiProblem if the API has no operation with this id
   */
  wait(operationId: string, options?: WaitOptions): Promise<Outcome>
  /** The intent of a write of this store, and the metadata that were given with it; undefined if there were none. */
  metadata(operationId: string): Promise<Note | undefined>
  /**
   * Makes a durable write to any keyed path of the API, including a route that this version of the client does not
   * know.
   */
  write(path: string, body: object | undefined, options: WriteOptions): Promise<TrackedOperation>
  /** Sends one request with token and proof, without repetition; resolves with the raw response, whatever its status. */
  fetch(path: string, init?: RawRequest): Promise<Response>
}

/** A raw request. */
export type RawRequest = { method?: string; headers?: Record<string, string>; body?: string; signal?: AbortSignal }

/**
 * Creates a client. Nothing is sent before the first call.
 *
 * @throws ClientError `invalid_use` if `baseUrl` is not an origin with HTTPS
 */
export function FinancialAgents(options: FinancialAgentsOptions): Agent {
  const core = createCore(options)
  const poller = createPoller(core)
  const track = tracker(core, poller)
  const resources = createResources(core, track)
  return {
    ...resources,
    signIn: ({ signal } = {}) => reached(core.origin, core.session.signIn(signal)),
    completeSignIn: async (url) => reached(core.origin, core.session.complete(new URL(url))),
    signOut: () => core.session.signOut(),
    payee: (request) => payee(resources, request),
    allowance: (request) => allowance(resources, request),
    pay: (request) => pay(resources, request),
    wait: async (operationId, waiting = {}) => {
      const left = timeLeft(waiting)
      const operation = await toWaitFor(resources, operationId, { ...waiting, ...left() })
      return poller.wait(operation, { ...waiting, ...left() })
    },
    metadata: async (operationId) => (await core.store.get(noteOf(operationId))) as Note | undefined,
    write: (path, body, writing) => writeTo(core, path, body, writing).then(track),
    fetch: async (path, { method = 'GET', headers = {}, body, signal } = {}) => {
      const sent = await reached(core.origin, send(core, { method, path, headers, body }, signal))
      if ('lost' in sent) throw sent.lost
      if ('failed' in sent) throw sent.failed
      return sent.response
    },
  }
}

/** Reads an operation for a wait. An id that the API does not know is a refusal; any other error is that of the wait. */
async function toWaitFor(
  { operations }: Resources,
  operationId: string,
  waiting: WaitOptions,
): Promise<TrackedOperation> {
  try {
    return await operations.get(operationId, waiting)
  } catch (error) {
    const isUnknown = error instanceof ApiProblem && error.fromApi && error.status === 404
    throw isUnknown || isReason(error, waiting.signal) ? error : waitFailed(operationId, error)
  }
}
