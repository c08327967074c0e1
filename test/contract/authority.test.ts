/**
 * Every protected row of the route table is called by callers without authority: another owner, another client, a
 * revoked grant, an ended connection; and with tokens that are expired, of another environment or of the other class. A
 * new row is covered automatically.
 */

import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { type Route, scopesOf } from '@financial-agents/contract/route'
import { type RouteName, routes } from '@financial-agents/contract/routes'
import type { ApiClient, ApiResponse } from '@financial-agents/testkit/client'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Owner, ownerOf } from '../owner.test-helper.ts'
import { registerClients } from '../register-clients.ts'
import { clientOf, confirmed, startOtherEnvironment, startTestStack, type TestStack } from '../stack.test-helper.ts'
import { fixtures } from './fixtures.ts'
import { createHandClient, createKey, type HandClient, type HeaderList, type Sender } from './hand-client.ts'
import { createOperatorClient, type OperatorClient, operatorToken } from './operator-client.ts'
import { expectProblem } from './problem.ts'
import { createWorld, everyScope, grantIdOf, type World } from './world.ts'

const everyRow = (Object.entries(routes) as [RouteName, Route][]).filter(([, row]) => row.scope !== null)
const rows = everyRow.filter(([, row]) => row.audience === 'customer')
const operatorRows = everyRow.filter(([, row]) => row.audience === 'operator')
const ofResources = rows.filter(([name]) => fixtures[name].foreign)

let stack: TestStack
/** A second environment with the same clients. */
let elsewhere: TestStack
let owner: Owner
let agent: ApiClient
let world: World

beforeAll(async () => {
  const enabledCapabilities = ['transfers.execute', 'cards.reveal']
  ;[stack, elsewhere] = await Promise.all([startTestStack({ enabledCapabilities }), startOtherEnvironment()])
  // Gives every scope to the owner's other clients.
  await registerClients(stack, (clients) => {
    const scopes = clients.find(({ client_id }) => client_id === 'ines-agent')?.['scopes']
    return clients.map((client) => (client.client_id.startsWith('ines-') ? { ...client, scopes } : client))
  })
  owner = ownerOf(stack, 'ines')
  agent = await clientOf(stack, 'ines-agent', everyScope)
  world = await createWorld(agent, owner, agent)
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

function askByHand(client: Sender, name: RouteName, claims: Record<string, unknown> = {}): Promise<ApiResponse> {
  const { method, target, options } = requestOf(name)
  const headers = Object.entries(options.headers) as HeaderList
  return client.send(method, target, { ...options, headers, claims })
}

const refusalOf = (row: Route) => ({ refreshOnboarding: row.refreshOnboarding })
const invalidTokenOf = { status: 401, code: 'invalid_token' }
const invalidToken = (row: Route) => ({ ...invalidTokenOf, ...refusalOf(row) })

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
    if (row.area === 'payment-checks')
      expect(response.body['refusal']).toMatchObject({
        code: 'validation_failed',
        fields: [{ path: 'beneficiary_id' }],
      })
    else expectProblem(response, { status: 422, code: 'validation_failed', fields, ...refusalOf(row) })
  })
})

describe('an invalid identifier', () => {
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
    // Ids of activity are pairwise, so they differ between clients.
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
    const end = /^end access of ines.s reader$/i
    // The access of a service account ends after a second click.
    await owner.press(await owner.press(await owner.read(`${stack.baseUrl}/account`), end), end)
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

describe('a token of the other class, good in every other way', () => {
  let customer: HandClient
  let operator: OperatorClient
  beforeAll(async () => {
    customer = await createHandClient(stack, 'ines-agent', everyScope)
    expect((await customer.send('GET', '/v1/operations')).status).toBe(200)
    operator = await createOperatorClient(stack, { scope: `ops:read ops:suspend ${everyScope}` })
    expect((await operator.request('GET', '/v1/ops/operations')).status).toBe(200)
  })

  test.each(rows)("%s: an operator's", async (name, row) => {
    const response = await askByHand(operator, name)
    expectProblem(response, invalidToken(row))
    expect(response.headers.get('www-authenticate')).toContain('/.well-known/oauth-protected-resource')
  })

  test.each(rows)("%s: an operator's that says to be a customer's, under either name of a key", async (name, row) => {
    const { baseUrl: iss } = stack
    const [header = ''] = customer.token.split('.')
    const { kid } = JSON.parse(Buffer.from(header, 'base64url').toString())
    const claims = { iss, aud: iss, client_id: 'ines-agent', grant_id: grantIdOf(customer.token), scope: everyScope }
    const token = await operatorToken(stack, operator.key, { claims, header: { kid } })
    const { method, target, options } = requestOf(name)
    const headers = Object.entries(options.headers) as HeaderList
    const response = await operator.send(method, target, { ...options, headers, token })
    expectProblem(response, invalidToken(row))
  })

  test.each(operatorRows)("%s: a customer's", async (name, row) => {
    const response = await askByHand(customer, name)
    expectProblem(response, invalidToken(row))
    expect(response.headers.get('www-authenticate')).toContain(`realm="${stack.baseUrl}/v1/ops"`)
    expect(response.headers.get('www-authenticate')).not.toContain('resource_metadata')
  })
})

describe("an operator's token that", () => {
  const inTheirEnvironment = () => ({ baseUrl: elsewhere.baseUrl, keys: elsewhere.keys })
  const wrong: [what: string, make: (sender: Sender) => Promise<string>, code?: string][] = [
    ['is of another environment', ({ key }) => operatorToken(inTheirEnvironment(), key)],
    [
      'is of another environment and says to be of this one',
      ({ key }) => operatorToken({ baseUrl: stack.baseUrl, keys: elsewhere.keys }, key),
    ],
    ['is of another issuer', ({ key }) => operatorToken(stack, key, { claims: { iss: stack.baseUrl } })],
    ['is for another audience', ({ key }) => operatorToken(stack, key, { claims: { aud: stack.baseUrl } })],
    [
      'is for both audiences',
      ({ key }) => operatorToken(stack, key, { claims: { aud: [`${stack.baseUrl}/v1/ops`, stack.baseUrl] } }),
    ],
    ['is signed by another key', ({ key }) => operatorToken(stack, key, { signer: createKey().privateKey })],
    ['names a key of nobody', ({ key }) => operatorToken(stack, key, { header: { kid: 'nobodys' } })],
    ['is unsigned', async ({ key }) => `${(await operatorToken(stack, key)).split('.').slice(0, 2).join('.')}.`],
    ['has expired', ({ key }) => operatorToken(stack, key, { claims: { exp: Math.floor(Date.now() / 1_000) - 6 } })],
    ['is bound to no key', ({ key }) => operatorToken(stack, key, { claims: { cnf: undefined } })],
    ['is bound to another key', () => operatorToken(stack, createKey()), 'invalid_dpop_proof'],
    ['is not an access token', ({ key }) => operatorToken(stack, key, { header: { typ: 'JWT' } })],
    ['names no operator', ({ key }) => operatorToken(stack, key, { claims: { sub: undefined } })],
  ]
  let operator: OperatorClient
  beforeAll(async () => {
    operator = await createOperatorClient(stack)
  })

  test.each(wrong.flatMap(([what, make, code]) => operatorRows.map(([name]) => [what, name, make, code] as const)))(
    '%s: %s',
    async (_what, name, make, code = 'invalid_token') => {
      const { method, target, options } = requestOf(name)
      const token = await make(operator)
      const response = await operator.send(method, target, { ...options, headers: [], token })
      expectProblem(response, { status: 401, code })
      expect(JSON.stringify(response.body)).not.toContain(token)
    },
  )

  test.each(operatorRows)('is sent as a bearer token, without a proof or with a used one: %s', async (name) => {
    const { method, target, options } = requestOf(name)
    const sent = { ...options, headers: [] }
    expectProblem(await operator.send(method, target, { ...sent, scheme: 'Bearer' }), invalidTokenOf)
    expectProblem(await operator.send(method, target, { ...sent, proof: null }), {
      status: 401,
      code: 'invalid_dpop_proof',
    })
    const proof = operator.proofFor(method, target)
    await operator.send(method, target, { ...sent, body: undefined, proof })
    expectProblem(await operator.send(method, target, { ...sent, proof }), { status: 401, code: 'invalid_dpop_proof' })
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
      // Its fixture asks to confirm a disconnect, which is refused without a connection.
      else if (name === 'createConfirmationIntent') expect(response.body['code']).toBe('validation_failed')
      else if (foreign && seenBy !== 'everybody') expect(response.body['code']).toBe(foreign.code)
      else expect(response.status, JSON.stringify(response.body)).toBe(row.status)
    },
  )
})

describe('an expired token', () => {
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
