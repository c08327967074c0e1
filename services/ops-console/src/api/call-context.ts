/** What goes along with a question to another service on behalf of the page under way. */

import { type MessageContext, newContext } from '@financial-agents/bus/headers'
import { currentContext } from '@financial-agents/runtime/context'

/** Leaves the gateway, which waits for the page, the time to hear a refusal. */
const patienceMs = 2_000

export function callContext(): MessageContext {
  const context = currentContext()
  return context ? { ...context, timeoutMs: patienceMs } : newContext(patienceMs)
}
