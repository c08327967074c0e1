/**
 * A log of the requests to the API, by hooks. An entry names a route by its template, without identifiers. No entry has a token, a
 * key or a body.
 */

import { table } from './generated/table.ts'
import { type Row, rowOf } from './row.ts'

/** A request of the API: one attempt of a call. */
export type RequestEntry = {
  method: string
  /** The template of the route: `/v1/operations/{id}`. */
  path: string
}

/** An answer, of the API or of something in between. */
export type ResponseEntry = RequestEntry & {
  status: number
  /** `X-Request-Id`: name it to support. */
  requestId: string | undefined
  /** The time since the request, in milliseconds. */
  ms: number
  headers: Headers
}

/** A repetition that is to come. */
export type RepeatEntry = RequestEntry & {
  /** The code of a problem, or `unsent` or `unanswered`. */
  reason: string
  /** The pause before it, in milliseconds. */
  afterMs: number
}

/** The hooks. One that throws before the request ends the call; after it, the outcome of a write is not known. */
export type Hooks = {
  onRequest?: (entry: RequestEntry) => void
  onResponse?: (entry: ResponseEntry) => void
  onRepeat?: (entry: RepeatEntry) => void
}

/** A request as the log names it. A path that no method of the client has stays as it is. */
export function entryOf({ method, path }: { method: string; path: string }): RequestEntry {
  const [concrete = ''] = path.split('?')
  return { method, path: rowFor(method, concrete)?.path ?? concrete }
}

/** The method of the client with this path. */
export function rowFor(method: string, path: string): Row | undefined {
  const rows = Object.values(table).flatMap((resource) => Object.values<string>(resource).map(rowOf))
  const fitting = rows.filter(
    (row) => row.method === method && new RegExp(`^${row.path.replace(/\{\w+\}/g, '[^/]+')}$`).test(path),
  )
  return fitting.find((row) => row.path === path) ?? fitting[0]
}
