/**
 * `pnpm bench --operators 10000,1000000`: compares the time of operators' queries with ten thousand and with a million
 * stored operations. Each query is sent alone over the bus, as the console sends it. In both cases 5,000 operations are
 * from the last 24 hours and 200 are in flight; the rest is older.
 */

import { setTimeout as delay } from 'node:timers/promises'
import type { CallSubject, Calls } from '@financial-agents/bus/calls'
import { type Bus, connectBus } from '@financial-agents/bus/connect'
import type { FindOperationsRequest } from '@financial-agents/bus/messages/operator'
import { call } from '@financial-agents/bus/rpc'
import { createLog } from '@financial-agents/runtime/log'
import type { Stack } from '@financial-agents/testkit/stack'
import pg from 'pg'
import { say } from './measure.ts'

const recent = 5_000
const inFlight = 200
const mandate = '01990000-0000-7000-8000-00000000000a'
const perStatement = 100_000
const warmUps = 10
const rounds = 31

/**
 * Creates operations `$1` + 1 to `$2`, backwards in time: the recent ones within a day, the others at intervals of 20
 * seconds before that.
 */
const fill = `WITH stored AS (INSERT INTO operations.operations (id, owner_id, subject, client_id, grant_id, binding_id, kind, state, sequence,
    failure_code, resource_type, resource_id, created_at, updated_at, traceparent)
  SELECT gen_random_uuid(), 'owner-' || i % 10000, 'subject-' || i % 10000,
    CASE WHEN i <= 5 THEN 'client-rare' ELSE 'client-' || i % 20 END, 'grant-' || i % 10000, 'binding-' || i % 10000,
    CASE WHEN i <= 5 THEN 'card_close' WHEN i % 10 = 0 THEN 'card_create' ELSE 'transfer' END,
    CASE WHEN i <= ${inFlight} THEN 'indeterminate' WHEN i % 5000 = 0 THEN 'cancelled'
      WHEN i % 50 = 0 THEN 'failed' ELSE 'succeeded' END, 3,
    CASE WHEN i % 50 = 0 THEN 'provider_refused' END, 'withdrawal', gen_random_uuid(), at, at, ''
  FROM (SELECT i, now() - CASE WHEN i <= ${recent} THEN i * interval '17 seconds'
      ELSE interval '1 day' + i * interval '20 seconds' END AS at
    FROM generate_series($1::int + 1, $2::int) AS i) AS made
  RETURNING id, kind, state, owner_id, client_id, resource_id, created_at, updated_at),
  paid AS (INSERT INTO operations.transfers (id, operation_id, owner_id, client_id, mandate_id, beneficiary_id, amount, currency, day, created_at)
    SELECT resource_id, id, owner_id, client_id, CASE WHEN owner_id = 'owner-7' THEN '${mandate}'::uuid END, gen_random_uuid(), 10, 'EUR',
      created_at::date, created_at FROM stored WHERE kind = 'transfer')
  INSERT INTO operations.history (operation_id, sequence, from_state, event, to_state, moved_by, at)
  SELECT id, 3, from_state, event, state, 'submitter', updated_at FROM stored JOIN (VALUES
    ('succeeded', 'submitting', 'provider_completed'), ('failed', 'submitting', 'provider_refused'),
    ('cancelled', 'accepted', 'cancel_before_submission')) AS moves (to_state, from_state, event) ON to_state = state`

async function store(running: Stack, from: number, to: number): Promise<void> {
  const admin = new pg.Client({ connectionString: running.postgres.adminUrl })
  await admin.connect()
  try {
    await admin.query('SET synchronous_commit = off')
    for (let start = from; start < to; start += perStatement)
      await admin.query(fill, [start, Math.min(to, start + perStatement)])
    for (const table of ['operations', 'history', 'grants', 'unsuccessful', 'transfers'])
      await admin.query(`VACUUM ANALYZE operations.${table}`)
    await admin.query('CHECKPOINT')
  } finally {
    await admin.end()
  }
}

type Question = (bus: Bus) => Promise<unknown>

function ask<Subject extends CallSubject>(subject: Subject, request: Calls[Subject]['request']): Question {
  return (bus) => call(bus, subject, request, { requestId: 'bench', traceparent: '', timeoutMs: 15_000 })
}

const list = (filter: Partial<FindOperationsRequest>) =>
  ask('int.operations.find-operations', { ...filter, after: null, limit: 51 })
const ago = (hours: number) => new Date(Date.now() - hours * 3_600_000).toISOString()

const questions: Record<string, Question> = {
  'all, newest first': list({}),
  'all, a later page': ask('int.operations.find-operations', {
    after: { created_at: ago(20), id: '01990000-0000-7000-8000-000000000000' },
    limit: 51,
  }),
  succeeded: list({ state: 'succeeded' }),
  'cancelled (rare)': list({ state: 'cancelled' }),
  indeterminate: list({ state: 'indeterminate' }),
  'a common kind': list({ kind: 'transfer' }),
  'a rare kind': list({ kind: 'card_close' }),
  'a client': list({ client_id: 'client-7' }),
  'a rare client': list({ client_id: 'client-rare' }),
  'older than 30 hours': list({ created_until: ago(30) }),
  'kind and state': list({ kind: 'card_create', state: 'failed' }),
  'client and state': list({ client_id: 'client-7', state: 'failed' }),
  'client, kind, state and age': list({
    client_id: 'client-0',
    kind: 'card_create',
    state: 'failed',
    created_until: ago(2),
  }),
  'a failure code': list({ failure_code: 'provider_refused' }),
  'one person': list({ of_owner_of: ['grant-7'] }),
  'an unknown reference': list({ upstream_reference: 'nobody’s' }),
  'a common amount': list({ amount_from: '5', amount_to: '15' }),
  'an amount that nobody paid': list({ amount_from: '1000000' }),
  'a mandate': list({ mandate_id: mandate }),
  'a trace': list({ trace_id: 'f'.repeat(32) }),
  'a resource': list({ resource_id: mandate }),
  'a stretch of time': list({ created_from: ago(30), created_until: ago(26) }),
  'ended in an hour': list({ state: 'failed', ended_from: ago(3), ended_until: ago(2) }),
  'an operation': list({ operation_ids: [mandate] }),
  'the provider of an hour': ask('int.operations.submission-health', { since: ago(1), until: ago(0) }),
  'the provider of a day': ask('int.operations.submission-health', { since: ago(24), until: ago(0) }),
  'fifty grants': ask('int.operations.grant-activity', {
    grant_ids: Array.from({ length: 50 }, (_one, index) => `grant-${index * 7}`),
  }),
  'the overview': ask('int.operations.overview', null),
}

async function medianMs(bus: Bus, question: Question): Promise<number> {
  const taken: number[] = []
  for (let round = 0; round < warmUps + rounds; round += 1) {
    const startedAt = performance.now()
    await question(bus)
    if (round >= warmUps) taken.push(performance.now() - startedAt)
    await delay(5)
  }
  return taken.toSorted((a, b) => a - b)[Math.floor(rounds / 2)] ?? 0
}

export async function benchOperators(running: Stack, sizes: readonly number[]): Promise<void> {
  const bus = await connectBus({
    config: { NATS_URL: running.nats.server.url, NATS_NKEY_SEED: running.nats.seeds['ops-console'] },
    name: 'ops-console',
    log: createLog({ service: 'bench', level: 'error' }),
  })
  const found = new Map<string, number[]>()
  let stored = 0
  for (const size of sizes) {
    await store(running, stored, size)
    stored = size
    say(`stored ${size} operations`)
    for (const [name, question] of Object.entries(questions))
      found.set(name, [...(found.get(name) ?? []), await medianMs(bus, question)])
  }
  await bus.drain()
  for (const [name, ms] of found)
    say(
      `${name.padEnd(28)} ${ms.map((one) => `${one.toFixed(1).padStart(7)} ms`).join('')}   ${((ms.at(-1) ?? 0) / (ms[0] ?? 1)).toFixed(2)} ×`,
    )
}
