/**
 * The end of a connection: requests that arrived whole are answered first, and an idle client cannot keep a connection.
 */

import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { connect, type Socket } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { baseUrl } from './authz.test-helper.ts'
import { startWorld, type World } from './gateway.test-helper.ts'
import { type RawAnswer, sendBytes } from './raw-socket.test-helper.ts'

const host = 'Host: x\r\n'
const health = `GET /v1/health HTTP/1.1\r\n${host}\r\n`

let world: World
let url: string

beforeAll(async () => {
  world = await startWorld()
  url = world.gateways[0]?.url as string
})
afterAll(() => world.stop())

const statuses = ({ text }: RawAnswer) => Array.from(text.matchAll(/HTTP\/1\.1 (\d+)/g), ([, status]) => Number(status))

/** A keyed write with its body, as bytes to send. */
async function write(more = ''): Promise<string> {
  await world.request('GET', '/v1/operations')
  const proof = world.maker.makeProof({
    method: 'POST',
    url: `${baseUrl}/v1/beneficiaries`,
    accessToken: world.token,
    nonce: world.nonces.get(world.gateways[0] as never) as string,
  })
  const credentials = `Authorization: DPoP ${world.token}\r\nDPoP: ${proof}\r\nIdempotency-Key: key-0123456789abcdef\r\n`
  const framing = 'Content-Type: application/json\r\nContent-Length: 2\r\n'
  return `POST /v1/beneficiaries HTTP/1.1\r\n${host}${credentials}${framing}${more}\r\n{}`
}

/** The gateway's end of the connection on which the next request begins. The gateways run in this process. */
function nextConnection(): Promise<Socket> {
  const channel = 'http.server.request.start'
  return new Promise((resolve) => {
    const take = (message: unknown) => {
      unsubscribe(channel, take)
      resolve((message as { socket: Socket }).socket)
    }
    subscribe(channel, take)
  })
}

describe('a request that arrived whole is answered, and the connection closed, whatever follows it:', () => {
  const strays = ['\x00\x01rubbish\r\n\r\n', '}', 'BREW / HTTP/1.1\r\n\r\n', 'GET / HTTP/9.9\r\n\r\n', '\x16\x03\x01']

  test.each(strays)('a write followed by %j is carried out once, and its answer arrives', async (stray) => {
    let times = 0
    world.areas.set('createBeneficiary', () => {
      times += 1
      return { ok: true, data: { id: 'operation' } }
    })
    const answer = await sendBytes(url, (await write()) + stray, { untilClosed: true })
    expect(statuses(answer)).toEqual([202])
    expect(answer.headers.get('connection')).toBe('close')
    expect(answer.body).toEqual({ id: 'operation' })
    expect([answer.closed, times]).toEqual([true, 1])
  })

  test('bytes that arrive during the write', async () => {
    let started = () => {}
    let finish = () => {}
    const isStarted = new Promise<void>((resolve) => (started = resolve))
    const isFinished = new Promise<void>((resolve) => (finish = resolve))
    world.areas.set('createBeneficiary', async () => {
      started()
      await isFinished
      return { ok: true, data: { id: 'operation' } }
    })
    const bytes = await write()
    const { hostname, port } = new URL(url)
    const accepted = nextConnection()
    const socket = connect({ host: hostname, port: Number(port) }, () => socket.write(bytes))
    let received = ''
    socket.on('data', (chunk) => (received += chunk.toString()))
    const closed = new Promise((resolve) => socket.on('close', resolve))
    await isStarted
    const read = await accepted
    for (let times = 0; times < 20; times += 1) {
      socket.write('rubbish\r\n')
      // Bytes that the kernel has taken are not read by the gateway yet.
      await expect.poll(() => read.bytesRead, { interval: 1 }).toBe(socket.bytesWritten)
    }
    finish()
    await closed
    expect(received).toMatch(/^HTTP\/1\.1 202 .*Connection: close\r\n.*\{"id":"operation"\}$/s)
  })

  test('each of several requests that share the connection', async () => {
    const answer = await sendBytes(url, `${health}${health}${health}\x00`, { untilClosed: true })
    expect(statuses(answer)).toEqual([200, 200, 200])
    expect(answer.text.match(/connection: close/gi)).toHaveLength(1)
    expect(answer.closed).toBe(true)
  })

  test('the requests before one with a broken body, and that one too', async () => {
    const broken = (await write('Transfer-Encoding: chunked\r\n')).replace('Content-Length: 2\r\n', '')
    const answer = await sendBytes(url, `${health}${broken.slice(0, -2)}zz\r\n`, { untilClosed: true })
    expect(statuses(answer)).toEqual([200, 400])
    expect(answer.text).toContain('"code":"malformed_request"')
    expect(answer.closed).toBe(true)
  })

  test('the requests before a tunnel', async () => {
    const answer = await sendBytes(url, `${health}CONNECT evil.example:443 HTTP/1.1\r\n${host}\r\n`, {
      untilClosed: true,
    })
    expect(statuses(answer)).toEqual([200])
    expect(answer.headers.get('connection')).toBe('close')
  })
})

test('a tunnel is refused with an answer, and the connection closed', async () => {
  for (const target of ['evil.example:443', '127.0.0.1:80', '[::1]:22']) {
    const answer = await sendBytes(url, `CONNECT ${target} HTTP/1.1\r\n${host}\r\n${health}`, { untilClosed: true })
    expect(statuses(answer)).toEqual([405])
    expect(answer.body).toMatchObject({ code: 'method_not_allowed', status: 405, instance: '/' })
    expect(answer.headers.get('allow')).toBe('')
    expect([answer.headers.get('connection'), answer.closed]).toEqual(['close', true])
  }
})

describe('an expectation that nobody here knows', () => {
  test.each(['200-maybe', 'a-miracle', '100-continue, 200-maybe', '100-continue=1', ''])(
    '%j is 417 on every kind of path, and no byte of the body is asked for',
    async (expectation) => {
      for (const target of ['POST /v1/beneficiaries', 'GET /v1/health', 'GET /problems', 'POST /oauth/token']) {
        const bytes = `${target} HTTP/1.1\r\n${host}Expect: ${expectation}\r\nContent-Length: 2\r\n\r\n`
        const answer = await sendBytes(url, bytes)
        expect(statuses(answer)).toEqual([417])
        expect(answer.headers.get('connection')).toBe('close')
        if (!target.includes('oauth')) expect(answer.body).toMatchObject({ code: 'expectation_failed' })
      }
    },
  )

  test('means nothing in HTTP/1.0, which has none', async () => {
    expect(statuses(await sendBytes(url, `GET /v1/health HTTP/1.0\r\n${host}Expect: 200-maybe\r\n\r\n`))).toEqual([200])
  })
})

describe('a client that takes nothing of its answers', () => {
  test('is closed, whatever it sends meanwhile', async () => {
    const gateway = await world.startAnother({ CONNECTION_STALL_MS: '300' })
    const { hostname, port } = new URL(gateway.url)
    const socket = connect({ host: hostname, port: Number(port) }).on('error', () => {})
    const closed = new Promise<string>((resolve) => socket.on('close', () => resolve('closed')))
    // More data than the kernel buffers for a connection.
    socket.write(`GET /v1/openapi.json HTTP/1.1\r\n${host}\r\n`.repeat(100))
    const sending = setInterval(() => socket.write('\r\n'), 50)
    expect(await closed).toBe('closed')
    clearInterval(sending)
  })

  test('is not a client that only waits for an answer', async () => {
    const gateway = await world.startAnother({ CONNECTION_STALL_MS: '200' })
    world.areas.set('listOperations', async () => {
      await new Promise((resolve) => setTimeout(resolve, 900))
      return { ok: true, data: { items: [] } }
    })
    expect((await world.request('GET', '/v1/operations', { gateway })).status).toBe(200)
    world.areas.delete('listOperations')
  })
})
