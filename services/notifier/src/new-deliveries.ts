/**
 * Turns transitions into deliveries: one for each interested subscription of the operation's owner and client.
 * Idempotent by subscription, operation and sequence, so repeated transitions do no harm.
 */

import { randomUUIDv7 } from 'node:crypto'
import { type Database, type Queryable, statement } from '@financial-agents/postgres/database'
import { bodyOf, type EventType, eventTypeOf, type Moved } from './event-types.ts'

/** The largest difference between clocks. A subscription gets no move that is older than itself by more than this. */
const clocksDifferMs = 60_000

const chunk = 500

/** The columns of an active subscription that select its transitions. */
export type Subscriber = {
  id: string
  owner_id: string
  client_id: string
  host: string
  /** Null: all events. */
  events: EventType[] | null
  created_at: Date
}

export const activeOfClients = statement(
  'subscribers_of_clients',
  `SELECT s.* FROM unnest($1::text[], $2::text[]) AS item (owner_id, client_id)
   CROSS JOIN LATERAL (SELECT id, owner_id, client_id, host, events, created_at FROM subscriptions s
     WHERE s.owner_id = item.owner_id AND s.client_id = item.client_id AND disabled_at IS NULL) s`,
)

type Holder = Pick<Moved, 'owner_id' | 'client_id'>

/**
 * Records the deliveries for these transitions. Returns the number of new ones. Without a subscriber, the cost is one
 * look-up. `toMoved` reads a transition that has a subscriber; undefined if the transition is malformed.
 */
export async function recordDeliveries<Item extends Holder>(
  db: Database,
  items: readonly Item[],
  toMoved: (item: Item) => Moved | undefined,
  now: Date,
): Promise<number> {
  const subscribers = await findSubscribers(db, items)
  if (subscribers.size === 0) return 0
  const wanted = items.flatMap((item) => {
    const own = subscribers.get(holderOf(item)) ?? []
    const moved = own.length === 0 ? undefined : toMoved(item)
    return moved
      ? own.filter((subscriber) => wants(subscriber, moved)).map((subscriber) => ({ subscriber, moved }))
      : []
  })
  // Sorted, so that two processes with the same transitions wait for each other and never deadlock.
  wanted.sort((a, b) => compare(a.subscriber.id, b.subscriber.id) || compare(keyOf(a.moved), keyOf(b.moved)))
  let recorded = 0
  for (let start = 0; start < wanted.length; start += chunk)
    recorded += await insertDeliveries(db, wanted.slice(start, start + chunk), now)
  return recorded
}

async function findSubscribers(db: Queryable, moves: readonly Holder[]): Promise<Map<string, Subscriber[]>> {
  const holders = new Map(moves.map((moved) => [holderOf(moved), moved]))
  const named = [...holders.values()]
  if (named.length === 0) return new Map()
  const rows = await db.rows<Subscriber>(activeOfClients, [
    named.map(({ owner_id }) => owner_id),
    named.map(({ client_id }) => client_id),
  ])
  return Map.groupBy(rows, holderOf)
}

/** Unambiguous, because neither contains the separator. */
function holderOf({ owner_id, client_id }: Holder): string {
  return `${owner_id}\0${client_id}`
}

function wants({ events, created_at }: Subscriber, moved: Moved): boolean {
  if (Date.parse(moved.at) < created_at.getTime() - clocksDifferMs) return false
  return events === null || events.includes(eventTypeOf(moved))
}

const keyOf = ({ operation_id, sequence }: Moved) => `${operation_id} ${String(sequence).padStart(10, '0')}`
const compare = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0)

export const insertMany = statement(
  'deliveries_insert',
  `INSERT INTO deliveries (id, subscription_id, operation_id, sequence, host, event_type, body, status, attempts,
     next_attempt_at, created_at)
   SELECT item.*, 'pending', 0, $8::timestamptz, $8::timestamptz
   FROM unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::integer[], $5::text[], $6::text[], $7::text[])
     AS item (id, subscription_id, operation_id, sequence, host, event_type, body)
   ON CONFLICT (subscription_id, operation_id, sequence) DO NOTHING RETURNING id`,
)

type NewDelivery = { subscriber: Subscriber; moved: Moved }

async function insertDeliveries(db: Queryable, wanted: readonly NewDelivery[], now: Date): Promise<number> {
  const rows = await db.rows(insertMany, [
    wanted.map(() => randomUUIDv7()),
    wanted.map(({ subscriber }) => subscriber.id),
    wanted.map(({ moved }) => moved.operation_id),
    wanted.map(({ moved }) => moved.sequence),
    wanted.map(({ subscriber }) => subscriber.host),
    wanted.map(({ moved }) => eventTypeOf(moved)),
    wanted.map(({ moved }) => bodyOf(moved)),
    now,
  ])
  return rows.length
}
