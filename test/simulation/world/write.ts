/** One request of a client, and rows from before the seed. */

import type { RouteRequest } from '@financial-agents/bus/rpc'
import type { Principal } from '@financial-agents/contract/principal'
import { uuidFrom } from '../virtual/random.ts'
import type { Row } from '../virtual/tables.ts'
import type { World } from './world.ts'

export type Write = {
  subject: string
  request: RouteRequest
  principal: Principal
  key: string
  hash: string
  /** The id of the intent that the request names; not yet confirmed. */
  intent: string | null
}

export const draw = () => uuidFrom(Math.random, Date.now())

export function requestOf(
  key: string,
  hash: string,
  params: Record<string, string>,
  body: unknown,
  intent: string | null,
): RouteRequest {
  return {
    params,
    query: {},
    ...(body === undefined ? {} : { body }),
    idempotency: { key, request_hash: hash },
    ...(intent === null ? {} : { confirmation: { intent_id: intent, request_hash: hash } }),
  }
}

export function lay(world: World, service: keyof World['stores'], table: string, key: string, row: Row): void {
  world.stores[service].tables.get(table)?.rows.set(key, row)
}
