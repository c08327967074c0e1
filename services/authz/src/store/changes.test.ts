import { randomUUID } from 'node:crypto'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { changeInTurn, getLastSequence, listChangesAfter, recordChange } from './changes.ts'
import { findClient } from './clients.ts'
import { openTestStore, spaOf, type TestStore } from './test-store.test-helper.ts'

let store: TestStore

beforeEach(async () => {
  store = await openTestStore()
})
afterEach(() => store.close())

const now = () => store.clock.now()

test('a reader that continues from the last sequence misses nothing, in whatever order transactions end', async () => {
  const seen: number[] = []
  let last = await getLastSequence(store.db)
  let writing = true
  const reader = (async () => {
    while (writing || seen.length < 100) {
      for (const { sequence } of await listChangesAfter(store.other, last)) {
        seen.push(sequence)
        last = sequence
      }
    }
  })()
  await Promise.all(
    Array.from({ length: 100 }, (_, index) =>
      changeInTurn(index % 2 ? store.db : store.other, async (tx) => {
        await recordChange(tx, { grant_id: randomUUID() }, now())
        if (index % 3 === 0) await findClient(tx, 'app')
      }),
    ),
  )
  writing = false
  await reader
  expect(seen).toHaveLength(100)
  expect(new Set(seen).size).toBe(100)
})

test('writers that wait for their turn leave the connections to readers', async () => {
  await store.apply([spaOf()])
  const small = store.open(2)
  let release = () => {}
  const held = new Promise<void>((resolve) => {
    release = resolve
  })
  const holder = changeInTurn(store.other, () => held)
  const writers = Array.from({ length: 20 }, () => store.consent({ owner_id: randomUUID() }, small))
  expect(await findClient(small, 'app')).toBeDefined()
  release()
  await holder
  expect((await Promise.all(writers)).every((one) => one.created)).toBe(true)
})

test('one that fails does not stop the next', async () => {
  const failing = changeInTurn(store.db, () => Promise.reject(new Error('on purpose')))
  const next = changeInTurn(store.db, async (tx) => recordChange(tx, { client_id: 'app' }, now()))
  await expect(failing).rejects.toThrow('on purpose')
  await next
  expect((await listChangesAfter(store.db, 0)).map((row) => row.change)).toEqual([{ client_id: 'app' }])
})
