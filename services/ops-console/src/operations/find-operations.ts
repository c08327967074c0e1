/**
 * Finds a page of the operations of all owners, from two services: operations has the rows, and the reconciler knows
 * the reviews. If the filter asks for reviews, the reconciler is asked first, because there are few.
 *
 * Invariant: a request reads a bounded number of batches, however much a filter excludes. The cursor continues where
 * the request stopped, so a page may be short, but nothing is skipped.
 */

import { ask } from '@financial-agents/bus/ask'
import type { MessageContext } from '@financial-agents/bus/headers'
import type { FindOperationsRequest, OperatorOperationRow, Review } from '@financial-agents/bus/messages/operator'
import type { Position } from '@financial-agents/contract/cursor'
import type { Opened } from '../dependencies.ts'

export type Filters = Omit<FindOperationsRequest, 'operation_ids' | 'after' | 'limit'> & { review?: boolean }
export type OperationInReview = { row: OperatorOperationRow; review: Review | undefined }
type Search = { bus: Opened['bus']; filters: Filters; context: MessageContext }
type Batch = { found: OperationInReview[]; last: Position | null }

const mostBatches = 10

export async function findOperations(
  search: Search,
  after: Position | undefined,
  limit: number,
): Promise<{ found: OperationInReview[]; next: Position | null }> {
  const readBatch = search.filters.review ? readReviews : readOperations
  const found: OperationInReview[] = []
  let place: Position | null = after ?? null
  for (let batches = 0; batches < mostBatches; batches += 1) {
    const batch: Batch = await readBatch(search, place, limit + 1)
    found.push(...batch.found)
    const last = found[limit - 1]
    if (found.length > limit && last) return { found: found.slice(0, limit), next: positionOf(last.row) }
    if (!batch.last) return { found, next: null }
    place = batch.last
  }
  return { found, next: place }
}

async function readOperations(
  { bus, filters, context }: Search,
  after: Position | null,
  limit: number,
): Promise<Batch> {
  const { review: wanted, ...rest } = filters
  const { operations: rows, next } = await ask(
    bus,
    'int.operations.find-operations',
    { ...rest, after, limit },
    context,
  )
  const reviews = await findReviews(bus, rows, context)
  const found = rows.map((row) => ({ row, review: reviews.get(row.operation_id) }))
  return { found: wanted === false ? found.filter((one) => !one.review) : found, last: next }
}

async function readReviews({ bus, filters, context }: Search, after: Position | null, limit: number): Promise<Batch> {
  const { review: _wanted, ...rest } = filters
  const reviews = await ask(bus, 'int.reconciler.reviews', { after, limit }, context)
  const operation_ids = reviews.map((review) => review.operation_id)
  const { operations: rows } =
    operation_ids.length === 0
      ? { operations: [] }
      : await ask(bus, 'int.operations.find-operations', { ...rest, operation_ids, after: null, limit }, context)
  const byId = new Map(rows.map((row) => [row.operation_id, row]))
  const last = reviews.at(-1)
  return {
    found: reviews.flatMap((review) => {
      const row = byId.get(review.operation_id)
      return row ? [{ row, review }] : []
    }),
    last: last && reviews.length >= limit ? { created_at: last.created_at, id: last.operation_id } : null,
  }
}

export async function findReviews(
  bus: Opened['bus'],
  rows: readonly OperatorOperationRow[],
  context: MessageContext,
): Promise<Map<string, Review>> {
  const operation_ids = rows.map((row) => row.operation_id)
  if (operation_ids.length === 0) return new Map()
  const request = { operation_ids, after: null, limit: operation_ids.length }
  const reviews = await ask(bus, 'int.reconciler.reviews', request, context)
  return new Map(reviews.map((review) => [review.operation_id, review]))
}

function positionOf({ created_at, operation_id }: OperatorOperationRow): Position {
  return { created_at, id: operation_id }
}
