/** The message context of a question to another service, for the current request, and the test for a missing answer. */

import { isUnanswered } from '@financial-agents/bus/errors'
import { type MessageContext, newContext } from '@financial-agents/bus/headers'
import { Problem } from '@financial-agents/contract/problem'
import { currentContext } from '@financial-agents/runtime/context'

/** Shorter than the time for which the gateway waits, so that the gateway still receives a refusal. */
export const patienceMs = 2_000

export function callContext(): MessageContext {
  const context = currentContext()
  return context ? { ...context, timeoutMs: patienceMs } : newContext(patienceMs)
}

/** Returns true if a call failed because nobody answered. Such a failure says nothing about the request itself. */
export function isOutOfReach(error: unknown): boolean {
  if (error instanceof Problem) return error.code === 'service_unavailable' || error.code === 'provider_unavailable'
  return isUnanswered(error)
}
