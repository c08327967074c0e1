/** Every address of the console. None names an origin, because the console may have its own. */

import type { FailureCode } from '@financial-agents/contract/failure-codes'
import { type Html, html } from '@financial-agents/pages/html'
import texts from '../../messages/en.json' with { type: 'json' }

type Query = Readonly<Record<string, string | undefined>>

export const paths = {
  overview: '/ops',
  operations: '/ops/operations',
  grants: '/ops/grants',
  provider: '/ops/provider',
  writes: '/ops/writes',
  audit: '/ops/audit',
  search: '/ops/search',
  operationsCsv: '/ops/operations.csv',
  grantsCsv: '/ops/grants.csv',
} as const

/** Returns the path with the non-empty parameters of the query. */
export function withQuery(path: string, query: Query): string {
  const given = Object.entries(query).filter((entry): entry is [string, string] => Boolean(entry[1]))
  return given.length === 0 ? path : `${path}?${new URLSearchParams(given).toString()}`
}

export const operationsPath = (query: Query): string => withQuery(paths.operations, query)
export const grantsPath = (query: Query): string => withQuery(paths.grants, query)
export const operationPath = (id: string): string => `${paths.operations}/${encodeURIComponent(id)}`
export const grantPath = (id: string): string => `${paths.grants}/${encodeURIComponent(id)}`
export const suspendClientPath = (id: string): string => `/ops/clients/${encodeURIComponent(id)}/suspend`
export const suspendPath = (id: string): string => `${grantPath(id)}/suspend`

/** Shows a count as a link to the list of the counted operations. Zero is not a link. */
export function counted(count: number, query: Query): Html {
  return count === 0 ? html`<span class="soft">0</span>` : html`<a href="${operationsPath(query)}">${count}</a>`
}

/** Links to the page of a failure code at the public origin. */
export function failureCode(code: FailureCode, publicUrl: string): Html {
  return html`<a href="${publicUrl}/failure-codes/${code}"><code>${code}</code></a>`
}

/** Links to the next page of a list, and back to its first. */
export function pager(path: string, query: Query, nextCursor: string | null): Html | string {
  const { cursor, ...filters } = query
  if (cursor === undefined && nextCursor === null) return ''
  return html`<nav class="pages" aria-label="Pages of the list">${
    cursor === undefined ? '' : html`<a href="${withQuery(path, filters)}">Newest</a>`
  }${nextCursor === null ? html`<span class="soft">${texts.links.end}</span>` : html`<a href="${withQuery(path, { ...filters, cursor: nextCursor })}" rel="next">Older</a>`}</nav>`
}
