/** The routes that the gateway answers itself. They take no input: the row's own schemas say so, as everywhere. */

import { Problem, validationProblem } from '@financial-agents/contract/problem'
import type { Route, RouteOutput } from '@financial-agents/contract/route'
import type { systemRoutes } from '@financial-agents/contract/routes'
import type { Exchange } from './exchange.ts'
import type { Forward } from './forward.ts'

/** One handler for each row; a missing one does not compile. The document that never changes has its own way. */
export type OwnHandlers = {
  [Name in Exclude<keyof typeof systemRoutes, 'getOpenapi'>]: () => RouteOutput<(typeof systemRoutes)[Name]>
}

export function createOwnRoute(row: Route, handler: () => unknown): Forward {
  return async (exchange: Exchange) => {
    checkQueryOf(row, exchange)
    const output = row.response.safeParse(handler())
    if (!output.success) throw new Problem('response_contract_failed', { cause: output.error })
    return { status: row.status, json: JSON.stringify(output.data) }
  }
}

/** A route that no service parses has its query judged here. @throws Problem validation_failed */
export function checkQueryOf(row: Route, exchange: Exchange): void {
  const query = row.query.safeParse(exchange.query)
  if (!query.success) throw validationProblem(query.error, 'query')
}
