/** The service's definition: its configuration, its schema, its start and its commands. */

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
  // The signing keys are rows, and the server cannot start without them.
  startsFromRows: true,
  start: async (config, opened) => (await import('./start.ts')).startAuthz(config, opened),
  commands: {
    'apply-clients': () => import('./commands/apply-clients.ts'),
    'list-clients': () => import('./commands/list-clients.ts'),
    keys: () => import('./commands/keys.ts'),
  },
})
