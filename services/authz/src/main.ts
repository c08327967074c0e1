/** The program: what it can be asked to do, each command in a module of its own. */

import { runProgram } from '@financial-agents/runtime/program'

runProgram({
  name: 'authz',
  summary:
    'The authorization server: OAuth endpoints, declared clients, grants and the feed that tells gateways what changed.',
  commands: {
    serve: () => import('./commands/serve.ts'),
    migrate: () => import('./commands/migrate.ts'),
    'apply-clients': () => import('./commands/apply-clients.ts'),
    'list-clients': () => import('./commands/list-clients.ts'),
    keys: () => import('./commands/keys.ts'),
  },
})
