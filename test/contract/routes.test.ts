/** Every row of the route table, over real HTTP through the whole system. A new row is covered automatically. */

import { randomUUID } from 'node:crypto'
import { type Route, scopesOf } from '@financial-agents/contract/route'
import { type RouteName, routes } from '@financial-agents/contract/routes'
import type { ApiClient, ApiResponse } from '@financial-agents/testkit/client'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Owner, ownerOf } from '../owner.test-helper.ts'
import { beneficiaryBody, clientOf, confirmed, startTestStack, type TestStack } from '../stack.test-helper.ts'
import { fixtures } from './fixtures.ts'
import { createOperatorClient, type OperatorClient } from './operator-client.ts'
import { expectProblem } from './problem.ts'
import { unverifiedClientOf } from './unverified.ts'
import { createWorld, everyScope as scope, type World } from './world.ts'

let stack: TestStack
let client: ApiClient
let operator: OperatorClient
let owner: Owner
let world: World
const scoped = new Map<string, Promise<ApiClient>>()

beforeAll(async () => {
  stack = await startTestStack({ enabledCapabilities: ['transfers.execute', 'cards.reveal'] })
  client = await clientOf(stack, 'ines-agent', scope)
  owner = ownerOf(stack, 'ines')
  operator = await createOperatorClient(stack)
  world = await createWorld(client, owner, await clientOf(stack, 'ines-reader', 'beneficiaries:read'))
})
afterAll(() => stack.close())

/** Returns the caller with the audience of the row. */
const callerOf = ({ audience }: Route): Pick<ApiClient, 'request'> => (audience === 'operator' ? operator : client)

/** Returns a caller of the row's audience whose token has another scope only. */
async function withoutScope(row: Route): Promise<Pick<ApiClient, 'request'>> {
  const [needed] = scopesOf(row)
  if (row.audience === 'customer')
    return clientWith(needed === 'operations:read' ? 'beneficiaries:read' : 'operations:read')
  return createOperatorClient(stack, { scope: needed === 'ops:read' ? 'ops:suspend' : 'ops:read' })
}

function clientWith(scope: string): Promise<ApiClient> {
  const known = scoped.get(scope) ?? clientOf(stack, 'ines-agent', scope)
  scoped.set(scope, known)
  return known
}

const anyUuid = /[0-9a-f]{8}-[0-9a-f-]{27}/

async function plain(method: string, target: string, headers: Record<string, string> = {}): Promise<ApiResponse> {
  const response = await fetch(stack.baseUrl + target, { method, headers })
  const text = await response.text()
  return { status: response.status, headers: response.headers, body: text === '' ? {} : JSON.parse(text) }
}

function good(name: RouteName, extra: { query?: string; key?: string } = {}) {
  const row: Route = routes[name]
  const body = fixtures[name].body?.(world)
  const target = fixtures[name].target(world)
  const query = extra.query ? `${target.includes('?') ? '&' : '?'}${extra.query}` : ''
  return {
    method: row.method,
    target: target + query,
    options: {
      ...(body ? { body } : {}),
      ...(row.keyed ? { key: extra.key ?? randomUUID() } : {}),
      // Only the form of the confirmation matters here. Requests that must succeed get a real one.
      ...(row.confirmation?.needed === 'always' ? { headers: { 'Confirmation-Intent-ID': world.intentId } } : {}),
    },
  }
}

/** Sends the good request, with the owner's confirmation if it needs one, and checks the whole answer. */
async function expectSuccess(name: RouteName): Promise<void> {
  const row: Route = routes[name]
  const { method, target, options } = good(name)
  if (row.confirmation?.needed === 'always') {
    const request = { path: target, ...(options.body ? { body: options.body } : {}) }
    options.headers = { 'Confirmation-Intent-ID': await confirmed(client, owner, row.confirmation.action, request) }
  }
  const asking = fixtures[name].by === 'unverified' ? await unverifiedClientOf(stack, scope) : callerOf(row)
  const response = row.scope ? await asking.request(method, target, options) : await plain(method, target)
  expect(response.status, JSON.stringify(response.body)).toBe(row.status)
  const body = row.status === 204 ? null : response.body
  expect(row.response.safeParse(body).error?.issues).toBeUndefined()
  expect(response.headers.get('x-request-id')).toMatch(/^[A-Za-z0-9._~-]{8,128}$/)
  if (row.scope) expect(response.headers.get('dpop-nonce')).toMatch(/^[A-Za-z0-9_-]{43}$/)
}

describe.each(Object.entries(routes) as [RouteName, Route][])('%s', (name, row) => {
  const refreshOnboarding = row.refreshOnboarding

  if (!fixtures[name].ends) test('answers with its status and its shape', () => expectSuccess(name))

  const isRead = row.method === 'GET' && row.scope !== null && row.service !== 'gateway' && row.service !== 'authz'
  if (isRead && !fixtures[name].ends)
    test('identifiers in capital letters name the same', async () => {
      const { method, target, options } = good(name)
      const capital = target.replaceAll(new RegExp(anyUuid, 'g'), (id) => id.toUpperCase())
      const asking = fixtures[name].by === 'unverified' ? await unverifiedClientOf(stack, scope) : callerOf(row)
      const answers = [await asking.request(method, target, options), await asking.request(method, capital, options)]
      const [one, other] = answers
      expect([other?.status, other?.body['id']]).toEqual([row.status, one?.body['id']])
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
    const response = row.scope ? await callerOf(row).request(method, target, options) : await plain(method, target)
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
      const { method, target, options } = good(name)
      const response = await (await withoutScope(row)).request(method, target, options)
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
    test('what is not there, what cannot be there and what is not visible are the same 404', async () => {
      const { options } = good(name)
      const unknown = await callerOf(row).request(row.method, foreign.target, options)
      expectProblem(unknown, { status: 404, code: foreign.code, refreshOnboarding })
      const malformed = await callerOf(row).request(row.method, foreign.target.replace(anyUuid, 'none'), options)
      const takesAny = row.params.safeParse({ [Object.keys(row.params.shape)[0] ?? '']: 'none' }).success
      expectProblem(
        malformed,
        takesAny
          ? { status: 404, code: foreign.code, refreshOnboarding }
          : { status: 422, code: 'validation_failed', fields: ['id'], refreshOnboarding },
      )
      const amara = await clientOf(stack, 'amara-agent', scope)
      if (fixtures[name].seenBy !== 'everybody')
        expectProblem(await amara.request(row.method, good(name).target, good(name).options), {
          status: 404,
          code: foreign.code,
          refreshOnboarding,
        })
    })
  }

  if (row.body) {
    const send = (body: unknown, headers: Record<string, string> = {}) =>
      callerOf(row).request(row.method, good(name).target, {
        body,
        headers: { ...good(name).options.headers, ...headers },
        ...(row.keyed ? { key: randomUUID() } : {}),
      })

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
      const needed = Object.entries(row.body?.shape ?? {}).filter(([, member]) => !member.safeParse(undefined).success)
      expect(empty.body.fields.map((field: { path: string }) => field.path)).toEqual(needed.map(([member]) => member))
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

describe.each(Object.entries(routes).filter(([, row]) => row.keyed) as [RouteName, Route][])('%s', (name, row) => {
  test.each([
    ['no Idempotency-Key', {}],
    ['a short Idempotency-Key', { 'Idempotency-Key': 'short' }],
    ['a long Idempotency-Key', { 'Idempotency-Key': 'x'.repeat(201) }],
  ])('%s is refused', async (_what, headers) => {
    const { target, options } = good(name)
    const { key: _key, ...rest } = options
    const response = await client.request(row.method, target, { ...rest, headers: { ...options.headers, ...headers } })
    const { refreshOnboarding } = row
    expectProblem(response, { status: 422, code: 'validation_failed', fields: ['Idempotency-Key'], refreshOnboarding })
  })
})

describe.each(Object.entries(routes).filter(([, row]) => row.confirmation !== null) as [RouteName, Route][])(
  '%s',
  (name, row) => {
    const send = (id: string | undefined, key: string = randomUUID()) => {
      const { options } = good(name)
      const target = (fixtures[name].untouched ?? fixtures[name].target)(world)
      const headers: Record<string, string> = id === undefined ? {} : { 'Confirmation-Intent-ID': id }
      return client.request(row.method, target, { ...options, ...(row.keyed ? { key } : {}), headers })
    }
    const { refreshOnboarding } = row

    if (row.confirmation?.needed === 'always')
      test('no Confirmation-Intent-ID is refused by its name', async () => {
        const fields = ['Confirmation-Intent-ID']
        expectProblem(await send(undefined), { status: 422, code: 'validation_failed', fields, refreshOnboarding })
      })

    test('an intent that is nobody’s, of another form, not decided or for another request is refused', async () => {
      const short = await send('short')
      const fields = ['Confirmation-Intent-ID']
      expectProblem(short, { status: 422, code: 'validation_failed', fields, refreshOnboarding })
      for (const id of [randomUUID(), 'not-an-identifier-of-ours'])
        expectProblem(await send(id), { status: 403, code: 'confirmation_required', refreshOnboarding })
    })
  },
)

test.each(['__proto__', 'constructor', 'toString', 'hasOwnProperty'])(
  'the member %s of details is refused with its path, never dropped',
  async (name) => {
    const given = beneficiaryBody()
    // Parsed from JSON, as on the wire, so that the name is an own member.
    const details = JSON.parse(`{"${name}":"x"}`) as Record<string, string>
    const body = { ...given, details: Object.assign(details, given['details']) }
    const response = await client.request('POST', '/v1/beneficiaries', { body, key: randomUUID() })
    const fields = [`details.${name}`]
    expectProblem(response, { status: 422, code: 'validation_failed', fields, refreshOnboarding: true })
  },
)

// Runs last, because it ends the connection that every other test needs.
describe.each(Object.entries(routes).filter(([name]) => fixtures[name as RouteName].ends) as [RouteName, Route][])(
  '%s',
  (name) => {
    test('answers with its status and its shape', () => expectSuccess(name))
  },
)
