/** The routes that the gateway answers itself. They take no input, as their rows' schemas say. */

import { Problem, validationProblem } from '@financial-agents/contract/problem'
import type { Route, RouteOutput } from '@financial-agents/contract/route'
import type { systemRoutes } from '@financial-agents/contract/routes'
import type { Exchange } from './exchange.ts'
import type { Forward } from './forward.ts'

/**
 * One handler for each row; a missing handler does not compile. The constant OpenAPI document is handled separately.
 */
export type OwnHandlers = {
  [Name in Exclude<keyof typeof systemRoutes, 'getOpenapi'>]: () =>
    | RouteOutput<(typeof systemRoutes)[Name]>
    | Promise<RouteOutput<(typeof systemRoutes)[Name]>>
}

export function createOwnRoute(row: Route, handler: () => unknown): Forward {
  return async (exchange: Exchange) => {
    checkQueryOf(row, exchange)
    const output = row.response.safeParse(await handler())
    if (!output.success) throw new Problem('response_contract_failed', { cause: output.error })
    return { status: row.status, json: JSON.stringify(output.data) }
  }
}

/** Checks the query of a route that no service parses. @throws Problem validation_failed */
export function checkQueryOf(row: Route, exchange: Exchange): void {
  const query = row.query.safeParse(exchange.query)
  if (!query.success) throw validationProblem(query.error, 'query')
}
