/**
 * The one call of an attempt.
 *
 * Invariant: whatever breaks off after the call began leaves the outcome unknown, also an adapter that throws. Only an attempt that
 * did not call is known to have sent nothing.
 */

import type { AcceptedOperation } from '@financial-agents/bus/messages/operations'
import type { OperationKind } from '@financial-agents/contract/kinds'
import type { Provider, SubmitOutcome } from '@financial-agents/provider-port/port'
import { failpoint } from '@financial-agents/runtime/failpoint'
import { traced, traceHeaders } from '@financial-agents/runtime/trace'
import type { Dependencies } from './dependencies.ts'
import type { Content } from './prepare.ts'
import type { ClaimItem } from './store/claims.ts'

type CallDependencies = Pick<Dependencies, 'clock' | 'log'> & {
  config: Pick<Dependencies['config'], 'PROVIDER_TIMEOUT_MS'>
}
type Called = Omit<Content, 'provider'> & { provider: Pick<Provider, 'submit'> }

/** Calls the provider, unless the attempt comes too late. Never throws. */
export async function callProvider(
  { config, clock, log }: CallDependencies,
  { operation, validUntil }: ClaimItem,
  { provider, ...content }: Called,
  sendByMs: number,
): Promise<SubmitOutcome> {
  failpoint('send.before')
  // The claim may have waited for its commit beyond the end of the authority.
  if (performance.now() > sendByMs || clock.nowMs() >= authorityEndOf(operation)) return notSentInTime
  try {
    const kind = operation.kind as OperationKind
    const span = { name: `provider submit ${kind}`, kind: 'client', traceparent: operation.traceparent } as const
    const target = operation.target_reference
    return await traced(span, (traceparent) =>
      provider.submit({
        kind,
        reference: operation.operation_id,
        target: target === null ? undefined : { upstreamReference: target },
        ...content,
        validUntil,
        timeoutMs: config.PROVIDER_TIMEOUT_MS,
        traceHeaders: traceHeaders(traceparent),
      }),
    )
  } catch (error) {
    log.error({ err: error, operation_id: operation.operation_id }, 'the adapter failed')
    return unknownOutcome
  } finally {
    failpoint('send.after')
  }
}

/** The time from which nothing may be sent under the grant or the mandate of the operation. */
export function authorityEndOf({ authority_ends_at }: AcceptedOperation): number {
  return authority_ends_at ? Date.parse(authority_ends_at) : Number.POSITIVE_INFINITY
}

/** Certain, because this attempt is the only one and it did not send. */
const notSentInTime: SubmitOutcome = {
  type: 'unsent',
  failureCode: 'provider_unreachable',
  failureDetail: 'The request could not be sent in time; nothing was sent.',
}

/**
 * This attempt sent nothing. But its claim may be in an older primary, where it says nothing about the newest one: another attempt may
 * have been made there.
 */
export const unwitnessedOutcome: SubmitOutcome = {
  type: 'uncertain',
  failureCode: 'provider_error',
  failureDetail: 'The record of the attempt could not be witnessed; another attempt may have been made.',
}

const unknownOutcome: SubmitOutcome = {
  type: 'uncertain',
  failureCode: 'provider_error',
  failureDetail: 'The attempt broke off; the provider may have accepted the request.',
}
