/** The rotation of authz's signing keys, as one replica sees it. */

import { afterAll, beforeAll, expect, test } from 'vitest'
import { pause } from './authz.test-helper.ts'
import { expectProblem, startWorld, type World } from './gateway.test-helper.ts'

const path = '/v1/operations'
let world: World

beforeAll(async () => {
  world = await startWorld({ SIGNING_KEYS_PAUSE_MS: '50' })
})
afterAll(() => world.stop())

const tokenOf = (kid: string) => world.authz.token(world.maker, {}, { kid })
/**
 * Waits until a read of the keys that began after this call has ended. Reads follow one another, so this is certain
 * once the second one has begun.
 */
async function keysAreRead(): Promise<void> {
  const before = world.authz.state.keyReads
  await expect.poll(() => world.authz.state.keyReads, { interval: 10 }).toBeGreaterThan(before + 1)
}
const status = async (token: string) => (await world.request('GET', path, { token })).status

test('a key that is published before its first use is known in time, and the key before it stays valid', async () => {
  const old = await tokenOf('key-1')
  expect(await status(old)).toBe(200)
  await world.authz.publishKey('key-2')
  await keysAreRead()
  expect(await status(await tokenOf('key-2'))).toBe(200)
  expect([await status(old), await status(await tokenOf('key-1'))]).toEqual([200, 200])
})

test('a token of a newly published key is accepted at once, and invented key ids do not delay it', async () => {
  const seldom = await world.startAnother({ SIGNING_KEYS_PAUSE_MS: '60000' })
  const at = (token: string) => world.request('GET', path, { token, gateway: seldom })
  expect((await at(await tokenOf('key-1'))).status).toBe(200)
  for (const kid of ['key-3', 'key-4']) {
    const madeUp = Array.from({ length: 10 }, async (_, index) => (await at(await tokenOf(`none-${index}`))).status)
    await world.authz.publishKey(kid)
    expect((await at(await tokenOf(kid))).status).toBe(200)
    expect(await Promise.all(madeUp)).toEqual(Array(10).fill(401))
  }
})

test('tokens of a key that is no longer published are refused, even if accepted before', async () => {
  const old = await tokenOf('key-1')
  expect(await status(old)).toBe(200)
  world.authz.keys.shift()
  while ((await status(old)) === 200) await pause(20)
  expectProblem(await world.request('GET', path, { token: old }), 'invalid_token', path)
  expectProblem(await world.request('GET', path, { token: await tokenOf('key-1') }), 'invalid_token', path)
  expect(await status(await tokenOf('key-2'))).toBe(200)
})

test('while authz is out of reach, the known keys stay valid', async () => {
  world.authz.state.keysAway = true
  await keysAreRead()
  expect(await status(await tokenOf('key-2'))).toBe(200)
  world.authz.state.keysAway = false
})
