import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { createClock } from './clock.ts'
import type { Core } from './core.ts'
import { answered, fakeApi, operation } from './fake-api.test-helper.ts'
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

type Vector = { name: string; sent: string | null; hash: string }
const vectors = JSON.parse(
  readFileSync(new URL('../vectors/request-hash.json', import.meta.url), 'utf8'),
) as readonly Vector[]

test.each(vectors)('the digest of $name is the one that both clients and the API find', async ({ sent, hash }) => {
  expect(await requestHash('/v1/things', sent ?? undefined)).toBe(hash)
  expect(await requestHash('/v1/others', sent ?? undefined)).not.toBe(hash)
})

test('the digest is of the JSON that is sent, after every toJSON', async () => {
  const money = (text: string) => ({ toJSON: () => text })
  const named = { toJSON: (key: string) => `of ${key}` }
  const whole = (amount: string) => ({ secret: 1, toJSON: () => ({ amount }) })
  const nested = { toJSON: () => ({ at: new Date(0), gone: undefined, list: [undefined, () => 1, -0, Number.NaN] }) }
  for (const [body, sent] of [
    [{ amount: money('1.91') }, '{"amount":"1.91"}'],
    [{ expires_at: new Date('2026-12-31T23:59:59Z') }, '{"expires_at":"2026-12-31T23:59:59.000Z"}'],
    [{ a: named, b: [named] }, '{"a":"of a","b":["of 0"]}'],
    [whole('1.00'), '{"amount":"1.00"}'],
    [{ a: nested }, '{"a":{"at":"1970-01-01T00:00:00.000Z","list":[null,null,0,null]}}'],
    [{ a: undefined, b: new Map([['c', 1]]) }, '{"b":{}}'],
    [{ a: Object('text') as object, b: Object(true) as object }, '{"a":"text","b":true}'],
  ] as const) {
    const api = fakeApi(() => new TypeError('the connection broke'))
    const bodies: unknown[] = []
    const agent = api.agent({
      store: memoryStore(),
      fetch: (url, init) => {
        if (url.includes('/v1/')) bodies.push(init.body)
        return api.fetch(url, init)
      },
    })
    const write = (given: object) => agent.write('/v1/things', given, { intent: 'one' })
    await expect(write(body)).rejects.toMatchObject({ code: 'unreachable' })
    expect(bodies).toEqual([sent])
    await expect(write({ ...(JSON.parse(sent) as object), more: 1 })).rejects.toMatchObject({ code: 'intent_conflict' })
    api.answers.push(answered(operation(), 202))
    expect((await write(JSON.parse(sent) as object)).id).toBe('op-1')
  }
})

test('a money class of another amount is another request', async () => {
  const api = fakeApi(answered(operation(), 202))
  const agent = api.agent({ store: memoryStore() })
  const pay = (amount: string) =>
    agent.mandates.pay('m-1', { amount: { toJSON: () => amount } as never, currency: 'EUR' }, { intent: 'rent' })
  await pay('1.91')
  await expect(pay('2.92')).rejects.toMatchObject({ code: 'intent_conflict' })
  expect(api.asked).toHaveLength(1)
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

test('a write of which nothing was sent frees its intent, or keeps its confirmation alone', async () => {
  const store = memoryStore()
  const { record } = await (await records(store)).claim()
  await (await records(store)).unsent({ ...record, confirmation: 'asked' })
  const again = await (await records(store)).claim()
  expect(again).toEqual({ record: { ...record, confirmation: 'asked', unsent: true }, fresh: true })
  await (await records(store)).unsent(record)
  expect((await (await records(store, 'other')).claim()).fresh).toBe(true)
})
