/** The program: its commands, each in a module of its own. */

import { runProgram } from '@financial-agents/runtime/program'

runProgram({
  name: 'fake-provider',
  summary: 'Development only: a provider with personas, fault scripts and a ledger of every mutation it received.',
  commands: {
    serve: () => import('./commands/serve.ts'),
  },
})
