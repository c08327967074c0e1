/**
 * Cursors: opaque, signed, and good only for the owner and the query that they were made for. They hold a position, no
 * secret, and live as long as the key.
 */

import { createHmac, timingSafeEqual } from 'node:crypto'
import { z } from 'zod'
import { Problem } from './problem.ts'

/** What a cursor is bound to: `list` names the route, `query` is what was asked beside the cursor. */
export type CursorScope = { list: string; ownerId: string; query: Readonly<Record<string, unknown>> }

/** Writes and reads the cursors of a service. */
export type Cursors = {
  /** The cursor that goes on after `position`, which has to survive JSON. */
  write(scope: CursorScope, position: unknown): string
  /** The position; undefined where there is no cursor. @throws Problem validation_failed with the path `cursor` */
  read<Schema extends z.ZodType>(
    scope: CursorScope,
    schema: Schema,
    cursor: string | undefined,
  ): z.output<Schema> | undefined
}

/** Where a list that is newest first goes on: after this row. */
export const position = z.strictObject({ created_at: z.iso.datetime(), id: z.guid() })

/** A place in a list that is newest first. */
export type Position = z.output<typeof position>

const form = /^([A-Za-z0-9_-]+)\.([A-Za-z0-9_-]{43})$/

/** Signs with `key`, which all replicas share. */
export function createCursors(key: Buffer): Cursors {
  function sign(scope: CursorScope, position: string): Buffer {
    const query = Object.entries(scope.query)
      .filter(([name, value]) => name !== 'cursor' && value !== undefined)
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
    return createHmac('sha256', key)
      .update(JSON.stringify([scope.list, scope.ownerId, query, position]))
      .digest()
  }
  return {
    write: (scope, position) => {
      const text = Buffer.from(JSON.stringify(position)).toString('base64url')
      return `${text}.${sign(scope, text).toString('base64url')}`
    },
    read: (scope, schema, cursor) => {
      if (cursor === undefined) return undefined
      const [, text = '', signature = ''] = form.exec(cursor) ?? []
      const given = Buffer.from(signature, 'base64url')
      const wanted = sign(scope, text)
      if (given.length !== wanted.length || !timingSafeEqual(given, wanted)) throw notOurs()
      const position = schema.safeParse(JSON.parse(Buffer.from(text, 'base64url').toString()))
      if (!position.success) throw notOurs()
      return position.data
    },
  }
}

function notOurs(): Problem {
  const message = 'Send next_cursor of the page before, with the same query, or leave it out to start anew.'
  return new Problem('validation_failed', { detail: `cursor: ${message}`, fields: [{ path: 'cursor', message }] })
}

/** One page of `items`, of which one more than `limit` was read to know whether another page follows. */
export function toPage<Item>(items: readonly Item[], limit: number, cursorAfter: (last: Item) => string) {
  const page = items.slice(0, limit)
  const last = page.at(-1)
  return { items: page, next_cursor: last !== undefined && items.length > limit ? cursorAfter(last) : null }
}
