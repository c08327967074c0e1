/** The program: what it can be asked to do, each command in a module of its own. */

import { runProgram } from '@financial-agents/runtime/program'

runProgram({
  name: 'spending',
  summary:
    "Accounts, activity and the spending account; withdrawals, within the provider's limits and the ceilings of the grant.",
  commands: {
    serve: () => import('./commands/serve.ts'),
    migrate: () => import('./commands/migrate.ts'),
  },
})
