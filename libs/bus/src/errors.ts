/** The two ways in which a request gets no answer; they must never be confused (architecture, "NATS"). */

/** Nobody was there: the request was surely not received. */
export class NoResponders extends Error {
  override readonly name = 'NoResponders'
}

/** No answer in time: the request may have been received and carried out. */
export class TimedOut extends Error {
  override readonly name = 'TimedOut'
}

/** Whether a call failed because nobody answered it, which says nothing about what was asked. */
export function isUnanswered(error: unknown): error is NoResponders | TimedOut {
  return error instanceof NoResponders || error instanceof TimedOut
}
