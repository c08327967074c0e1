/**
 * Every protected row of the route table against everybody who may not: another owner, another client, a grant that was
 * revoked, a connection that ended, a token that is over or of another environment. A new row cannot be forgotten.
 */

import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { type Route, scopesOf } from '@financial-agents/contract/route'
import { type RouteName, routes } from '@financial-agents/contract/routes'
import type { ApiClient, ApiResponse } from '@financial-agents/testkit/client'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Owner, ownerOf } from '../owner.test-helper.ts'
import { clientOf, confirmed, startTestStack, type TestStack } from '../stack.test-helper.ts'
import { declareClients } from './declare-clients.ts'
import { fixtures } from './fixtures.ts'
import { createHandClient, type HandClient, type HeaderList } from './hand-client.ts'
import { expectProblem } from './problem.ts'
import { createWorld, everyScope, type World } from './world.ts'

const rows = (Object.entries(routes) as [RouteName, Route][]).filter(([, row]) => row.scope !== null)
const ofResources = rows.filter(([name]) => fixtures[name].foreign)

let stack: TestStack
/** Another environment, with the same clients. */
let elsewhere: TestStack
let owner: Owner
let agent: ApiClient
let world: World

beforeAll(async () => {
  const enabledCapabilities = ['transfers.execute', 'cards.reveal']
  ;[stack, elsewhere] = await Promise.all([startTestStack({ enabledCapabilities }), startTestStack()])
  // More clients of the same owner that have every scope.
  await declareClients(stack, (clients) => {
    const scopes = clients.find(({ client_id }) => client_id === 'ines-agent')?.['scopes']
    return clients.map((client) => (client.client_id.startsWith('ines-') ? { ...client, scopes } : client))
  })
  owner = ownerOf(stack, 'ines')
  agent = await clientOf(stack, 'ines-agent', everyScope)
  world = await createWorld(agent, owner)
})
afterAll(() => Promise.all([stack.close(), elsewhere.close()]))

function requestOf(name: RouteName) {
  const row: Route = routes[name]
  const headers: Record<string, string> = {}
  if (row.keyed) headers['Idempotency-Key'] = randomUUID()
  if (row.confirmation?.needed === 'always') headers['Confirmation-Intent-ID'] = world.intentId
  const body = fixtures[name].body?.(world)
  const target = (fixtures[name].untouched ?? fixtures[name].target)(world)
  return { method: row.method, target, options: { headers, ...(body ? { body } : {}) } }
}

function ask(client: ApiClient, name: RouteName): Promise<ApiResponse> {
  const { method, target, options } = requestOf(name)
  return client.request(method, target, options)
}

function askByHand(client: HandClient, name: RouteName, claims: Record<string, unknown> = {}): Promise<ApiResponse> {
  const { method, target, options } = requestOf(name)
  const headers = Object.entries(options.headers) as HeaderList
  return client.send(method, target, { ...options, headers, claims })
}

const refusalOf = (row: Route) => ({ refreshOnboarding: row.refreshOnboarding })
const invalidToken = (row: Route) => ({ status: 401, code: 'invalid_token', ...refusalOf(row) })

describe('another owner', () => {
  let stranger: ApiClient
  beforeAll(async () => {
    stranger = await clientOf(stack, 'amara-agent', everyScope)
  })

  test.each(ofResources.filter(([name]) => fixtures[name].seenBy !== 'everybody'))('%s', async (name, row) => {
    const code = fixtures[name].foreign?.code as string
    expectProblem(await ask(stranger, name), { status: 404, code, ...refusalOf(row) })
  })

  const naming = rows.filter(([, row]) => row.body !== null && Object.keys(row.body.shape).includes('beneficiary_id'))
  test.each(naming)('%s: what its body names', async (name, row) => {
    const fields = ['beneficiary_id']
    const response = await ask(stranger, name)
    expectProblem(response, { status: 422, code: 'validation_failed', fields, ...refusalOf(row) })
  })
})

describe('what is no identifier', () => {
  test.each(ofResources)('%s: answers as for what does not exist', async (name, row) => {
    const { method, options } = requestOf(name)
    const response = await agent.request(method, row.path.replace(/\{\w+\}/, 'a%00b'), options)
    const isForm = row.area === 'operation-webhooks'
    expect([response.status, response.body['code']]).toEqual(
      isForm ? [422, 'validation_failed'] : [404, expect.stringMatching(/_not_found$/)],
    )
  })
})

describe('another client of the same owner', () => {
  let bookkeeper: ApiClient
  beforeAll(async () => {
    bookkeeper = await clientOf(stack, 'ines-bookkeeper', everyScope)
  })

  test.each(ofResources.filter(([name]) => fixtures[name].seenBy === 'client'))('%s', async (name, row) => {
    const code = fixtures[name].foreign?.code as string
    expectProblem(await ask(bookkeeper, name), { status: 404, code, ...refusalOf(row) })
  })

  const shared = ofResources.filter(([name, row]) => row.method === 'GET' && fixtures[name].seenBy !== 'client')
  test.each(shared)('%s: sees what is the owner’s', async (name) => {
    const response = await ask(bookkeeper, name)
    expect(response.status, JSON.stringify(response.body)).toBe(200)
    // Identifiers of activity are pairwise.
    const shown = (body: unknown) => JSON.stringify(body).replaceAll(/"id":"[\w-]{43}"/g, '')
    expect(shown(response.body)).toEqual(shown((await ask(agent, name)).body))
  })

  test('lists nothing that is another client’s', async () => {
    for (const path of ['/v1/operations', '/v1/mandates', '/v1/webhook-subscriptions']) {
      expect((await bookkeeper.request('GET', path)).body['items'], path).toEqual([])
      expect((await agent.request('GET', path)).body['items'].length, path).toBeGreaterThan(0)
    }
  })
})

describe('a grant without the scope', () => {
  const scoped = new Map<string, Promise<ApiClient>>()
  const withAllBut = (names: readonly string[]) => {
    const rest = everyScope.split(' ').filter((scope) => !names.includes(scope))
    const known = scoped.get(rest.join(' ')) ?? clientOf(stack, 'ines-agent', rest.join(' '))
    scoped.set(rest.join(' '), known)
    return known
  }

  test.each(rows)('%s', async (name, row) => {
    const response = await ask(await withAllBut(scopesOf(row)), name)
    expectProblem(response, { status: 403, code: 'insufficient_scope', ...refusalOf(row) })
  })
})

describe('a grant that its owner revoked', () => {
  let revoked: HandClient
  beforeAll(async () => {
    revoked = await createHandClient(stack, 'ines-reader', everyScope)
    expect((await revoked.send('GET', '/v1/operations')).status).toBe(200)
    await owner.press(await owner.read(`${stack.baseUrl}/account`), /^end access of ines.s reader$/i)
    while ((await revoked.send('GET', '/v1/operations')).status === 200) await delay(20)
  })

  test.each(rows)('%s', async (name, row) => {
    expectProblem(await askByHand(revoked, name), invalidToken(row))
  })
})

describe('a token of another environment', () => {
  let stranger: HandClient
  beforeAll(async () => {
    stranger = await createHandClient(stack, 'ines-agent', everyScope)
    stranger.token = (await createHandClient(elsewhere, 'ines-agent', everyScope)).token
  })

  test.each(rows)('%s', async (name, row) => {
    expectProblem(await askByHand(stranger, name), invalidToken(row))
  })
})

describe('an owner whose connection ended', () => {
  let amara: ApiClient
  const disconnected = new Set<RouteName>(['getServiceConnection', 'disconnectService'])
  beforeAll(async () => {
    amara = await clientOf(stack, 'amara-agent', everyScope)
    const path = '/v1/service-connections/current'
    const intent = await confirmed(amara, ownerOf(stack, 'amara'), 'service_disconnect', { path })
    const ended = await amara.request('DELETE', path, { headers: { 'Confirmation-Intent-ID': intent } })
    expect(ended.status, JSON.stringify(ended.body)).toBe(204)
    while ((await amara.request('GET', '/v1/operations')).status === 200) await delay(20)
  })

  test.each(rows.filter(([, row]) => row.binding))('%s', async (name, row) => {
    const response = await ask(amara, name)
    expectProblem(response, { status: 409, code: 'provider_connection_unavailable', ...refusalOf(row) })
  })

  test.each(rows.filter(([name, row]) => !row.binding && !disconnected.has(name)))(
    '%s still answers',
    async (name, row) => {
      const { foreign, seenBy } = fixtures[name]
      const response = await ask(amara, name)
      if (name === 'createKycSession') expect(response.body['code']).toBe('provider_connection_unavailable')
      else if (foreign && seenBy !== 'everybody') expect(response.body['code']).toBe(foreign.code)
      else expect(response.status, JSON.stringify(response.body)).toBe(row.status)
    },
  )
})

describe('a token that is over', () => {
  let late: HandClient
  const laterMs = 310_000
  beforeAll(async () => {
    late = await createHandClient(stack, 'ines-agent', everyScope)
    await stack.moveClock(['gateway'], laterMs)
    await late.send('GET', '/v1/operations', { token: null, proof: null })
  })
  afterAll(() => stack.moveClock(['gateway'], 0))

  test.each(rows)('%s', async (name, row) => {
    const iat = Math.floor((Date.now() + laterMs) / 1_000)
    expectProblem(await askByHand(late, name, { iat }), invalidToken(row))
  })
})
