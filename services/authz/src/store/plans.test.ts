/** PostgreSQL's own counters: no statement of the service reads a whole table, however large the tables are. */

import { randomUUID } from 'node:crypto'
import type { Database } from '@financial-agents/postgres/database'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { listActiveGrants } from './active-grants.ts'
import { createArtifactStore } from './artifacts.ts'
import { createAuditor } from './audit.ts'
import { getLastSequence, listChangesAfter } from './changes.ts'
import { findClient } from './clients.ts'
import { findDelegation } from './delegations.ts'
import {
  findFence,
  leaseFences,
  listUnconfirmedOfClient,
  recordFenceConfirmed,
  recordFenceUnanswered,
} from './fences.ts'
import { expireGrants, revokeGrant, suspendGrant } from './grant-status.ts'
import { findGrant } from './grants.ts'
import { findHumanGrant, findHumanGrantById, findSuspension, grantLifetimeMs, holdGrant } from './human-grants.ts'
import { listClientNames, listOperatorGrants } from './operator-grants.ts'
import { listGrantsOfOwner } from './owner-grants.ts'
import { recordLabel } from './owner-labels.ts'
import { findOwner, recordOwner } from './owners.ts'
import { pruneExpired } from './prune.ts'
import { createClaimOnce } from './replays.ts'
import { fixBinding, listUnfixed } from './service-bindings.ts'
import { createSignInStore } from './sign-ins.ts'
import { dayMs, openTestStore, spaOf, type TestStore } from './test-store.test-helper.ts'

// Clients and signing keys are few and are read completely: to apply a declaration, to list origins, to load the keys.
const tables = ['grants', 'owners', 'owner_labels', 'sign_ins', 'artifacts', 'replays', 'changes', 'fences', 'audit']
let store: TestStore

beforeAll(async () => {
  store = await openTestStore()
  await store.apply([spaOf()])
})
afterAll(() => store.close())

async function withGrant(db: Database): Promise<void> {
  const { clock } = store
  const [owner_id, now] = [randomUUID(), clock.now()]
  const { grant_id } = await store.consent({ owner_id }, db)
  await store.consent({ owner_id, scopes: ['beneficiaries:read'] }, db)
  await findHumanGrant(db, owner_id, 'app')
  await findHumanGrantById(db, grant_id)
  await findSuspension(db, owner_id, 'app')
  await findGrant(db, grant_id, now)
  await listActiveGrants(db, [{ owner_id, client_id: 'app' }], now)
  await listUnfixed(db, 10)
  await fixBinding(db, grant_id, 'binding')
  await findDelegation(db, grant_id, now)
  await holdGrant(db, grant_id, now)
  const refreshed = { at: now, event: 'token_refreshed', client_id: 'app', grant_id, owner_id } as const
  await createAuditor(db)({ ...refreshed, actor: 'client', detail: {} })
  await listGrantsOfOwner(db, owner_id, now)
  await recordOwner(db, { owner_id, display_name: null, locale: 'en', timezone: 'UTC' }, now)
  await findOwner(db, owner_id)
  await recordLabel(db, { owner_id, client_id: 'app', label: 'Mine' }, now)
  await recordLabel(db, { owner_id, client_id: 'app', label: '' }, now)
  await withArtifacts(db, grant_id)
  for (const filter of [
    {},
    { grant_id },
    { status: 'active' },
    { client_id: 'app' },
    { subject: randomUUID() },
  ] as const)
    await listOperatorGrants(db, { ...filter, after: null, limit: 2 }, now)
  await listClientNames(db, ['app'])
  await suspendGrant(db, grant_id, { reason: 'test', by: 'operator', request_id: null }, now)
  await revokeGrant(db, grant_id, { reason: 'revoked_by_owner', by: 'owner', request_id: null }, now)
}

async function withArtifacts(db: Database, grantId: string): Promise<void> {
  const { clock, sealer } = store
  const artifacts = createArtifactStore(db, sealer, 'DeviceCode')
  const [id, uid, userCode] = [randomUUID(), randomUUID(), randomUUID()]
  const expiresAt = new Date(clock.nowMs() + dayMs)
  await artifacts.record(id, { jti: id }, { grantId, uid, userCode }, expiresAt)
  await Promise.all([artifacts.find(id), artifacts.findByUid(uid), artifacts.findByUserCode(userCode)])
  await artifacts.consume(id, clock.now())
  await artifacts.destroy(id)
  await artifacts.record(id, { jti: id }, { grantId }, expiresAt)
  await artifacts.revokeByGrantId(grantId)
}

/** Runs every statement of the service, each more often than PostgreSQL needs before it keeps a plan. */
async function runEverything(): Promise<void> {
  const { clock, sealer } = store
  const db = store.open(2, 'authz-plans')
  const claimOnce = createClaimOnce(db, () => clock.now())
  const signIns = createSignInStore(db, sealer)
  for (let round = 0; round < 16; round += 1) {
    await withGrant(db)
    const keys = { state: randomUUID(), browser: randomUUID() }
    const expires_at = new Date(clock.nowMs() + 60_000)
    await signIns.record(keys, { sign_in_id: 'sign-in', next: '/account', expires_at }, clock.now())
    await signIns.find(keys, clock.now())
    await signIns.recordSignedIn(keys, randomUUID(), clock.now())
    await signIns.consume(keys.browser, '/account', clock.now())
    await claimOnce(randomUUID())
    await findClient(db, 'app')
    await listChangesAfter(db, (await getLastSequence(db)) - 3)
    const ofGrant = { target: 'grant', target_id: '17' } as const
    await findFence(db, ofGrant)
    await listUnconfirmedOfClient(db, 'app', 100)
    for (const fence of await leaseFences(db, clock.now(), expires_at, 3)) {
      await recordFenceUnanswered(db, fence)
      await recordFenceConfirmed(db, fence)
    }
    await pruneExpired(db, new Date(clock.nowMs() - 30 * dayMs))
    await expireGrants(db, new Date(clock.nowMs() - grantLifetimeMs), 100)
  }
  // A connection reports its counts when it closes.
  await db.close()
}

async function grow(): Promise<void> {
  const rows = 'FROM generate_series(1, 5000) n'
  const hash = `sha256(n::text::bytea)`
  const statements = [
    `INSERT INTO grants (grant_id, client_id, kind, owner_id, subject, scopes, policy, expires_at, status, created_at,
       updated_at, status_changed_at)
     SELECT gen_random_uuid(), 'app', 'human', gen_random_uuid(), 's', '{}', '{}', now() + interval '1 day',
       CASE n % 2 WHEN 0 THEN 'active' ELSE 'revoked' END, now(), now(), now() - interval '1 year' ${rows}`,
    `INSERT INTO owners SELECT gen_random_uuid(), 'name', 'en', 'UTC', now(), now() ${rows}`,
    `INSERT INTO sign_ins (state_hash, browser_hash, next_hash, content_sealed, expires_at, created_at)
     SELECT ${hash}, ${hash}, ${hash}, '', now(), now() ${rows}`,
    `INSERT INTO artifacts (model, id_hash, payload_sealed, grant_hash, expires_at)
     SELECT 'RefreshToken', ${hash}, '', ${hash}, now() ${rows}`,
    `INSERT INTO replays SELECT ${hash}, now() ${rows}`,
    `INSERT INTO changes (change, created_at) SELECT '{"client_id":"app"}', now() ${rows}`,
    `INSERT INTO fences (target, target_id, fenced, reason, version, confirmed_version)
     SELECT 'grant', n, true, 'r', 1, 1 ${rows}`,
    `INSERT INTO audit (at, event, client_id, grant_id, actor, detail)
     SELECT now(), 'token_issued', 'app', gen_random_uuid(), 'client', '{}' ${rows}`,
  ]
  for (const text of statements) await store.read(text)
}

type Counts = { read_sequentially: number; index_scans: number; read_from_indexes: number }

/**
 * Returns the counts of all statements so far. A connection reports them when it closes, so this waits until those of
 * `runEverything` are gone.
 */
async function countsSoFar(): Promise<Counts> {
  const others = () =>
    store.read(`SELECT 1 FROM pg_stat_activity WHERE usename = current_user AND application_name = 'authz-plans'`)
  await expect.poll(others).toEqual([])
  const [counts] = await store.read<Counts>(
    `SELECT sum(seq_tup_read)::bigint AS read_sequentially, sum(idx_scan)::bigint AS index_scans,
       (SELECT sum(idx_tup_read)::bigint FROM pg_stat_user_indexes
         WHERE schemaname = $1 AND relname = ANY ($2)) AS read_from_indexes
     FROM pg_stat_user_tables WHERE schemaname = $1 AND relname = ANY ($2)`,
    [store.schema, tables],
  )
  if (!counts) throw new Error('PostgreSQL counts nothing')
  return counts
}

test('no statement reads a whole table: not on tables that outgrew their statistics, nor on those with good ones', async () => {
  // The test itself decides when the tables are analysed, however long it takes.
  for (const table of tables) await store.read(`ALTER TABLE ${table} SET (autovacuum_enabled = false)`)
  await runEverything()
  await grow()
  const before = await countsSoFar()
  await runEverything()
  for (const table of tables) await store.read(`ANALYZE ${table}`)
  await runEverything()
  const after = await countsSoFar()
  const scans = after.index_scans - before.index_scans
  expect(scans).toBeGreaterThan(1_000)
  // It reads no whole index either, which would be equally slow.
  expect(after.read_from_indexes - before.read_from_indexes).toBeLessThan(scans * 4)
  expect(after.read_sequentially - before.read_sequentially).toBe(0)
})
