/** The program: what it can be asked to do, each command in a module of its own. */

import { runProgram } from '@financial-agents/runtime/program'

runProgram({
  name: 'notifier',
  summary: 'Webhooks: subscriptions, and signed notifications of operations that follow what the customer sees.',
  commands: {
    serve: () => import('./commands/serve.ts'),
    migrate: () => import('./commands/migrate.ts'),
    reseal: () => import('./commands/reseal.ts'),
  },
})
