/** The webhook keys that notifier publishes, on a path of their own among those that authz answers. */

import { type Bus } from '@financial-agents/bus/connect'
import { serveCall } from '@financial-agents/bus/rpc'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { log } from './authz.test-helper.ts'
import { expectProblem, sendRaw, startWorld, type World } from './gateway.test-helper.ts'
import { webhookKeysPath } from './webhook-keys.ts'

let world: World
let url: string
let notifier: Bus

beforeAll(async () => {
  world = await startWorld({ SIGNING_KEYS_PAUSE_MS: '50' })
  url = world.gateways[0]?.url as string
})
afterAll(() => world.stop())

const get = (method = 'GET', headers: [string, string][] = []) => sendRaw(url, method, webhookKeysPath, headers)

test('before the first answer of notifier the keys are unavailable', async () => {
  expectProblem(await get(), 'service_unavailable', webhookKeysPath)
})

test('the keys are what notifier publishes, and authz is not asked', async () => {
  notifier = await world.nats.connect('notifier')
  const jwks = { keys: [{ kty: 'OKP', crv: 'Ed25519', x: 'one', kid: 'k1' }] }
  serveCall(notifier, 'rpc.notifier.keys', async () => jwks, { log })
  await notifier.check()
  await expect.poll(async () => (await get()).body).toEqual(jwks)
  const response = await get()
  expect(response.status).toBe(200)
  expect(response.headers.get('content-type')).toBe('application/json')
  expect(response.headers.get('cache-control')).toBe('public, max-age=300')
  expect(response.headers.get('etag')).toMatch(/^"[\w-]{22}"$/)
  jwks.keys.push({ kty: 'OKP', crv: 'Ed25519', x: 'two', kid: 'k2' })
  await expect.poll(async () => (await get()).body).toEqual(jwks)
})

test('another method is refused here', async () => {
  const response = await get('POST')
  expectProblem(response, 'method_not_allowed', webhookKeysPath)
  expect(response.headers.get('allow')).toBe('GET, HEAD')
})

test('while notifier is gone, the known keys stay valid', async () => {
  const before = (await get()).body
  await notifier.drain()
  await expect.poll(async () => (await get()).body).toEqual(before)
  expect((await get()).status).toBe(200)
})
