/** What goes along with a question to another service on behalf of the request under way, and when it got no answer. */

import { isUnanswered } from '@financial-agents/bus/errors'
import { type MessageContext, newContext } from '@financial-agents/bus/headers'
import { Problem } from '@financial-agents/contract/problem'
import { currentContext } from '@financial-agents/runtime/context'

/** Leaves the gateway, which waits for this answer, the time to hear a refusal. */
export const patienceMs = 2_000

export function callContext(): MessageContext {
  const context = currentContext()
  return context ? { ...context, timeoutMs: patienceMs } : newContext(patienceMs)
}

/** Whether a call failed because nobody answered it, which says nothing about what was asked. */
export function isOutOfReach(error: unknown): boolean {
  if (error instanceof Problem) return error.code === 'service_unavailable' || error.code === 'provider_unavailable'
  return isUnanswered(error)
}
