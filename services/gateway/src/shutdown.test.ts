/** A stop takes no new connections, answers what is under way, and ends connections that are idle. */

import { Agent } from 'node:http'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startWorld, type World } from './gateway.test-helper.ts'
import type { Gateway } from './gateway.ts'

const agent = new Agent({ keepAlive: true })
const noop = (): void => {}
let world: World

beforeAll(async () => {
  world = await startWorld()
})
afterAll(() => world.stop())

test('what is under way is answered, and then nobody listens', async () => {
  const gateway = world.gateways[0] as Gateway
  let release = noop
  await fetch(`${gateway.url}/v1/health`).then((idle) => idle.text())
  const asked = new Promise<void>((resolve) => {
    world.areas.set('listOperations', () => {
      resolve()
      return new Promise((answer) => {
        release = () => answer({ ok: true, data: { items: [] } })
      })
    })
  })
  const under = world.request('GET', '/v1/operations', { agent })
  await asked
  const stopped = gateway.stop()
  await expect(fetch(`${gateway.url}/v1/health`)).rejects.toThrow()
  release()
  const response = await under
  expect(response.body).toEqual({ items: [] })
  expect(response.headers.get('connection')).toBe('close')
  await stopped
})
