/** Decisions §11: token buckets per grant and per client address, and the choice of the client's address. */

import { afterEach, expect, test } from 'vitest'
import { grant } from './authz.test-helper.ts'
import { expectProblem, newMaker, sendRaw, startWorld, type World } from './gateway.test-helper.ts'

const path = '/v1/operations'
const from = (address: string): [string, string][] => [['X-Forwarded-For', address]]

let world: World

afterEach(() => world.stop())

const countOk = (responses: { status: number }[]) => responses.filter(({ status }) => status === 200).length

test('a grant may send its burst, then its rate, and gets the wait', async () => {
  world = await startWorld({ GRANT_RATE_PER_S: '0.01', GRANT_BURST: '5' })
  const slow = { ...grant, grant_id: 'grant-slow' }
  world.authz.grants.set(slow.grant_id, slow)
  const token = await world.authz.token(world.maker, { grant_id: slow.grant_id, exp: Date.now() / 1_000 + 4_000 })
  await world.request('GET', path)
  const send = (requests: number) =>
    Promise.all(Array.from({ length: requests }, () => world.send('GET', path, { token })))
  const responses = await send(9)
  expect(countOk(responses)).toBe(5)
  const refused = responses.find(({ status }) => status === 429) as (typeof responses)[number]
  expectProblem(refused, 'rate_limited', path)
  expect(Number(refused.headers.get('retry-after'))).toBeLessThanOrEqual(100)
  expect(refused.headers.get('dpop-nonce')).toMatch(/^[\w-]{43}$/)
  expect((await world.request('GET', path)).status).toBe(200)
  world.clock.setOffsetMs(200_000)
  expect(countOk(await send(4))).toBe(2)
  world.clock.setOffsetMs(1_000_000)
  // The nonce has expired; the refusal brings a new one.
  await world.send('GET', path)
  expect(countOk(await send(9))).toBe(5)
})

test('a refusal for a missing scope counts too, one for a nonce does not', async () => {
  world = await startWorld({
    GRANT_RATE_PER_S: '0.01',
    GRANT_BURST: '2',
    ADDRESS_RATE_PER_S: '0.01',
    ADDRESS_BURST: '1',
  })
  const token = await world.authz.token(world.maker, { scope: '' })
  const code = async (given = {}) =>
    ((await world.request('GET', path, { token, ...given })).body as { code: string }).code
  for (let times = 0; times < 5; times += 1) expect(await code({ nonce: null })).toBe('use_dpop_nonce')
  expect(await code()).toBe('insufficient_scope')
  expect(await code()).toBe('insufficient_scope')
  expect(await code()).toBe('rate_limited')
})

test('requests without credentials and failed authentications share the limit of their address', async () => {
  world = await startWorld({ ADDRESS_RATE_PER_S: '0.01', ADDRESS_BURST: '4', TRUSTED_PROXIES: '127.0.0.1,10.0.0.0/8' })
  const url = world.gateways[0]?.url as string
  const health = (address: string) => sendRaw(url, 'GET', '/v1/health', from(address))
  const failing = (address: string) => sendRaw(url, 'GET', path, from(address))
  expect([(await health('192.0.2.1')).status, (await failing('192.0.2.1')).status]).toEqual([200, 401])
  expect([(await failing('192.0.2.1')).status, (await health('192.0.2.1')).status]).toEqual([401, 200])
  for (const send of [health, failing]) {
    const response = await send('192.0.2.1')
    expectProblem(response, 'rate_limited', send === health ? '/v1/health' : path)
    // A hundred seconds, less those that have passed.
    expect(response.headers.get('retry-after')).toMatch(/^(?:100|\d{2})$/)
  }
  expect((await health('192.0.2.2')).status).toBe(200)
  expect((await health('evil, 192.0.2.1, 10.1.2.3')).status).toBe(429)
  expect((await health('192.0.2.1, 192.0.2.3')).status).toBe(200)
  const good = await world.request('GET', path, { headers: from('192.0.2.1') })
  expect(good.status).toBe(200)
})

test('a forwarded address is used only from a trusted proxy', async () => {
  world = await startWorld({ ADDRESS_RATE_PER_S: '0.01', ADDRESS_BURST: '2' })
  const url = world.gateways[0]?.url as string
  const statuses: number[] = []
  for (const address of ['192.0.2.1', '192.0.2.2', '192.0.2.3'])
    statuses.push((await sendRaw(url, 'GET', '/v1/health', [['X-Forwarded-For', address]])).status)
  expect(statuses).toEqual([200, 200, 429])
})

test('only the client of a grant spends its limit', async () => {
  world = await startWorld({ GRANT_RATE_PER_S: '0.01', GRANT_BURST: '3' })
  const stranger = newMaker()
  const forged = `${world.token.slice(0, -6)}AAAAAA`
  const used = { proofClaims: { jti: 'used-before-0123456789' } }
  expect((await world.request('GET', path, used)).status).toBe(200)
  for (let times = 0; times < 5; times += 1) {
    for (const given of [
      { maker: stranger },
      { token: forged },
      used,
      { proofClaims: { url: 'https://other.example/' } },
    ])
      expect((await world.request('GET', path, given)).status).toBe(401)
    for (const given of [{ nonce: null }, { proof: null }])
      expect((await world.send('GET', path, given)).status).toBe(401)
  }
  expect((await world.request('GET', path)).status).toBe(200)
  expect((await world.request('GET', path)).status).toBe(200)
  expectProblem(await world.request('GET', path), 'rate_limited', path)
})

test('a failed authentication counts once, whichever check it fails', async () => {
  world = await startWorld({ ADDRESS_RATE_PER_S: '0.01', ADDRESS_BURST: '6' })
  await world.send('GET', path, { nonce: null })
  const fail = async (given: Parameters<World['send']>[2]) => (await world.send('GET', path, given)).status
  const used = { proofClaims: { jti: 'used-before-0123456789' } }
  expect(await fail(used)).toBe(200)
  const failures = [{ token: null }, { token: 'nonsense' }, { proof: 'nonsense' }, { maker: newMaker() }, used]
  for (const given of failures) expect(await fail(given)).toBe(401)
  world.authz.grants.delete(grant.grant_id)
  const ended = await world.authz.token(world.maker, { grant_id: 'grant-nobody-knows' })
  expect(await fail({ token: ended })).toBe(401)
  for (const given of failures) expect(await fail(given)).toBe(429)
})

test('the header that the proxies write is configured, and the other one is ignored', async () => {
  world = await startWorld({
    ADDRESS_RATE_PER_S: '0.01',
    ADDRESS_BURST: '1',
    TRUSTED_PROXIES: 'loopback',
    FORWARDED_HEADER: 'forwarded',
  })
  const health = async (...headers: [string, string][]) =>
    (await sendRaw(world.gateways[0]?.url as string, 'GET', '/v1/health', headers)).status
  expect(await health(['Forwarded', 'for=192.0.2.1'], ['Forwarded', 'for="192.0.2.2:80"'])).toBe(200)
  expect(await health(['Forwarded', 'for=192.0.2.1'])).toBe(200)
  expect(await health(['Forwarded', 'for=192.0.2.9, for=192.0.2.2'], ['X-Forwarded-For', '192.0.2.7'])).toBe(429)
  expect(await health(['X-Forwarded-For', '192.0.2.7'])).toBe(200)
  expect(await health(['X-Forwarded-For', '192.0.2.8'])).toBe(429)
})
