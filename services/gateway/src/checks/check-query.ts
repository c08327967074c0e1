/** The query is well-formed and names each parameter once. The service checks the names of the parameters. */

import type { Exchange } from '../exchange.ts'
import { parseQuery } from '../query.ts'

const none = {}

export function checkQuery(exchange: Exchange): void {
  exchange.query = exchange.rawQuery === '' ? none : parseQuery(exchange.rawQuery)
}
