import { randomBytes, randomUUID } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { serveCall } from '@financial-agents/bus/rpc'
import { startTestNats } from '@financial-agents/bus/testing/nats'
import { Problem } from '@financial-agents/contract/problem'
import { createProviderReader } from '@financial-agents/provider-client/reader'
import { createHttpAdapter } from '@financial-agents/provider-http/adapter'
import { createClock } from '@financial-agents/runtime/clock'
import { createLog } from '@financial-agents/runtime/log'
import { createSealer } from '@financial-agents/runtime/sealing'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { createProviderReads } from './provider-reads.ts'

/** The answer of a provider that the test controls. Undefined means no answer. */
let answer: { status: number; body: unknown } | undefined
let received = 0
const server = createServer((_request, response) => {
  received += 1
  if (!answer) return
  const { status, body } = answer
  setTimeout(() => response.writeHead(status).end(JSON.stringify(body)), 20)
})
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`

const nats = await startTestNats()
const lines: string[] = []
const log = createLog({ service: 'beneficiaries', level: 'warn', destination: { write: (line) => lines.push(line) } })
const sealer = createSealer([{ id: 'c', key: randomBytes(32) }])
let credentialsAsked = 0
serveCall(
  await nats.connect('onboarding'),
  'int.onboarding.credentials',
  async ({ binding_ids }) => {
    credentialsAsked += 1
    return binding_ids.map((binding_id) => ({
      binding_id,
      provider: 'fake',
      credentials_sealed: sealer.seal(Buffer.from('testUser'), binding_id).toString('base64'),
    }))
  },
  { log },
)
const provider = createHttpAdapter({ baseUrl, connections: 2, connectTimeoutMs: 60_000 })
const clock = createClock()
const bus = await nats.connect('beneficiaries')
const providerReader = createProviderReader({ bus, credentialSealer: sealer, clock, log, readTimeoutMs: 60_000 })
const reads = createProviderReads({ provider, reader: providerReader, log })
afterAll(async () => {
  await nats.stop()
  server.closeAllConnections()
  server.close()
  await provider.close()
})

const reader = () => ({ principal: { binding_id: randomUUID() }, requestId: 'test-request', traceparent: '' })
const problemOf = (promise: Promise<unknown>) =>
  promise.then(
    () => undefined,
    (error) => (error instanceof Problem ? error.data : error),
  )

const field = {
  key: 'iban',
  label: 'IBAN',
  type: 'string',
  pattern: '^[A-Z0-9]+$',
  min_length: 4,
  max_length: 34,
  options: null,
  required: true,
}
const schema = {
  id: 'one',
  name: 'One',
  country: 'PT',
  currency: 'EUR',
  rail: 'sepa',
  fields: [field],
  example_details: { iban: 'PT50' },
}
const schemas = (...data: unknown[]) => ({ status: 200, body: { data } })

beforeEach(() => {
  answer = schemas(schema)
  received = 0
  lines.length = 0
})

test('requests of one binding share one read while it is under way, and its answer for a minute', async () => {
  const one = reader()
  credentialsAsked = 0
  await Promise.all(Array.from({ length: 20 }, () => reads.getPayoutSchemas(one)))
  await reads.getPayoutSchemas(one)
  expect([received, credentialsAsked]).toEqual([1, 1])
  await reads.getPayoutSchemas(reader())
  expect(received).toBe(2)
  clock.setOffsetMs(clock.nowMs() - Date.now() + 61_000)
  await reads.getPayoutSchemas(one)
  expect([received, credentialsAsked]).toEqual([3, 3])
})

test.each([
  ['a country that is none', schemas({ ...schema, country: 'secret' })],
  ['a rail that the contract does not allow', schemas({ ...schema, rail: 'Secret Rail' })],
  ['two schemas of one id', schemas(schema, schema)],
  [
    'two fields of one label',
    schemas({ ...schema, fields: [field, { ...field, key: 'bic' }], example_details: { iban: 'PT50', bic: 'PT50' } }),
  ],
  ['a pattern that is no regular expression', schemas({ ...schema, fields: [{ ...field, pattern: '^($' }] })],
])('%s breaks the contract, and the log has no content of it', async (_name, broken) => {
  answer = broken
  const problem = await problemOf(reads.getPayoutSchemas(reader()))
  expect(problem).toMatchObject({ code: 'response_contract_failed' })
  expect(JSON.stringify([problem, lines])).not.toContain('ecret')
})

test('what an adapter lets pass in another shape is not kept', async () => {
  let data: readonly unknown[] = [{ secret: 'secret' }]
  const lax = async () => ({ type: 'ok' as const, data: data as never })
  const laxly = { ...provider, payoutSchemas: lax, addressCountries: lax, virtualAccountEconomics: lax }
  const laxReads = createProviderReads({ provider: laxly, reader: providerReader, log })
  const one = reader()
  const all = [
    () => laxReads.getPayoutSchemas(one),
    () => laxReads.getAddressCountries(one),
    () => laxReads.getVirtualAccountEconomics(one),
  ]
  const problems = await Promise.all(all.map((read) => problemOf(read())))
  expect(problems.map(({ code }) => code)).toEqual(all.map(() => 'response_contract_failed'))
  data = []
  expect((await Promise.all(all.map((read) => read()))).map((given) => [...given])).toEqual([[], [], []])
  expect(lines.join('')).not.toContain('secret')
})

test('a pattern beyond RE2 is said once in the log, by the names of schema and field', async () => {
  answer = schemas({ ...schema, fields: [{ ...field, pattern: '^(?=.)[A-Z0-9]+$' }] })
  await reads.getPayoutSchemas(reader())
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([{ payout_schema_id: 'one', field: 'iban' }])
})
