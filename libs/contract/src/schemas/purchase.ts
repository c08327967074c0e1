/** Purchases of services that the provider has released. None is executed through this API in this release. */

import { z } from 'zod'
import { dateTime, id, money } from './primitives.ts'

/** A purchase as clients see it. */
export const purchase = z.strictObject({
  id,
  quote_id: id,
  service_id: id,
  state: z.enum(['released', 'fulfilled', 'refunded']),
  total: money,
  released_at: dateTime,
  updated_at: dateTime,
})

/** A purchase as clients see it. */
export type Purchase = z.output<typeof purchase>
