/**
 * Purchase quotes as they were answered, each visible to the owner and the client that asked. The recipient of the
 * purchase is not stored.
 */

import type { PurchaseQuote } from '@financial-agents/contract/schemas/quote'
import { type Queryable, statement } from '@financial-agents/postgres/database'
import { isUuid } from '@financial-agents/postgres/is-uuid'
import { pruneByAge } from '@financial-agents/postgres/prune'
import type { ReferenceId } from '@financial-agents/postgres/reference-ids'

export type Caller = { owner_id: string; client_id: string }

export type NewQuote = Omit<PurchaseQuote, 'indicative' | 'executable'> & { reference: string }

export const insertQuote = statement(
  'purchase_quotes_insert',
  `INSERT INTO purchase_quotes (id, owner_id, client_id, service_id, product_id, quantity, amount, currency,
     provider_reference, created_at, expires_at)
   VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)`,
)

export async function recordQuote(
  db: Queryable,
  { owner_id, client_id }: Caller,
  quote: NewQuote,
  now: Date,
): Promise<void> {
  const { id, service_id, product_id, quantity, total, reference, expires_at } = quote
  await db.rows(insertQuote, [
    id,
    owner_id,
    client_id,
    service_id,
    product_id,
    quantity,
    total.amount,
    total.currency,
    reference,
    now,
    expires_at,
  ])
}

export const oneQuote = statement(
  'purchase_quotes_one',
  `SELECT id, service_id, product_id, quantity, amount, currency, expires_at FROM purchase_quotes
   WHERE id = $1 AND owner_id = $2 AND client_id = $3`,
)

type Row = {
  id: string
  service_id: string
  product_id: string
  quantity: number
  amount: string
  currency: string
  expires_at: Date
}

/** Returns undefined for a foreign, a malformed or an unknown id. */
export async function findQuote(
  db: Queryable,
  { owner_id, client_id }: Caller,
  id: string,
): Promise<PurchaseQuote | undefined> {
  if (!isUuid(id)) return undefined
  const [row] = await db.rows<Row>(oneQuote, [id, owner_id, client_id])
  if (!row) return undefined
  const { amount, currency, expires_at, ...quote } = row
  return toPurchaseQuote({ ...quote, total: { amount, currency }, expires_at: expires_at.toISOString() })
}

/** Nothing executes a quote. */
export function toPurchaseQuote(quote: Omit<PurchaseQuote, 'indicative' | 'executable'>): PurchaseQuote {
  return { ...quote, indicative: true, executable: false }
}

export const quoteIds = statement(
  'purchase_quotes_ids',
  `SELECT DISTINCT ON (provider_reference) provider_reference AS reference, id FROM purchase_quotes
   WHERE owner_id = $1 AND provider_reference = ANY ($2::text[]) ORDER BY provider_reference, id`,
)

/** Finds the ids of quotes that any client of the owner asked for here. */
export function findQuoteIds(db: Queryable, ownerId: string, references: readonly string[]): Promise<ReferenceId[]> {
  return db.rows<ReferenceId>(quoteIds, [ownerId, references])
}

export const pruneQuotes = pruneByAge('purchase_quotes', 'expires_at')
