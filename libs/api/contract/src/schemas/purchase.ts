/** Purchases of services that the provider has released. This release of the API cannot execute purchases. */

import { z } from 'zod'
import { dateTime, id, money } from './primitives.ts'

/** The state of a purchase. */
export const purchaseState = z.enum(['released', 'fulfilled', 'refunded'])

/** A purchase as clients see it. */
export const purchase = z.strictObject({
  id: id.describe('The purchase.'),
  quote_id: id.describe('The quote of the purchase.'),
  service_id: id.describe('The service.'),
  state: purchaseState.describe('The state of the purchase.'),
  total: money.describe('The price.'),
  released_at: dateTime.describe('The time at which the provider released the purchase.'),
  updated_at: dateTime.describe('The time of the last change.'),
})

/** A purchase as clients see it. */
export type Purchase = z.output<typeof purchase>
