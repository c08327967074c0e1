/** The query is well-formed and names each parameter once. Which parameters there are is for the service to say. */

import type { Exchange } from '../exchange.ts'
import { parseQuery } from '../query.ts'

const none = {}

export function checkQuery(exchange: Exchange): void {
  exchange.query = exchange.rawQuery === '' ? none : parseQuery(exchange.rawQuery)
}
