/** The owner's connection to a provider. */

import { z } from 'zod'
import { dateTime, id } from './primitives.ts'

/** A connection as clients see it. */
export const serviceConnection = z.strictObject({
  id,
  status: z.enum(['connected', 'disconnecting']),
  provider_name: z.string(),
  connected_at: dateTime,
})

/** A connection as clients see it. */
export type ServiceConnection = z.output<typeof serviceConnection>
