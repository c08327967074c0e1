/** Pages of movements, newest first. A cursor is valid only for the query that returned it. Times have an offset and no fractions. */

import { hash } from 'node:crypto'
import type { ActivityPage, ProviderActivityItem } from '@financial-agents/provider-port/activity-reads'
import type { ReadAsks } from '@financial-agents/provider-port/reads'
import { z } from 'zod'
import { listMovements, type Movement } from './movements.ts'
import { Refused } from './quiet-call.ts'
import type { TestUser } from './test-users.ts'
import type { World } from './world.ts'

type Query = ReadAsks<'activity'>

const Cursor = z.tuple([z.string(), z.int(), z.string()])

export function findActivityPage(world: World, testUser: TestUser, query: Query): ActivityPage {
  const digest = digestOf(testUser, query)
  const isAfter = query.cursor === undefined ? () => true : afterCursor(query.cursor, digest)
  const left = listMovements(world, testUser).filter((movement) => isAsked(movement, query) && isAfter(movement))
  const page = left.slice(0, query.limit)
  const last = page.at(-1)
  const next_cursor = last !== undefined && left.length > page.length ? cursorOf(digest, last) : null
  return { items: page.map((movement) => shown(movement)), next_cursor }
}

function isAsked({ atMs, source, cardRef }: Movement, query: Query): boolean {
  return (
    atMs >= timeMs(query.from, Number.NEGATIVE_INFINITY) &&
    atMs < timeMs(query.to, Number.POSITIVE_INFINITY) &&
    source === (query.source ?? source) &&
    cardRef === (query.card_reference ?? cardRef)
  )
}

function timeMs(text: string | undefined, otherwise: number): number {
  return text === undefined ? otherwise : Date.parse(text)
}

function shown({
  ref,
  atMs,
  source,
  direction,
  amount,
  status,
  text,
  other,
  category,
  cardRef,
}: Movement): ProviderActivityItem {
  return {
    reference: ref,
    source,
    direction,
    amount,
    status,
    description: text,
    counterparty_name: other,
    merchant_category: category,
    card_reference: cardRef,
    occurred_at: `${new Date(atMs + 3_600_000).toISOString().slice(0, 19)}+01:00`,
  }
}

function digestOf({ id }: TestUser, { from, to, source, card_reference }: Query): string {
  return hash('sha256', JSON.stringify([id, from, to, source, card_reference]), 'base64url').slice(0, 16)
}

function cursorOf(digest: string, { atMs, ref }: Movement): string {
  return Buffer.from(JSON.stringify([digest, atMs, ref])).toString('base64url')
}

function afterCursor(cursor: string, digest: string): (movement: Movement) => boolean {
  const read = findPlace(cursor)
  if (read?.[0] !== digest) throw new Refused(400, 'unknown_cursor')
  const [, lastMs, lastRef] = read
  return ({ atMs, ref }) => atMs < lastMs || (atMs === lastMs && ref < lastRef)
}

function findPlace(cursor: string): z.infer<typeof Cursor> | undefined {
  try {
    return Cursor.safeParse(JSON.parse(Buffer.from(cursor, 'base64url').toString())).data
  } catch {
    return undefined
  }
}
