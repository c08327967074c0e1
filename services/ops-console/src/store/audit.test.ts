import { createCursors } from '@financial-agents/contract/cursor'
import { statement } from '@financial-agents/postgres/database'
import { createTestDatabase } from '@financial-agents/postgres/testing/database'
import { explain } from '@financial-agents/postgres/testing/explain'
import { createFrozenClock } from '@financial-agents/runtime/clock'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { migrations } from '../migrations.ts'
import { type AuditEntry, createAudit, insertLook } from './audit.ts'
import { type AuditQuery, auditQuery, listAudit } from './audit-log.ts'

const database = await createTestDatabase({ service: 'ops-console', migrations })
const db = database.open()
afterAll(() => database.close())

const clock = createFrozenClock()
const audit = createAudit(db, clock)
const cursors = createCursors(Buffer.alloc(32, 1))
const marta = { id: 'marta.vidal', name: 'Marta Vidal' }

beforeAll(async () => {
  await db.rows(
    statement(
      'test_fill',
      `INSERT INTO audit (at, action, operator_id, operator_name, detail, outcome, request_id, session_key)
       SELECT timestamptz '2026-01-01' + n * interval '1 second', CASE n % 500 WHEN 0 THEN 'signIn' ELSE 'viewOverview' END,
         CASE n % 1000 WHEN 0 THEN 'rare' ELSE 'operator-' || n % 40 END, 'name', '{}', 'answered', 'request',
         'session-' || n % 40
       FROM generate_series(1, 20000) n`,
    ),
  )
  await db.rows(statement('test_analyze', 'ANALYZE audit'))
})

test.each([
  ['changed', `UPDATE audit SET outcome = 'other' WHERE id = 1`],
  ['deleted', 'DELETE FROM audit WHERE id = 1'],
  ['deleted, not even where nothing matches', 'DELETE FROM audit WHERE false'],
  ['truncated', 'TRUNCATE audit'],
])('no entry can be %s', async (name, text) => {
  await expect(db.rows(statement(`test_${name}`, text))).rejects.toThrow('the audit is append-only')
})

test('an entry is read back as it was written', async () => {
  const detail = { grant_id: 'g', reason: 'It drains accounts.' }
  await audit({
    action: 'suspendOperatorGrant',
    operator: marta,
    detail,
    outcome: 'suspended',
    remoteAddress: '192.0.2.7',
  })
  await audit({ action: 'signIn', operator: null, detail: {}, outcome: 'invalid_sign_in' })
  const { items } = await listAudit(db, cursors, {})
  expect(items.slice(0, 2)).toMatchObject([
    { action: 'signIn', operator: null, detail: {}, outcome: 'invalid_sign_in', remote_address: null },
    { action: 'suspendOperatorGrant', operator: marta, detail, outcome: 'suspended', remote_address: '192.0.2.7' },
  ])
  expect(items[0]?.at).toMatch(/Z$/)
})

test('an entry with text that the database cannot store is written all the same', async () => {
  const operator = { id: 'with\0nul', name: '\0' }
  await audit({ action: 'viewAudit', operator, detail: { '\0': '\0', path: '\\u0000' }, outcome: 'answered' })
  const { items } = await listAudit(db, cursors, { action: 'viewAudit' })
  expect(items[0]).toMatchObject({
    operator: { id: 'with\ufffdnul', name: '\ufffd' },
    detail: { '\ufffd': '\ufffd', path: '\\u0000' },
  })
  expect(await listAudit(db, cursors, { operator_id: '\0' })).toEqual({ items: [], next_cursor: null })
})

const look: AuditEntry = {
  action: 'listOperatorOperations',
  operator: { id: 'looker', name: 'Looker', session: 'one' },
  detail: { state: 'failed', limit: 25 },
  outcome: 'answered',
  remoteAddress: '192.0.2.7',
}
/** Returns the number of rows that these entries create. */
async function entriesOf(...entries: AuditEntry[]): Promise<number> {
  const count = statement('test_count', 'SELECT count(*)::int AS entries FROM audit')
  const entriesNow = async () => (await db.rows<{ entries: number }>(count))[0]?.entries ?? 0
  const before = await entriesNow()
  for (const entry of entries) await audit(entry)
  return (await entriesNow()) - before
}

test('a repeated look is recorded once for each quarter of an hour', async () => {
  const inOtherOrder = { ...look, detail: { limit: 25, state: 'failed' } }
  expect(await entriesOf(look, look, inOtherOrder)).toBe(1)
  clock.setOffsetMs(15 * 60_000 - 1_000)
  expect(await entriesOf(look)).toBe(0)
  clock.setOffsetMs(16 * 60_000)
  expect(await entriesOf(look, look)).toBe(1)
  clock.setOffsetMs(0)
})

test('a look of another operator, page, address or session is always recorded', async () => {
  await audit(look)
  for (const other of [
    { ...look, operator: { ...marta, session: 'one' } },
    { ...look, operator: { id: 'looker', name: 'Looker', session: 'two' } },
    { ...look, detail: { state: 'failed', limit: 26 } },
    { ...look, action: 'listOperatorGrants' } as const,
    { ...look, remoteAddress: '192.0.2.8' },
    { ...look, outcome: 'service_unavailable' },
  ])
    expect(await entriesOf(other)).toBe(1)
  const unnamed = { ...look, operator: marta }
  expect(await entriesOf(unnamed, unnamed)).toBe(2)
})

test('actions, refusals and failures are recorded each time', async () => {
  const deed = { ...look, action: 'suspendOperatorGrant', outcome: 'attempted' } as const
  const refused = { ...look, outcome: 'validation_failed' }
  const page = { ...look, action: 'refusedPage', outcome: 'insufficient_scope' } as const
  expect(await entriesOf(deed, deed, refused, refused, page, page)).toBe(6)
  expect(await entriesOf({ ...deed, outcome: 'answered' }, { ...deed, outcome: 'answered' })).toBe(2)
})

test('the earlier equal look is found by its index, however many looks there are', async () => {
  const values = [
    '2026-01-01T05:00:00Z',
    'viewOverview',
    'operator-7',
    'name',
    '{}',
    'answered',
    'r',
    null,
    'session-7',
  ]
  const text = await explain(db, insertLook, values)
  expect(text).toContain('audit_of_looks')
  expect(text).not.toMatch(/Seq Scan/)
})

async function walk(query: AuditQuery): Promise<number[]> {
  const ids: number[] = []
  let cursor: string | null = null
  do {
    const page: Awaited<ReturnType<typeof listAudit>> = await listAudit(
      db,
      cursors,
      cursor ? { ...query, cursor } : query,
    )
    ids.push(...page.items.map((item) => item.id))
    cursor = page.next_cursor
  } while (cursor)
  return ids
}

test('pages follow each other newest first and show each entry once', async () => {
  const ids = await walk({ operator_id: 'operator-7' })
  expect(ids).toHaveLength(500)
  expect(ids).toEqual([...new Set(ids)].toSorted((a, b) => b - a))
  expect(await walk({ operator_id: 'operator-20', action: 'signIn' })).toHaveLength(20)
})

test('a cursor of other filters is refused', async () => {
  const { next_cursor } = await listAudit(db, cursors, { operator_id: 'operator-7' })
  const query = { operator_id: 'operator-8', cursor: next_cursor ?? '' }
  await expect(listAudit(db, cursors, query)).rejects.toMatchObject({ code: 'validation_failed' })
})

test.each([
  ['all', {}, /using audit_pkey/],
  ['of a rare operator', { operator_id: 'rare' }, /audit_of_operator/],
  ['of a rare action', { action: 'signIn' }, /audit_of_action/],
  ['of both', { operator_id: 'rare', action: 'signIn' }, /audit_of_operator_and_action/],
])('a page %s finds its entries by an index', async (_name, query, index) => {
  const { sql, parameters } = auditQuery(query, 15_000).compile()
  const text = await explain(db, { name: index.source, text: sql }, parameters)
  expect(text).toMatch(index)
  expect(text).not.toMatch(/Seq Scan/)
})
