/** Lists the newest operations of the reader, filtered. This is the only query whose shape depends on the request. */

import type { Handlers } from '@financial-agents/bus/rpc'
import type { operationsRoutes } from '@financial-agents/contract/routes/operations'
import type { Database } from '@financial-agents/postgres/database'
import { createQueryBuilder, rowsOf } from '@financial-agents/postgres/query-builder'
import { toOperation } from '../operation-view.ts'
import { findIdsOfKey } from '../store/keys.ts'
import { type Tables, viewColumns } from '../tables.ts'

const builder = createQueryBuilder<Tables>()

type ListOperations = Handlers<typeof operationsRoutes>['listOperations']

export function listOperations(db: Database): ListOperations {
  return async ({ query }, { principal }) => {
    const { idempotency_key: key } = query
    // The ids of a key are few and are read first. The query then never scans all operations of an owner for a key.
    const ids = key === undefined ? null : await findIdsOfKey(db, principal, key)
    if (ids?.length === 0) return { items: [] }
    const rows = await rowsOf(db, select(query, principal, ids))
    return { items: rows.map(toOperation) }
  }
}

type Input = Parameters<ListOperations>[0]
type Reader = Parameters<ListOperations>[1]['principal']

function select(query: Input['query'], reader: Reader, ids: string[] | null) {
  let select = builder
    .selectFrom('operations')
    .select(viewColumns)
    .where('owner_id', '=', reader.owner_id)
    .where('client_id', '=', reader.client_id)
    .where('subject', '=', reader.subject)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(query.limit)
  if (ids) select = select.where('id', 'in', ids)
  if (query.state) select = select.where('state', '=', query.state)
  if (query.kind) select = select.where('kind', '=', query.kind)
  if (query.resource_id) select = select.where('resource_id', '=', query.resource_id)
  if (query.created_after) select = select.where('created_at', '>', new Date(query.created_after))
  return select
}
