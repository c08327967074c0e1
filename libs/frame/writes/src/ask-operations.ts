/**
 * The requests of a write to operations, and the meaning of a missing answer. A request that nobody received was not
 * accepted. A request without an answer may have been accepted, and only a read can tell.
 */

import type { Bus } from '@financial-agents/bus/connect'
import { isUnanswered, NoResponders } from '@financial-agents/bus/errors'
import type { MessageContext } from '@financial-agents/bus/headers'
import type { AcceptRequest, AcceptResult, KeyResult, ResultRequest } from '@financial-agents/bus/messages/operations'
import { call } from '@financial-agents/bus/rpc'
import { Problem } from '@financial-agents/contract/problem'
import type { Acceptance } from '@financial-agents/contract/route'
import { failpoint } from '@financial-agents/runtime/failpoint'

/** @throws Problem service_unavailable: the question changes nothing, so the client may ask again */
export async function askResult(bus: Bus, request: ResultRequest, context: MessageContext): Promise<KeyResult> {
  try {
    return await call(bus, 'int.operations.result', request, context)
  } catch (error) {
    if (isUnanswered(error)) throw nothingAccepted(error)
    throw error
  }
}

const unknowing: ReadonlySet<string> = new Set(['internal_error', 'acceptance_unknown'])

/** @throws Problem service_unavailable: nothing was accepted; acceptance_unknown: the write may have been accepted */
export async function askAccept(bus: Bus, request: AcceptRequest, context: MessageContext): Promise<AcceptResult> {
  failpoint('accept.before_send')
  try {
    return await call(bus, 'int.operations.accept', request, context)
  } catch (error) {
    if (error instanceof NoResponders) throw nothingAccepted(error)
    // A problem is operations' own refusal, unless it says that the outcome is unknown.
    if (error instanceof Problem && !unknowing.has(error.code)) throw error
    throw acceptanceUnknown(request.key, error)
  } finally {
    failpoint('accept.after_send')
  }
}

/**
 * Returns the replay if the key has one, and undefined if the key is new. @throws Problem for a conflict or an expired
 * key
 */
export function replayOf(result: KeyResult): Acceptance | undefined {
  if (result.type === 'replayed') return { operation: result.operation, replayed: true }
  if (result.type === 'conflict') throw new Problem('idempotency_key_conflict')
  if (result.type === 'expired') throw new Problem('idempotency_key_expired')
  return undefined
}

export function nothingAccepted(cause: unknown): Problem {
  return new Problem('service_unavailable', {
    detail: 'Nothing was accepted. Repeat the identical request, with the same key, after a moment.',
    cause,
  })
}

function acceptanceUnknown(key: string, cause: unknown): Problem {
  const search = new URLSearchParams({ idempotency_key: key })
  return new Problem('acceptance_unknown', {
    detail: `The write may have been accepted. Read GET /v1/operations?${search.toString()} to find out; do not use a new key.`,
    cause,
  })
}
