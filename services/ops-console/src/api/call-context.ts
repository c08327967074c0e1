/** The message context of a question to another service, for the current page. */

import { type MessageContext, newContext } from '@financial-agents/bus/headers'
import { currentContext } from '@financial-agents/runtime/context'

/** Shorter than the time for which the gateway waits for the page, so that the gateway still receives a refusal. */
const patienceMs = 2_000

export function callContext(): MessageContext {
  const context = currentContext()
  return context ? { ...context, timeoutMs: patienceMs } : newContext(patienceMs)
}
