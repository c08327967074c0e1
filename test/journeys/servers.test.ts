/**
 * Failures of the servers below: NATS loses its store; PostgreSQL is restarted and killed. Each failure causes only
 * delay, and gateways answer meanwhile.
 */

import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { getFreePort } from '@financial-agents/servers/ports'
import type { ApiClient, ApiResponse } from '@financial-agents/testkit/client'
import type { ServiceName } from '@financial-agents/testkit/stack-services'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  clientOf,
  create,
  pollUntil,
  providerOf,
  startTestStack,
  type TestStack,
  usualDeadline,
} from '../stack.test-helper.ts'

let stack: TestStack
let client: ApiClient
let provider: ReturnType<typeof providerOf>

beforeAll(async () => {
  stack = await startTestStack({
    environment: {
      // A request that a failure loses is never answered.
      all: { NATS_REQUEST_GRACE_MS: '0' },
      gateway: usualDeadline,
      submitter: { BACKGROUND_JOB_PAUSE_MS: '300' },
      operations: { BACKGROUND_JOB_PAUSE_MS: '300', BACKGROUND_JOB_AFTER_MS: '1000' },
    },
  })
  client = await clientOf(stack, 'ines-agent')
  provider = providerOf(stack)
})
afterAll(() => stack.close())

async function withLoad(name: string, disturb: () => Promise<void>): Promise<void> {
  let stopped = false
  const ids: string[] = []
  const load = Array.from({ length: 4 }, async () => {
    while (!stopped) {
      const key = randomUUID()
      let response: ApiResponse | undefined
      while (response?.status !== 202) {
        response = await create(client, name, key).catch(() => undefined)
        if (response?.status !== 202) await delay(100)
      }
      ids.push(response.body.id)
    }
  })
  await delay(500)
  await disturb()
  await delay(500)
  stopped = true
  await Promise.all(load)
  expect(ids.length).toBeGreaterThan(0)
  for (const id of ids) {
    const settled = await pollUntil(client, id, ['succeeded', 'failed', 'indeterminate'])
    expect(settled.body.state).not.toBe('cancelled')
  }
  expect((await provider.summary()).repeated).toEqual([])
}

test('nats-server killed and started with an empty store: what was accepted is submitted all the same', async () => {
  await withLoad('nats', async () => {
    await stack.nats.server.kill()
    await delay(300)
    await stack.nats.server.start({ wipeStore: true })
    await stack.nats.provision()
  })
})

test('PostgreSQL restarted under load', async () => {
  await withLoad('restart', () => stack.postgres.restart())
})

test('PostgreSQL killed under load', async () => {
  await withLoad('kill', async () => {
    await stack.postgres.kill()
    await delay(300)
    await stack.postgres.restart()
  })
})

/** The status of a service's `/ready`; null if it does not answer soon, which a probe takes for not ready. */
async function readiness(name: ServiceName, index = 0): Promise<number | null> {
  const healthUrl = stack.processes.get(name)?.[index]?.healthUrl
  return fetch(`${healthUrl}/ready`, { signal: AbortSignal.timeout(5_000) }).then(
    ({ status }) => status,
    () => null,
  )
}

const isProblem503 = { status: 503, body: { status: 503, retryable: true, code: expect.any(String) } }

test('while PostgreSQL is out, gateways stay ready, a new one too, and answer 503; services that need it are not ready', async () => {
  await stack.postgres.kill()
  await expect.poll(() => readiness('operations')).not.toBe(200)
  // The new gateway never hears authz.
  await stack.start('gateway', { GRANT_FEED_SILENCE_MS: '500' }, { port: await getFreePort() })
  expect([await readiness('gateway'), await readiness('gateway', 1)]).toEqual([200, 200])
  expect(await client.request('GET', '/v1/operations')).toMatchObject(isProblem503)
  await stack.postgres.restart()
  await expect.poll(() => readiness('operations')).toBe(200)
  await expect.poll(async () => (await client.request('GET', '/v1/operations')).status).toBe(200)
})

test('while NATS is out, gateways stay ready and answer 503; no other service is ready', async () => {
  await stack.nats.server.kill()
  await expect.poll(() => readiness('operations')).not.toBe(200)
  expect([await readiness('gateway'), await readiness('gateway', 1)]).toEqual([200, 200])
  expect(await client.request('GET', '/v1/operations')).toMatchObject(isProblem503)
  await stack.nats.server.start()
  await expect.poll(() => readiness('operations')).toBe(200)
  await expect.poll(async () => (await client.request('GET', '/v1/operations')).status).toBe(200)
})
