import { randomUUID } from 'node:crypto'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createArtifactStore } from './artifacts.ts'
import { revokeGrant } from './grant-status.ts'
import { pruneBatch, pruneExpired } from './prune.ts'
import { dayMs, openTestStore, spaOf, type TestStore } from './test-store.test-helper.ts'

let store: TestStore

beforeEach(async () => {
  store = await openTestStore()
})
afterEach(() => store.close())

const prune = (afterMs = 0, db = store.db) => pruneExpired(db, new Date(store.clock.nowMs() + afterMs))
const count = async (table: string) =>
  (await store.read<{ count: number }>(`SELECT count(*) AS count FROM ${table}`))[0]?.count

test('more than a batch is removed in batches, by replicas beside each other', async () => {
  const many = pruneBatch * 2 + 10
  await store.read(`INSERT INTO changes (change, created_at) SELECT '{}', now() FROM generate_series(1, ${many})`)
  expect(await prune(dayMs - 60_000)).toBe(false)
  expect(await count('changes')).toBe(many)
  expect(await Promise.all([prune(2 * dayMs), prune(2 * dayMs, store.other)])).toContain(true)
  while (await prune(2 * dayMs)) expect(await count('changes')).toBeGreaterThan(0)
  expect(await count('changes')).toBe(0)
})

test('a sign-in stays for an hour after its end', async () => {
  await store.read(
    `INSERT INTO sign_ins (state_hash, browser_hash, next_hash, content_sealed, expires_at, created_at)
     VALUES ('a', 'b', 'c', '', $1, $1)`,
    [store.clock.now()],
  )
  await prune(3_500_000)
  expect(await count('sign_ins')).toBe(1)
  await prune(3_700_000)
  expect(await count('sign_ins')).toBe(0)
})

test('the last poll of a device is kept as long as its code', async () => {
  const insert = 'INSERT INTO device_polls (id_hash, polled_at, early, expires_at) VALUES ($1, $2, false, $3)'
  for (const [id, afterMs] of [
    ['over', -1_000],
    ['good', 60_000],
  ] as const)
    await store.read(insert, [Buffer.from(id), store.clock.now(), new Date(store.clock.nowMs() + afterMs)])
  await prune()
  expect(await store.read('SELECT id_hash FROM device_polls')).toEqual([{ id_hash: Buffer.from('good') }])
})

test('artifacts written under a grant during its revocation are pruned; those of another grant stay', async () => {
  await store.apply([spaOf()])
  const [ended, kept] = [await store.consent(), await store.consent({ owner_id: randomUUID() })]
  const why = { reason: 'revoked_by_owner', by: 'owner', request_id: null } as const
  await revokeGrant(store.db, ended.grant_id, why, store.clock.now())
  const artifacts = createArtifactStore(store.db, store.sealer, 'RefreshToken')
  const tomorrow = new Date(store.clock.nowMs() + dayMs)
  for (const { grant_id: grantId } of [ended, kept]) await artifacts.record(grantId, { grantId }, { grantId }, tomorrow)
  await prune()
  expect(await artifacts.find(ended.grant_id)).toBeUndefined()
  expect(await artifacts.find(kept.grant_id)).toBeDefined()
})

test('the audit can only grow', async () => {
  await store.apply([spaOf()])
  for (const text of ['DELETE FROM audit', "UPDATE audit SET event = 'x'", 'TRUNCATE audit'])
    await expect(store.read(text)).rejects.toThrow('append-only')
})
