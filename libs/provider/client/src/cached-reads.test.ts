import type { CallContext } from '@financial-agents/provider-port/port'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { createPortRead } from './port-read.ts'
import { brokenContract } from './reader.ts'
import { countries, newContext, problemOf, startReading } from './reading.test-helper.ts'

const reading = await startReading({ readTimeoutMs: 10_000, connections: 16 })
const { upstream, provider, lines } = reading
let reader = reading.newReader()
let kept = keptCountries()
afterAll(() => reading.stop())
beforeEach(() => {
  reading.reset()
  reading.clock.setOffsetMs(0)
  reader = reading.newReader()
  kept = keptCountries()
})

function keptCountries() {
  return reader.cached({
    name: 'countries',
    ttlMs: 60_000,
    send: (call: CallContext, _kind?: string) => provider.addressCountries(call),
  })
}

const bindingOf = ({ principal }: ReturnType<typeof newContext>) => principal.binding_id

test('a hundred who ask the same at one time make one call, and it serves for its time', async () => {
  upstream.hold = true
  const context = newContext()
  const all = Array.from({ length: 100 }, () => kept.get(context))
  await reading.wasAsked(1)
  upstream.hold = false
  upstream.release()
  expect(await Promise.all(all)).toEqual(all.map(() => []))
  reading.clock.setOffsetMs(30_000)
  await kept.get(context)
  expect(upstream.asked).toHaveLength(1)
  reading.clock.setOffsetMs(61_000)
  await kept.get(context)
  expect(upstream.asked).toHaveLength(2)
})

test('each binding and each question has an answer of its own, read with its own credentials', async () => {
  const [one, other] = [newContext(), newContext()]
  await Promise.all([kept.get(one), kept.get(other), kept.get(one, 'x'), kept.get(one, 'x'), kept.get(one, 'y')])
  expect(upstream.asked.toSorted()).toEqual(
    [bindingOf(one), bindingOf(one), bindingOf(one), bindingOf(other)].toSorted((a, b) =>
      String(a) < String(b) ? -1 : 1,
    ),
  )
})

test.each([
  ['a failure', { status: 503, body: {} }, 'provider_unavailable'],
  ['an answer of another shape', { status: 200, body: { secret: 'content' } }, 'response_contract_failed'],
])('%s is answered to all who wait and kept for nobody', async (_name, answer, code) => {
  const context = newContext()
  upstream.answer = answer
  const problems = await Promise.all([problemOf(kept.get(context)), problemOf(kept.get(context))])
  expect(problems.map((problem) => problem?.code)).toEqual([code, code])
  expect(upstream.asked).toHaveLength(1)
  upstream.answer = countries
  expect(await kept.get(context)).toEqual([])
  expect(lines.join('')).not.toContain('secret')
})

test('what an answer is made into is made once; an answer that cannot be is not kept', async () => {
  let made = 0
  const shaped = createPortRead({ reader, provider }, 'addressCountries', (list) => {
    made += 1
    if (made === 1) throw brokenContract(new Error('no'))
    return list.length
  })
  const context = newContext()
  expect(await problemOf(shaped.get(context))).toMatchObject({ code: 'response_contract_failed' })
  expect([await shaped.get(context), await shaped.get(context), made]).toEqual([0, 0, 2])
})

test('once a binding’s credentials are refused, nothing that it was given is shown any more; the others keep theirs', async () => {
  const [one, other] = [newContext(), newContext()]
  await Promise.all([kept.get(one), kept.get(other)])
  upstream.answer = { status: 401, body: { error: { code: 'unauthorized' } } }
  await problemOf(reader.read(one, (call) => provider.accounts(call), 'accounts'))
  expect(await problemOf(kept.get(one))).toMatchObject({ code: 'provider_connection_unavailable' })
  expect(await kept.get(other)).toEqual([])
})

test('who is in a hurry goes without, and the read goes on for the others', async () => {
  upstream.hold = true
  const context = newContext()
  const hurried = problemOf(kept.get({ ...context, timeoutMs: 100 }))
  await reading.wasAsked(1)
  const patient = kept.get(context)
  expect(await hurried).toMatchObject({ code: 'provider_unavailable' })
  upstream.release()
  expect(await patient).toEqual([])
  expect(upstream.asked).toHaveLength(1)
})

test('an owner without a binding is given nothing that is kept', async () => {
  const none = { principal: { binding_id: null }, traceparent: '' }
  expect(await problemOf(kept.get(none))).toMatchObject({ code: 'provider_connection_unavailable' })
})

test('what is public is kept for everybody', async () => {
  upstream.answer = { status: 200, body: { data: [] } }
  const assets = reader.cachedPublic({ name: 'assets', ttlMs: 60_000, send: (call) => provider.assets(call) })
  await Promise.all([assets.get({ traceparent: '' }), assets.get(newContext())])
  expect(upstream.asked).toEqual(['undefined'])
})
