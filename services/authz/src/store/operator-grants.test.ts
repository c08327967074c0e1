import { randomUUID } from 'node:crypto'
import type { FindGrantsRequest, OperatorGrantRow } from '@financial-agents/bus/messages/operator'
import type { GrantStatus } from '@financial-agents/contract/schemas/authorization'
import { type Database, type Statement, statement } from '@financial-agents/postgres/database'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { insertGrant, reportedStatus, type StoredGrant, storedGrants } from './grant-rows.test-helper.ts'
import { listClientNames, listOf, listOperatorGrants } from './operator-grants.ts'
import { dayMs, openTestStore, serviceOf, spaOf, type TestStore } from './test-store.test-helper.ts'

let store: TestStore

beforeAll(async () => {
  store = await openTestStore()
  await store.apply([spaOf(), spaOf({ client_id: 'app-2', name: 'Another' }), serviceOf()])
})
afterAll(() => store.close())

type GrantOfTest = { id: string; client_id: string; subject: string; status: GrantStatus; created_at: Date }

async function make(how: StoredGrant, given: Omit<GrantOfTest, 'id' | 'status'>): Promise<GrantOfTest> {
  return { ...given, id: await insertGrant(store, how, given), status: reportedStatus[how] }
}

async function flow(filter: Partial<FindGrantsRequest>, limit: number): Promise<OperatorGrantRow[]> {
  const found: OperatorGrantRow[] = []
  let after: FindGrantsRequest['after'] = null
  for (;;) {
    const rows = await listOperatorGrants(store.db, { ...filter, after, limit }, store.clock.now())
    found.push(...rows)
    const last = rows.at(-1)
    if (!last || rows.length < limit) return found
    after = { created_at: last.created_at, id: last.grant_id }
  }
}

describe('grants of all owners', () => {
  const made: GrantOfTest[] = []

  beforeAll(async () => {
    await store.read('DELETE FROM grants')
    // Three grants share a time, so ids decide the order. Every client and status occurs.
    for (let index = 0; index < 56; index += 1)
      made.push(
        await make(storedGrants[index % storedGrants.length] ?? 'active', {
          client_id: index % 4 === 0 ? 'app-2' : 'app',
          subject: `subject-${index % 5}`,
          created_at: new Date(Date.parse('2026-05-01T10:00:00.000Z') + Math.floor(index / 3) * 1_000),
        }),
      )
  })

  test('every combination of filters finds exactly what it names, newest first, each once over all pages', async () => {
    for (const status of [undefined, 'active', 'suspended', 'revoked', 'expired'] as const)
      for (const client_id of [undefined, 'app-2', 'nobody', 'app\0'])
        for (const subject of [undefined, 'subject-3', 'nobody', '\0'])
          for (const grant_id of [undefined, made[10]?.id, randomUUID(), 'no id']) {
            const given = { status, client_id, subject, grant_id }
            const filter = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined))
            const wanted = made
              .filter((one) => status === undefined || one.status === status)
              .filter((one) => client_id === undefined || one.client_id === client_id)
              .filter((one) => subject === undefined || one.subject === subject)
              .filter((one) => grant_id === undefined || one.id === grant_id)
              .toSorted((a, b) => b.created_at.getTime() - a.created_at.getTime() || (a.id < b.id ? 1 : -1))
            const found = await flow(filter, 5)
            expect(
              found.map((row) => row.grant_id),
              JSON.stringify(given),
            ).toEqual(wanted.map((one) => one.id))
            expect(found.map((row) => row.status)).toEqual(wanted.map((one) => one.status))
          }
  })

  test('one grant is found by its id and by its subject, if it has the requested status', async () => {
    for (const how of storedGrants) {
      const subject = `of ${how}`
      const { id } = await make(how, { client_id: 'app', subject, created_at: new Date('2026-05-01T09:00:00.000Z') })
      for (const status of ['active', 'suspended', 'revoked', 'expired'] as const)
        for (const filter of [{ grant_id: id }, { subject }]) {
          const found = await flow({ ...filter, status }, 5)
          expect(found.map((row) => row.grant_id)).toEqual(reportedStatus[how] === status ? [id] : [])
        }
    }
  })

  test('a grant is listed with its client, its scopes and its last use, never with its owner', async () => {
    const [id] = made.filter((one) => one.status === 'active').map((one) => one.id)
    const at = store.clock.now()
    await store.read(
      `INSERT INTO audit (at, event, client_id, grant_id, actor, detail) VALUES ($1, 'token_issued', 'app-2', $2, 'client', '{}'),
        ($1::timestamptz + interval '1 second', 'consented', 'app-2', $2, 'owner', '{}')`,
      [at, id],
    )
    const [row] = await listOperatorGrants(store.db, { grant_id: String(id), after: null, limit: 1 }, store.clock.now())
    expect(row).toEqual({
      grant_id: id,
      subject: 'subject-0',
      client: { id: 'app-2', name: 'Another', profile: 'spa' },
      status: 'active',
      scopes: ['operations:read'],
      created_at: '2026-05-01T10:00:00.000Z',
      last_used_at: at.toISOString(),
      suspended: null,
    })
  })
})

test('clients are named, whether they are declared now or not; unknown ones are absent', async () => {
  await store.read('DELETE FROM grants')
  await store.apply([spaOf()])
  const names = await listClientNames(store.db, ['app-2', 'app', 'app', 'nobody', '\0'])
  expect(names).toEqual([
    { client_id: 'app-2', name: 'Another' },
    { client_id: 'app', name: 'An app' },
  ])
  expect(await listClientNames(store.db, [])).toEqual([])
})

describe('plans', () => {
  type Plan = { 'Index Name'?: string; 'Node Type': string; Plans?: Plan[] }
  const flat = (plan: Plan): Plan[] => [plan, ...(plan.Plans ?? []).flatMap(flat)]
  const cases: [Partial<FindGrantsRequest>, string][] = [
    [{}, 'grants_newest'],
    [{ status: 'suspended' }, 'grants_newest'],
    [{ status: 'expired' }, 'grants_newest'],
    [{ client_id: 'app' }, 'grants_newest_of_client'],
    [{ client_id: 'app-2', status: 'active' }, 'grants_newest_of_client'],
    [{ subject: 's-7' }, 'grants_of_subject'],
    [{ grant_id: '01980000-0000-7000-8000-000000000001' }, 'grants_pkey'],
  ]

  async function indexesOf(db: Database, { text }: Statement, values: readonly unknown[]): Promise<string[]> {
    const explain = statement('', `EXPLAIN (FORMAT JSON) ${text}`)
    const [row] = await db.rows<{ 'QUERY PLAN': [{ Plan: Plan }] }>(explain, values)
    const nodes = row ? flat(row['QUERY PLAN'][0].Plan) : []
    expect(nodes.filter((node) => node['Node Type'] === 'Seq Scan')).toEqual([])
    return nodes.flatMap((node) => node['Index Name'] ?? [])
  }

  test('each list reads an index of its own, also before there are statistics', async () => {
    const allowed = ['grants_pkey', 'clients_pkey', 'audit_of_grant', 'grants_by_expiry']
    for (const grown of [false, true]) {
      if (grown) {
        await store.read(
          `INSERT INTO grants (grant_id, client_id, kind, owner_id, subject, scopes, policy, expires_at, status,
            created_at, updated_at, status_changed_at)
          SELECT gen_random_uuid(), 'app', 'human', gen_random_uuid(), 's-' || i, '{}', '{}', now() + interval '1 day',
            CASE i % 2 WHEN 0 THEN 'active' ELSE 'revoked' END, now() - i * interval '1 minute', now(), now()
          FROM generate_series(1, 20000) AS i`,
        )
        await store.read('ANALYZE grants')
      }
      for (const [filter, index] of cases) {
        const { list, values } = listOf({ ...filter, after: null, limit: 51 }, new Date(Date.now() + dayMs / 24))
        const used = await indexesOf(store.db, list as Statement, values)
        expect(used, JSON.stringify(filter)).toContain(index)
        // Without statistics, the two indexes of unended human grants cost the same.
        const equal = grown ? [] : ['one_human_grant']
        expect([...allowed, ...equal, index]).toEqual(expect.arrayContaining(used))
      }
    }
  })
})
