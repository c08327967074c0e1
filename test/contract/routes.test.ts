/** Every row of the route table, over real HTTP through the whole system: a new row cannot be forgotten. */

import { randomUUID } from 'node:crypto'
import { type Route, scopesOf } from '@financial-agents/contract/route'
import { type RouteName, routes } from '@financial-agents/contract/routes'
import type { ApiClient, ApiResponse } from '@financial-agents/testkit/client'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { beneficiaryBody, clientOf, create, pollUntil, startTestStack, type TestStack } from '../stack.test-helper.ts'
import { fixtures, type World } from './fixtures.ts'
import { expectProblem } from './problem.ts'

/** All that the routes ask for. */
const scope = [...new Set(Object.values(routes as Record<string, Route>).flatMap(scopesOf))]
  .filter((name) => name !== 'spending:withdraw')
  .join(' ')

let stack: TestStack
let client: ApiClient
let world: World
const scoped = new Map<string, Promise<ApiClient>>()

beforeAll(async () => {
  stack = await startTestStack()
  client = await clientOf(stack, 'ines-agent', scope)
  const created = await create(client)
  await pollUntil(client, created.body.id, ['succeeded'])
  const { body } = fixtures.createConfirmationIntent
  const intent = await client.request('POST', '/v1/confirmation-intents', { body })
  world = { operationId: created.body.id, beneficiaryId: created.body.resource_id, intentId: intent.body.id }
})
afterAll(() => stack.close())

/** The agent's client with a token of one scope only. */
function clientWith(scope: string): Promise<ApiClient> {
  const known = scoped.get(scope) ?? clientOf(stack, 'ines-agent', scope)
  scoped.set(scope, known)
  return known
}

async function plain(method: string, target: string, headers: Record<string, string> = {}): Promise<ApiResponse> {
  const response = await fetch(stack.baseUrl + target, { method, headers })
  const text = await response.text()
  return { status: response.status, headers: response.headers, body: text === '' ? {} : JSON.parse(text) }
}

function good(name: RouteName, extra: { query?: string; key?: string } = {}) {
  const row: Route = routes[name]
  const { body } = fixtures[name]
  const target = fixtures[name].target(world)
  const query = extra.query ? `${target.includes('?') ? '&' : '?'}${extra.query}` : ''
  return {
    method: row.method,
    target: target + query,
    options: { ...(body ? { body } : {}), ...(row.keyed ? { key: extra.key ?? randomUUID() } : {}) },
  }
}

describe.each(Object.entries(routes) as [RouteName, Route][])('%s', (name, row) => {
  const refreshOnboarding = row.refreshOnboarding

  test('answers with its status and its shape', async () => {
    const { method, target, options } = good(name)
    const response = row.scope ? await client.request(method, target, options) : await plain(method, target)
    expect(response.status, JSON.stringify(response.body)).toBe(row.status)
    expect(row.response.safeParse(response.body).error?.issues).toBeUndefined()
    expect(response.headers.get('x-request-id')).toMatch(/^[A-Za-z0-9._~-]{8,128}$/)
    if (row.scope) expect(response.headers.get('dpop-nonce')).toMatch(/^[A-Za-z0-9_-]{43}$/)
  })

  test('another method is 405 and names the methods that the path takes', async () => {
    const response = await plain('PUT', good(name).target)
    expectProblem(response, {
      status: 405,
      code: 'method_not_allowed',
      refreshOnboarding: response.body.refresh_onboarding !== undefined,
    })
    expect(response.headers.get('allow')?.split(', ')).toContain(row.method)
  })

  test('an unknown query parameter is refused by its name', async () => {
    const { method, target, options } = good(name, { query: 'surprise=1' })
    const response = row.scope ? await client.request(method, target, options) : await plain(method, target)
    expectProblem(response, { status: 422, code: 'validation_failed', fields: ['surprise'], refreshOnboarding })
  })

  test('a safe request id is echoed, an unsafe one replaced', async () => {
    const { target } = good(name)
    const safe = await plain(row.method, target, { 'x-request-id': 'my-request~1' })
    expect(safe.headers.get('x-request-id')).toBe('my-request~1')
    const unsafe = await plain(row.method, target, { 'x-request-id': 'bad id' })
    expect(unsafe.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/)
  })

  if (row.scope) {
    test('without a token, with a bearer token or a forged one it is 401 with a challenge', async () => {
      const { method, target } = good(name)
      for (const headers of [
        {},
        { authorization: `Bearer ${client.token()}` },
        { authorization: `DPoP ${client.token().slice(0, -4)}AAAA`, dpop: 'x' },
      ] as Record<string, string>[]) {
        const response = await plain(method, target, headers)
        expect(response.headers.get('dpop-nonce')).toMatch(/^[A-Za-z0-9_-]{43}$/)
        expectProblem(response, { status: 401, code: response.body.code, refreshOnboarding })
        expect(['invalid_token', 'invalid_dpop_proof']).toContain(response.body.code)
      }
    })

    test('a token with another scope is 403 and the challenge names the scope', async () => {
      const other = scopesOf(row).includes('operations:read') ? 'beneficiaries:read' : 'operations:read'
      const { method, target, options } = good(name)
      const response = await (await clientWith(other)).request(method, target, options)
      expectProblem(response, { status: 403, code: 'insufficient_scope', refreshOnboarding })
      expect(response.headers.get('www-authenticate')).toContain(`scope="${scopesOf(row).join(' ')}"`)
    })
  }

  if (row.binding) {
    test('an owner without a connected provider is 409', async () => {
      const unconnected = await clientOf(stack, 'noor-agent', scope)
      const { method, target, options } = good(name)
      const response = await unconnected.request(method, target, options)
      expectProblem(response, { status: 409, code: 'provider_connection_unavailable', refreshOnboarding })
      if (refreshOnboarding) expect(response.body.refresh_onboarding).toBe(true)
    })
  }

  const { foreign } = fixtures[name]
  if (foreign) {
    test('what is not there and what is not visible are the same 404', async () => {
      expectProblem(await client.request(row.method, foreign.target), { status: 404, code: foreign.code })
      const amara = await clientOf(stack, 'amara-agent', scope)
      if (
        Object.keys(row.params.shape).some((param) => param.endsWith('id')) &&
        foreign.code !== 'payout_schema_not_found'
      )
        expectProblem(await amara.request(row.method, good(name).target), { status: 404, code: foreign.code })
    })
  }

  if (row.body) {
    const send = (body: unknown, headers: Record<string, string> = {}) =>
      client.request(row.method, good(name).target, { body, headers, key: randomUUID() })

    test('an unknown member, a missing one and another type are named', async () => {
      const { body } = good(name).options
      expectProblem(await send({ ...body, surprise: 1 }), {
        status: 422,
        code: 'validation_failed',
        fields: ['surprise'],
        refreshOnboarding,
      })
      expectProblem(await send([]), { status: 422, code: 'validation_failed', fields: ['body'], refreshOnboarding })
      const empty = await send({})
      expectProblem(empty, { status: 422, code: 'validation_failed', refreshOnboarding })
      expect(empty.body.fields.length).toBeGreaterThan(1)
    })

    test('another media type is 415, broken JSON 400, more than 64 KiB 413', async () => {
      const xml = await send('<a/>', { 'content-type': 'application/xml' })
      expectProblem(xml, { status: 415, code: 'unsupported_media_type', refreshOnboarding })
      expectProblem(await send('{"a":'), { status: 400, code: 'malformed_json', refreshOnboarding })
      const large = await send({ name: 'x'.repeat(66_000) })
      expectProblem(large, { status: 413, code: 'payload_too_large', refreshOnboarding })
    })
  }
})

test.each(['__proto__', 'constructor', 'toString', 'hasOwnProperty'])(
  'the member %s of details is refused with its path, never dropped',
  async (name) => {
    const given = beneficiaryBody()
    // As it comes from the wire: a member of its own.
    const details = JSON.parse(`{"${name}":"x"}`) as Record<string, string>
    const body = { ...given, details: Object.assign(details, given['details']) }
    const response = await client.request('POST', '/v1/beneficiaries', { body, key: randomUUID() })
    const fields = [`details.${name}`]
    expectProblem(response, { status: 422, code: 'validation_failed', fields, refreshOnboarding: true })
  },
)
