/** The owner's cards as the API shows them. No read returns drafts or void rows (write protocol, rule 14). */

import type { Position } from '@financial-agents/contract/cursor'
import type { Card } from '@financial-agents/contract/schemas/card'
import { type Queryable, statement } from '@financial-agents/postgres/database'
import { isUuid } from '@financial-agents/postgres/is-uuid'
import { type CardStanding, shownOperation, standingColumns } from './card-standing.ts'

type ShownRow = Omit<Card, 'state' | 'pending_operation_id' | 'created_at' | 'updated_at'> &
  CardStanding & { created_at: Date; updated_at: Date }

const shown = `id, label, type, currency, brand, last_four, created_at, updated_at, ${standingColumns}`
const visible = `state NOT IN ('draft', 'void')`

export const oneCard = statement(
  'cards_one',
  `SELECT ${shown} FROM cards WHERE id = $1 AND owner_id = $2 AND ${visible}`,
)

/** Returns undefined for a foreign, a malformed or an unknown id, and for a card that is not accepted. */
export async function findCard(db: Queryable, ownerId: string, id: string): Promise<Card | undefined> {
  if (!isUuid(id)) return undefined
  const [row] = await db.rows<ShownRow>(oneCard, [id, ownerId])
  return row && toCard(row)
}

/** A card as a change or a reveal names it. */
export type NamedCard = CardStanding & {
  id: string
  /** The provider's own reference; null until the provider has made the card. */
  upstream_reference: string | null
}

export const namedCard = statement(
  'cards_named',
  `SELECT id, upstream_reference, ${standingColumns} FROM cards WHERE id = $1 AND owner_id = $2 AND ${visible}`,
)

/** Returns undefined in the same cases as `findCard`. */
export async function findNamedCard(db: Queryable, ownerId: string, id: string): Promise<NamedCard | undefined> {
  if (!isUuid(id)) return undefined
  const [row] = await db.rows<NamedCard>(namedCard, [id, ownerId])
  return row
}

export const firstPage = statement(
  'cards_first_page',
  `SELECT ${shown} FROM cards WHERE owner_id = $1 AND ${visible} ORDER BY created_at DESC, id DESC LIMIT $2`,
)

export const nextPage = statement(
  'cards_next_page',
  `SELECT ${shown} FROM cards WHERE owner_id = $1 AND ${visible} AND (created_at, id) < ($3::timestamptz, $4::uuid)
   ORDER BY created_at DESC, id DESC LIMIT $2`,
)

/** Lists cards, newest first, after the position `after`. */
export async function listCards(
  db: Queryable,
  ownerId: string,
  limit: number,
  after: Position | undefined,
): Promise<Card[]> {
  const rows = after
    ? await db.rows<ShownRow>(nextPage, [ownerId, limit, after.created_at, after.id])
    : await db.rows<ShownRow>(firstPage, [ownerId, limit])
  return rows.map(toCard)
}

function toCard(row: ShownRow): Card {
  const { id, label, type, currency, brand, last_four, created_at, updated_at } = row
  return {
    id,
    label,
    type,
    currency,
    brand,
    last_four,
    // No read returns invisible rows.
    state: row.state as Card['state'],
    pending_operation_id: shownOperation(row),
    created_at: created_at.toISOString(),
    updated_at: updated_at.toISOString(),
  }
}
