/** The program: what it can be asked to do, each command in a module of its own. */

import { runProgram } from '@financial-agents/runtime/program'

runProgram({
  name: 'ops-console',
  summary:
    "The operators' console: the operator area of the API, its tokens, and pages that show what is unsettled and can stop a grant.",
  commands: {
    serve: () => import('./commands/serve.ts'),
    migrate: () => import('./commands/migrate.ts'),
  },
})
