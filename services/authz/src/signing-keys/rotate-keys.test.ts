import { randomBytes } from 'node:crypto'
import { createFrozenClock, type MovableClock } from '@financial-agents/runtime/clock'
import { createLog } from '@financial-agents/runtime/log'
import { createSealer, sealingKeys } from '@financial-agents/runtime/sealing'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { inSigningOrder, publishedAfterMs } from '../store/signing-keys.ts'
import { openTestStore, type TestStore } from '../store/test-store.test-helper.ts'
import { createKeySource, type KeySource } from './key-source.ts'
import { listKeys, pruneKeys, rotateKeys, usualLeadMs } from './rotate-keys.ts'

const log = createLog({ service: 'authz', level: 'silent' })
let store: TestStore
let clock: MovableClock
let passedMs: number
/** The key sources of two replicas. */
let sources: [KeySource, KeySource]

beforeEach(async () => {
  clock = createFrozenClock()
  passedMs = 0
  store = await openTestStore({ clock })
  const open = (db: TestStore['db']) => createKeySource({ ...store, db, log, pauseMs: null })
  sources = await Promise.all([open(store.db), open(store.other)])
})
afterEach(() => store.close())

const rotate = () => rotateKeys(store.db, store.sealer, { now: store.clock.now(), leadMs: usualLeadMs })
const kids = () => sources.map((source) => source.current().map((key) => key.kid))
const later = async (ms: number) => {
  passedMs += ms
  clock.setOffsetMs(passedMs)
  await Promise.all(sources.map((source) => source.refresh()))
}
const stages = async () => (await listKeys(store.db, store.clock.now())).map((key) => key.stage)

test('replicas that start at once on an empty database share one key, which signs at once', () => {
  const [one, other] = kids()
  expect(one).toHaveLength(1)
  expect(other).toEqual(one)
})

describe('a rotation', () => {
  test('publishes the new key last, moves it first after the lead, and drops the old one when its tokens have expired', async () => {
    const [[old]] = kids() as [[string]]
    const { kid: made } = await rotate()
    await later(0)
    expect(kids()).toEqual([
      [old, made],
      [old, made],
    ])
    expect(await stages()).toEqual(['next', 'signing'])
    await later(usualLeadMs - 1)
    expect(kids()[0]).toEqual([old, made])
    await later(1)
    expect(kids()).toEqual([
      [made, old],
      [made, old],
    ])
    expect(await stages()).toEqual(['signing', 'retired'])
    await later(publishedAfterMs)
    expect(kids()[0]).toEqual([made, old])
    await pruneKeys(store.db, store.clock.now())
    expect(await listKeys(store.db, store.clock.now())).toHaveLength(2)
    await later(1)
    expect(kids()).toEqual([[made], [made]])
    await Promise.all([pruneKeys(store.db, store.clock.now()), pruneKeys(store.other, store.clock.now())])
    expect((await listKeys(store.db, store.clock.now())).map((key) => key.kid)).toEqual([made])
    const events = await store.read(`SELECT event, actor, detail ->> 'kid' AS kid FROM audit ORDER BY id`)
    expect(events).toEqual([
      { event: 'signing_key_published', actor: 'system', kid: old },
      { event: 'signing_key_published', actor: 'operator', kid: made },
      { event: 'signing_key_removed', actor: 'system', kid: old },
    ])
  })

  test('is one at a time, also of those that begin at once', async () => {
    const results = await Promise.allSettled([rotate(), rotate(), rotate()])
    expect(results.filter((result) => result.status === 'fulfilled')).toHaveLength(1)
    await expect(rotate()).rejects.toThrow('rotate after that')
    await later(usualLeadMs + 1_000)
    await expect(rotate()).resolves.toBeDefined()
  })

  test('is reported to the listeners, once for each change', async () => {
    const heard: string[][] = []
    const [source] = sources
    source.onChange(() => {
      heard.push(source.current().map((key) => key.kid))
    })
    const [[old]] = kids() as [[string]]
    const { kid: made } = await rotate()
    for (const ms of [0, 1_000, usualLeadMs, 0, publishedAfterMs]) await later(ms)
    expect(heard).toEqual([[old, made], [made, old], [made]])
  })

  test('that ended before a refresh began is known to all its callers', async () => {
    const [source] = sources
    const early = source.refresh()
    const { kid } = await rotate()
    await Promise.all([early, ...Array.from({ length: 5 }, () => source.refresh())])
    expect(source.current().map((key) => key.kid)).toContain(kid)
  })

  test('happens by the clock in a replica that knows the new key and has lost the database', async () => {
    const { kid: made } = await rotate()
    await later(0)
    await store.other.close()
    await later(usualLeadMs + 1_000)
    expect(kids().map(([signing]) => signing)).toEqual([made, made])
  })
})

test('every copy of the key set that a verifier may hold contains the key of every live token', () => {
  const beginMs = Date.UTC(2026, 0, 1)
  const at = (second: number) => new Date(beginMs + second * 1_000)
  const key = (kid: string, created: number, signs: number) => ({ kid, created_at: at(created), signs_from: at(signs) })
  const keys = [key('a', -5_000, -5_000), key('b', 100, 190), key('c', 200, 290), key('d', 1_000, 1_090)]
  const published = (second: number) =>
    inSigningOrder(
      keys.filter((one) => one.created_at <= at(second)),
      at(second),
    ).map((one) => one.kid)
  // A replica that reads every 10 s signs. A gateway that reads every 60 s from another such replica verifies.
  for (let signed = -100; signed < 1_600; signed += 7)
    for (const behindAtSigning of [0, 10])
      for (const age of [0, 60, 299])
        for (const behindAtVerifying of [0, 70]) {
          const [kid] = published(signed - behindAtSigning)
          expect(published(signed + age - behindAtVerifying)).toContain(kid)
        }
})

describe('at rest', () => {
  test('a private part is sealed, and opens with the sealing key alone', async () => {
    const [row] = await store.read<{ private_jwk_sealed: Buffer }>('SELECT private_jwk_sealed FROM signing_keys')
    const [key] = sources[0].current()
    expect(row?.private_jwk_sealed.toString('latin1')).not.toContain(key?.d)
    const foreign = createSealer(sealingKeys.parse(`a:${randomBytes(32).toString('base64')}`))
    await expect(createKeySource({ ...store, sealer: foreign, log, pauseMs: null })).rejects.toThrow()
  })

  test('keys that an older sealing key sealed stay readable behind a new one', async () => {
    const [first, second] = [randomBytes(32), randomBytes(32)].map((bytes) => bytes.toString('base64'))
    await store.read('DELETE FROM signing_keys')
    const before = createSealer(sealingKeys.parse(`a:${first}`))
    const { kid } = await rotateKeys(store.db, before, { now: store.clock.now(), leadMs: usualLeadMs })
    const after = createSealer(sealingKeys.parse(`b:${second},a:${first}`))
    const { kid: next } = await rotateKeys(store.db, after, { now: store.clock.now(), leadMs: usualLeadMs })
    const source = await createKeySource({ ...store, sealer: after, log, pauseMs: null })
    expect(source.current().map((key) => key.kid)).toEqual([kid, next])
  })

  test('published keys have no private part', () => {
    for (const key of sources[0].publicKeys()) {
      expect(Object.keys(key).toSorted()).toEqual(['alg', 'crv', 'kid', 'kty', 'use', 'x', 'y'])
      expect(key).not.toHaveProperty('d')
    }
  })
})
