/** The steps as a DBOS workflow. The id is the workflow's id, so it starts once. Each step is a checkpoint. */

import { DBOS } from '@dbos-inc/dbos-sdk'
import type { Library } from './library.ts'
import type { Steps } from './steps.ts'

export async function startDbos(steps: Steps, databaseUrl: string): Promise<Library> {
  DBOS.setConfig({
    name: 'bench',
    systemDatabaseUrl: databaseUrl,
    systemDatabasePoolSize: 32,
    runAdminServer: false,
    logLevel: 'error',
  })
  const operation = DBOS.registerWorkflow(
    async (id: string) => {
      await DBOS.runStep(() => steps.record(steps.pool, id), { name: 'record' })
      await DBOS.runStep(() => steps.claim(id), { name: 'claim' })
      const reference = await DBOS.runStep(() => steps.submit(id), { name: 'submit' })
      await DBOS.runStep(() => steps.settle(id, reference), { name: 'settle' })
    },
    { name: 'operation' },
  )
  await DBOS.launch()
  return {
    accept: async (id) => {
      await DBOS.startWorkflow(operation, { workflowID: id })(id)
    },
    stop: () => DBOS.shutdown(),
  }
}
