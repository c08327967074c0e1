/** The newest operations of the reader's, filtered. The one query whose shape depends on the request. */

import type { Handlers } from '@financial-agents/bus/rpc'
import type { operationsRoutes } from '@financial-agents/contract/routes/operations'
import { toOperation } from '../operation-view.ts'
import { type OperationsDatabase, viewColumns } from '../tables.ts'

type ListOperations = Handlers<typeof operationsRoutes>['listOperations']

export function createListOperations(db: OperationsDatabase): ListOperations {
  return async ({ query }, { principal }) => {
    // PostgreSQL holds no NUL, so no record can have such a key.
    if (query.idempotency_key?.includes('\0')) return { items: [] }
    const rows = await select(db, query, principal).execute()
    return { items: rows.map(toOperation) }
  }
}

function select(db: OperationsDatabase, query: Parameters<ListOperations>[0]['query'], reader: Reader) {
  const { owner_id, client_id, subject } = reader
  let select = db.kysely
    .selectFrom('operations')
    .select(viewColumns)
    .where('owner_id', '=', owner_id)
    .where('client_id', '=', client_id)
    .where('subject', '=', subject)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(query.limit)
  if (query.state) select = select.where('state', '=', query.state)
  if (query.kind) select = select.where('kind', '=', query.kind)
  if (query.resource_id) select = select.where('resource_id', '=', query.resource_id)
  if (query.created_after) select = select.where('created_at', '>', new Date(query.created_after))
  const { idempotency_key: key } = query
  if (key !== undefined) {
    // On any route, and after the window too, for as long as the record is kept.
    select = select.where('id', 'in', (of) =>
      of
        .selectFrom('idempotency_keys')
        .select('operation_id')
        .where('owner_id', '=', owner_id)
        .where('client_id', '=', client_id)
        .where('key', '=', key),
    )
  }
  return select
}

type Reader = Parameters<ListOperations>[1]['principal']
