/** The owner's cards as the API shows them. Drafts and void rows are in no read (write protocol, rule 14). */

import type { Position } from '@financial-agents/contract/cursor'
import type { Card } from '@financial-agents/contract/schemas/card'
import { type Queryable, statement } from '@financial-agents/postgres/database'
import { isUuid } from '@financial-agents/postgres/is-uuid'
import type { PriorState } from './card-machine.ts'

type CardRow = Omit<Card, 'created_at' | 'updated_at'> & { created_at: Date; updated_at: Date }

// The operation of a draft shows itself only once it is accepted, with the state that it makes.
const shown = `id, label, type, currency, brand, last_four, state,
  CASE WHEN state IN ('pending', 'freezing', 'unfreezing', 'closing') THEN pending_operation_id END AS pending_operation_id,
  created_at, updated_at`
const visible = `state NOT IN ('draft', 'void')`

export const oneCard = statement(
  'cards_one',
  `SELECT ${shown} FROM cards WHERE id = $1 AND owner_id = $2 AND ${visible}`,
)

/** Undefined alike for a foreign, a malformed and an unknown id, and for one that is not accepted. */
export async function findCard(db: Queryable, ownerId: string, id: string): Promise<Card | undefined> {
  if (!isUuid(id)) return undefined
  const [row] = await db.rows<CardRow>(oneCard, [id, ownerId])
  return row && toCard(row)
}

/** A card as a change or a reveal names it. */
export type NamedCard = {
  id: string
  state: Card['state']
  prior_state: PriorState | null
  pending_operation_id: string | null
  /** The provider's own; null until the card was made. */
  upstream_reference: string | null
}

export const namedCard = statement(
  'cards_named',
  `SELECT id, state, prior_state, pending_operation_id, upstream_reference FROM cards
   WHERE id = $1 AND owner_id = $2 AND ${visible}`,
)

/** As `findCard`. */
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

/** Newest first, from after `after` on. */
export async function listCards(
  db: Queryable,
  ownerId: string,
  limit: number,
  after: Position | undefined,
): Promise<Card[]> {
  const rows = after
    ? await db.rows<CardRow>(nextPage, [ownerId, limit, after.created_at, after.id])
    : await db.rows<CardRow>(firstPage, [ownerId, limit])
  return rows.map(toCard)
}

function toCard(row: CardRow): Card {
  return { ...row, created_at: row.created_at.toISOString(), updated_at: row.updated_at.toISOString() }
}
