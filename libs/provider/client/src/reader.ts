/**
 * Reads of the provider, and the problem that each failure is for the client. Moves nothing. A process has one reader: its
 * bounds, circuits and cached answers cover everything that the process reads.
 *
 * Invariant: every failure becomes the problem for the client; its cause goes to the log alone. No caller waits for a read
 * beyond its deadline.
 */

import type { Bus } from '@financial-agents/bus/connect'
import { Problem } from '@financial-agents/contract/problem'
import type {
  AnonymousCallContext,
  CallContext,
  ProviderFailureCode,
  ReadResult,
} from '@financial-agents/provider-port/port'
import type { Clock } from '@financial-agents/runtime/clock'
import type { Log } from '@financial-agents/runtime/log'
import type { Sealer } from '@financial-agents/runtime/sealing'
import { type CachedRead, type CachedReadOptions, createCachedReads } from './cached-reads.ts'
import { type CredentialSource, type Credentials, createCredentials, type ListSealed } from './credentials.ts'
import { createDeadlines, within } from './deadlines.ts'
import { createGuard } from './guard.ts'
import type { ReadHealth } from './read-health.ts'

/** The trace and the time-out of the caller. A handler's context has this type. */
export type PublicReadContext = {
  traceparent: string
  /**
   * The time-out starts at the first read with this context object, and all reads with the object share it. If it is
   * absent, only `readTimeoutMs` bounds a read.
   */
  timeoutMs?: number
}

export type ReadContext = PublicReadContext & { principal: { binding_id: string | null } }

/** Result of an adapter's call without an answer. */
export type Unavailable = { readonly type: 'unavailable'; readonly reason: ProviderFailureCode }

/** The reads of a process, for any binding. */
export type ProviderReader = {
  /**
   * One read with the binding's credentials.
   * @param name the kind of read: reads of one kind share a circuit, and the log names it
   * @throws Problem provider_connection_unavailable, provider_unavailable, response_contract_failed, service_unavailable
   */
  read<Data>(context: ReadContext, send: (call: CallContext) => Promise<ReadResult<Data>>, name?: string): Promise<Data>
  /**
   * Likewise, for a call that moves nothing and has a result type of its own (a visit to a hosted page).
   * @throws Problem provider_connection_unavailable, provider_unavailable, service_unavailable
   */
  ask<Answer extends { readonly type: string }>(
    context: ReadContext,
    send: (call: CallContext) => Promise<Answer>,
    name: string,
  ): Promise<Exclude<Answer, Unavailable>>
  /**
   * One public read: its answer is the same for everybody.
   * @throws Problem provider_unavailable, response_contract_failed
   */
  readPublic<Data>(
    context: PublicReadContext,
    send: (call: AnonymousCallContext) => Promise<ReadResult<Data>>,
    name: string,
  ): Promise<Data>
  /** A read whose answers are cached for their binding, until they expire or its credentials are refused. */
  cached<Asked extends readonly unknown[], Data>(
    options: CachedReadOptions<CallContext, Asked, Data>,
  ): CachedRead<ReadContext, Asked, Data>
  /** A public read whose answers are cached for everybody. */
  cachedPublic<Asked extends readonly unknown[], Data>(
    options: CachedReadOptions<AnonymousCallContext, Asked, Data>,
  ): CachedRead<PublicReadContext, Asked, Data>
  /**
   * The name of the provider of the context's binding.
   * @throws Problem provider_connection_unavailable, service_unavailable
   */
  providerOf(context: ReadContext): Promise<string>
  /**
   * The problem of `reason` for the client. If the provider refused the credentials, the reader drops them and the cached
   * answers of the binding.
   */
  failureOf(context: ReadContext, reason: ProviderFailureCode): Problem
}

export type ProviderReaderOptions = {
  bus: Bus
  /** Opens credentials in the context of their binding's id. */
  credentialSealer: Pick<Sealer, 'open'>
  clock: Clock
  log: Log
  /** Time for a whole read: credentials, waiting for a place and connecting included. */
  readTimeoutMs: number
  /** Replaces the call to onboarding for credentials over the bus. */
  listSealed?: ListSealed | undefined
  /** Replaces the figures of this process. */
  health?: ReadHealth | undefined
}

const credentialsTimeoutMs = 2_000

type Call<Context, Answer> = (call: Context) => Promise<Answer>
type Answered = { readonly type: string }
type Asked = { name: string; leftMs: number }

export function createProviderReader(options: ProviderReaderOptions): ProviderReader {
  const source = createCredentials({ ...options, sealer: options.credentialSealer, timeoutMs: credentialsTimeoutMs })
  const guard = createGuard(options)
  const { leftMs } = createDeadlines()
  const kept = createCachedReads({ clock: options.clock, leftMs })
  const patient = (name: string): Asked => ({ name, leftMs: options.readTimeoutMs })
  const hurried = (name: string, context: PublicReadContext): Asked => ({
    name,
    leftMs: Math.min(leftMs(context), options.readTimeoutMs),
  })

  function failureOf(context: ReadContext, reason: ProviderFailureCode): Problem {
    if (reason === 'provider_identity_required') return unverified(reason)
    if (reason !== 'provider_authentication_failed') return unavailable(reason)
    const bindingId = getBindingId(context)
    source.dropRefused(bindingId, { type: 'unavailable', reason })
    kept.dropBinding(bindingId)
    return notConnected(new Error(reason))
  }

  async function ask<Answer extends Answered>(context: ReadContext, send: Call<CallContext, Answer>, asked: Asked) {
    const caller = getBindingId(context)
    const endMs = performance.now() + asked.leftMs
    const held = await getCredentials(source, caller, asked.leftMs)
    // Each provider has circuits of its own: the outage of one turns nobody away from another.
    const name = `${held.provider} ${asked.name}`
    const answer = await guard.run({ name, caller, leftMs: endMs - performance.now() }, (timeoutMs) =>
      send({ ...held, timeoutMs, traceHeaders: { traceparent: context.traceparent } }),
    )
    return answer
  }

  async function read<Data>(context: ReadContext, send: Call<CallContext, ReadResult<Data>>, asked: Asked) {
    const answer = await ask(context, send, asked)
    if (answer.type !== 'unavailable') return dataOf(answer)
    throw answer.reason === 'provider_refused' ? refused(answer.reason) : failureOf(context, answer.reason)
  }

  async function askForAll<Data>(
    { traceparent }: PublicReadContext,
    send: Call<AnonymousCallContext, ReadResult<Data>>,
    asked: Asked,
  ) {
    const answer = await guard.run({ ...asked, caller: null }, (timeoutMs) =>
      send({ timeoutMs, traceHeaders: { traceparent } }),
    )
    if (answer.type === 'unavailable') throw unavailable(answer.reason)
    return dataOf(answer)
  }

  return {
    providerOf: async (context) =>
      (await getCredentials(source, getBindingId(context), hurried('provider', context).leftMs)).provider,
    read: (context, send, name = 'read') => read(context, send, hurried(name, context)),
    ask: async (context, send, name) => {
      const answer = await ask(context, send, hurried(name, context))
      if (isUnavailable(answer)) throw failureOf(context, answer.reason)
      return answer as Exclude<typeof answer, Unavailable>
    },
    readPublic: (context, send, name) => askForAll(context, send, hurried(name, context)),
    // A cached read serves all callers that wait, so the deadline of the first one does not bound it.
    cached: ({ name, send, ...bounds }) =>
      kept.create({
        ...bounds,
        bindingOf: getBindingId,
        read: (context, asked) => read(context, (call) => send(call, ...asked), patient(name)),
      }),
    cachedPublic: ({ name, send, ...bounds }) =>
      kept.create({
        ...bounds,
        bindingOf: () => '',
        read: (context, asked) => askForAll(context, (call) => send(call, ...asked), patient(name)),
      }),
    failureOf,
  }
}

/** @throws Problem provider_connection_unavailable */
export function getBindingId({ principal }: ReadContext): string {
  if (principal.binding_id === null) throw notConnected(new Error('the principal has no binding'))
  return principal.binding_id
}

/** The provider's answer breaks its promise. `cause` names the members, never their values. */
export function brokenContract(cause: Error): Problem {
  return new Problem('response_contract_failed', {
    detail: 'The provider answered in a form that this API cannot show. It is logged under the request id.',
    cause,
  })
}

function dataOf<Data>(answer: Exclude<ReadResult<Data>, Unavailable>): Data {
  if (answer.type === 'contract_broken') throw brokenContract(new Error(answer.reason))
  return answer.data
}

function isUnavailable(answer: Answered): answer is Unavailable {
  return answer.type === 'unavailable'
}

async function getCredentials(
  source: CredentialSource,
  bindingId: string,
  leftMs: number,
): Promise<{ provider: string; credentials: string }> {
  const found = await within(leftMs, source.find(bindingId)).catch((): Credentials => ({ type: 'unreachable' }))
  if (found.type === 'open') return { provider: found.provider, credentials: found.credentials }
  if (found.type === 'missing') throw notConnected(new Error('onboarding knows no credentials of the binding'))
  throw new Problem('service_unavailable', { cause: new Error('onboarding gave no credentials') })
}

function unavailable(reason: ProviderFailureCode): Problem {
  return new Problem('provider_unavailable', { cause: new Error(reason) })
}

/** The connection is unchanged, so the client need not read the onboarding again. */
function refused(reason: ProviderFailureCode): Problem {
  return new Problem('provider_connection_unavailable', {
    detail: 'The provider refuses this read to the owner’s connection. Repeating the request does not help.',
    cause: new Error(reason),
  })
}

/** The provider wants the owner verified, or verified again: the client reads the onboarding again. */
function unverified(reason: ProviderFailureCode): Problem {
  return new Problem('provider_connection_unavailable', {
    detail:
      'The provider first wants the owner to verify who they are. GET /v1/kyc asks it how far that is; GET /v1/onboarding shows it from then on.',
    refreshOnboarding: true,
    cause: new Error(reason),
  })
}

/** The owner's connection changed: the client reads the onboarding again. */
function notConnected(cause: Error): Problem {
  return new Problem('provider_connection_unavailable', { refreshOnboarding: true, cause })
}
