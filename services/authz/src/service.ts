/** The service as one value: what it needs, how it starts, what it can be asked to do. */

import { postgresSchema } from '@financial-agents/service/postgres-schema'
import { defineService } from '@financial-agents/service/service'
import { authzConfig } from './config.ts'
import { migrations, privileges } from './migrations.ts'

export const service = defineService({
  name: 'authz',
  summary:
    'The authorization server: OAuth endpoints, declared clients, grants and the feed that tells gateways what changed.',
  config: authzConfig,
  database: postgresSchema(migrations, privileges),
  dateFollowsClock: true,
  // It signs with keys that are rows.
  startsFromRows: true,
  start: async (config, opened) => (await import('./start.ts')).startAuthz(config, opened),
  commands: {
    'apply-clients': () => import('./commands/apply-clients.ts'),
    'list-clients': () => import('./commands/list-clients.ts'),
    keys: () => import('./commands/keys.ts'),
  },
})
