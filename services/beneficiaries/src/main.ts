/** The program: what it can be asked to do, each command in a module of its own. */

import { runProgram } from '@financial-agents/runtime/program'

runProgram({
  name: 'beneficiaries',
  summary: "Beneficiaries area: drafts, acceptance, the owner's beneficiaries, and the provider's reference data.",
  commands: {
    serve: () => import('./commands/serve.ts'),
    migrate: () => import('./commands/migrate.ts'),
  },
})
