/**
 * The effects of the kinds on the table: a draft that no read shows, and the moves of the card with its operation.
 *
 * Invariant: the card's lock protects the decision of a change beside unsettled changes, undecided drafts included.
 */

import { Problem } from '@financial-agents/contract/problem'
import { routeString } from '@financial-agents/contract/route'
import { cardsRoutes } from '@financial-agents/contract/routes/cards'
import { type Queryable, statement } from '@financial-agents/postgres/database'
import { createdRows, goneResources } from '@financial-agents/writes/created-resources'
import type { Draft, LockedWrite, Move, WriteKind } from '@financial-agents/writes/write'
import { type CardAction, type CardChange, cardChanges, withDraft } from './card-machine.ts'
import { afterMove, type CardRow } from './card-moves.ts'
import { findRefusal } from './card-refusals.ts'
import { standingColumns } from './card-standing.ts'

/** The columns that a creation fills. */
export type CardInput = { label: string | null; type: 'virtual' | 'physical'; currency: string }

const insert = statement(
  'cards_insert',
  `INSERT INTO cards (id, operation_id, owner_id, label, type, currency, state, created_at, updated_at)
   SELECT id, operation_id, owner_id, label, type, currency, 'draft', $2, $2
   FROM jsonb_to_recordset($1::jsonb) AS d(id uuid, operation_id uuid, owner_id text, label text, type text, currency text)`,
)

export const lockCards = statement(
  'cards_lock',
  'SELECT 1 FROM cards WHERE id = ANY($1::uuid[]) ORDER BY id FOR UPDATE',
)

export const readCards = statement(
  'cards_read',
  `SELECT id, upstream_reference, brand, last_four, NULL AS moved_at, ${standingColumns}
   FROM cards WHERE id = ANY($1::uuid[])`,
)

export const updateCards = statement(
  'cards_update',
  `UPDATE cards c SET state = n.state, prior_state = n.prior_state, changes = n.changes,
     upstream_reference = n.upstream_reference, brand = n.brand, last_four = n.last_four,
     updated_at = greatest(c.updated_at, n.moved_at)
   FROM jsonb_to_recordset($1::jsonb) AS n(id uuid, state text, prior_state text, changes jsonb,
     upstream_reference text, brand text, last_four text, moved_at timestamptz)
   WHERE c.id = n.id`,
)

const remove = statement('cards_remove', `DELETE FROM cards WHERE id = ANY($1::uuid[]) AND state = 'void'`)

/** The lock of all kinds. A batch of several kinds locks its cards once, in one order, before their hooks run. */
async function lock(tx: Queryable, writes: readonly LockedWrite[]): Promise<void> {
  // The draft of a creation has no card to lock yet.
  const there = writes.filter(({ kind, input }) => kind !== 'card_create' || input === undefined)
  if (there.length > 0) await tx.rows(lockCards, [idsOf(there)])
}

/** Reads the cards that `lock` has locked. */
async function getLocked(tx: Queryable, writes: readonly LockedWrite[]): Promise<Map<string, CardRow>> {
  const rows = await tx.rows<CardRow>(readCards, [idsOf(writes)])
  return new Map(rows.map((row) => [row.id, row]))
}

function idsOf(writes: readonly LockedWrite[]): string[] {
  return [...new Set(writes.map(({ resource_id }) => resource_id))]
}

async function recordChanged(tx: Queryable, changed: ReadonlyMap<string, CardRow>): Promise<void> {
  if (changed.size > 0) await tx.rows(updateCards, [JSON.stringify([...changed.values()])])
}

async function follow(tx: Queryable, action: CardAction, moves: readonly Move[]): Promise<void> {
  const cards = await getLocked(tx, moves)
  const changed = new Map<string, CardRow>()
  for (const move of moves) {
    const card = changed.get(move.resource_id) ?? cards.get(move.resource_id)
    const after = card && afterMove(action, card, move)
    if (after) changed.set(after.id, after)
  }
  await recordChanged(tx, changed)
}

export const cardCreate: WriteKind<CardInput, 'card_create'> = {
  kind: 'card_create',
  route: routeString(cardsRoutes.createCard),
  lock,
  draft: async (tx, drafts, now) => {
    await tx.rows(insert, [JSON.stringify(createdRows(drafts)), now])
    return new Map()
  },
  follow: async (tx, moves) => {
    await follow(tx, 'create', moves)
    const gone = goneResources(moves)
    if (gone.length > 0) await tx.rows(remove, [gone])
  },
}

/** The only input is the card; the kind is the action's. */
export type CardChangeKind<Change extends CardChange = CardChange> = WriteKind<null, `card_${Change}`> & {
  change: Change
}

export const changeWrites = Object.fromEntries(
  (Object.keys(cardChanges) as CardChange[]).map((change) => [`card_${change}`, changeOf(change)]),
) as { readonly [C in CardChange as `card_${C}`]: CardChangeKind<C> }

function changeOf<Change extends CardChange>(change: Change): CardChangeKind<Change> {
  return {
    change,
    kind: `card_${change}`,
    route: routeString(cardsRoutes[`${change}Card`]),
    lock,
    draft: (tx, drafts) => draftChange(tx, change, drafts),
    follow: (tx, moves) => follow(tx, change, moves),
  }
}

async function draftChange(
  tx: Queryable,
  change: CardChange,
  drafts: readonly Draft<null>[],
): Promise<Map<string, Problem>> {
  const cards = await getLocked(tx, drafts)
  const changed = new Map<string, CardRow>()
  const refused = new Map<string, Problem>()
  for (const { operation_id, resource_id } of drafts) {
    const card = changed.get(resource_id) ?? cards.get(resource_id)
    const refusal = card ? findRefusal(change, card) : new Problem('card_not_found')
    if (refusal) refused.set(operation_id, refusal)
    else if (card) changed.set(resource_id, { ...card, ...withDraft(card, change, operation_id) })
  }
  await recordChanged(tx, changed)
  return refused
}
