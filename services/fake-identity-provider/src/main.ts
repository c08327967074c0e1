/** The program: what it can be asked to do, each command in a module of its own. */

import { runProgram } from '@financial-agents/runtime/program'

runProgram({
  name: 'fake-identity-provider',
  summary: 'Development only: the OpenID provider of an organisation, with invented operators and no passwords.',
  commands: {
    serve: () => import('./commands/serve.ts'),
  },
})
