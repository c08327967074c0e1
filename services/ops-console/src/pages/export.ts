/**
 * Lists as CSV files (RFC 4180), with the filters of the address: at most the newest 1,000 rows. Each download has an
 * entry in the audit.
 */

import type { ConsolePage, PageRequest } from '../http/console-page.ts'

const mostRows = 1_000
const pageSize = '100'
/** The maximum number of pages that are read, even if a filter leaves few rows on them. A full file needs as many. */
const mostPages = 10

type Cell = string | number | boolean | null

function exportPage<Item>(list: {
  path: string
  look: 'exportOperations' | 'exportGrants'
  read: (request: PageRequest, query: Record<string, string>) => Promise<{ items: Item[]; next_cursor: string | null }>
  columns: Readonly<Record<string, (item: Item) => Cell>>
}): ConsolePage {
  return {
    method: 'GET',
    path: list.path,
    scope: 'ops:read',
    look: list.look,
    answer: async (request) => {
      const { cursor: _place, limit: _limit, ...filters } = request.query
      const rows: Cell[][] = [Object.keys(list.columns)]
      let place: string | null = null
      for (let page = 0; page < mostPages && rows.length <= mostRows; page += 1) {
        const query: Record<string, string> = {
          ...filters,
          limit: pageSize,
          ...(place === null ? {} : { cursor: place }),
        }
        const { items, next_cursor } = await list.read(request, query)
        rows.push(...items.map((item) => Object.values(list.columns).map((column) => column(item))))
        place = next_cursor
        if (place === null) break
      }
      return {
        file: { name: list.path.slice('/ops/'.length), contentType: 'text/csv; charset=utf-8', body: csv(rows) },
      }
    },
  }
}

export const operationsExport = exportPage({
  path: '/ops/operations.csv',
  look: 'exportOperations',
  read: ({ api }, query) => api.listOperations(query),
  columns: {
    operation: ({ id }) => id,
    kind: ({ kind }) => kind,
    state: ({ state }) => state,
    failure_code: ({ failure_code }) => failure_code,
    review_reason: ({ review_reason }) => review_reason,
    client: ({ client }) => client.id,
    subject: ({ subject }) => subject,
    grant: ({ grant_id }) => grant_id,
    mandate: ({ mandate_id }) => mandate_id,
    amount: ({ payment }) => payment?.amount ?? null,
    currency: ({ payment }) => payment?.currency ?? null,
    resource: ({ resource_id }) => resource_id,
    provider_reference: ({ upstream_reference }) => upstream_reference,
    trace: ({ trace_id }) => trace_id,
    created_at: ({ created_at }) => created_at,
    updated_at: ({ updated_at }) => updated_at,
    next_read_at: ({ next_reconcile_at }) => next_reconcile_at,
  },
})

export const grantsExport = exportPage({
  path: '/ops/grants.csv',
  look: 'exportGrants',
  read: ({ api }, query) => api.listGrants(query),
  columns: {
    grant: ({ id }) => id,
    client: ({ client }) => client.id,
    subject: ({ subject }) => subject,
    status: ({ status }) => status,
    scopes: ({ scopes }) => scopes.join(' '),
    created_at: ({ created_at }) => created_at,
    last_token_at: ({ last_used_at }) => last_used_at,
    in_flight: ({ operations_in_flight }) => operations_in_flight,
    suspended_at: ({ suspended }) => suspended?.at ?? null,
    suspended_by: ({ suspended }) => suspended?.by ?? null,
    suspended_why: ({ suspended }) => suspended?.reason ?? null,
    suspended_for_owner: ({ suspended }) => suspended?.reason_for_owner ?? null,
  },
})

function csv(rows: readonly (readonly Cell[])[]): string {
  return rows.map((row) => `${row.map(cell).join(',')}\r\n`).join('')
}

/** A text that a spreadsheet would run as a formula begins with an apostrophe. */
export function cell(value: Cell): string {
  if (typeof value !== 'string') return value === null ? '' : String(value)
  const text = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
