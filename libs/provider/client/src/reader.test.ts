import { afterAll, beforeEach, expect, test } from 'vitest'
import type { ReadContext } from './reader.ts'
import { newContext, problemOf, startReading } from './reading.test-helper.ts'

const reading = await startReading({ readTimeoutMs: 10_000, connections: 2 })
const { upstream, onboarding, provider, lines } = reading
let reader = reading.newReader()
afterAll(() => reading.stop())
// Each test has a new reader, so that no circuit is open from an earlier test.
beforeEach(() => {
  reading.reset()
  reader = reading.newReader()
})

const read = (context: ReadContext) => reader.read(context, (call) => provider.addressCountries(call))

test('credentials are asked for once, however many read', async () => {
  const context = newContext()
  await Promise.all(Array.from({ length: 20 }, () => read(context)))
  expect([upstream.asked.length, onboarding.asked]).toEqual([20, 1])
})

test('a provider that fails or stays silent is unavailable, and asked again by the next request', async () => {
  const context = newContext()
  upstream.answer = undefined
  expect(await problemOf(read(context))).toMatchObject({ code: 'provider_unavailable' })
  upstream.answer = { status: 500, body: {} }
  expect(await problemOf(read(context))).toMatchObject({ code: 'provider_unavailable' })
  reading.reset()
  expect(await problemOf(read(context))).toBeUndefined()
})

test('an answer of another shape breaks the contract, and neither problem nor log has content of it', async () => {
  upstream.answer = { status: 200, body: { secret: 'content' } }
  const problem = await problemOf(read(newContext()))
  expect(problem).toMatchObject({ code: 'response_contract_failed' })
  expect(JSON.stringify([problem, lines])).not.toContain('secret')
})

test('credentials that the provider does not accept mean that the connection is gone, and are asked for anew', async () => {
  const context = newContext()
  upstream.answer = { status: 401, body: { error: { code: 'unauthorized' } } }
  expect(await problemOf(read(context))).toMatchObject({
    code: 'provider_connection_unavailable',
    refresh_onboarding: true,
  })
  reading.reset()
  expect(await problemOf(read(context))).toBeUndefined()
  expect(onboarding.asked).toBe(1)
})

test('what the provider refuses to a connection that it knows is the connection’s affair, and not worth repeating', async () => {
  const context = newContext()
  const kept = reader.cached({ name: 'kept', ttlMs: 1_000, send: (call) => provider.accounts(call) })
  upstream.answer = { status: 403, body: { error: { code: 'refused' } } }
  for (const refused of [read(context), kept.get(context)]) {
    const problem = await problemOf(refused)
    expect(problem).toMatchObject({
      code: 'provider_connection_unavailable',
      detail: expect.stringContaining('refuses'),
    })
    expect(problem).not.toHaveProperty('refresh_onboarding')
  }
  expect(await problemOf(reader.readPublic(context, (call) => provider.assets(call), 'assets'))).toMatchObject({
    code: 'provider_unavailable',
  })
})

test('where the provider wants to know again who the owner is, the client is asked to read the onboarding', async () => {
  upstream.answer = { status: 403, body: { error: { code: 'identity_required' } } }
  const reported = { type: 'unavailable', reason: 'provider_identity_required' } as const
  for (const refused of [() => read(newContext()), () => reader.ask(newContext(), async () => reported, 'page')])
    expect(await problemOf(refused())).toMatchObject({
      code: 'provider_connection_unavailable',
      detail: expect.stringContaining('/v1/onboarding'),
      refresh_onboarding: true,
    })
})

test.each([
  ['a bare 403 of something in between', 403, '<html>'],
  ['too many requests', 429, { error: { code: 'slow_down' } }],
  ['an address that is not there', 404, { error: { code: 'not_found' } }],
])('%s says nothing about the connection', async (_name, status, body) => {
  upstream.answer = { status, body }
  expect(await problemOf(read(newContext()))).toMatchObject({ code: 'provider_unavailable' })
})

test('an owner without a binding, and a binding that onboarding does not know, are refused before the provider is asked', async () => {
  const none = { principal: { binding_id: null }, traceparent: '' }
  const wanted = { code: 'provider_connection_unavailable', refresh_onboarding: true }
  expect(await problemOf(read(none))).toMatchObject(wanted)
  onboarding.says = 'knows nothing'
  expect(await problemOf(read(newContext()))).toMatchObject(wanted)
  expect(upstream.asked).toEqual([])
})

test('where onboarding says nothing, nothing is concluded about the connection', async () => {
  onboarding.says = 'fails'
  const problem = await problemOf(read(newContext()))
  expect(problem).toMatchObject({ code: 'service_unavailable' })
  expect(problem).not.toHaveProperty('refresh_onboarding')
})

test('a call that answers in its own way gives all but its silence', async () => {
  const refused = { type: 'refused', failureCode: 'provider_refused' } as const
  expect(await reader.ask(newContext(), async () => refused, 'page')).toBe(refused)
  const silent = reader.ask(
    newContext(),
    async () => ({ type: 'unavailable', reason: 'provider_timeout' }) as const,
    'page',
  )
  expect(await problemOf(silent)).toMatchObject({ code: 'provider_unavailable' })
})

test('what is public is read without credentials, and its refusal says nothing about a connection', async () => {
  const context = { traceparent: '' }
  const readAssets = () => reader.readPublic(context, (call) => provider.assets(call), 'assets')
  upstream.answer = { status: 200, body: { data: [] } }
  expect(await problemOf(readAssets())).toBeUndefined()
  upstream.answer = { status: 401, body: { error: { code: 'unauthorized' } } }
  expect(await problemOf(readAssets())).toMatchObject({ code: 'provider_unavailable' })
  expect([upstream.asked, onboarding.asked]).toEqual([['undefined', 'undefined'], 0])
})
