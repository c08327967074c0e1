/** The body is one JSON value in strict UTF-8. Whether it has the shape of the route is for the service to say. */

import { Problem } from '@financial-agents/contract/problem'
import { decodeBody, readBody } from '../body.ts'
import type { Exchange } from '../exchange.ts'

export async function checkBody(exchange: Exchange): Promise<void> {
  exchange.text = decodeBody(await readBody(exchange))
  try {
    exchange.body = JSON.parse(exchange.text)
  } catch {
    throw new Problem('malformed_json')
  }
}
