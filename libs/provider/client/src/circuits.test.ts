import { afterAll, afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { ReadContext } from './reader.ts'
import { countries, newContext, problemOf, startReading } from './reading.test-helper.ts'

const reading = await startReading({ readTimeoutMs: 60_000, connections: 16 })
const { upstream, provider, lines } = reading
let reader = reading.newReader()
afterAll(() => reading.stop())
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'] })
  reading.reset()
  reader = reading.newReader()
})
afterEach(() => vi.useRealTimers())

const broken = { status: 503, body: {} }
const unauthorized = { status: 401, body: { error: { code: 'unauthorized' } } }
const read = (context: ReadContext = newContext(), name = 'countries') =>
  problemOf(reader.read(context, (call) => provider.addressCountries(call), name)).then((problem) => problem?.code)
const later = (ms: number) => vi.setSystemTime(Date.now() + ms)
const failTimes = async (times: number) => {
  upstream.answer = broken
  for (let time = 0; time < times; time += 1) expect(await read()).toBe('provider_unavailable')
}
const said = () => lines.map((line) => (JSON.parse(line) as { circuit?: string }).circuit).filter(Boolean)

test('after five failures in a row the provider is not asked any more, and everybody is answered at once', async () => {
  await failTimes(5)
  upstream.answer = undefined
  expect(await Promise.all(Array.from({ length: 50 }, () => read()))).toEqual(Array(50).fill('provider_unavailable'))
  expect(upstream.asked).toHaveLength(5)
  expect(said()).toEqual(['open'])
})

test('one answer in between, and it goes on', async () => {
  await failTimes(4)
  upstream.answer = countries
  expect(await read()).toBeUndefined()
  await failTimes(4)
  upstream.answer = countries
  expect(await read()).toBeUndefined()
  expect(said()).toEqual([])
})

test('after five seconds one read alone is let through; where it is answered, all are', async () => {
  await failTimes(5)
  later(4_999)
  expect(await read()).toBe('provider_unavailable')
  later(1)
  Object.assign(upstream, { answer: countries, hold: true, asked: [] })
  const probe = read()
  await reading.wasAsked(1)
  expect(await Promise.all([read(), read(), read()])).toEqual(Array(3).fill('provider_unavailable'))
  upstream.hold = false
  upstream.release()
  expect(await probe).toBeUndefined()
  expect(await Promise.all([read(), read(), read()])).toEqual(Array(3).fill(undefined))
  expect(upstream.asked).toHaveLength(4)
  expect(said()).toEqual(['open', 'half_open', 'closed'])
})

test('where the one read fails too, the provider is left alone again for as long', async () => {
  await failTimes(5)
  later(5_000)
  expect(await read()).toBe('provider_unavailable')
  expect(upstream.asked).toHaveLength(6)
  later(4_999)
  expect(await read()).toBe('provider_unavailable')
  expect(upstream.asked).toHaveLength(6)
  later(1)
  upstream.answer = countries
  expect(await read()).toBeUndefined()
  expect(said()).toEqual(['open', 'half_open', 'open', 'half_open', 'closed'])
})

test('an owner whose own reads alone fail, however often, is refused alone', async () => {
  const unlucky = newContext()
  upstream.answer = broken
  for (let time = 0; time < 20; time += 1) expect(await read(unlucky)).toBe('provider_unavailable')
  expect(await read()).toBe('provider_unavailable')
  upstream.answer = countries
  expect(await read()).toBeUndefined()
  expect(said()).toEqual([])
})

test('whose reads failed is not the first to be let through, so that the others are not refused for long', async () => {
  const unlucky = newContext()
  upstream.answer = broken
  for (let time = 0; time < 3; time += 1) await read(unlucky)
  await failTimes(2)
  expect(said()).toEqual(['open'])
  later(9_999)
  expect(await read(unlucky)).toBe('provider_unavailable')
  expect(said()).toEqual(['open'])
  later(1)
  expect(await read(unlucky)).toBe('provider_unavailable')
  expect(said()).toEqual(['open', 'half_open', 'open'])
  later(5_000)
  expect(await read(unlucky)).toBe('provider_unavailable')
  upstream.answer = countries
  expect(await read()).toBeUndefined()
  expect(said()).toEqual(['open', 'half_open', 'open', 'half_open', 'closed'])
})

test('what is read for everybody is of no binding: five failures in a row open its circuit', async () => {
  upstream.answer = broken
  const readPublic = () =>
    problemOf(
      reader.readPublic(
        { traceparent: '' },
        (call) => provider.addressCountries({ ...call, credentials: '' }),
        'assets',
      ),
    )
  for (let time = 0; time < 6; time += 1) expect((await readPublic())?.code).toBe('provider_unavailable')
  expect(upstream.asked).toHaveLength(5)
  expect(said()).toEqual(['open'])
})

test.each([
  ['refused credentials', unauthorized, 'provider_connection_unavailable'],
  ['an answer of another shape', { status: 200, body: { secret: 1 } }, 'response_contract_failed'],
  ['a refusal', { status: 403, body: { error: { code: 'refused' } } }, 'provider_connection_unavailable'],
])('%s, however often, never closes the provider to the others', async (_name, answer, code) => {
  upstream.answer = answer
  for (let time = 0; time < 8; time += 1) expect(await read()).toBe(code)
  expect(upstream.asked).toHaveLength(8)
  upstream.answer = countries
  expect(await read()).toBeUndefined()
  expect(lines.join('')).not.toContain('secret')
})

test('a provider that had too little time to answer is not held against it', async () => {
  const patient = newContext()
  await read(patient)
  upstream.answer = undefined
  for (let time = 0; time < 8; time += 1)
    expect(await read({ ...patient, timeoutMs: 150 })).toBe('provider_unavailable')
  upstream.answer = countries
  expect(await read()).toBeUndefined()
  expect(said()).toEqual([])
})

test('a provider that does not answer in time is held against it', async () => {
  reader = reading.newReader(6_000)
  upstream.answer = undefined
  expect(await Promise.all(Array.from({ length: 5 }, () => read()))).toEqual(Array(5).fill('provider_unavailable'))
  expect(said()).toEqual(['open'])
})

test('kinds of reads are closed each for itself', async () => {
  await failTimes(5)
  upstream.answer = countries
  expect(await read(newContext(), 'accounts')).toBeUndefined()
  expect(await read()).toBe('provider_unavailable')
})

test('credentials that were read lately are not asked for while the provider is left alone', async () => {
  const known = newContext()
  expect(await read(known)).toBeUndefined()
  await failTimes(5)
  reading.onboarding.asked = 0
  expect(await read(known)).toBe('provider_unavailable')
  expect(reading.onboarding.asked).toBe(0)
})
