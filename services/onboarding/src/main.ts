/** The program: what it can be asked to do, each command in a module of its own. */

import { runProgram } from '@financial-agents/runtime/program'

runProgram({
  name: 'onboarding',
  summary:
    'The provider bindings of owners, their sealed credentials, who has to know that they changed, and how far owners are verified.',
  commands: {
    serve: () => import('./commands/serve.ts'),
    migrate: () => import('./commands/migrate.ts'),
    'apply-bindings': () => import('./commands/apply-bindings.ts'),
    reseal: () => import('./commands/reseal.ts'),
  },
})
