/** The program: what it can be asked to do, each command in a module of its own. */

import { runProgram } from '@financial-agents/runtime/program'

runProgram({
  name: 'operations',
  summary: "Acceptance with idempotency, and the customer's view of every operation.",
  commands: {
    serve: () => import('./commands/serve.ts'),
    migrate: () => import('./commands/migrate.ts'),
    reseal: () => import('./commands/reseal.ts'),
    'provision-streams': () => import('./commands/provision-streams.ts'),
  },
})
