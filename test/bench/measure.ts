/** Shared by all measurements: load generators in processes of their own, and CPU time by process. */

import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Stack } from '@financial-agents/testkit/stack'
import pg from 'pg'
import type { AcceptTask } from './accept-client.ts'
import { cpuMs } from './cpu.ts'
import type { DurableTask } from './durable/client.ts'
import type { LoadResult, LoadTask } from './load-client.ts'

export const scope = 'beneficiaries:read beneficiaries:write operations:read'
export const say = (line: string) => process.stdout.write(`${line}\n`)

/** Returns the CPU milliseconds that each process of the system has used so far. */
export function snapshot(running: Stack): Record<string, number> {
  const services = [...running.processes].map(([name, entries]) => [
    name,
    entries.reduce((sum, entry) => sum + cpuMs(entry.child.pid), 0),
  ])
  return {
    ...(Object.fromEntries(services) as Record<string, number>),
    'nats-server': cpuMs(running.nats.server.pid ?? 0),
    postgres: cpuMs(running.postgres.pid ?? 0, { tree: true }),
  }
}

export function perItemUs(before: Record<string, number>, after: Record<string, number>, items: number) {
  const rows = Object.keys(after).map((name) => ({
    name,
    us: ((after[name] ?? 0) - (before[name] ?? 0)) * (1_000 / items),
  }))
  return { rows: rows.filter((row) => row.us >= 0.5), sum: rows.reduce((total, row) => total + row.us, 0) }
}

/** Runs a load generator with its task; returns its output. `onLine` is called for its first line. */
export async function run(
  file: string,
  task: LoadTask | AcceptTask | DurableTask,
  onLine: () => void = () => {},
): Promise<string> {
  const args = [join(import.meta.dirname, file), JSON.stringify(task)]
  const running = promisify(execFile)(process.execPath, args, { maxBuffer: 1 << 20 })
  running.child.stdout?.once('data', onLine)
  return (await running).stdout
}

/** `onCounting` is called when the warm-up ends and requests begin to count. */
export async function load(task: LoadTask, onCounting?: () => void): Promise<LoadResult> {
  const lines = (await run('load-client.ts', task, onCounting)).trim().split('\n')
  const result = JSON.parse(lines.at(-1) ?? '') as LoadResult
  const wanted = task.kind === 'create' ? '202' : '200'
  if (Object.keys(result.statuses).some((status) => status !== wanted))
    throw new Error(`not every answer was ${wanted}: ${JSON.stringify(result.statuses)}`)
  return result
}

/** The seeded client for which the load is sent. */
export function client(running: Stack) {
  const [seeded] = running.clients
  if (seeded?.profile !== 'service') throw new Error('the stack has no service account')
  return {
    baseUrl: running.baseUrl,
    clientId: seeded.client_id,
    privateKeyFile: seeded.private_key_file,
    scope,
    clients: 50,
  }
}

export function report(cost: ReturnType<typeof perItemUs>, result?: LoadResult): void {
  for (const row of cost.rows.toSorted((a, b) => b.us - a.us))
    say(`  ${row.name.padEnd(14)} ${row.us.toFixed(0).padStart(5)} CPU µs`)
  say(`  ${'together'.padEnd(14)} ${cost.sum.toFixed(0).padStart(5)} CPU µs`)
  if (!result) return
  say(`  latency p50 ${result.latencyMs.p50.toFixed(1)} ms, p99 ${result.latencyMs.p99.toFixed(1)} ms`)
}

/** Waits until no operation is in progress. The wait itself costs little: PostgreSQL's CPU time is part of what is measured. */
export async function settled(running: Stack): Promise<void> {
  const admin = new pg.Client({ connectionString: running.postgres.adminUrl })
  await admin.connect()
  const open = {
    name: 'open',
    text: `SELECT FROM (SELECT operation_id FROM operations.in_flight UNION SELECT unnest(operation_ids) FROM operations.in_flight_batches) listed
      CROSS JOIN LATERAL (SELECT FROM operations.operations
        WHERE id = operation_id AND state IN ('accepted', 'submitting', 'submitted') LIMIT 1) open LIMIT 1`,
  }
  try {
    while ((await admin.query(open)).rowCount !== 0) await new Promise((resolve) => setTimeout(resolve, 20))
  } finally {
    await admin.end()
  }
}

export async function query<Row>(running: Stack, text: string): Promise<Row[]> {
  const admin = new pg.Client({ connectionString: running.postgres.adminUrl })
  await admin.connect()
  try {
    return (await admin.query(text)).rows as Row[]
  } finally {
    await admin.end()
  }
}

/** The WAL that PostgreSQL has written so far. Its processes report with a delay, so it is read when nothing runs. */
export async function walOf(running: Stack): Promise<{ bytes: number; records: number }> {
  await new Promise((resolve) => setTimeout(resolve, 1_500))
  const [wal] = await query<{ bytes: number; records: number }>(
    running,
    'SELECT wal_bytes::float8 AS bytes, wal_records::float8 AS records FROM pg_stat_wal',
  )
  if (!wal) throw new Error('PostgreSQL counts no WAL')
  return wal
}
