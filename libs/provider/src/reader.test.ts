import { randomBytes, randomUUID } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { serveCall } from '@financial-agents/bus/rpc'
import { Problem } from '@financial-agents/contract/problem'
import { createClock } from '@financial-agents/runtime/clock'
import { createLog } from '@financial-agents/runtime/log'
import { createSealer } from '@financial-agents/runtime/sealing'
import { startTestNats } from '@financial-agents/testkit/nats'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { createFakeAdapter } from './fake-adapter.ts'
import { createProviderReader, type ReadContext } from './reader.ts'

/** A provider that answers with whatever the test puts here; undefined: not at all. */
let answer: { status: number; body: unknown } | undefined
let received = 0
const server = createServer((_request, response) => {
  received += 1
  if (answer) response.writeHead(answer.status).end(JSON.stringify(answer.body))
})
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`

const nats = await startTestNats()
const lines: string[] = []
const log = createLog({ service: 'cards', level: 'warn', destination: { write: (line) => lines.push(line) } })
const sealer = createSealer([{ id: 'c', key: randomBytes(32) }])
let asked = 0
let onboarding: 'knows' | 'knows nothing' | 'fails' = 'knows'
serveCall(
  await nats.connect('onboarding'),
  'int.onboarding.credentials',
  async ({ binding_ids }) => {
    asked += 1
    if (onboarding === 'fails') throw new Error('broken')
    if (onboarding === 'knows nothing') return []
    return binding_ids.map((binding_id) => ({
      binding_id,
      credentials_sealed: sealer.seal(Buffer.from('secret-persona'), binding_id).toString('base64'),
    }))
  },
  { log },
)
const provider = createFakeAdapter({ baseUrl, connections: 2, connectTimeoutMs: 5_000 })
const bus = await nats.connect('cards')
const reader = createProviderReader({ bus, credentialSealer: sealer, clock: createClock(), log, readTimeoutMs: 2_000 })
afterAll(async () => {
  await nats.stop()
  server.closeAllConnections()
  server.close()
  await provider.close()
})

const countries = { status: 200, body: { countries: [] } }
beforeEach(() => {
  answer = countries
  onboarding = 'knows'
  received = 0
  asked = 0
  lines.length = 0
})

const newContext = () => ({ principal: { binding_id: randomUUID() }, traceparent: '' })
const read = (context: ReadContext) => reader.read(context, (call) => provider.addressCountries(call))
const problemOf = (promise: Promise<unknown>) =>
  promise.then(
    () => undefined,
    (error) => (error instanceof Problem ? error.data : error),
  )

test('credentials are asked for once, however many read', async () => {
  const context = newContext()
  await Promise.all(Array.from({ length: 20 }, () => read(context)))
  expect([received, asked]).toEqual([20, 1])
})

test('a provider that fails or stays silent is unavailable, and asked again by the next request', async () => {
  const context = newContext()
  answer = undefined
  expect(await problemOf(read(context))).toMatchObject({ code: 'provider_unavailable' })
  answer = { status: 500, body: {} }
  expect(await problemOf(read(context))).toMatchObject({ code: 'provider_unavailable' })
  answer = countries
  expect(await problemOf(read(context))).toBeUndefined()
})

test('an answer of another shape breaks the contract, and neither problem nor log has content of it', async () => {
  answer = { status: 200, body: { secret: 'content' } }
  const problem = await problemOf(read(newContext()))
  expect(problem).toMatchObject({ code: 'response_contract_failed' })
  expect(JSON.stringify([problem, lines])).not.toContain('secret')
})

test('credentials that the provider does not accept mean that the connection is gone, and are asked for anew', async () => {
  const context = newContext()
  answer = { status: 401, body: { error: { code: 'unauthorized' } } }
  expect(await problemOf(read(context))).toMatchObject({
    code: 'provider_connection_unavailable',
    refresh_onboarding: true,
  })
  answer = countries
  expect(await problemOf(read(context))).toBeUndefined()
  expect(asked).toBe(2)
})

test('an owner without a binding, and a binding that onboarding does not know, are refused before the provider is asked', async () => {
  const none = { principal: { binding_id: null }, traceparent: '' }
  const wanted = { code: 'provider_connection_unavailable', refresh_onboarding: true }
  expect(await problemOf(read(none))).toMatchObject(wanted)
  onboarding = 'knows nothing'
  expect(await problemOf(read(newContext()))).toMatchObject(wanted)
  expect(received).toBe(0)
})

test('where onboarding says nothing, nothing is concluded about the connection', async () => {
  onboarding = 'fails'
  const problem = await problemOf(read(newContext()))
  expect(problem).toMatchObject({ code: 'service_unavailable' })
  expect(problem).not.toHaveProperty('refresh_onboarding')
})
