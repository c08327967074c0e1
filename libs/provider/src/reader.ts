/**
 * Reads of the provider with the credentials of a binding, and what the client is told where one fails. Moves nothing.
 *
 * Invariant: every failure becomes the problem that the client is to see; what exactly failed goes to the log alone.
 */

import type { Bus } from '@financial-agents/bus/connect'
import { Problem } from '@financial-agents/contract/problem'
import type { Clock } from '@financial-agents/runtime/clock'
import type { Log } from '@financial-agents/runtime/log'
import type { Sealer } from '@financial-agents/runtime/sealing'
import { type CredentialSource, createCredentials } from './credentials.ts'
import type { CallContext, ProviderFailureCode, ReadResult } from './port.ts'

/** For whom is read, and within which trace; a handler's context is one. */
export type ReadContext = {
  principal: { binding_id: string | null }
  traceparent: string
}

/** What a process reads of the provider, for whichever binding. */
export type ProviderReader = {
  /**
   * One read.
   * @throws Problem provider_connection_unavailable, provider_unavailable, response_contract_failed, service_unavailable
   */
  read<Data>(context: ReadContext, send: (call: CallContext) => Promise<ReadResult<Data>>): Promise<Data>
  /**
   * What a call needs that answers in its own way (a card's reveal).
   * @throws Problem provider_connection_unavailable, service_unavailable
   */
  getCallContext(context: ReadContext): Promise<CallContext>
  /** What such a call is refused by where the provider said nothing; refused credentials are asked for anew next time. */
  failureOf(context: ReadContext, reason: ProviderFailureCode): Problem
}

/** What a reader is made of. */
export type ProviderReaderOptions = {
  bus: Bus
  /** Opens credentials in the context of their binding's id. */
  credentialSealer: Pick<Sealer, 'open'>
  clock: Clock
  log: Log
  /** For a whole read, connecting included. */
  readTimeoutMs: number
}

const credentialsTimeoutMs = 2_000

/** The reader of this process. */
export function createProviderReader(options: ProviderReaderOptions): ProviderReader {
  const source = createCredentials({ ...options, sealer: options.credentialSealer, timeoutMs: credentialsTimeoutMs })

  async function getCallContext(context: ReadContext): Promise<CallContext> {
    return {
      credentials: await getCredentials(source, getBindingId(context)),
      timeoutMs: options.readTimeoutMs,
      traceHeaders: { traceparent: context.traceparent },
    }
  }

  function failureOf(context: ReadContext, reason: ProviderFailureCode): Problem {
    const cause = new Error(reason)
    if (reason !== 'provider_authentication_failed') return new Problem('provider_unavailable', { cause })
    source.drop(getBindingId(context))
    return notConnected(cause)
  }

  return {
    getCallContext,
    failureOf,
    read: async (context, send) => {
      const result = await send(await getCallContext(context))
      if (result.type === 'ok') return result.data
      if (result.type === 'contract_broken') throw brokenContract(new Error(result.reason))
      throw failureOf(context, result.reason)
    },
  }
}

/** @throws Problem provider_connection_unavailable */
export function getBindingId({ principal }: ReadContext): string {
  if (principal.binding_id === null) throw notConnected(new Error('the principal has no binding'))
  return principal.binding_id
}

/** The provider answered, but not what it promises; `cause` says what in names, never in values. */
export function brokenContract(cause: Error): Problem {
  return new Problem('response_contract_failed', {
    detail: 'The provider answered in a form that this API cannot show. It is logged under the request id.',
    cause,
  })
}

async function getCredentials(source: CredentialSource, bindingId: string): Promise<string> {
  const found = await source.find(bindingId)
  if (found.type === 'open') return found.credentials
  if (found.type === 'missing') throw notConnected(new Error('onboarding knows no credentials of the binding'))
  throw new Problem('service_unavailable', { cause: new Error('onboarding gave no credentials') })
}

/** The owner's connection changed: the client reads the onboarding again. */
function notConnected(cause: Error): Problem {
  return new Problem('provider_connection_unavailable', { refreshOnboarding: true, cause })
}
