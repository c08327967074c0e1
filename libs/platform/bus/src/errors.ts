/**
 * The two ways in which a request can fail without an answer. Callers must never confuse them (architecture, "NATS").
 */

/** No service was listening: the request was certainly not received. */
export class NoResponders extends Error {
  override readonly name = 'NoResponders'
}

/** No answer came in time: the request may have been received and carried out. */
export class TimedOut extends Error {
  override readonly name = 'TimedOut'
}

/** True if a call failed because no answer came. After `TimedOut`, the effect of the request is unknown. */
export function isUnanswered(error: unknown): error is NoResponders | TimedOut {
  return error instanceof NoResponders || error instanceof TimedOut
}
