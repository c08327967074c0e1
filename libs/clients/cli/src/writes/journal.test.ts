import { memoryStore } from '@financial-agents/client'
import { expect, test } from 'vitest'
import { journalOf, unfinishedWith } from './journal.ts'

const request = ['https://api.example', 'client', 'pay', { amount: '1.00' }]
const done = { operationId: 'op', atMs: 1 }

test('an equal write that has not ended is found again, under the same intent', async () => {
  const store = memoryStore()
  const first = await journalOf(store, request).begin('pay')
  expect(first).toMatchObject({ isMine: true, intent: expect.stringMatching(/^pay-\d{8}-[0-9a-f]{10}$/) })
  expect(await journalOf(store, request).begun()).toMatchObject({ intent: first.intent })
  expect(await journalOf(store, request).begin('pay')).toMatchObject({ isMine: false, intent: first.intent })
  expect(await journalOf(store, [...request, 'other']).begun()).toBeUndefined()
})

test('two that begin at once agree on one intent', async () => {
  const store = memoryStore()
  const both = await Promise.all([journalOf(store, request).begin('pay'), journalOf(store, request).begin('pay')])
  expect(new Set(both.map(({ intent }) => intent)).size).toBe(1)
})

test('after its end an equal write is another one, and knows when the last one succeeded', async () => {
  const journal = journalOf(memoryStore(), request)
  const { intent } = await journal.begin('pay')
  await journal.end(intent, done)
  expect(await journal.done()).toEqual({ intent, ...done })
  expect(await journal.begun()).toBeUndefined()
  const next = await journal.begin('pay')
  expect(next.intent).not.toBe(intent)
  await journal.end(next.intent)
  expect(await journal.done()).toMatchObject({ operationId: 'op' })
})

test('only the intent that is unfinished ends a write', async () => {
  const journal = journalOf(memoryStore(), request)
  const { intent } = await journal.begin('pay')
  await journal.end('order-17', done)
  expect(await journal.begun()).toMatchObject({ intent })
  expect(await journal.done()).toBeUndefined()
})

test('an accepted write is found by its operation until it ends', async () => {
  const store = memoryStore()
  const journal = journalOf(store, request)
  const { intent } = await journal.begin('pay')
  await journal.accept('order-17', 'another')
  await journal.accept(intent, 'op')
  expect(await journal.begun()).toMatchObject({ intent, operationId: 'op' })
  expect(await unfinishedWith(store, 'another')).toBeUndefined()
  const found = await unfinishedWith(store, 'op')
  expect(found?.intent).toBe(intent)
  await found?.journal.end(intent, done)
  expect(await journal.begun()).toBeUndefined()
  expect(await unfinishedWith(store, 'op')).toBeUndefined()
})
