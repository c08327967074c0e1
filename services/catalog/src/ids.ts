/**
 * Our ids for the provider's records, given at first sight and stored, so that an id that a client noted keeps its
 * meaning. A quote that this service stored keeps its id.
 */

import type { Queryable } from '@financial-agents/postgres/database'
import { createReferenceIds, type ReferenceIds } from '@financial-agents/postgres/reference-ids'
import type { Clock } from '@financial-agents/runtime/clock'
import { findQuoteIds } from './quote-store.ts'

/** The owner of records that are the same for everybody. */
export const everybody = 'public'

export type Ids = { services: ReferenceIds; purchases: ReferenceIds; quotes: ReferenceIds }

const maxKept = 50_000

export function createIds({ db, clock }: { db: Queryable; clock: Clock }): Ids {
  const kept = { db, clock, maxKept }
  return {
    services: createReferenceIds({ ...kept, table: 'service_ids' }),
    purchases: createReferenceIds({ ...kept, table: 'purchase_ids' }),
    quotes: createReferenceIds({
      ...kept,
      table: 'quote_ids',
      findGiven: (ownerId, references) => findQuoteIds(db, ownerId, references),
    }),
  }
}
