/** The owner's connection to a provider. */

import { z } from 'zod'
import { documented } from './documented.ts'
import { dateTime, id } from './primitives.ts'
import { ids } from './story.ts'

const serviceConnectionStatus = z
  .enum(['connected', 'disconnecting'])
  .register(documented, { id: 'ServiceConnectionStatus' })

/** A connection as clients see it. */
export const serviceConnection = z
  .strictObject({
    id: id.describe('The connection.'),
    status: serviceConnectionStatus.describe('`disconnecting` while the connection is being ended.'),
    provider_name: z.string().describe('The provider.'),
    connected_at: dateTime.describe('The time at which the provider was connected.'),
  })
  .register(documented, {
    id: 'ServiceConnection',
    examples: [
      {
        id: ids.connection,
        status: 'connected',
        provider_name: 'Fake provider',
        connected_at: '2026-09-14T16:05:00.000Z',
      },
    ],
  })

export type ServiceConnection = z.output<typeof serviceConnection>
