import { randomUUID } from 'node:crypto'
import type { ReadHealthReport } from '@financial-agents/bus/messages/operator'
import { statement } from '@financial-agents/postgres/database'
import { createTestDatabase } from '@financial-agents/postgres/testing/database'
import { explain } from '@financial-agents/postgres/testing/explain'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { migrations } from '../migrations.ts'
import { pruneBatch } from './prune.ts'
import { circuitsNow, readReadHealth, readsByDay, readsSince, recordReadHealth } from './read-health.ts'

const database = await createTestDatabase({ service: 'ops-console', migrations })
const db = database.open()
afterAll(() => database.close())
beforeEach(() => db.rows(statement('test_empty', 'TRUNCATE provider_reads, provider_circuits')))

const now = new Date('2026-11-20T20:20:00.000Z')
const ago = (ms: number) => new Date(now.getTime() - ms)
const since = '2026-11-20T20:00:00.000Z'
const read = { provider: 'fake', read: 'accounts', calls: 4, failed: 1, turned_away: 2, total_ms: 400, most_ms: 250 }
const report = (changes: Partial<ReadHealthReport> = {}): ReadHealthReport => ({
  reporter: randomUUID(),
  reads: [read],
  circuits: [{ provider: 'fake', read: 'accounts', state: 'closed', since }],
  ...changes,
})

test('reports of all processes are summed by kind, for the last hour and by day', async () => {
  await recordReadHealth(db, report(), now)
  await recordReadHealth(db, report({ reads: [{ ...read, total_ms: 800, most_ms: 700 }] }), ago(60_000))
  await recordReadHealth(db, report({ reads: [{ ...read, provider: null, read: 'assets' }] }), now)
  await recordReadHealth(db, report(), ago(2 * 3_600_000))
  await recordReadHealth(db, report(), ago(86_400_000))
  await recordReadHealth(db, report(), ago(8 * 86_400_000))
  const { lastHour, days } = await readReadHealth(db, 7, now)
  expect(lastHour).toEqual([
    { provider: '', read: 'assets', calls: 4, failed: 1, turned_away: 2, mean_ms: 100, most_ms: 250 },
    { provider: 'fake', read: 'accounts', calls: 8, failed: 2, turned_away: 4, mean_ms: 150, most_ms: 700 },
  ])
  expect(days).toMatchObject([
    { day: '2026-11-19', calls: 4 },
    { day: '2026-11-20', calls: 16, failed: 4 },
  ])
})

test('a circuit is open where any process says so, since the first; a process that is silent for three minutes is left out', async () => {
  const circuits = (state: 'closed' | 'open' | 'half_open', at: string) => [
    { provider: 'fake', read: 'accounts', state, since: at },
  ]
  const changing = randomUUID()
  await recordReadHealth(db, report({ circuits: circuits('closed', '2026-11-20T20:19:00.000Z') }), now)
  await recordReadHealth(db, report({ reporter: changing, circuits: circuits('closed', since) }), ago(60_000))
  await recordReadHealth(db, report({ circuits: circuits('open', since) }), ago(181_000))
  const circuit = async () => (await readReadHealth(db, 7, now)).circuits
  const closed = { provider: 'fake', read: 'accounts', processes: 2, open: 0, half_open: 0 }
  expect(await circuit()).toEqual([{ ...closed, since: new Date('2026-11-20T20:19:00.000Z') }])
  await recordReadHealth(db, report({ reporter: changing, circuits: circuits('open', since) }), now)
  expect(await circuit()).toEqual([{ ...closed, open: 1, since: new Date(since) }])
})

test('figures are pruned after 30 days, and circuits of processes that have ended', async () => {
  await recordReadHealth(db, report(), ago(31 * 86_400_000))
  await recordReadHealth(db, report(), ago(29 * 86_400_000))
  await recordReadHealth(db, report(), now)
  await pruneBatch(db, now)
  const count = statement(
    'test_count',
    'SELECT (SELECT count(*) FROM provider_reads) AS reads, (SELECT count(*) FROM provider_circuits) AS circuits',
  )
  expect(await db.rows(count)).toEqual([{ reads: 2, circuits: 1 }])
})

test('the last hour, and the circuits of now, are found by their indexes among the rows of 30 days', async () => {
  const fill = `INSERT INTO provider_reads SELECT timestamptz '2026-11-20 20:20Z' - n / 15 * interval '10 minutes', 'fake',
    'read ' || n % 15, 1, 0, 0, 1, 1 FROM generate_series(0, 64799) n`
  await db.rows(statement('test_fill_reads', fill))
  const circuits = `INSERT INTO provider_circuits SELECT gen_random_uuid(), 'fake', 'read', 'closed', now(),
    timestamptz '2026-11-20 20:20Z' - n * interval '1 minute' FROM generate_series(0, 20000) n`
  await db.rows(statement('test_fill_circuits', circuits))
  await db.rows(statement('test_analyze', 'ANALYZE provider_reads, provider_circuits'))
  expect(await explain(db, readsSince, [ago(4_200_000)])).toContain('provider_reads_pkey')
  expect(await explain(db, readsByDay, [ago(86_400_000)])).toContain('provider_reads_pkey')
  expect(await explain(db, circuitsNow, [ago(180_000)])).toContain('provider_circuits_by_age')
})
