/** The message context of a question to another service, asked for the current page. */

import { type MessageContext, newContext } from '@financial-agents/bus/headers'
import { currentContext } from '@financial-agents/runtime/context'

/**
 * The part of the gateway's time for one question. If two questions, one after the other, get no answer, the gateway
 * still receives the refusal.
 */
const share = 0.4
/** For a page that no gateway waits for. */
const otherwiseMs = 2_000

/** Its time-out is 2 s if the gateway waits for the usual 5 s. */
export function callContext(): MessageContext {
  const context = currentContext()
  return context ? { ...context, timeoutMs: Math.floor(context.timeoutMs * share) } : newContext(otherwiseMs)
}
