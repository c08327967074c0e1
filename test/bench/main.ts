/**
 * `pnpm bench`: what a DPoP-protected read and a durable operation cost, in CPU time by process and in throughput, beside
 * baselines of the same run on the same machine: one ES256 verification, and the commit of one row.
 * Quote the ratios: milliseconds belong to the machine.
 */

import { execFile } from 'node:child_process'
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Principal } from '@financial-agents/contract/principal'
import { createServiceClient } from '@financial-agents/testkit/client'
import { removeStackFolder, type Stack, startStack } from '@financial-agents/testkit/stack'
import pg from 'pg'
import type { AcceptTask } from './accept-client.ts'
import { cpuMs } from './cpu.ts'
import { benchDpop } from './dpop.ts'
import type { LoadResult, LoadTask } from './load-client.ts'
import { startPlainProvider } from './plain-provider.ts'

const scope = 'beneficiaries:read beneficiaries:write operations:read'
const say = (line: string) => process.stdout.write(`${line}\n`)

const folder = await mkdtemp(join(tmpdir(), 'financial-agents-bench-'))
const stack = await startStack({
  folder,
  log: () => {},
  providerLatencyMs: 5,
  environment: { all: { LOG_LEVEL: 'warn' }, gateway: { GRANT_RATE_PER_S: '0', ADDRESS_RATE_PER_S: '0' } },
})
try {
  const verification = benchDpop().verificationUs
  say(`baseline: one ES256 verification ${verification.toFixed(0)} µs`)
  const commits = await benchCommits(stack)
  say(
    `baseline: single-row insert, committed, 32 at once: ${commits.perS.toFixed(0)}/s, ${commits.cpuUs.toFixed(0)} CPU µs\n`,
  )
  await benchTokens(stack)
  await benchRead(stack, verification)
  await benchOperations(stack, commits)
  await benchDurable(stack, commits)
} finally {
  await stack.stop()
  await removeStackFolder(folder)
}
process.exit(0)

/** The token endpoint, beside the library alone with its in-memory store, doing the same work. */
async function benchTokens(running: Stack): Promise<void> {
  const task: LoadTask = { ...client(running), kind: 'token', concurrency: 32, requests: 1_000, warmUp: 0 }
  const plain = await startPlainProvider(task)
  try {
    const alone = { ...task, baseUrl: plain.baseUrl }
    await load(alone)
    const plainBefore = cpuMs(plain.pid)
    const baseline = await load({ ...alone, requests: 6_000 })
    const baselineUs = ((cpuMs(plain.pid) - plainBefore) * 1_000) / baseline.counted
    const baselinePerS = (baseline.counted * 1_000) / baseline.elapsedMs
    say(
      `baseline: oidc-provider alone, in memory: ${baselinePerS.toFixed(0)} tokens/s, ${baselineUs.toFixed(0)} CPU µs`,
    )
    await load(task)
    const before = snapshot(running)
    const result = await load({ ...task, requests: 6_000 })
    const cost = perItemUs(before, snapshot(running), result.counted)
    const perS = (result.counted * 1_000) / result.elapsedMs
    say(`token (client credentials, private_key_jwt, DPoP), 32 at once: ${perS.toFixed(0)}/s`)
    report(cost, result)
    const [cpuRatio, rateRatio] = [cost.sum / baselineUs, perS / baselinePerS]
    say(`  ${cpuRatio.toFixed(1)} × the CPU, ${rateRatio.toFixed(2)} × the rate of the library alone in memory\n`)
  } finally {
    plain.stop()
  }
}

/** CPU milliseconds so far of every process of the system. */
function snapshot(running: Stack): Record<string, number> {
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

function perItemUs(before: Record<string, number>, after: Record<string, number>, items: number) {
  const rows = Object.keys(after).map((name) => ({
    name,
    us: ((after[name] ?? 0) - (before[name] ?? 0)) * (1_000 / items),
  }))
  return { rows: rows.filter((row) => row.us >= 0.5), sum: rows.reduce((total, row) => total + row.us, 0) }
}

/** Runs a load generator with its task, and answers what it printed. */
async function run(file: string, task: LoadTask | AcceptTask): Promise<string> {
  const args = [join(import.meta.dirname, file), JSON.stringify(task)]
  const { stdout } = await promisify(execFile)(process.execPath, args, { maxBuffer: 1 << 20 })
  return stdout
}

async function load(task: LoadTask): Promise<LoadResult> {
  const result = JSON.parse(await run('load-client.ts', task)) as LoadResult
  const wanted = task.kind === 'create' ? '202' : '200'
  if (Object.keys(result.statuses).some((status) => status !== wanted))
    throw new Error(`not every answer was ${wanted}: ${JSON.stringify(result.statuses)}`)
  return result
}

function client(running: Stack) {
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

async function benchCommits(running: Stack): Promise<{ perS: number; cpuUs: number }> {
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

async function benchRead(running: Stack, verificationUs: number): Promise<void> {
  const seeded = client(running)
  const api = await createServiceClient(seeded)
  await api.authorize(scope)
  const created = await api.request('POST', '/v1/beneficiaries', {
    key: crypto.randomUUID(),
    body: {
      name: 'Bench',
      country: 'PT',
      currency: 'EUR',
      payout_schema_id: 'sepa_pt_eur',
      details: { iban: 'PT50000201231234567890154' },
    },
  })
  const task: LoadTask = {
    ...seeded,
    kind: 'read',
    path: `/v1/operations/${created.body.id}`,
    concurrency: 32,
    requests: 4_000,
    warmUp: 0,
  }
  await load(task)
  const before = snapshot(running)
  const result = await load({ ...task, requests: 30_000 })
  const cost = perItemUs(before, snapshot(running), result.counted)
  say(`DPoP-protected read by key, 32 at once: ${((result.counted * 1_000) / result.elapsedMs).toFixed(0)}/s`)
  report(cost, result)
  say(`  ${(cost.sum / verificationUs).toFixed(1)} × one ES256 verification in all processes together\n`)
}

async function benchOperations(running: Stack, commits: { perS: number; cpuUs: number }): Promise<void> {
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
}

async function benchDurable(running: Stack, commits: { perS: number; cpuUs: number }): Promise<void> {
  const [principal] = await query<Principal>(
    running,
    `SELECT g.owner_id, g.subject, g.client_id, g.grant_id, b.id AS binding_id FROM authz.grants g
     JOIN onboarding.bindings b ON b.owner_id::text = g.owner_id::text WHERE g.client_id = '${client(running).clientId}'`,
  )
  if (!principal) throw new Error('the stack has no grant')
  const task: AcceptTask = {
    natsUrl: running.nats.server.url,
    nkeySeed: running.nats.seeds.beneficiaries,
    payloadKeys: running.keys.payload,
    principal,
    concurrency: 512,
    requests: 5_000,
  }
  const accept = async (given: AcceptTask) => {
    const began = JSON.parse(await run('accept-client.ts', given)) as { beganAtMs: number }
    await settled(running)
    return began.beganAtMs
  }
  await accept(task)
  const requests = 30_000
  const before = snapshot(running)
  const beganAtMs = await accept({ ...task, requests })
  const perS = (requests * 1_000) / (Date.now() - beganAtMs)
  const cost = perItemUs(before, snapshot(running), requests)
  say(`durable operation from acceptance to terminal (5 ms provider), 512 at once: ${perS.toFixed(0)}/s`)
  report(cost)
  say(
    `  ${(cost.sum / commits.cpuUs).toFixed(1)} × the CPU, ${(perS / commits.perS).toFixed(2)} × the rate of a single-row insert\n`,
  )
}

function report(cost: ReturnType<typeof perItemUs>, result?: LoadResult): void {
  for (const row of cost.rows.toSorted((a, b) => b.us - a.us))
    say(`  ${row.name.padEnd(14)} ${row.us.toFixed(0).padStart(5)} CPU µs`)
  say(`  ${'together'.padEnd(14)} ${cost.sum.toFixed(0).padStart(5)} CPU µs`)
  if (!result) return
  say(`  latency p50 ${result.latencyMs.p50.toFixed(1)} ms, p99 ${result.latencyMs.p99.toFixed(1)} ms`)
}

/** Waits until no operation is under way. */
async function settled(running: Stack): Promise<void> {
  const open =
    "SELECT count(*)::int AS open FROM operations.operations WHERE state IN ('accepted', 'submitting', 'submitted')"
  while ((await query<{ open: number }>(running, open))[0]?.open !== 0)
    await new Promise((resolve) => setTimeout(resolve, 20))
}

async function query<Row>(running: Stack, text: string): Promise<Row[]> {
  const admin = new pg.Client({ connectionString: running.postgres.adminUrl })
  await admin.connect()
  try {
    return (await admin.query(text)).rows as Row[]
  } finally {
    await admin.end()
  }
}
