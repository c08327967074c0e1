/** The steps as a pg-boss job, recorded and enqueued in one transaction, and processed in batches. */

import { PgBoss } from 'pg-boss'
import type { Library } from './library.ts'
import type { Steps } from './steps.ts'

const queue = 'operation'

/** Each worker takes a new batch when its last one is done. */
const workers = 4

export async function startPgBoss(steps: Steps, databaseUrl: string): Promise<Library> {
  const boss = new PgBoss({ connectionString: databaseUrl, max: 32, supervise: false })
  boss.on('error', (error) => process.stderr.write(`pg-boss: ${error.message}\n`))
  await boss.start()
  await boss.createQueue(queue, { retryLimit: 0 })
  for (let worker = 0; worker < workers; worker += 1) {
    const options = { batchSize: 64, pollingIntervalSeconds: 0.5, burstWhenBatchFull: true }
    await boss.work<{ id: string }>(queue, options, async (jobs) => {
      await Promise.all(
        jobs.map(async ({ data: { id } }) => {
          await steps.claim(id)
          await steps.settle(id, await steps.submit(id))
        }),
      )
    })
  }
  return {
    accept: async (id) => {
      const client = await steps.pool.connect()
      try {
        await client.query('BEGIN')
        await steps.record(client, id)
        const db = { executeSql: (text: string, values?: unknown[]) => client.query(text, values) }
        await boss.send(queue, { id }, { db, id })
        await client.query('COMMIT')
      } catch (error) {
        await client.query('ROLLBACK')
        throw error
      } finally {
        client.release()
      }
    },
    stop: () => boss.stop({ graceful: false }),
  }
}
