/**
 * Asks the provider to prepare an approval, or asks for the outcome of a prepared one. Both questions move nothing and
 * may be repeated. Never rejects: every obstacle becomes the answer `unavailable`.
 */

import type { CredentialSource } from '@financial-agents/provider-client/credentials'
import type { CallContext, Provider } from '@financial-agents/provider-port/port'
import type { Log } from '@financial-agents/runtime/log'
import type { Sealer } from '@financial-agents/runtime/sealing'
import { traced, traceHeaders } from '@financial-agents/runtime/trace'
import type { OpenApproval } from './item.ts'
import type { Answer } from './validate.ts'

export type AskOptions = {
  provider: Pick<Provider, 'prepareApproval' | 'pollApproval'>
  credentials: CredentialSource
  /** The context is the operation id. */
  payloads: Pick<Sealer, 'open'>
  log: Log
  timeoutMs: number
  /** The address to which the provider's page returns the owner's browser. */
  returnUrlOf: (operationId: string) => string
}

const notAsked: Answer = { type: 'unavailable', reason: 'provider_unreachable' }

export function createAsk(options: AskOptions) {
  const { credentials, log } = options
  return async (item: OpenApproval): Promise<Answer> => {
    const held = await credentials.find(item.binding_id)
    if (held.type !== 'open') return notAsked
    const answer = await askProvider(options, item, { provider: held.provider, credentials: held.credentials }).catch(
      (error: unknown): Answer => {
        log.error({ err: error, operation_id: item.operation_id }, 'the adapter failed')
        return notAsked
      },
    )
    credentials.dropRefused(item.binding_id, answer)
    if (answer.type === 'unavailable')
      log.warn({ operation_id: item.operation_id, reason: answer.reason }, 'an approval could not be asked about')
    return answer
  }
}

async function askProvider(
  options: AskOptions,
  item: OpenApproval,
  held: Pick<CallContext, 'provider' | 'credentials'>,
): Promise<Answer> {
  const { provider, timeoutMs } = options
  const name = item.state === 'waiting' ? 'provider poll approval' : 'provider prepare approval'
  return traced({ name, kind: 'client', traceparent: item.traceparent }, async (traceparent) => {
    const call: CallContext = { ...held, timeoutMs, traceHeaders: traceHeaders(traceparent) }
    if (item.state === 'waiting') return provider.pollApproval({ ...call, approval: item.approval })
    const payload = openPayload(options, item)
    if (payload === null) return notAsked
    return provider.prepareApproval({
      ...call,
      kind: item.kind,
      reference: item.operation_id,
      payload,
      target: item.target_reference === null ? undefined : { upstreamReference: item.target_reference },
      returnUrl: options.returnUrlOf(item.operation_id),
    })
  })
}

function openPayload({ payloads, log }: AskOptions, item: OpenApproval): Readonly<Record<string, unknown>> | null {
  try {
    if (item.payload_sealed === null) throw new Error('the payload is gone')
    const text = payloads.open(item.payload_sealed, item.operation_id).toString('utf8')
    return JSON.parse(text) as Readonly<Record<string, unknown>>
  } catch (error) {
    // Only the name is logged, because a parser's message quotes its input.
    log.error(
      { error_type: (error as Error).name, operation_id: item.operation_id },
      'the payload of an operation that needs an approval cannot be opened',
    )
    return null
  }
}
