/** Purchases of services that the provider has released. This release of the API cannot execute purchases. */

import { z } from 'zod'
import { documented } from './documented.ts'
import { dateTime, id, money } from './primitives.ts'
import { eur, ids, written } from './story.ts'

export const purchaseState = z.enum(['released', 'fulfilled', 'refunded']).register(documented, { id: 'PurchaseState' })

/** A purchase as clients see it. */
export const purchase = z
  .strictObject({
    id: id.describe('The purchase.'),
    quote_id: id.describe('The quote of the purchase.'),
    service_id: id.describe('The service.'),
    state: purchaseState.describe('The state of the purchase.'),
    total: money.describe('The price.'),
    released_at: dateTime.describe('The time at which the provider released the purchase.'),
    updated_at: dateTime.describe('The time of the last change.'),
  })
  .register(documented, {
    id: 'Purchase',
    examples: [
      {
        id: ids.purchase,
        quote_id: ids.purchaseQuote,
        service_id: ids.service,
        state: 'released',
        total: eur('20.00'),
        released_at: written.created_at,
        updated_at: written.updated_at,
      },
    ],
  })

export type Purchase = z.output<typeof purchase>
