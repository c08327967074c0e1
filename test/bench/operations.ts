/**
 * Durable operations: from the HTTP request, and from acceptance, to their terminal state. Baselines: the commit of one
 * row, and general-purpose libraries that run the same steps with the same provider and PostgreSQL.
 */

import type { Principal } from '@financial-agents/contract/principal'
import type { Stack } from '@financial-agents/testkit/stack'
import pg from 'pg'
import type { AcceptTask } from './accept-client.ts'
import { cpuMs } from './cpu.ts'
import type { DurableResult, DurableTask } from './durable/client.ts'
import { createTables } from './durable/steps.ts'
import type { LoadTask } from './load-client.ts'
import { client, load, perItemUs, query, report, run, say, settled, snapshot, walOf } from './measure.ts'
import type { Figures } from './targets.ts'

/** Commits one row in each transaction. */
export async function benchCommits(running: Stack): Promise<{ perS: number; cpuUs: number }> {
  const pool = new pg.Pool({ connectionString: running.postgres.adminUrl, max: 32 })
  await pool.query(
    'CREATE TABLE public.bench_commits (id bigserial PRIMARY KEY, at timestamptz NOT NULL, body text NOT NULL)',
  )
  const insert = {
    name: 'insert',
    text: 'INSERT INTO public.bench_commits (at, body) VALUES ($1, $2)',
    values: [new Date(), 'x'.repeat(200)],
  }
  const rows = 15_000
  let left = rows
  const before = cpuMs(running.postgres.pid ?? 0, { tree: true }) + cpuMs(process.pid)
  const startedAt = performance.now()
  await Promise.all(
    Array.from({ length: 32 }, async () => {
      while (left > 0) {
        left -= 1
        await pool.query(insert)
      }
    }),
  )
  const elapsedMs = performance.now() - startedAt
  const used = cpuMs(running.postgres.pid ?? 0, { tree: true }) + cpuMs(process.pid) - before
  await pool.query('DROP TABLE public.bench_commits')
  await pool.end()
  return { perS: (rows * 1_000) / elapsedMs, cpuUs: (used * 1_000) / rows }
}

/** Baselines of the same run: the commit of one row, and one ES256 verification. */
export type Baselines = { commits: { perS: number; cpuUs: number }; verificationUs: number }

export async function benchOperations(running: Stack, { commits, verificationUs }: Baselines): Promise<Figures> {
  const task: LoadTask = { ...client(running), kind: 'create', concurrency: 256, requests: 3_000, warmUp: 0 }
  await load(task)
  await settled(running)
  const before = snapshot(running)
  const result = await load({ ...task, requests: 20_000 })
  await settled(running)
  const perS = (result.counted * 1_000) / (Date.now() - result.beganAtMs)
  const cost = perItemUs(before, snapshot(running), result.counted)
  say(`durable operation end to end (HTTP request to terminal, 5 ms provider), 256 at once: ${perS.toFixed(0)}/s`)
  report(cost, result)
  say(
    `  ${(cost.sum / commits.cpuUs).toFixed(1)} × the CPU, ${(perS / commits.perS).toFixed(2)} × the rate of a single-row insert\n`,
  )
  return { writeVerifications: cost.sum / verificationUs }
}

/** The rate at which latency is measured. */
const steadyPerS = 150
const steadyOperations = 3_000

/** Measures from acceptance to the terminal state, then the same for the libraries. */
export async function benchDurable(running: Stack, { commits, verificationUs }: Baselines): Promise<Figures> {
  const task = await acceptTask(running)
  await accept(running, { ...task, requests: 5_000 })
  const requests = 30_000
  const walBefore = await walOf(running)
  const before = snapshot(running)
  const { beganAtMs } = await accept(running, { ...task, requests })
  const perS = (requests * 1_000) / (Date.now() - beganAtMs)
  const cost = perItemUs(before, snapshot(running), requests)
  const wal = await walOf(running)
  say(`durable operation from acceptance to terminal (5 ms provider), 512 at once: ${perS.toFixed(0)}/s`)
  report(cost)
  say(
    `  ${(cost.sum / commits.cpuUs).toFixed(1)} × the CPU, ${(perS / commits.perS).toFixed(2)} × the rate of a single-row insert`,
  )
  const [bytes, records] = [(wal.bytes - walBefore.bytes) / requests, (wal.records - walBefore.records) / requests]
  say(`  WAL ${bytes.toFixed(0)} bytes, ${records.toFixed(1)} records for each`)
  const steady = await accept(running, { ...task, requests: steadyOperations, perS: steadyPerS })
  const [latency] = await query<{ p50: number; p99: number }>(
    running,
    `SELECT percentile_cont(0.5) WITHIN GROUP (ORDER BY ms) AS p50, percentile_cont(0.99) WITHIN GROUP (ORDER BY ms) AS p99
     FROM (SELECT extract(epoch FROM updated_at - created_at)::float8 * 1000 AS ms FROM operations.operations
       WHERE created_at >= to_timestamp(${steady.beganAtMs / 1_000})) AS taken`,
  )
  say(
    `  at ${steadyPerS}/s from acceptance to terminal: p50 ${latency?.p50.toFixed(1)} ms, p99 ${latency?.p99.toFixed(1)} ms\n`,
  )
  const ours = { perS, cpuUs: cost.sum }
  await benchLibrary(running, 'dbos', 3_000, ours)
  return {
    operationVerifications: cost.sum / verificationUs,
    ...(latency ? { operationP50Ms: latency.p50, operationP99Ms: latency.p99 } : {}),
    walBytes: bytes,
    walRecords: records,
    operationRate: await benchLibrary(running, 'pg-boss', 8_000, ours),
  }
}

/** Returns our rate divided by that of the library. */
async function benchLibrary(
  running: Stack,
  library: DurableTask['library'],
  operations: number,
  ours: { perS: number; cpuUs: number },
): Promise<number> {
  const database = `bench_${library.replace('-', '_')}`
  await query(running, `CREATE DATABASE ${database}`)
  const url = new URL(running.postgres.adminUrl)
  url.pathname = `/${database}`
  const admin = new pg.Client({ connectionString: url.href })
  await admin.connect()
  await admin.query(createTables)
  await admin.end()
  const task: DurableTask = {
    library,
    databaseUrl: url.href,
    postgresPid: running.postgres.pid ?? 0,
    providerUrl: running.providerUrl,
    credentials: 'test-user-amara-okafor-leeds',
    concurrency: 512,
    operations,
    steadyPerS,
    steadyOperations,
  }
  const result = JSON.parse((await run('durable/client.ts', task)).trim().split('\n').at(-1) ?? '') as DurableResult
  say(`baseline: the same steps in ${library}: ${result.perS.toFixed(0)}/s, ${result.cpuUs.toFixed(0)} CPU µs`)
  say(`  at ${steadyPerS}/s: p50 ${result.latencyMs.p50.toFixed(1)} ms, p99 ${result.latencyMs.p99.toFixed(1)} ms`)
  say(
    `  ours: ${(ours.perS / result.perS).toFixed(1)} × the rate, ${(ours.cpuUs / result.cpuUs).toFixed(2)} × the CPU\n`,
  )
  return ours.perS / result.perS
}

/** The task of an area that accepts for the seeded client. */
export async function acceptTask(running: Stack): Promise<Omit<AcceptTask, 'requests'>> {
  const [principal] = await query<Principal>(
    running,
    `SELECT g.owner_id, g.subject, g.client_id, g.grant_id, b.id AS binding_id FROM authz.grants g
     JOIN onboarding.bindings b ON b.owner_id::text = g.owner_id::text WHERE g.client_id = '${client(running).clientId}'`,
  )
  if (!principal) throw new Error('the stack has no grant')
  return {
    natsUrl: running.nats.server.url,
    nkeySeed: running.nats.seeds.beneficiaries,
    payloadKeys: running.keys.beneficiaries.PAYLOAD_KEYS,
    principal,
    concurrency: 512,
  }
}

/** Sends the load, and waits until no operation is in progress. */
export async function accept(running: Stack, task: AcceptTask): Promise<{ beganAtMs: number }> {
  const began = JSON.parse(await run('accept-client.ts', task)) as { beganAtMs: number }
  await settled(running)
  return began
}
