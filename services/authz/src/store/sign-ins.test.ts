import { randomUUID } from 'node:crypto'
import { statement } from '@financial-agents/postgres/database'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createSignInStore, type SignInStore } from './sign-ins.ts'
import { openTestStore, ownerId, type TestStore } from './test-store.test-helper.ts'

let store: TestStore
let replicas: [SignInStore, SignInStore]

beforeAll(async () => {
  store = await openTestStore()
  replicas = [createSignInStore(store.db, store.sealer), createSignInStore(store.other, store.sealer)]
})
afterAll(() => store.close())

const lockWaits = statement(
  'test_lock_waits',
  `SELECT 1 FROM pg_stat_activity WHERE usename = current_user AND wait_event_type = 'Lock' AND query LIKE 'UPDATE sign_ins%'`,
)

const next = '/interaction/uid-1/signed-in'
const now = () => store.clock.now()

async function start(given: { browser?: string; next?: string } = {}) {
  const keys = { state: randomUUID(), browser: given.browser ?? randomUUID() }
  const expires_at = new Date(store.clock.nowMs() + 600_000)
  await replicas[0].record(keys, { sign_in_id: `id-of-${keys.state}`, next: given.next ?? next, expires_at }, now())
  return { ...keys, expires_at }
}

const consume = (browser: string, replica: 0 | 1 = 0, path = next) => replicas[replica].consume(browser, path, now())

describe('a sign-in', () => {
  test('is found at any replica by its state in the browser that started it, and by nobody else', async () => {
    const keys = await start()
    const found = await replicas[1].find(keys, now())
    expect(found).toEqual({
      sign_in_id: `id-of-${keys.state}`,
      next,
      expires_at: keys.expires_at,
      owner_id: null,
      authenticated_at: null,
    })
    expect(await replicas[0].find({ ...keys, browser: 'another' }, now())).toBeUndefined()
    expect(await replicas[0].find({ ...keys, state: 'another' }, now())).toBeUndefined()
    expect(await replicas[0].find(keys, keys.expires_at)).toBeUndefined()
  })

  test('gives nothing before the owner signed in', async () => {
    const { browser } = await start()
    expect(await consume(browser)).toBeUndefined()
  })

  test('is recorded once, and not for another owner afterwards', async () => {
    const keys = await start()
    const recorded = await Promise.all(
      Array.from({ length: 10 }, (_, index) => replicas[index % 2 ? 0 : 1].recordSignedIn(keys, ownerId, now())),
    )
    expect(recorded.filter(Boolean)).toHaveLength(1)
    expect(await replicas[0].recordSignedIn(keys, randomUUID(), now())).toBe(false)
    expect(await replicas[0].find(keys, now())).toMatchObject({ owner_id: ownerId, authenticated_at: expect.any(Date) })
  })

  test('is recorded only in the browser that started it, and only in time', async () => {
    const keys = await start()
    expect(await replicas[0].recordSignedIn({ ...keys, browser: 'another' }, ownerId, now())).toBe(false)
    expect(await replicas[0].recordSignedIn({ ...keys, state: 'another' }, ownerId, now())).toBe(false)
    expect(await replicas[0].recordSignedIn(keys, ownerId, keys.expires_at)).toBe(false)
    expect(await replicas[0].find(keys, now())).toMatchObject({ owner_id: null })
    expect(await replicas[0].recordSignedIn(keys, ownerId, now())).toBe(true)
  })

  test('of 50 that consume it at two replicas gives the owner to one', async () => {
    const keys = await start()
    await replicas[0].recordSignedIn(keys, ownerId, now())
    const taken = await Promise.all(Array.from({ length: 50 }, (_, index) => consume(keys.browser, index % 2 ? 1 : 0)))
    expect(taken.filter(Boolean)).toEqual([{ owner_id: ownerId, authenticated_at: expect.any(Date) }])
    expect(await replicas[0].find(keys, now())).toBeUndefined()
  })

  test('that another transaction consumes first gives the owner to nobody who waited for it', async () => {
    const keys = await start()
    await replicas[0].recordSignedIn(keys, ownerId, now())
    let waited: ReturnType<typeof consume> | undefined
    await store.db.transaction(async (tx) => {
      await createSignInStore({ ...store.db, ...tx }, store.sealer).consume(keys.browser, next, now())
      waited = consume(keys.browser, 1)
      await expect.poll(() => store.db.rows(lockWaits)).toHaveLength(1)
    })
    expect(await waited).toBeUndefined()
  })

  test('leads only to the address it was started for, in its own browser and in time', async () => {
    const keys = await start()
    await replicas[0].recordSignedIn(keys, ownerId, now())
    expect(await consume(keys.browser, 0, '/account')).toBeUndefined()
    expect(await consume('another browser')).toBeUndefined()
    expect(await replicas[0].consume(keys.browser, next, keys.expires_at)).toBeUndefined()
    expect(await consume(keys.browser)).toBeDefined()
  })

  test('that was begun twice in one browser gives the owner of the one that was finished', async () => {
    const browser = randomUUID()
    const [first, second] = [await start({ browser }), await start({ browser })]
    await replicas[0].recordSignedIn(first, ownerId, now())
    expect(await consume(browser)).toMatchObject({ owner_id: ownerId })
    expect(await consume(browser)).toBeUndefined()
    expect(await replicas[0].find(second, now())).toBeDefined()
  })
})

test('neither the state nor the browser nor the id of a sign-in nor where it leads is readable in the database', async () => {
  const keys = await start()
  const rows = await store.read<Record<string, unknown>>('SELECT * FROM sign_ins')
  const readable = rows.map((row) =>
    Object.values(row).map((value) => (Buffer.isBuffer(value) ? value.toString('latin1') : String(value))),
  )
  const stored = JSON.stringify(readable)
  for (const secret of [keys.state, keys.browser, `id-of-${keys.state}`, next]) expect(stored).not.toContain(secret)
})
