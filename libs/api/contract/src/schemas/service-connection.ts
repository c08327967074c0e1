/** The owner's connection to a provider. */

import { z } from 'zod'
import { dateTime, id } from './primitives.ts'

/** The status of a connection. */
export const serviceConnectionStatus = z.enum(['connected', 'disconnecting'])

/** A connection as clients see it. */
export const serviceConnection = z.strictObject({
  id: id.describe('The connection.'),
  status: serviceConnectionStatus.describe('`disconnecting` while the connection is being ended.'),
  provider_name: z.string().describe('The provider.'),
  connected_at: dateTime.describe('The time at which the provider was connected.'),
})

/** A connection as clients see it. */
export type ServiceConnection = z.output<typeof serviceConnection>
