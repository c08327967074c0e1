/** The program: its commands, each in a module of its own. */

import { runProgram } from '@financial-agents/runtime/program'

runProgram({
  name: 'gateway',
  summary: 'The only HTTP ingress: credentials, scope, limits and problem details; then one request on the bus.',
  commands: {
    serve: () => import('./commands/serve.ts'),
    smoke: () => import('./commands/smoke.ts'),
  },
})
