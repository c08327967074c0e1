/** Operations and history by month, on real PostgreSQL, with the two roles of production. */

import { randomBytes } from 'node:crypto'
import { type Database, openDatabase, statement } from '@financial-agents/postgres/database'
import { migrate } from '@financial-agents/postgres/migrate'
import { countRowsOutsideMonths, makeFirstMonths, makeMonths } from '@financial-agents/postgres/months'
import { ownerUrl, provisionRoles, roleUrl } from '@financial-agents/postgres/provision'
import { dropRoles, patient } from '@financial-agents/postgres/testing/database'
import { afterEach, expect, test } from 'vitest'
import { migrations, privileges } from './migrations.ts'

const adminUrl = process.env['TEST_POSTGRES_URL'] as string
const opened: (() => Promise<void>)[] = []

afterEach(async () => {
  for (const close of opened.splice(0).toReversed()) await close()
})

/** A schema after the command `migrate`. */
async function open() {
  const service = `months_${randomBytes(4).toString('hex')}`
  const roles = { service, password: 'runtime', ownerPassword: 'owner' }
  await provisionRoles(adminUrl, [roles])
  opened.push(() => dropRoles(adminUrl, service))
  const connectionString = ownerUrl(adminUrl, roles)
  const connect = (url: string): Database => {
    const db = openDatabase({
      connectionString: url,
      applicationName: 'test',
      schema: service,
      ...patient,
      maxConnections: 2,
      onError: () => {},
    })
    opened.push(() => db.close())
    return db
  }
  await migrate({ connectionString, schema: service, migrations, privileges })
  await makeFirstMonths(connectionString, service)
  return { owner: connect(connectionString), runtime: connect(roleUrl(adminUrl, roles)) }
}

const idAt = (at: Date) => {
  const ms = at.getTime().toString(16).padStart(12, '0')
  return `${ms.slice(0, 8)}-${ms.slice(8)}-7${randomBytes(2).toString('hex').slice(1)}-8${randomBytes(2).toString('hex').slice(1)}-${randomBytes(6).toString('hex')}`
}

const insert = statement(
  'insert_both',
  `WITH item AS (SELECT unnest($1::uuid[]) AS id), begun AS (
     INSERT INTO history (operation_id, sequence, from_state, event, to_state, moved_by, at)
     SELECT id, 1, 'new', 'accept', 'accepted', 'operations', now() FROM item)
   INSERT INTO operations (id, owner_id, subject, client_id, grant_id, binding_id, kind, state, sequence, resource_type,
     resource_id, created_at, updated_at, accepted_at, traceparent)
   SELECT id, 'o', 's', 'c', 'g', 'b', 'beneficiary_create', 'accepted', 1, 'beneficiary', id, now(), now(), now(), ''
   FROM item`,
)
const homes = statement(
  'homes',
  `SELECT id, tableoid::regclass::text AS home, (SELECT h.tableoid::regclass::text FROM history h WHERE operation_id = id) AS history
   FROM operations WHERE id = ANY ($1::uuid[])`,
)

async function homesOf(db: Database, ids: readonly string[]): Promise<string[]> {
  const rows = await db.rows<{ id: string; home: string; history: string }>(homes, [ids])
  return ids.map((id) => {
    const row = rows.find((each) => each.id === id)
    expect(row?.history).toBe(row?.home.replace('operations', 'history'))
    return String(row?.home)
  })
}

const monthStart = (ahead: number) => {
  const now = new Date()
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + ahead, 1))
}
const nameOf = (ahead: number) => `operations_${monthStart(ahead).toISOString().slice(0, 7).replace('-', '_')}`

test('an id goes to the month in which it was generated', async () => {
  const { runtime } = await open()
  const edge = new Date(monthStart(2).getTime() - 1)
  const ids = [new Date(), edge, monthStart(2), new Date(monthStart(3).getTime() - 1)].map(idAt)
  await runtime.rows(insert, [ids])
  expect(await homesOf(runtime, ids)).toEqual([nameOf(0), nameOf(1), nameOf(2), nameOf(2)])
  expect(await countRowsOutsideMonths(runtime)).toBe(0)
})

test('an id of any time finds a partition, and goes to its month when the month is made', async () => {
  const { owner, runtime } = await open()
  const odd = ['ffffffff-ffff-4fff-bfff-ffffffffffff', '00000000-0000-0000-0000-000000000000', idAt(monthStart(3))]
  await runtime.rows(insert, [odd])
  expect(await homesOf(runtime, odd)).toEqual(Array(3).fill('operations_rest'))
  expect(await countRowsOutsideMonths(runtime)).toBe(6)
  // Drops the last two months, as if they had not been made yet. The test cannot move the time instead.
  for (const month of [1, 2])
    for (const table of ['history', 'operations'])
      await owner.rows(statement('', `DROP TABLE ${nameOf(month).replace('operations', table)}`))
  await owner.rows(statement('', `UPDATE month_tables SET until = '${monthStart(1).toISOString()}'`))
  const late = [idAt(monthStart(1)), idAt(monthStart(2))]
  await runtime.rows(insert, [late])
  expect(await homesOf(runtime, late)).toEqual(['operations_rest', 'operations_rest'])
  expect(await makeMonths(runtime)).toBe(4)
  expect(await homesOf(runtime, late)).toEqual([nameOf(1), nameOf(2)])
  expect(await countRowsOutsideMonths(runtime)).toBe(6)
  expect(await makeMonths(runtime)).toBe(0)
})

test('a month has the storage options, triggers, constraints and rights of the table', async () => {
  const { owner, runtime } = await open()
  const facts = `SELECT array_agg(x ORDER BY x) AS facts FROM (
    SELECT unnest(reloptions) AS x FROM pg_class WHERE oid = $1::regclass
    UNION ALL SELECT pg_get_constraintdef(oid) FROM pg_constraint WHERE conrelid = $1::regclass
    UNION ALL SELECT regexp_replace(pg_get_triggerdef(oid), ' ON [^ ]+', '') FROM pg_trigger WHERE tgrelid = $1::regclass AND NOT tgisinternal
    UNION ALL SELECT regexp_replace(pg_get_indexdef(indexrelid), 'INDEX [^ ]+ ON (ONLY )?[^ ]+', '') FROM pg_index WHERE indrelid = $1::regclass
    UNION ALL SELECT attname || attstorage::text || attgenerated::text || attnotnull::text FROM pg_attribute WHERE attrelid = $1::regclass AND attnum > 0 AND NOT attisdropped) AS given`
  const factsOf = async (table: string) =>
    (await owner.rows<{ facts: string[] }>(statement('', facts), [table]))[0]?.facts
  const optionsOf = (facts: string[] | undefined) => facts?.filter((fact) => /^\w+=/.test(fact))
  for (const table of ['operations', 'history']) {
    const [whole, rest, month] = await Promise.all(
      [table, `${table}_rest`, nameOf(2).replace('operations', table)].map(factsOf),
    )
    expect(month).toEqual(rest)
    // A partitioned table has no storage options.
    expect(month?.filter((fact) => !optionsOf(month)?.includes(fact))).toEqual(whole)
  }
  expect(optionsOf(await factsOf(nameOf(2)))).toContain('fillfactor=50')
  const month = nameOf(2)
  const refused: [Database, string, RegExp][] = [
    [runtime, `INSERT INTO ${month} (id) VALUES (gen_random_uuid())`, /permission denied/],
    [runtime, `UPDATE ${month} SET state = 'failed'`, /permission denied/],
    [runtime, `DELETE FROM operations_rest`, /permission denied/],
    [runtime, `DROP TABLE ${month}`, /must be owner/],
    [runtime, `ALTER TABLE operations DETACH PARTITION ${month}`, /must be owner/],
    [runtime, `SELECT make_partition('operations', 'more')`, /permission denied/],
    [runtime, `SELECT move_rows('operations', '${month}', 'id', id_from(now()), id_from(now()))`, /must be owner/],
    [runtime, 'UPDATE archive_horizon SET before = now()', /permission denied/],
    [owner, `DELETE FROM ${month.replace('operations', 'history')}`, /append-only/],
    [owner, `TRUNCATE ${month.replace('operations', 'history')}`, /append-only/],
    [owner, 'DELETE FROM history', /append-only/],
  ]
  for (const [db, text, message] of refused) await expect(db.rows(statement('', text)), text).rejects.toThrow(message)
})
