/** A stop asks clients to leave, answers current requests, and ends idle connections. */

import { once } from 'node:events'
import { Agent } from 'node:http'
import { connect } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startWorld, type World } from './gateway.test-helper.ts'
import type { Gateway } from './start.ts'

const agent = new Agent({ keepAlive: true })
const noop = (): void => {}
let world: World

beforeAll(async () => {
  world = await startWorld()
})
afterAll(() => world.stop())

test('current requests are answered, and then the server stops listening', async () => {
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

test('a client with a connection gets Connection: close with an answer before the connection is closed', async () => {
  const gateway = await world.startAnother({ CONNECTION_DRAIN_MS: '10000' })
  const one = new Agent({ keepAlive: true, maxSockets: 1 })
  const before = await world.request('GET', '/v1/health', { gateway, agent: one })
  expect(before.headers.get('connection')).toBe('keep-alive')
  const stopped = gateway.stop()
  const last = await world.send('GET', '/v1/health', { gateway, agent: one })
  expect([last.status, last.headers.get('connection')]).toEqual([200, 'close'])
  await stopped
  await expect(fetch(`${gateway.url}/v1/health`)).rejects.toThrow()
})

test('a client that connects after the stop is served while others are asked to leave', async () => {
  const gateway = await world.startAnother({ CONNECTION_DRAIN_MS: '10000' })
  const idle = await idleConnection(gateway)
  const stopped = gateway.stop()
  const late = await fetch(`${gateway.url}/v1/health`)
  expect([late.status, late.headers.get('connection')]).toEqual([200, 'close'])
  await late.text()
  idle.destroy()
  await stopped
})

test('a connection that stays idle is closed when its time is over', async () => {
  const gateway = await world.startAnother({ CONNECTION_DRAIN_MS: '50' })
  const idle = await idleConnection(gateway)
  const ended = once(idle, 'end')
  await gateway.stop()
  await ended
})

test('a request that never arrives completely does not delay the stop', async () => {
  const gateway = await world.startAnother({ REQUEST_DEADLINE_MS: '300' }, { graceMs: 0 })
  const half = await idleConnection(gateway)
  const closed = once(half, 'close')
  const head = 'POST /oauth/token HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\nExpect: 100-continue\r\n\r\n'
  half.write(head)
  const [asked] = await once(half, 'data')
  expect(String(asked)).toContain('100 Continue')
  half.write('grant_type=')
  await gateway.stop()
  half.destroy()
  await closed
})

/** A connection that was used and is now idle. */
async function idleConnection({ url }: Gateway) {
  const { hostname, port } = new URL(url)
  const socket = connect(Number(port), hostname)
  socket.on('error', noop)
  socket.write('GET /v1/health HTTP/1.1\r\nHost: localhost\r\n\r\n')
  await once(socket, 'data')
  socket.resume()
  return socket
}
