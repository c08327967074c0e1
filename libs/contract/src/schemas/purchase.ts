/** Purchases of services that the provider has released. This release of the API cannot execute purchases. */

import { z } from 'zod'
import { dateTime, id, money } from './primitives.ts'

/** A purchase as clients see it. */
export const purchase = z.strictObject({
  id: id.describe('The purchase.'),
  quote_id: id.describe('The quote that it came of.'),
  service_id: id.describe('The service.'),
  state: z.enum(['released', 'fulfilled', 'refunded']).describe('What became of it.'),
  total: money.describe('What it cost.'),
  released_at: dateTime.describe('When the provider released it.'),
  updated_at: dateTime.describe('When it changed last.'),
})

/** A purchase as clients see it. */
export type Purchase = z.output<typeof purchase>
