import { afterAll, beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import type { ReadContext } from './reader.ts'
import { newContext, problemOf, startReading } from './reading.test-helper.ts'

const reading = await startReading({ readTimeoutMs: 60_000, connections: 64 })
const { upstream, provider } = reading
let reader = reading.newReader()
afterAll(() => reading.stop())
beforeEach(() => {
  reading.reset()
  reader = reading.newReader()
})

const read = (context: ReadContext) =>
  problemOf(reader.read(context, (call) => provider.addressCountries(call), 'countries')).then(
    (problem) => problem?.code ?? 'answered',
  )
const many = (context: ReadContext, count: number) => Array.from({ length: count }, () => read(context))
const askedBy = ({ principal }: ReadContext) => upstream.asked.filter((id) => id === principal.binding_id).length

test('of one binding four reads are under way and thirty-two wait; the next is refused, and another binding is held up by none', async () => {
  upstream.hold = true
  const [one, other] = [newContext(), newContext()]
  const reads = many(one, 36)
  await reading.wasAsked(4)
  expect(await read(one)).toBe('provider_unavailable')
  const others = many(other, 4)
  await reading.wasAsked(8)
  expect([askedBy(one), askedBy(other)]).toEqual([4, 4])
  upstream.hold = false
  upstream.release()
  expect(await Promise.all([...reads, ...others])).toEqual(Array(40).fill('answered'))
  expect(askedBy(one)).toBe(36)
})

test('who waited for a place until the time was up asks the provider nothing', async () => {
  upstream.hold = true
  const context = newContext()
  const reads = many(context, 4)
  await reading.wasAsked(4)
  expect(await read({ ...context, timeoutMs: 150 })).toBe('provider_unavailable')
  upstream.release()
  await Promise.all(reads)
  upstream.hold = false
  expect(await read(context)).toBe('answered')
  expect(upstream.asked).toHaveLength(5)
})

test('a read has no more time than its caller, and all reads of one request share it', async () => {
  const patient = newContext()
  await read(patient)
  upstream.answer = undefined
  const context = { ...patient, timeoutMs: 30_000 }
  let aheadMs = 0
  const now = performance.now.bind(performance)
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => now() + aheadMs)
  onTestFinished(() => clock.mockRestore())
  const given: number[] = []
  const send = async (timeoutMs: number) => {
    given.push(timeoutMs)
    return { type: 'ok', data: null } as const
  }
  await reader.read(context, (call) => send(call.timeoutMs), 'countries')
  expect(given[0]).toBeLessThanOrEqual(29_950)
  aheadMs = 29_800
  expect(await read(context)).toBe('provider_unavailable')
  expect(await problemOf(reader.read(context, (call) => send(call.timeoutMs), 'countries'))).toBeDefined()
  expect(given).toHaveLength(1)
})

test('without a hurried caller a read has the time that the process grants', async () => {
  const given: number[] = []
  const patient = newContext()
  await read(patient)
  await reader.read({ ...patient, timeoutMs: 600_000 }, async (call) => {
    given.push(call.timeoutMs)
    return { type: 'ok', data: null }
  })
  expect(given[0]).toBeGreaterThan(30_000)
  expect(given[0]).toBeLessThanOrEqual(60_000)
})
