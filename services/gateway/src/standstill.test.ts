/**
 * A gateway process that stood still must not serve waiting requests by outdated knowledge. Requests and authz's
 * messages wait in different queues. The order in which they are read afterwards must not matter.
 */

import { Agent } from 'node:http'
import { join } from 'node:path'
import { type Child, startChild } from '@financial-agents/servers/child-process'
import { getFreePort } from '@financial-agents/servers/ports'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { baseUrl, grant, pause } from './authz.test-helper.ts'
import { newMaker, sendRaw, startWorld, type World } from './gateway.test-helper.ts'

const rounds = Number(process.env.STANDSTILL_ROUNDS ?? 6)
const path = '/v1/operations'
const queued = 12
/** Long enough for changes to be published meanwhile, and too short for the feed to count as silent (5 s). */
const standstillMs = [700, 3_000] as const
/** Connections that are open before the standstill. Data on a new connection is read last. */
const agent = new Agent({ keepAlive: true, maxSockets: queued })
let world: World
let gateway: Child
let url: string

beforeAll(async () => {
  world = await startWorld()
  const [port, healthPort] = [await getFreePort(), await getFreePort()]
  url = `http://127.0.0.1:${port}`
  gateway = await startChild('gateway', process.execPath, [join(import.meta.dirname, 'main.ts')], {
    env: {
      PATH: process.env.PATH,
      ENVIRONMENT: 'test',
      PUBLIC_BASE_URL: baseUrl,
      HOST: '127.0.0.1',
      PORT: String(port),
      HEALTH_HOST: '127.0.0.1',
      HEALTH_PORT: String(healthPort),
      NATS_URL: world.nats.server.url,
      NATS_NKEY_SEED: world.nats.seeds.gateway,
      NONCE_KEY: Buffer.alloc(32, 1).toString('base64'),
      REQUEST_HASH_KEY: Buffer.alloc(32, 2).toString('base64'),
      GRANT_RATE_PER_S: '0',
      ADDRESS_RATE_PER_S: '0',
    },
  })
})
afterAll(async () => {
  agent.destroy()
  gateway.signal('SIGCONT')
  await gateway.stop()
  await world.stop()
})

const maker = newMaker()
let nonce: string | undefined

async function send(token: string) {
  const proof = maker.makeProof({
    method: 'GET',
    url: baseUrl + path,
    accessToken: token,
    iatMs: Date.now(),
    ...(nonce ? { nonce } : {}),
  })
  const headers: [string, string][] = [
    ['Authorization', `DPoP ${token}`],
    ['DPoP', proof],
  ]
  const answer = await sendRaw(url, 'GET', path, headers, undefined, agent)
  nonce = answer.headers.get('dpop-nonce') ?? nonce
  return answer.status
}

/** A number from 0 to 1 that depends only on the seed and the round. */
const chance = (round: number) => (Math.imul(round + 1, 0x9e3779b1) >>> 0) / 2 ** 32

const active = async (token: string, yes: boolean) => {
  world.authz.grants.set(grant.grant_id, { ...grant, status: yes ? 'active' : 'inactive' })
  world.authz.publish({ grant_id: grant.grant_id })
  await world.authz.bus.check()
  if (yes) await expect.poll(() => send(token).catch(() => 0), { interval: 20 }).toBe(200)
}

test.each(Array.from({ length: rounds }, (_one, round) => round))(
  'serves nothing of a grant that ended while it stood still, whatever was queued first (seed %i)',
  async (round) => {
    const token = await world.authz.token(maker)
    await active(token, true)
    await Promise.all(Array.from({ length: queued }, () => send(token)))
    const stillMs = standstillMs[0] + chance(round) * (standstillMs[1] - standstillMs[0])
    // A heartbeat would be read before everything else.
    world.authz.silence()
    gateway.signal('SIGSTOP')
    const answers: Promise<number>[] = []
    const enqueue = () => {
      for (let sent = 0; sent < queued; sent += 1) answers.push(send(token))
    }
    // In half of the rounds, the requests come before the message that ends the grant.
    if (round % 2 === 0) enqueue()
    await pause(stillMs / 2)
    await active(token, false)
    if (round % 2 === 1) enqueue()
    await pause(stillMs / 2)
    gateway.signal('SIGCONT')
    world.authz.speak()
    const statuses = await Promise.all(answers)
    expect(statuses.filter((status) => status !== 401 && status !== 503)).toEqual([])
  },
)

test('serves again after a message of the feed, and reads each grant again', async () => {
  const token = await world.authz.token(maker)
  await active(token, true)
  const { reads } = world.authz.state
  gateway.signal('SIGSTOP')
  await pause(standstillMs[0])
  gateway.signal('SIGCONT')
  expect(await send(token)).toBe(200)
  expect(world.authz.state.reads).toBeGreaterThan(reads)
})
