/**
 * Routes of the table that answer by the browser's session cookie. They are carried to authz as HTTP, with cookies in
 * both directions. Method, query, response shape and problem details follow the row, as for every other route.
 */

import type { TunnelledResponse } from '@financial-agents/bus/messages/http'
import { Problem } from '@financial-agents/contract/problem'
import type { Route } from '@financial-agents/contract/route'
import type { Carry } from './carry.ts'
import type { Forward } from './forward.ts'
import { checkQueryOf } from './own-routes.ts'

const noBody = Buffer.alloc(0)

export function createTunnelledRoute(row: Route, carry: Carry): Forward {
  return async (exchange) => {
    checkQueryOf(row, exchange)
    const response = await carry(exchange, noBody)
    if (response.status === 429 || response.status >= 500) throw new Problem('service_unavailable')
    const output = row.response.safeParse(readJson(response))
    if (response.status !== row.status || !output.success)
      throw new Problem('response_contract_failed', { cause: new Error(`authz answered ${response.status}`) })
    return { status: row.status, json: JSON.stringify(output.data), cookies: cookiesOf(response) }
  }
}

function readJson({ body }: TunnelledResponse): unknown {
  try {
    return JSON.parse(Buffer.from(body, 'base64').toString())
  } catch {
    return undefined
  }
}

function cookiesOf({ headers }: TunnelledResponse): string[] {
  return headers.filter(([name]) => name.toLowerCase() === 'set-cookie').map(([, value]) => value)
}
