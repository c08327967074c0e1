/** Decisions §9: authz's changes of a grant take effect at once, and without its feed no grant is trusted. */

import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { request as httpRequest, type IncomingMessage } from 'node:http'
import { Problem } from '@financial-agents/contract/problem'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { baseUrl, grant, pause } from './authz.test-helper.ts'
import { expectProblem, startWorld, type World } from './gateway.test-helper.ts'
import type { Gateway } from './start.ts'

const path = '/v1/operations'
let world: World

beforeEach(async () => {
  world = await startWorld()
})
afterEach(() => world.stop())

const until = async (done: () => Promise<boolean>) => {
  while (!(await done())) await pause(10)
}
const status = async (gateway = world.gateways[0] as Gateway) => (await world.request('GET', path, { gateway })).status
/** Waits until the first gateway has heard everything that authz published. */
const heard = async () => {
  await world.authz.bus.check()
  await world.buses[0]?.check()
}
/** Starts a gateway to which the feed counts as silent very soon. On a busy machine that happens at other times too. */
const startImpatient = async () => {
  const gateway = await world.startAnother({ GRANT_FEED_SILENCE_MS: '400' }, { graceMs: 0 })
  await until(async () => (await status(gateway)) === 200)
  return gateway
}

test('a grant is read once while no change is reported', async () => {
  await Promise.all(Array.from({ length: 10 }, () => world.request('GET', path)))
  const { reads } = world.authz.state
  expect(reads).toBeLessThanOrEqual(2)
  await Promise.all(Array.from({ length: 10 }, () => world.request('GET', path)))
  expect(world.authz.state.reads).toBe(reads)
})

test.each([
  ['the grant', { grant_id: grant.grant_id }],
  ['its client', { client_id: grant.client_id }],
  ['its owner', { owner_id: grant.owner_id }],
])('a change of %s is in force as soon as it is heard', async (_name, change) => {
  expect(await status()).toBe(200)
  world.authz.grants.set(grant.grant_id, { ...grant, status: 'inactive' })
  expect(await status()).toBe(200)
  world.authz.publish(change)
  await until(async () => (await status()) === 401)
  expectProblem(await world.request('GET', path), 'invalid_token', path)
})

test('a grant that ends while the body of a request is on its way is refused', async () => {
  expect(await status()).toBe(200)
  const target = '/v1/beneficiaries'
  const { maker, token, nonces, gateways } = world
  const { url } = gateways[0] as Gateway
  const nonce = nonces.get(gateways[0] as Gateway) ?? ''
  const headersWith = (DPoP: string) => ({
    Authorization: `DPoP ${token}`,
    DPoP,
    'Content-Type': 'application/json',
    'Idempotency-Key': randomUUID(),
  })
  // The gateway may check the request before it hears that the grant is to be read anew: then another request is tried.
  const begin = async () => {
    for (;;) {
      world.authz.publish({ grant_id: grant.grant_id })
      const { reads } = world.authz.state
      const proof = maker.makeProof({
        method: 'POST',
        url: baseUrl + target,
        accessToken: token,
        iatMs: world.clock.nowMs(),
        nonce,
      })
      const begun = httpRequest(url + target, { method: 'POST', headers: headersWith(proof) })
      begun.on('error', () => {})
      const answered = once(begun, 'response') as Promise<[IncomingMessage]>
      answered.catch(() => {})
      begun.write('{')
      for (let looks = 0; looks < 100 && world.authz.state.reads === reads; looks += 1) await pause(20)
      if (world.authz.state.reads > reads) return { sent: begun, answered }
      begun.destroy()
    }
  }
  const { sent, answered } = await begin()
  world.authz.grants.set(grant.grant_id, { ...grant, status: 'inactive' })
  world.authz.publish({ grant_id: grant.grant_id })
  await until(async () => (await status()) === 401)
  sent.end('}')
  const [response] = await answered
  expect(response.statusCode).toBe(401)
  response.resume()
})

test('the grant of a person is refused from its end on, without a message of authz', async () => {
  const endsInMs = 200_000
  const human = { ...grant, expires_at: new Date(Date.now() + endsInMs).toISOString() }
  world.authz.grants.set(grant.grant_id, human)
  world.authz.publish({ grant_id: grant.grant_id })
  await until(async () => (await status()) === 200)
  const { reads } = world.authz.state
  world.clock.setOffsetMs(endsInMs - 100_000)
  await until(async () => (await status()) === 200)
  expect(world.authz.state.reads).toBe(reads)
  world.clock.setOffsetMs(endsInMs + 1)
  expectProblem(await world.request('GET', path), 'invalid_token', path)
  // The owner authorised the client again: only the end of the grant has moved.
  world.authz.grants.set(grant.grant_id, { ...human, expires_at: new Date(Date.now() + 2 * endsInMs).toISOString() })
  expect(await status()).toBe(200)
})

test('a grant whose end cannot be read is refused', async () => {
  world.authz.grants.set(grant.grant_id, { ...grant, expires_at: 'soon' })
  world.authz.publish({ grant_id: grant.grant_id })
  await until(async () => (await status()) === 401)
})

test('a request has the scopes that both its token and its grant have', async () => {
  const narrow = await world.authz.token(world.maker, { scope: 'beneficiaries:read' })
  const refused = await world.request('GET', path, { token: narrow })
  expectProblem(refused, 'insufficient_scope', path)
  expect(refused.headers.get('www-authenticate')).toContain('scope="operations:read"')
  expect((await world.request('GET', '/v1/beneficiaries', { token: narrow })).status).toBe(200)
  // The owner took a scope back. Tokens that still name it are valid for five minutes.
  world.authz.grants.set(grant.grant_id, { ...grant, scopes: ['operations:read'] })
  world.authz.publish({ grant_id: grant.grant_id })
  await until(async () => (await world.request('GET', '/v1/beneficiaries')).status === 403)
  expect(await status()).toBe(200)
  // A token without a scope of its grant.
  const none = await world.authz.token(world.maker, { scope: undefined })
  expectProblem(await world.request('GET', path, { token: none }), 'insufficient_scope', path)
})

test('a scope that the owner has just allowed is valid for its token before the feed reports it', async () => {
  world.authz.grants.set(grant.grant_id, { ...grant, scopes: ['beneficiaries:read'], binding_id: null })
  world.authz.publish({ grant_id: grant.grant_id })
  await until(async () => (await status()) === 403)
  world.authz.grants.set(grant.grant_id, grant)
  expect(await status()).toBe(403)
  const given = await world.authz.token(world.maker)
  expect((await world.request('GET', path, { token: given })).status).toBe(200)
  // If a grant has less than its tokens name, it is read again once for each of them.
  world.authz.grants.set(grant.grant_id, { ...grant, scopes: ['beneficiaries:read'] })
  world.authz.publish({ grant_id: grant.grant_id })
  await until(async () => (await world.request('GET', path, { token: given })).status === 403)
  const { reads } = world.authz.state
  const another = await world.authz.token(world.maker, { jti: 'another' })
  for (let requests = 0; requests < 3; requests += 1)
    expect((await world.request('GET', path, { token: another })).status).toBe(403)
  expect(world.authz.state.reads).toBe(reads + 1)
})

test('any of several scopes is enough; the service gets those of the request, and a refusal names the missing ones', async () => {
  const intents = '/v1/confirmation-intents/x'
  const tokenOf = (scope: string) => world.authz.token(world.maker, { scope })
  world.authz.grants.set(grant.grant_id, { ...grant, scopes: ['services:read', 'spending:withdraw'] })
  const seen: unknown[] = []
  world.areas.set('getConfirmationIntent', ({ scopes }) => {
    seen.push(scopes)
    const refusal = new Problem('insufficient_scope', { scope: 'services:read' })
    return scopes?.includes('services:read') ? { ok: true, data: {} } : { ok: false, problem: refusal.data }
  })
  const both = await tokenOf('services:read spending:withdraw operations:read')
  expect((await world.request('GET', intents, { token: both })).status).toBe(200)
  const one = await world.request('GET', intents, { token: await tokenOf('spending:withdraw') })
  expectProblem(one, 'insufficient_scope', intents)
  expect(one.headers.get('www-authenticate')).toContain('scope="services:read"')
  const none = await world.request('GET', intents, { token: await tokenOf('operations:read') })
  expectProblem(none, 'insufficient_scope', intents)
  expect(none.headers.get('www-authenticate')).toContain('scope="spending:withdraw services:read"')
  expect(seen).toEqual([['services:read', 'spending:withdraw'], ['spending:withdraw']])
})

test('a change of another grant, client or owner causes no read', async () => {
  await status()
  const { reads } = world.authz.state
  for (const change of [{ grant_id: 'x' }, { client_id: 'x' }, { owner_id: 'x' }]) world.authz.publish(change)
  await heard()
  await status()
  expect(world.authz.state.reads).toBe(reads)
})

test.each([
  ['a change', () => world.authz.publish({ grant_id: grant.grant_id })],
  ['a gap in the numbers', () => world.authz.publish(null, 1)],
])('%s during the read of a grant causes another read', async (_name, publish) => {
  let first = true
  world.authz.state.beforeGrant = async () => {
    if (!first) return
    first = false
    world.authz.grants.set(grant.grant_id, { ...grant, status: 'inactive' })
    publish()
    await heard()
  }
  expectProblem(await world.request('GET', path), 'invalid_token', path)
  expect(world.authz.state.reads).toBeGreaterThanOrEqual(2)
})

test('after a gap in the numbers every grant is read again', async () => {
  await status()
  world.authz.grants.set(grant.grant_id, { ...grant, status: 'inactive' })
  world.authz.publish(null, 1)
  await until(async () => (await status()) === 401)
})

test('after a new publisher every grant is read again', async () => {
  await status()
  const { reads } = world.authz.state
  world.authz.bus.publish('evt.grants', JSON.stringify({ publisher: 'another', sequence: 7, change: null }))
  await heard()
  await status()
  expect(world.authz.state.reads).toBe(reads + 1)
})

test('after a vanished publisher every grant is read again', async () => {
  const impatient = await startImpatient()
  const isReadAgain = async () => {
    world.authz.bus.publish('evt.grants', JSON.stringify({ publisher: randomUUID(), sequence: 7, change: null }))
    await world.authz.bus.check()
    await world.buses[1]?.check()
    await status(impatient)
    const { reads } = world.authz.state
    for (let looks = 0; looks < 200 && world.authz.state.reads === reads; looks += 1) {
      await status(impatient)
      await pause(10)
    }
    return world.authz.state.reads > reads
  }
  // On a busy machine the publisher may have vanished before the reads are counted: then another one appears.
  await until(isReadAgain)
})

test('a silent feed closes every protected route, which the gateway answers itself, and its next message opens them again', async () => {
  const gateway = await startImpatient()
  world.authz.silence()
  await until(async () => (await status(gateway)) === 503)
  const response = await world.request('GET', path, { gateway })
  expectProblem(response, 'authorization_unavailable', path)
  expect(response.headers.get('dpop-nonce')).toMatch(/^[\w-]{43}$/)
  expectProblem(
    await world.request('POST', '/v1/beneficiaries', { gateway }),
    'authorization_unavailable',
    '/v1/beneficiaries',
    false,
  )
  const health = await world.request('GET', '/v1/health', { gateway })
  expect(health.body).toMatchObject({
    status: 'degraded',
    checks: [{ status: 'ok' }, { name: 'grant_feed', status: 'degraded' }],
  })
  await expect(gateway.checks.grant_feed?.()).resolves.toBeUndefined()
  world.authz.speak()
  await until(async () => (await status(gateway)) === 200)
})

test('a gateway that never hears authz is not ready at first, then ready and closed', async () => {
  world.authz.silence()
  const deaf = await world.startAnother({ GRANT_FEED_SILENCE_MS: '60000' }, undefined, { heard: false })
  await expect(deaf.checks.grant_feed?.()).rejects.toThrow('not heard')
  const impatient = await world.startAnother({ GRANT_FEED_SILENCE_MS: '100' }, { graceMs: 0 }, { heard: false })
  const isReady = async () => (await Promise.allSettled([impatient.checks.grant_feed?.()]))[0].status === 'fulfilled'
  await until(isReady)
  expect(await status(impatient)).toBe(503)
  world.authz.speak()
})

test('a lost connection closes them, and its return opens them again', async () => {
  await world.stop()
  // A gateway's questions just before the connection is lost get no answer.
  world = await startWorld({}, { connection: { graceMs: 0 } })
  const gateway = await startImpatient()
  await world.nats.server.kill()
  const health = async () => (await world.request('GET', '/v1/health', { gateway })).body as { status: string }
  await until(async () => (await health()).status === 'degraded')
  const response = await world.request('GET', path, { gateway })
  expectProblem(response, 'authorization_unavailable', path)
  await world.nats.server.start()
  await until(async () => (await status(gateway)) === 200)
})

test('if authz is out of reach, an unknown grant cannot be checked', async () => {
  const gateway = await world.startAnother({}, { graceMs: 0 })
  await until(async () => (await status(gateway)) === 200)
  world.authz.state.beforeGrant = () => new Promise(() => {})
  const token = await world.authz.token(world.maker, { grant_id: 'grant-2' })
  expectProblem(await world.request('GET', path, { token, gateway }), 'authorization_unavailable', path)
  expect(await status(gateway)).toBe(200)
})
