/** The keys behind one address that is slow: who waits for it, and for how long its last keys are used. */

import { generateKeyPairSync } from 'node:crypto'
import { createFrozenClock } from '@financial-agents/runtime/clock'
import { createLog } from '@financial-agents/runtime/log'
import { expect, test } from 'vitest'
import type { PublishedKey } from '../registration/fetch-keys.ts'
import { createKeysAtAddress, type KeyStore } from './keys-at-address.ts'

const key = (kid: string): PublishedKey => ({ kid, key: generateKeyPairSync('ec', { namedCurve: 'P-256' }).publicKey })

function start() {
  const clock = createFrozenClock()
  const lines: string[] = []
  const log = createLog({ service: 'authz', level: 'trace', destination: { write: (line) => lines.push(line) } })
  const fetches: PromiseWithResolvers<PublishedKey[]>[] = []
  const fetchKeys = () => {
    const fetching = Promise.withResolvers<PublishedKey[]>()
    fetches.push(fetching)
    return fetching.promise
  }
  const store = createKeysAtAddress({ clock, log, fetchKeys })('agent', 'https://keys.example/secret-path')
  return { store, fetches, at: (seconds: number) => clock.setOffsetMs(seconds * 1_000), logged: () => lines.join('') }
}

const kidsOf = (store: KeyStore) => store.selectForVerify({}).map(({ kid }) => kid)

test('keys are as old as the request that read them, not as its answer', async () => {
  const { store, fetches, at } = start()
  const reading = store.refresh()
  at(2)
  fetches[0]?.resolve([key('one')])
  await reading
  expect([store.fresh(), kidsOf(store)]).toEqual([true, ['one']])
  at(59.999)
  expect([store.fresh(), kidsOf(store)]).toEqual([true, ['one']])
  at(60)
  expect([store.fresh(), kidsOf(store)]).toEqual([false, []])
})

test('old keys verify nothing while an answer is awaited, and all who wait share one request', async () => {
  const { store, fetches, at, logged } = start()
  const reading = store.refresh()
  fetches[0]?.resolve([key('one')])
  await reading
  at(60)
  const waiting = [store.refresh(), store.refresh()]
  expect([fetches.length, store.fresh(), kidsOf(store)]).toEqual([2, false, []])
  at(62.5)
  fetches[1]?.reject(new Error('timed out'))
  await Promise.all(waiting)
  expect([store.fresh(), kidsOf(store)]).toEqual([true, ['one']])
  expect(logged()).toContain('the keys of a client could not be fetched')
  expect(logged()).not.toContain('secret-path')
  at(63.5)
  expect([store.fresh(), kidsOf(store)]).toEqual([false, []])
})

test('a fetch that fails after six minutes leaves no key', async () => {
  const { store, fetches, at } = start()
  const reading = store.refresh()
  fetches[0]?.resolve([key('one')])
  await reading
  at(359)
  const again = store.refresh()
  at(360)
  fetches[1]?.reject(new Error('timed out'))
  await again
  expect([store.fresh(), kidsOf(store)]).toEqual([true, []])
})
