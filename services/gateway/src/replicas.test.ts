/** Decisions §10 and §11 with two replicas: a proof is accepted once across both, and requests at one count at both. */

import { randomUUID } from 'node:crypto'
import { serveCall } from '@financial-agents/bus/rpc'
import { createBootId, createNonces } from '@financial-agents/dpop/nonce'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { log } from './authz.test-helper.ts'
import { hearCounts } from './counts.test-helper.ts'
import { expectProblem, nonceKey, startWorld, type World } from './gateway.test-helper.ts'
import type { Gateway } from './start.ts'

const path = '/v1/operations'
let world: World
let first: Gateway
let second: Gateway
let counts: Awaited<ReturnType<typeof hearCounts>>

beforeAll(async () => {
  world = await startWorld({ GRANT_RATE_PER_S: '0.01', GRANT_BURST: '40' })
  counts = await hearCounts(world.nats)
  first = world.gateways[0] as Gateway
  second = await world.startAnother()
})
afterAll(() => world.stop())

/** Waits until all replicas know that this number of requests of the grant was accepted in all. */
const exchanged = (grantId: string, requests: number) => counts.heard(grantId, requests, world.buses)

const nonceOf = async (gateway: Gateway) =>
  (await world.send('GET', path, { gateway, token: null, proof: null })).headers.get('dpop-nonce') as string

test('a proof with the nonce of one replica is good at the other, once', async () => {
  const nonce = await nonceOf(first)
  const given = { nonce, proofClaims: { jti: randomUUID() } }
  expect((await world.send('GET', path, { ...given, gateway: second })).status).toBe(200)
  for (const gateway of [second, first])
    expect(
      expectProblem(await world.send('GET', path, { ...given, gateway }), 'invalid_dpop_proof', path).detail,
    ).toContain('before')
})

test('a proof used at the replica of its nonce is refused at the other', async () => {
  const given = { nonce: await nonceOf(first), proofClaims: { jti: randomUUID() } }
  expect((await world.send('GET', path, { ...given, gateway: first })).status).toBe(200)
  expectProblem(await world.send('GET', path, { ...given, gateway: second }), 'invalid_dpop_proof', path)
})

test('one of two equal proofs that reach both replicas at once is accepted', async () => {
  const given = { nonce: await nonceOf(first), proofClaims: { jti: randomUUID() } }
  const responses = await Promise.all(
    Array.from({ length: 10 }, (_, index) =>
      world.send('GET', path, { ...given, gateway: index % 2 ? first : second }),
    ),
  )
  expect(responses.filter(({ status }) => status === 200)).toHaveLength(1)
})

test('a proof with the nonce of an absent replica gets a new nonce', async () => {
  const gone = createNonces({ key: nonceKey, bootId: createBootId(), nowMs: () => Date.now() })
  const response = await world.send('GET', path, { nonce: gone.current(), gateway: first })
  expectProblem(response, 'use_dpop_nonce', path)
  const fresh = response.headers.get('dpop-nonce') as string
  expect((await world.send('GET', path, { nonce: fresh, gateway: first })).status).toBe(200)
})

test('requests at one replica count at the other', async () => {
  const token = await world.authz.token(world.maker, { grant_id: 'grant-shared' })
  world.authz.grants.set('grant-shared', {
    ...(world.authz.grants.get('grant-1') as never as object),
    grant_id: 'grant-shared',
  } as never)
  const spend = async (gateway: Gateway, requests: number) => {
    await world.request('GET', path, { gateway })
    const responses = await Promise.all(
      Array.from({ length: requests }, () => world.send('GET', path, { gateway, token })),
    )
    return responses.filter(({ status }) => status === 200).length
  }
  expect(await spend(first, 30)).toBe(30)
  await exchanged('grant-shared', 30)
  expect(await spend(second, 30)).toBe(10)
  await exchanged('grant-shared', 40)
  const response = await world.request('GET', path, { gateway: first, token })
  expectProblem(response, 'rate_limited', path)
  expect(Number(response.headers.get('retry-after'))).toBeGreaterThanOrEqual(1)
})

const sharing = async (name: string) => {
  world.authz.grants.set(name, { ...(world.authz.grants.get('grant-1') as object), grant_id: name } as never)
  const token = await world.authz.token(world.maker, { grant_id: name })
  const send = (gateway: Gateway, requests: number) =>
    Promise.all(Array.from({ length: requests }, () => world.send('GET', path, { gateway, token })))
  return async (spending: [gateway: Gateway, requests: number][]) => {
    for (const [gateway] of spending) await world.request('GET', path, { gateway })
    const responses = await Promise.all(spending.map(([gateway, requests]) => send(gateway, requests)))
    return responses.flat().filter(({ status }) => status === 200).length
  }
}

test('replicas under simultaneous load accept at most a burst each, and no more after their exchange', async () => {
  const spend = await sharing('grant-at-once')
  const through = await spend([
    [first, 60],
    [second, 60],
  ])
  expect(through).toBeGreaterThanOrEqual(40)
  expect(through).toBeLessThanOrEqual(80)
  await exchanged('grant-at-once', through)
  expect(await spend([[second, 5]])).toBe(0)
})

test('a replica that joins lets through a burst of its own at most, and the others count it', async () => {
  const spend = await sharing('grant-joined')
  expect(await spend([[first, 45]])).toBe(40)
  await exchanged('grant-joined', 40)
  const third = await world.startAnother()
  expect(await spend([[third, 45]])).toBe(40)
  await exchanged('grant-joined', 80)
  expect(
    await spend([
      [first, 3],
      [second, 3],
      [third, 3],
    ]),
  ).toBe(0)
})

test('Retry-After holds at the other replica too', async () => {
  const spend = await sharing('grant-obedient')
  expect(await spend([[first, 40]])).toBe(40)
  await exchanged('grant-obedient', 40)
  const token = await world.authz.token(world.maker, { grant_id: 'grant-obedient' })
  const response = await world.send('GET', path, { gateway: first, token })
  expectProblem(response, 'rate_limited', path)
  // One token takes 100 s, and part of them has passed.
  const waitS = Number(response.headers.get('retry-after'))
  expect(waitS).toBeGreaterThanOrEqual(20)
  expect(waitS).toBeLessThanOrEqual(101)
  world.clock.setOffsetMs(waitS * 1_000)
  expect(await spend([[second, 3]])).toBe(1)
  world.clock.setOffsetMs(0)
})

test('a proof with the nonce of a replica that never answers gets a new nonce, and is not accepted', async () => {
  const nonces = createNonces({ key: nonceKey, bootId: createBootId(), nowMs: () => Date.now() })
  const silent = await world.nats.connect('gateway')
  let asked = 0
  const neverAnswer = () => {
    asked += 1
    return new Promise<never>(() => {})
  }
  serveCall(silent, `edge.proof.${nonces.bootId}`, neverAnswer, { log, queue: null })
  await silent.check()
  const gateway = await world.startAnother({}, { graceMs: 0 })
  // Once this gateway has the keys, only the other replica keeps it waiting.
  await expect.poll(async () => (await world.request('GET', path, { gateway })).status).not.toBe(503)
  const { detail } = expectProblem(
    await world.send('GET', path, { nonce: nonces.current(), gateway }),
    'use_dpop_nonce',
    path,
  )
  expect(detail).toBe('Whether the DPoP proof was used before cannot be told.')
  await expect.poll(() => asked).toBe(1)
})
