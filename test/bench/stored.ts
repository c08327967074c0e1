/**
 * `pnpm bench --stored`: compares the cost of an operation with ten thousand and with five million stored operations,
 * each with its history, key, decision, submission and resource. They are spread over the twelve months before this one,
 * each with a partition of its own. It inserts them with SQL, which takes some minutes.
 */

import type { Principal } from '@financial-agents/contract/principal'
import { beginMonthsAgo } from '@financial-agents/postgres/testing/months'
import type { Stack } from '@financial-agents/testkit/stack'
import pg from 'pg'
import type { LoadTask } from './load-client.ts'
import { client, load, perItemUs, query, say, snapshot } from './measure.ts'
import { accept, acceptTask } from './operations.ts'

const monthsBefore = 12
/** Five million are spread over a year. */
const secondsApart = 6
const perStatement = 250_000
const measured = 15_000

/** Every tenth row belongs to the client of the load, so that its own lists grow too. */
function fill(principal: Principal): string[] {
  const { owner_id, client_id, subject, grant_id, binding_id } = principal
  const mine = (own: string, other: string) => `CASE WHEN i % 10 = 0 THEN '${own}' ELSE ${other} END`
  return [
    `CREATE TEMP TABLE filling AS
     SELECT i, at, (id || '7' || substr(noise, 1, 3) || '8' || substr(noise, 4, 15))::uuid AS id,
       (id || '7' || substr(noise, 5, 3) || '9' || substr(noise, 10, 15))::uuid AS resource_id,
       ${mine(owner_id, "'owner-' || i % 10000")} AS owner_id, ${mine(client_id, "'client-' || i % 100")} AS client_id,
       ${mine(subject, "'subject-' || i % 10000")} AS subject, ${mine(grant_id, "'grant-' || i % 10000")} AS grant_id,
       ${mine(binding_id as string, "'binding-' || i % 10000")} AS binding_id
     FROM (SELECT i, at, lpad(to_hex((extract(epoch FROM at) * 1000)::bigint), 12, '0') AS id, md5(i::text) AS noise
       FROM (SELECT i, now() - interval '${monthsBefore} months' + i * interval '${secondsApart} seconds' AS at FROM generate_series($1::int, $2::int) AS i) AS given) AS made`,
    `INSERT INTO operations.decisions (operation_id, accepted, offer_id, request_hash, decided_at)
     SELECT id, true, resource_id, md5(id::text), at FROM filling`,
    `INSERT INTO operations.idempotency_keys (owner_id, client_id, key, route, request_hash, operation_id, created_at, expires_at)
     SELECT owner_id, client_id, id::text, 'POST /v1/beneficiaries', md5(id::text), id, at, at + interval '1 day' FROM filling
     WHERE at > now() - interval '29 days'`,
    `INSERT INTO operations.operations (id, owner_id, subject, client_id, grant_id, binding_id, kind, state, sequence,
       resource_type, resource_id, upstream_reference, created_at, updated_at, accepted_at, traceparent)
     SELECT id, owner_id, subject, client_id, grant_id, binding_id, 'beneficiary_create', 'succeeded', 3, 'beneficiary',
       resource_id, 'stored-' || i, at, at, at, '' FROM filling`,
    `INSERT INTO operations.history (operation_id, sequence, from_state, event, to_state, moved_by, at)
     SELECT id, sequence, from_state, event, to_state, 'submitter', at FROM filling, (VALUES
       (2, 'accepted', 'claim', 'submitting'), (3, 'submitting', 'provider_completed', 'succeeded'))
       AS moves (sequence, from_state, event, to_state)`,
    `INSERT INTO operations.grants (grant_id, owner_id, client_id)
     SELECT DISTINCT grant_id, owner_id, client_id FROM filling ON CONFLICT DO NOTHING`,
    `INSERT INTO submitter.submissions (operation_id, attempt_id, kind, resource_id, owner_id, subject, client_id, grant_id,
       binding_id, traceparent, state, base_sequence, sequence, claimed_at, lease_until, outcome_event, outcome_at,
       upstream_reference)
     SELECT id, resource_id, 'beneficiary_create', resource_id, owner_id, subject, client_id, grant_id, binding_id, '', 'succeeded', 1, 3,
       at, at, 'provider_completed', at, 'stored-' || i FROM filling`,
    `INSERT INTO beneficiaries.writes (operation_id, kind, resource_id, owner_id, client_id, route, idempotency_key, request_hash,
       state, outcome, operation_sequence, next_check_at, created_at, updated_at)
     SELECT id, 'beneficiary_create', resource_id, owner_id, client_id, 'POST /v1/beneficiaries', id::text, md5(id::text),
       'accepted', 'succeeded', 3, at, at, at FROM filling`,
    `INSERT INTO beneficiaries.beneficiaries (id, operation_id, owner_id, name, country, currency, payout_schema_id, is_external,
       masked_details, state, upstream_reference, created_at, updated_at)
     SELECT resource_id, id, owner_id, 'Stored', 'PT', 'EUR', 'sepa_pt_eur', false, '{}', 'active', 'stored-' || i, at, at FROM filling`,
    'DROP TABLE filling',
  ]
}

/** Stores operations until `to` exist. */
async function store(running: Stack, principal: Principal, from: number, to: number): Promise<void> {
  const admin = new pg.Client({ connectionString: running.postgres.adminUrl })
  await admin.connect()
  try {
    // The inserted rows are consistent, so triggers and foreign keys need not check them.
    await admin.query("SET session_replication_role = 'replica'; SET synchronous_commit = off")
    for (let start = from; start < to; start += perStatement)
      for (const [index, statement] of fill(principal).entries())
        await admin.query(statement, index === 0 ? [start + 1, Math.min(to, start + perStatement)] : [])
    await admin.query('VACUUM ANALYZE')
    await admin.query('CHECKPOINT')
  } finally {
    await admin.end()
  }
}

const bigTables = "schemaname IN ('operations', 'submitter', 'beneficiaries') AND n_live_tup > 5000"

const sequentialScans = async (running: Stack): Promise<number> =>
  Number(
    (
      await query<{ scans: string }>(
        running,
        `SELECT coalesce(sum(seq_scan), 0) AS scans FROM pg_stat_user_tables WHERE ${bigTables}`,
      )
    )[0]?.scans,
  )

type Costs = Record<'operation' | 'read' | 'list' | 'creation', number>

async function measure(running: Stack): Promise<Costs> {
  const cost = async (items: number, work: () => Promise<unknown>) => {
    const before = snapshot(running)
    await work()
    return perItemUs(before, snapshot(running), items).sum
  }
  const task: LoadTask = { ...client(running), kind: 'read', path: '', concurrency: 32, requests: 5_000, warmUp: 0 }
  const [own] = await query<{ id: string }>(
    running,
    `SELECT id FROM operations.operations WHERE client_id = '${task.clientId}' ORDER BY created_at DESC LIMIT 1`,
  )
  const reading = (path: string, requests: number) => () => load({ ...task, path, requests })
  const durable = await acceptTask(running)
  await accept(running, { ...durable, requests: 3_000 })
  await reading(`/v1/operations/${own?.id}`, 2_000)()
  return {
    operation: await cost(measured, () => accept(running, { ...durable, requests: measured })),
    creation: await cost(5_000, () => load({ ...task, kind: 'create', concurrency: 128 })),
    read: await cost(5_000, reading(`/v1/operations/${own?.id}`, 5_000)),
    list: await cost(1_500, reading('/v1/operations?limit=20', 1_500)),
  }
}

export async function benchStored(running: Stack, sizes: readonly number[]): Promise<void> {
  const { principal } = await acceptTask(running)
  for (const schema of ['operations', 'submitter'])
    await beginMonthsAgo(running.postgres.adminUrl, schema, monthsBefore)
  const found: Costs[] = []
  let stored = 0
  for (const size of sizes) {
    const startedAt = performance.now()
    await store(running, principal, stored, size)
    stored = size
    say(`stored ${size} operations in ${((performance.now() - startedAt) / 1_000).toFixed(0)} s`)
    const scans = await sequentialScans(running)
    const costs = await measure(running)
    found.push(costs)
    for (const [name, us] of Object.entries(costs))
      say(`  ${name.padEnd(10)} ${us.toFixed(0).padStart(6)} CPU µs in all processes together`)
    say(`  sequential scans of tables with more than 5,000 rows: ${(await sequentialScans(running)) - scans}`)
  }
  const [first, last] = [found[0], found.at(-1)]
  if (!first || !last) return
  for (const name of Object.keys(first) as (keyof Costs)[])
    say(
      `${name}: ${(last[name] / first[name]).toFixed(2)} × the cost beside ${sizes.at(-1)} stored operations as beside ${sizes[0]}`,
    )
}
