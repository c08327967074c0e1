import type { Database } from '@financial-agents/postgres/database'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { newId, openTestOperations, query } from '../operations.test-helper.ts'
import { store, storedOne } from '../stored.test-helper.ts'
import { readSubmissionHealth } from './submission-health.ts'

let tables: Awaited<ReturnType<typeof openTestOperations>>
let db: Database

beforeAll(async () => {
  tables = await openTestOperations()
  db = tables.open()
})
afterAll(() => tables.close())

test('answers are counted by kind with the time since the claim, within the stretch alone', async () => {
  const events = [
    ['transfer', 'provider_completed', 'succeeded', 100],
    ['transfer', 'provider_completed', 'succeeded', 200],
    ['transfer', 'provider_accepted', 'submitted', 300],
    ['transfer', 'provider_refused', 'failed', 400],
    ['transfer', 'lease_expired', 'indeterminate', 60_000],
    ['card_create', 'outcome_unknown', 'indeterminate', 5_000],
  ] as const
  const at = Date.parse('2026-11-20T10:30:00.000Z')
  for (const [kind, event, to, ms] of events) {
    const id = newId()
    await store(db, [storedOne({ id, kind, state: 'submitted', created_at: new Date(at) })])
    const apart = event === 'provider_refused'
    await query(
      db,
      `INSERT INTO history (operation_id, sequence, from_state, event, to_state, moved_by, at, claimed_at)
      SELECT $1::uuid, 3, 'submitting', $2, $3, 'submitter', $4::timestamptz + $5 * interval '1 millisecond', CASE WHEN $6 THEN NULL ELSE $4::timestamptz END`,
      [id, event, to, new Date(at), ms, apart],
    )
    if (apart)
      await query(
        db,
        `INSERT INTO history (operation_id, sequence, from_state, event, to_state, moved_by, at)
        VALUES ($1, 2, 'accepted', 'claim', 'submitting', 'submitter', $2)`,
        [id, new Date(at)],
      )
  }
  const stretch = { since: '2026-11-20T10:00:00.000Z', until: '2026-11-20T11:00:00.000Z' }
  expect(await readSubmissionHealth(db, stretch)).toEqual([
    { kind: 'card_create', answered: 0, refused: 0, unknown: 1, median_ms: 5_000, slow_ms: 5_000 },
    { kind: 'transfer', answered: 3, refused: 1, unknown: 1, median_ms: 250, slow_ms: 385 },
  ])
  expect(await readSubmissionHealth(db, { ...stretch, since: '2026-11-20T10:59:00.000Z' })).toEqual([])
  // Only the last 25 hours of a longer stretch are read.
  expect(await readSubmissionHealth(db, { since: stretch.since, until: '2026-11-23T11:00:00.000Z' })).toEqual([])
})
