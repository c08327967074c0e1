import { createSocket } from 'node:dgram'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createResolve } from './resolve.ts'

/** A name server that receives queries and never answers. */
const silent = createSocket('udp4')
const asked: string[] = []
let server: string

beforeAll(async () => {
  silent.on('message', (message) => asked.push(message.toString('latin1')))
  await new Promise<void>((resolve) => silent.bind(0, '127.0.0.1', resolve))
  server = `127.0.0.1:${silent.address().port}`
})
afterAll(() => silent.close())

test('a name whose servers never answer has no addresses, and nobody waits for them for long', async () => {
  const resolve = createResolve({ patienceMs: 200, servers: [server] })
  expect(await resolve('slow.example.com')).toEqual([])
  await expect.poll(() => asked.length).toBeGreaterThanOrEqual(2)
})

test('the machine’s own names are asked of DNS like all others, as they were sent', async () => {
  const resolve = createResolve({ patienceMs: 200, servers: [server] })
  asked.length = 0
  expect(await resolve('authz')).toEqual([])
  // A label is preceded by its length; a name ends with an empty one.
  expect(asked.every((message) => message.includes('\x05authz\x00'))).toBe(true)
})

test('no name at all has no addresses', async () => {
  expect(await createResolve({ servers: [server] })('')).toEqual([])
})
