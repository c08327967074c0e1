/**
 * Cursors of lists: opaque, signed, and bound to one owner and one query. They contain a position and no secret, and
 * are valid as long as the key.
 */

import { createHmac, timingSafeEqual } from 'node:crypto'
import { z } from 'zod'
import { Problem } from './problem.ts'

/** The binding of a cursor: `list` names the route, `query` holds the other query parameters. */
export type CursorScope = { list: string; ownerId: string; query: Readonly<Record<string, unknown>> }

export type Cursors = {
  /** The position must be JSON. */
  write(scope: CursorScope, position: unknown): string
  /** Returns the position; undefined if there is no cursor. @throws Problem validation_failed with the path `cursor` */
  read<Schema extends z.ZodType>(
    scope: CursorScope,
    schema: Schema,
    cursor: string | undefined,
  ): z.output<Schema> | undefined
}

/** The last row of a page in a list that is sorted newest first. */
export const position = z.strictObject({ created_at: z.iso.datetime(), id: z.guid() })

/** A position in a list that is sorted newest first. */
export type Position = z.output<typeof position>

const form = /^([A-Za-z0-9_-]+)\.([A-Za-z0-9_-]{43})$/

/** `key` signs the cursors, and all replicas share it. */
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

/** The caller reads one item more than `limit`, which shows that another page follows. */
export function toPage<Item>(items: readonly Item[], limit: number, cursorAfter: (last: Item) => string) {
  const page = items.slice(0, limit)
  const last = page.at(-1)
  return { items: page, next_cursor: last !== undefined && items.length > limit ? cursorAfter(last) : null }
}
