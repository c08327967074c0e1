/** Answers the rows of a service's table, with one handler for each row. The row decides how the service subscribes. */

import type { Route } from '@financial-agents/contract/route'
import type { Log } from '@financial-agents/runtime/log'
import type { AnyRow, CallHandlers, WriteCaller } from './calls/row.ts'
import type { CallSubject, Calls, Notices } from './calls.ts'
import type { Bus } from './connect.ts'
import type { MessageContext } from './headers.ts'
import type { ValidateRequest } from './messages/decisions.ts'
import { serveCall, serveNotice } from './rpc.ts'

/** A handler without its types. `CallHandlers` has checked them against the row. */
type Handler = (request: unknown, context: MessageContext | WriteCaller) => Promise<unknown>

/** Subscribes to every subject of `rows`. A row without a handler does not compile. */
export function serveCalls<Rows extends Readonly<Record<string, AnyRow>>>(
  bus: Bus,
  rows: Rows,
  handlers: CallHandlers<Rows>,
  { log }: { log: Log },
): void {
  for (const [subject, row] of Object.entries(rows)) {
    const handler = handlers[subject] as unknown as Handler
    const queue = row.everyReplica ? { queue: null } : {}
    if (row.kind === 'notice') serveNotice(bus, subject as keyof Notices, handler as NoticeHandler, { log, ...queue })
    else
      serveCall(bus, subject as CallSubject, (row.kind === 'decision' ? validating(handler) : handler) as AnyHandler, {
        log,
        ...queue,
        ...(row.maxInFlight !== undefined && { maxInFlight: row.maxInFlight }),
      })
  }
}

type NoticeHandler = (notice: Notices[keyof Notices]) => Promise<void>
type AnyHandler = (request: unknown, context: MessageContext) => Promise<Calls[CallSubject]['answer']>

/** Turns a decision into a call: the authority comes from the request, and the answer is null. */
function validating(validate: Handler): Handler {
  return async (request, context) => {
    const { principal, policy } = request as ValidateRequest<Route>
    await validate(request, { ...context, principal, policy })
    return null
  }
}
