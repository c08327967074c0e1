/**
 * One general-purpose library under load, in a process of its own: first as many concurrent operations as the system
 * gets, then a steady rate. Reads one JSON task from its arguments, prints one JSON result.
 */

import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { cpuMs } from '../cpu.ts'
import { startDbos } from './dbos.ts'
import { type Library } from './library.ts'
import { startPgBoss } from './pg-boss.ts'
import { openSteps, type Steps } from './steps.ts'

const libraries = { dbos: startDbos, 'pg-boss': startPgBoss }

export type DurableTask = {
  library: keyof typeof libraries
  databaseUrl: string
  postgresPid: number
  providerUrl: string
  credentials: string
  concurrency: number
  operations: number
  steadyPerS: number
  steadyOperations: number
}

export type DurableResult = { perS: number; cpuUs: number; latencyMs: { p50: number; p99: number } }

/** Records operations with this concurrency, and waits until each has its outcome. */
async function runAtOnce(steps: Steps, library: Library, operations: number, concurrency: number): Promise<void> {
  let left = operations
  await Promise.all(
    Array.from({ length: concurrency }, async () => {
      while (left > 0) {
        left -= 1
        await library.accept(randomUUID())
      }
    }),
  )
  await untilSettled(steps)
}

async function runSteadily(steps: Steps, library: Library, operations: number, perS: number): Promise<void> {
  const startedAt = performance.now()
  const accepting: Promise<void>[] = []
  for (let index = 0; index < operations; index += 1) {
    const waitMs = startedAt + (index * 1_000) / perS - performance.now()
    if (waitMs > 1) await delay(waitMs)
    accepting.push(library.accept(randomUUID()))
  }
  await Promise.all(accepting)
  await untilSettled(steps)
}

async function untilSettled({ pool }: Steps): Promise<void> {
  const open = "SELECT count(*)::int AS open FROM bench_operations WHERE state <> 'succeeded'"
  while ((await pool.query(open)).rows[0].open !== 0) await delay(20)
}

async function latencyOf({ pool }: Steps): Promise<DurableResult['latencyMs']> {
  const { rows } = await pool.query(`SELECT
    percentile_cont(0.5) WITHIN GROUP (ORDER BY ms) AS p50, percentile_cont(0.99) WITHIN GROUP (ORDER BY ms) AS p99
    FROM (SELECT extract(epoch FROM updated_at - created_at) * 1000 AS ms FROM bench_operations) AS taken`)
  return { p50: Number(rows[0].p50), p99: Number(rows[0].p99) }
}

if (import.meta.main) {
  const task = JSON.parse(process.argv[2] ?? '{}') as DurableTask
  const steps = openSteps(task)
  const library = await libraries[task.library](steps, task.databaseUrl)
  const used = () => cpuMs(process.pid) + cpuMs(task.postgresPid, { tree: true })
  await runAtOnce(steps, library, Math.ceil(task.operations / 5), task.concurrency)
  const [before, startedAt] = [used(), performance.now()]
  await runAtOnce(steps, library, task.operations, task.concurrency)
  const elapsedMs = performance.now() - startedAt
  const cpuUs = ((used() - before) * 1_000) / task.operations
  await steps.pool.query('TRUNCATE bench_operations')
  await runSteadily(steps, library, task.steadyOperations, task.steadyPerS)
  const result: DurableResult = {
    perS: (task.operations * 1_000) / elapsedMs,
    cpuUs,
    latencyMs: await latencyOf(steps),
  }
  process.stdout.write(`\n${JSON.stringify(result)}\n`)
  await library.stop()
  await steps.close()
  process.exit(0)
}
