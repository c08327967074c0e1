/**
 * The order of checks: a request that violates two neighbouring checks gets the answer of the first. The gateway's own
 * test covers the pairs that need a token which is never issued (another class, another audience).
 */

import { randomUUID } from 'node:crypto'
import { getFreePort } from '@financial-agents/servers/ports'
import type { ApiResponse } from '@financial-agents/testkit/client'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ownerOf } from '../owner.test-helper.ts'
import { registerClients } from '../register-clients.ts'
import {
  beneficiaryBody,
  clientOf,
  confirmed,
  mandateBody,
  settledResource,
  startTestStack,
  type TestStack,
} from '../stack.test-helper.ts'
import { createHandClient, type HandClient, type Sending } from './hand-client.ts'
import { expectProblem } from './problem.ts'

const create = '/v1/beneficiaries'
const newKey = () => randomUUID()
const text: Pick<Sending, 'headers'> = { headers: [['content-type', 'text/plain']] }
const json: Pick<Sending, 'headers'> = { headers: [['content-type', 'application/json']] }

let stack: TestStack
let agent: HandClient
/** The owner of this client has no connected provider. */
let unconnected: HandClient

beforeAll(async () => {
  stack = await startTestStack()
  ;[agent, unconnected] = await Promise.all([
    createHandClient(stack, 'ines-agent'),
    createHandClient(stack, 'noor-agent'),
  ])
})
afterAll(() => stack.close())

function post(client: HandClient, sending: Sending & { key?: string } = {}): Promise<ApiResponse> {
  const { key, headers = [], ...rest } = sending
  return client.send('POST', create, {
    ...rest,
    headers: key === undefined ? headers : [...headers, ['idempotency-key', key]],
  })
}

/** The errors of a write carry `refresh_onboarding`. */
function expectRefusal(response: ApiResponse, status: number, code: string, fields?: string[]): void {
  expectProblem(response, { status, code, refreshOnboarding: true, ...(fields ? { fields } : {}) })
}

async function until(client: HandClient, wanted: (response: ApiResponse) => boolean): Promise<ApiResponse> {
  for (;;) {
    const response = await client.send('GET', '/v1/operations')
    if (wanted(response)) return response
  }
}

describe('route and method', () => {
  test('before credentials', async () => {
    expectProblem(await agent.send('POST', '/v1/nothing', { token: 'x', proof: 'x' }), {
      status: 404,
      code: 'route_not_found',
    })
    const other = await agent.send('PUT', create, { token: 'x', proof: 'x' })
    expectProblem(other, { status: 405, code: 'method_not_allowed' })
    expect(other.headers.get('allow')).toBe('POST, GET, HEAD')
  })

  test('before the request limit, which comes before anything about the credentials or the query', async () => {
    const port = await getFreePort()
    const limited = await stack.start(
      'gateway',
      { ADDRESS_RATE_PER_S: '0.01', ADDRESS_BURST: '2', GRANT_RATE_PER_S: '0.01', GRANT_BURST: '1' },
      { port },
    )
    const at = limited.url as string
    await agent.send('GET', '/v1/health', { at, token: null, proof: null })
    await agent.send('GET', '/v1/health', { at, token: null, proof: null })
    const open = await agent.send('GET', '/v1/health?surprise=1', { at, token: null, proof: null })
    expectProblem(open, { status: 429, code: 'rate_limited' })
    expect(Number(open.headers.get('retry-after'))).toBeGreaterThanOrEqual(1)
    expectProblem(await agent.send('GET', '/v1/operations', { at, token: 'x' }), { status: 429, code: 'rate_limited' })
    expectProblem(await agent.send('GET', '/v1/nothing', { at, token: 'x' }), { status: 404, code: 'route_not_found' })
    // The grant's rate limit is charged once the grant is known, before its scope is checked.
    const reader = await createHandClient(stack, 'ines-reader')
    expectProblem(await reader.send('GET', '/v1/operations', { at }), { status: 403, code: 'insufficient_scope' })
    expectProblem(await reader.send('GET', '/v1/operations', { at }), { status: 429, code: 'rate_limited' })
    await limited.child.stop()
  })
})

const read = (sending: Sending) => agent.send('GET', '/v1/operations', sending)

describe('credentials', () => {
  test('scheme before token, token before proof', async () => {
    const bearer = await read({ scheme: 'Bearer', token: 'x', proof: 'x' })
    expectProblem(bearer, { status: 401, code: 'invalid_token' })
    expect(bearer.body['detail']).toMatch(/scheme/)
    const token = await read({ token: 'x', proof: 'x' })
    expectProblem(token, { status: 401, code: 'invalid_token' })
    expect(token.body['detail']).not.toMatch(/scheme/)
  })

  test('proof before nonce', async () => {
    const claims = { htm: 'POST' }
    expectProblem(await read({ claims, nonce: null }), { status: 401, code: 'invalid_dpop_proof' })
    expectProblem(await read({ nonce: null }), { status: 401, code: 'use_dpop_nonce' })
  })

  test('nonce before replay', async () => {
    const now = Math.floor(Date.now() / 1_000)
    await stack.moveClock(['gateway'], -200_000)
    await read({ token: null, proof: null })
    const proof = agent.proofFor('GET', '/v1/operations', { claims: { iat: now - 141 } })
    expect((await read({ proof })).status).toBe(200)
    expectProblem(await read({ proof }), { status: 401, code: 'invalid_dpop_proof' })
    // Now the nonce is older than five minutes; the proof and the token are not.
    await stack.moveClock(['gateway'], 110_000)
    expectProblem(await read({ proof }), { status: 401, code: 'use_dpop_nonce' })
    await stack.moveClock(['gateway'], 0)
    await read({ token: null, proof: null })
  })

  test('replay before grant and client, and these before scope', async () => {
    const reader = await createHandClient(stack, 'ines-reader')
    const proof = reader.proofFor('GET', '/v1/operations')
    expectProblem(await reader.send('GET', '/v1/operations', { proof }), { status: 403, code: 'insufficient_scope' })
    await registerClients(stack, (clients) => clients.filter(({ client_id }) => client_id !== 'ines-reader'))
    expectProblem(await until(reader, ({ status }) => status !== 403), { status: 401, code: 'invalid_token' })
    expectProblem(await reader.send('GET', '/v1/operations', { proof }), { status: 401, code: 'invalid_dpop_proof' })
    await registerClients(stack, (clients) => clients)
    await until(reader, ({ status }) => status === 403)
  })

  test('scope before binding', async () => {
    const reader = await createHandClient(stack, 'noor-agent', 'beneficiaries:read')
    expectProblem(await reader.send('GET', '/v1/operations'), { status: 403, code: 'insufficient_scope' })
    expectProblem(await unconnected.send('GET', '/v1/operations'), {
      status: 409,
      code: 'provider_connection_unavailable',
    })
  })
})

describe('the write', () => {
  const large = `{"a":"${'x'.repeat(66_000)}`

  test('binding before media type', async () => {
    expectRefusal(await post(unconnected, { ...text, body: '{' }), 409, 'provider_connection_unavailable')
  })

  test('media type before size, size before JSON', async () => {
    expectRefusal(await post(agent, { ...text, body: large }), 415, 'unsupported_media_type')
    expectRefusal(await post(agent, { ...json, body: large }), 413, 'payload_too_large')
  })

  test('JSON before the headers, these before the shape of the body', async () => {
    expectRefusal(await post(agent, { ...json, body: '{' }), 400, 'malformed_json')
    expectRefusal(await post(agent, { body: {} }), 422, 'validation_failed', ['Idempotency-Key'])
    expectRefusal(
      await post(agent, { body: { ...beneficiaryBody(), name: '' }, key: newKey() }),
      422,
      'validation_failed',
      ['name'],
    )
  })

  test('the shape of the body before what the key says', async () => {
    const key = newKey()
    expect((await post(agent, { body: beneficiaryBody(), key })).status).toBe(202)
    expectRefusal(await post(agent, { body: { ...beneficiaryBody(), name: '' }, key }), 422, 'validation_failed', [
      'name',
    ])
  })

  test('what the key says before what the area would refuse', async () => {
    const key = newKey()
    const refused = { ...beneficiaryBody(), payout_schema_id: 'none' }
    expectRefusal(await post(agent, { body: refused, key }), 422, 'validation_failed', ['payout_schema_id'])
    expect((await post(agent, { body: beneficiaryBody(), key })).status).toBe(202)
    expectRefusal(await post(agent, { body: refused, key }), 409, 'idempotency_key_conflict')
  })

  test('an expired key before a conflict', async () => {
    const key = newKey()
    expect((await post(agent, { body: beneficiaryBody(), key })).status).toBe(202)
    expectRefusal(await post(agent, { body: beneficiaryBody('Other'), key }), 409, 'idempotency_key_conflict')
    await stack.moveClock(['operations'], 25 * 3_600_000)
    expectRefusal(await post(agent, { body: beneficiaryBody('Other'), key }), 409, 'idempotency_key_expired')
    await stack.moveClock(['operations'], 0)
  })
})

function expectReplay(response: ApiResponse, id: unknown): void {
  expect(response.status, JSON.stringify(response.body)).toBe(202)
  expect(response.headers.get('idempotent-replayed')).toBe('true')
  expect(response.body['id']).toBe(id)
}

describe('a replay', () => {
  test('is refused where the scope was taken from the grant, and answered once it is back', async () => {
    const key = newKey()
    const first = await post(agent, { body: beneficiaryBody(), key })
    expect(first.status).toBe(202)
    expect(first.headers.has('idempotent-replayed')).toBe(false)
    await registerClients(stack, (clients) =>
      clients.map((client) =>
        client.client_id === 'ines-agent' ? { ...client, scopes: ['beneficiaries:read'] } : client,
      ),
    )
    await until(agent, ({ status }) => status === 403)
    expectRefusal(await post(agent, { body: beneficiaryBody(), key }), 403, 'insufficient_scope')
    await registerClients(stack, (clients) => clients)
    await until(agent, ({ status }) => status === 200)
    expectReplay(await post(agent, { body: beneficiaryBody(), key }), first.body['id'])
  })

  test('is answered while the provider is out of reach; a new request is not accepted, a conflict is one', async () => {
    const key = newKey()
    const first = await post(agent, { body: beneficiaryBody(), key })
    await stack.stopService('beneficiaries')
    await stack.start('beneficiaries', { PROVIDER_URL: `http://127.0.0.1:${await getFreePort()}` })
    expectReplay(await post(agent, { body: beneficiaryBody(), key }), first.body['id'])
    expectRefusal(await post(agent, { body: beneficiaryBody('Other'), key }), 409, 'idempotency_key_conflict')
    const fresh = await post(agent, { body: beneficiaryBody(), key: newKey() })
    expectRefusal(fresh, 503, 'provider_unavailable')
    expect(fresh.body['retryable']).toBe(true)
    await stack.stopService('beneficiaries')
    await stack.start('beneficiaries')
  })
})

describe('the writes that owners confirm, and those that a capability gates', () => {
  const nobody = '01980000-0000-7000-8000-00000000dead'
  const withdrawals = '/v1/spending-account/withdrawals'
  const connection = '/v1/service-connections/current'
  const keyed = (key: string = newKey()): [string, string][] => [['idempotency-key', key]]
  const by = (intent: string = newKey()): [string, string][] => [['confirmation-intent-id', intent]]
  const ask = (path: string, headers: [string, string][] = [], body?: unknown) =>
    agent.send('POST', path, body === undefined ? { headers } : { headers, body })

  test('JSON before the headers, the key before the confirmation, these before the shape of the body', async () => {
    const path = '/v1/mandates'
    expectRefusal(await ask(path, [...(json.headers ?? [])], '{'), 400, 'malformed_json')
    expectRefusal(await ask(path, [], {}), 422, 'validation_failed', ['Idempotency-Key'])
    expectRefusal(await ask(path, keyed(), {}), 422, 'validation_failed', ['Confirmation-Intent-ID'])
    const short = [...keyed(), ...by('short')]
    expectRefusal(await ask(path, short, {}), 422, 'validation_failed', ['Confirmation-Intent-ID'])
    const body = { ...mandateBody(nobody), payment_count: 0 }
    expectRefusal(await ask(path, [...keyed(), ...by()], body), 422, 'validation_failed', ['payment_count'])
  })

  test('the shape of the body before the capability, the capability before what is not there', async () => {
    const sent = { beneficiary_id: nobody, amount: '1.00', currency: 'EUR' }
    const shape = await ask(withdrawals, keyed(), { ...sent, amount: '-1' })
    expectProblem(shape, { status: 422, code: 'validation_failed', fields: ['amount'] })
    const gated = { status: 403, code: 'capability_unavailable' }
    expectProblem(await ask(withdrawals, keyed(), sent), gated)
    expectProblem(await ask(`/v1/mandates/${nobody}/transfers`, keyed(), { amount: '1', currency: 'EUR' }), gated)
    expectProblem(await ask(`/v1/cards/${nobody}/reveals`), gated)
  })

  test('what is not there before the confirmation', async () => {
    const unknown = await ask('/v1/mandates', [...keyed(), ...by()], mandateBody(nobody))
    expectRefusal(unknown, 422, 'validation_failed', ['beneficiary_id'])
    expectRefusal(await ask(`/v1/mandates/${nobody}/revoke`, [...keyed(), ...by()]), 404, 'mandate_not_found')
    expectRefusal(await unconnected.send('DELETE', connection), 422, 'validation_failed', ['Confirmation-Intent-ID'])
    const none = await unconnected.send('DELETE', connection, { headers: by() })
    expectRefusal(none, 404, 'service_connection_not_found')
  })

  test('the state before the confirmation, and what the key says before both', async () => {
    const client = await clientOf(stack, 'ines-agent', 'beneficiaries:read authorization:read spending:withdraw')
    const payee = await post(agent, { body: beneficiaryBody(), key: newKey() })
    await settledResource(client, `/v1/beneficiaries/${payee.body['resource_id']}`, 'active')
    const body = mandateBody(payee.body['resource_id'])
    const request = { path: '/v1/mandates', body }
    const intent = await confirmed(client, ownerOf(stack, 'ines'), 'mandate_create', request)
    const key = newKey()
    // A request without a valid intent, then one with it: the refusal did not use up the key.
    expectRefusal(await ask('/v1/mandates', [...keyed(key), ...by()], body), 403, 'confirmation_required')
    const first = await ask('/v1/mandates', [...keyed(key), ...by(intent)], body)
    expect(first.status, JSON.stringify(first.body)).toBe(202)
    expect(first.headers.has('idempotent-replayed')).toBe(false)

    expectReplay(await ask('/v1/mandates', [...keyed(key), ...by(intent)], body), first.body['id'])
    expectReplay(await ask('/v1/mandates', [...keyed(key), ...by()], body), first.body['id'])
    const other = { ...body, payment_count: 1 }
    expectRefusal(await ask('/v1/mandates', [...keyed(key), ...by(intent)], other), 409, 'idempotency_key_conflict')
    const used = await ask('/v1/mandates', [...keyed(), ...by(intent)], body)
    expectRefusal(used, 409, 'confirmation_already_used')

    const pending = `/v1/mandates/${first.body['resource_id']}`
    expectRefusal(await ask(`${pending}/revoke`, [...keyed(), ...by()]), 409, 'mandate_not_active')
    expectProblem(await ask(`${pending}/suspend`, keyed()), { status: 409, code: 'mandate_not_active' })
  })
})
