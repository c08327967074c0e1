import { canonicalJson } from '@financial-agents/contract/canonical-request'
import { expect, test } from 'vitest'
import { createClock } from './clock.ts'
import type { Core } from './core.ts'
import { intentRecords, requestHash } from './intent-record.ts'
import type { Store } from './store.ts'
import { memoryStore } from './stores/memory.ts'

const row = { method: 'POST', path: '/v1/mandates/{mandate_id}/transfers', keyed: true } as const
const core = (store: Store, scope = 'https://api.example/app/owner/') =>
  ({ store, scope, clock: createClock() }) as Core
const records = (store: Store, hash = 'h', scope?: string) =>
  intentRecords(core(store, scope), { row, hash, path: '', body: undefined, intent: 'rent' })
const conflict = expect.objectContaining({ code: 'intent_conflict' })

test('the key is the same for every process and after a loss of the store, and another for another account', async () => {
  const { key } = await records(memoryStore())
  expect(key).toMatch(/^[\w-]{43}$/)
  expect((await records(memoryStore())).key).toBe(key)
  expect((await records(memoryStore(), 'h', 'https://api.example/app/other/')).key).not.toBe(key)
})

test('equal requests have equal digests whatever the order of their members; other paths and bodies have others', async () => {
  const body = { b: [1, { d: null, c: 'é' }], a: '12.50', gone: undefined }
  expect(await requestHash('/x', body)).toBe(await requestHash('/x', { a: '12.50', b: [1, { c: 'é', d: null }] }))
  expect(await requestHash('/x', { a: '12.5' })).not.toBe(await requestHash('/x', { a: '12.50' }))
  expect(await requestHash('/y', body)).not.toBe(await requestHash('/x', body))
  // The API compares requests in the same form.
  expect(await requestHash('/x', body)).toBe(
    await requestHash('/x', JSON.parse(canonicalJson(JSON.parse(JSON.stringify(body))))),
  )
})

test('a write is claimed once; another body under its intent is refused while it may still happen, and after it was accepted', async () => {
  const store = memoryStore()
  const first = await (await records(store)).claim()
  expect(first.fresh).toBe(true)
  expect(await (await records(store)).claim()).toEqual({ record: first.record, fresh: false })
  await expect((await records(store, 'other')).claim()).rejects.toEqual(conflict)
  await (await records(store)).accept('op')
  expect(await (await records(store)).accepted()).toEqual({ hash: 'h', operationId: 'op' })
  await expect((await records(store, 'other')).accepted()).rejects.toEqual(conflict)
})

test('a refusal frees the intent; where an earlier attempt may arrive late, its time and key stay', async () => {
  const store = memoryStore()
  const { record } = await (await records(store)).claim()
  await (await records(store)).free({ ...record, confirmation: 'spent' }, false)
  const again = await (await records(store, 'other')).claim()
  expect(again).toEqual({ record: { ...record, hash: 'other' }, fresh: false })
  await (await records(store, 'other')).free(again.record, true)
  expect((await (await records(store, 'third')).claim()).fresh).toBe(true)
})
