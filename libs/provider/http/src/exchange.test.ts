/** The proof after an exchange, with servers that break it at each point. */

import { once } from 'node:events'
import { createServer, type Socket } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { createExchange, type Exchange, type ExchangeOptions, type ExchangeRequest } from './exchange.ts'
import { answer, type RawServer, startRawServer } from './raw-server.test-helper.ts'

const closing: (() => Promise<unknown>)[] = []

afterEach(async () => {
  for (const close of closing.splice(0)) await close()
})

async function serve(onRequest: (socket: Socket, number: number) => void): Promise<RawServer> {
  const server = await startRawServer(onRequest)
  closing.push(() => server.close())
  return server
}

function open(origin: string, options: Partial<ExchangeOptions> = {}): Exchange {
  const exchange = createExchange({
    origin,
    connections: 4,
    connectTimeoutMs: 10_000,
    maxResponseBytes: 1024,
    ...options,
  })
  closing.unshift(() => exchange.close())
  return exchange
}

const post = (body = '{"n":1}', timeoutMs = 60_000): ExchangeRequest => ({
  method: 'POST',
  path: '/m',
  headers: { 'content-type': 'application/json' },
  body,
  timeoutMs,
})

const local = (server: RawServer) => `http://127.0.0.1:${server.port}`

async function freePort(): Promise<number> {
  const server = await startRawServer(() => {})
  await server.close()
  return server.port
}

describe('unsent is returned only with proof', () => {
  it('a refused connection sent nothing', async () => {
    const exchange = open(`http://127.0.0.1:${await freePort()}`)
    expect(await exchange.send(post())).toEqual({ type: 'unsent', cause: 'ECONNREFUSED' })
  })

  it('a name that does not resolve sent nothing', async () => {
    const result = await open('http://no-such-host.invalid').send(post())
    expect(result).toMatchObject({ type: 'unsent', cause: expect.stringMatching(/^(ENOTFOUND|EAI_AGAIN)$/) })
  })

  it('a connection that is never established sent nothing of the request', async () => {
    // Accepts TCP and never answers the TLS greeting.
    const server = createServer(() => {})
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    const address = server.address()
    if (address === null || typeof address === 'string') throw new Error('no port')
    const exchange = open(`https://127.0.0.1:${address.port}`, { connectTimeoutMs: 50 })
    expect(await exchange.send(post())).toEqual({ type: 'unsent', cause: 'UND_ERR_CONNECT_TIMEOUT' })
    server.close()
  })

  it('a request that found no free connection in time is never written afterwards', async () => {
    const held: Socket[] = []
    const server = await serve((socket) => held.push(socket))
    const exchange = open(local(server), { connections: 1 })
    const first = exchange.send(post('{"n":1}'))
    await expect.poll(() => server.requests.length).toBe(1)
    const second = await exchange.send(post('{"n":2}', 50))
    expect(second).toEqual({ type: 'unsent', cause: 'no free connection in time' })

    held[0]?.write(answer(200, 'first'))
    expect(await first).toMatchObject({ type: 'answered', body: 'first' })
    const third = exchange.send(post('{"n":3}'))
    await expect.poll(() => server.requests.length).toBe(2)
    held.at(-1)?.write(answer(200, 'third'))
    expect(await third).toMatchObject({ type: 'answered', body: 'third' })
    expect(server.requests.map((request) => request.at(-2))).toEqual(['1', '3'])
    expect(server.connections()).toBe(1)
  })

  it('a header that is no header is our fault and sent nothing', async () => {
    const server = await serve((socket) => socket.write(answer(200, 'x')))
    const exchange = open(local(server))
    expect(await exchange.send({ ...post(), headers: { authorization: 'a\r\nb: c' } })).toEqual({ type: 'unwritable' })
    expect(server.requests).toEqual([])
  })

  it('a closed exchange sends nothing', async () => {
    const server = await serve((socket) => socket.write(answer(200, 'x')))
    const exchange = createExchange({
      origin: local(server),
      connections: 1,
      connectTimeoutMs: 10_000,
      maxResponseBytes: 9,
    })
    await exchange.close()
    expect(await exchange.send(post())).toEqual({ type: 'unsent', cause: 'UND_ERR_DESTROYED' })
    expect(server.requests).toEqual([])
  })
})

describe('a mutation is written at most once', () => {
  const breakings: Record<string, (socket: Socket) => unknown> = {
    'closes after reading': (socket) => socket.end(),
    'resets after reading': (socket) => socket.resetAndDestroy(),
    'breaks off inside the status line': (socket) => socket.end('HTTP/1.1 20'),
    'breaks off inside the body': (socket) => socket.end('HTTP/1.1 200 X\r\ncontent-length: 99\r\n\r\n{'),
  }
  for (const [name, breakConnection] of Object.entries(breakings)) {
    it(`a server that ${name} gets one request, on a fresh connection`, async () => {
      const server = await serve(breakConnection)
      const exchange = open(local(server))
      expect(await exchange.send(post())).toMatchObject({ type: 'lost', why: 'connection' })
      await provideAnotherTurn(exchange, server)
      expect(server.requests.filter((request) => request.startsWith('POST'))).toHaveLength(1)
    })

    it(`a server that ${name} gets one request, on a used keep-alive connection`, async () => {
      const server = await serve((socket, number) =>
        number === 1 ? socket.write(answer(200, 'warm')) : breakConnection(socket),
      )
      const exchange = open(local(server), { connections: 1 })
      await exchange.send({ ...post(), method: 'GET', body: null })
      expect(await exchange.send(post())).toMatchObject({ type: 'lost', why: 'connection' })
      expect(server.connections()).toBe(1)
      await provideAnotherTurn(exchange, server)
      expect(server.requests.filter((request) => request.startsWith('POST'))).toHaveLength(1)
    })
  }

  it('connections that the server closed while idle never make a request arrive twice', async () => {
    const server = await serve((socket, number) => {
      socket.write(answer(200, String(number)))
      if (number % 2 === 1) setImmediate(() => socket.destroy())
    })
    const exchange = open(local(server), { connections: 2 })
    for (let n = 0; n < 60; n += 1) {
      const result = await exchange.send(post(`{"n":${String(n).padStart(3, '0')}}`))
      expect(['answered', 'lost']).toContain(result.type)
    }
    expect(new Set(server.requests).size).toBe(server.requests.length)
  })

  it('concurrent requests on connections that break are each written at most once', async () => {
    const server = await serve((socket, number) =>
      number % 3 === 0 ? socket.resetAndDestroy() : socket.write(answer(200, 'ok')),
    )
    const exchange = open(local(server), { connections: 3 })
    const bodies = Array.from({ length: 90 }, (_value, n) => `{"n":${String(n).padStart(3, '0')}}`)
    const results = await Promise.all(bodies.map((body) => exchange.send(post(body))))
    expect(new Set(server.requests).size).toBe(server.requests.length)
    expect(results.filter(({ type }) => type === 'unsent')).toEqual([])
    expect(server.requests).toHaveLength(bodies.length)
  })

  it('a redirect is an answer and is not followed', async () => {
    const server = await serve((socket) => socket.write(answer(307, '', 'location: /elsewhere\r\n')))
    expect(await open(local(server)).send(post())).toEqual({ type: 'answered', status: 307, body: '' })
    expect(server.requests).toHaveLength(1)
  })
})

describe('what was sent and not answered is lost', () => {
  it('a time-out after sending is lost, and its connection is not used again', async () => {
    const server = await serve((socket, number) => {
      if (number !== 2) socket.write(answer(200, String(number)))
    })
    const exchange = open(local(server), { connections: 1 })
    // The first request makes the connection, so that the time-out of the second begins with an open connection.
    expect(await exchange.send(post())).toMatchObject({ type: 'answered', body: '1' })
    expect(await exchange.send(post('{"n":1}', 500))).toEqual({ type: 'lost', why: 'timeout', cause: 'timeout' })
    expect(await exchange.send(post())).toMatchObject({ type: 'answered', body: '3' })
    expect(server.connections()).toBe(2)
  })

  it('a body that trickles past the time-out is lost', async () => {
    const server = await serve((socket, number) => {
      if (number === 1) return void socket.write(answer(200, 'ok'))
      socket.write('HTTP/1.1 200 X\r\ncontent-length: 1000\r\n\r\n')
      const trickle = setInterval(() => socket.write('x'), 10)
      socket.on('close', () => clearInterval(trickle))
    })
    const exchange = open(local(server), { connections: 1 })
    // The connection is there, as above.
    expect(await exchange.send(post('{"n":1}'))).toMatchObject({ type: 'answered' })
    expect(await exchange.send(post('{}', 1_000))).toMatchObject({ type: 'lost', why: 'timeout' })
  })

  const unreadable: Record<string, string> = {
    'no HTTP at all': 'hello there\r\n\r\n',
    'a status that is none': 'HTTP/1.1 2x0 OK\r\n\r\n',
    'a broken chunk length': 'HTTP/1.1 200 X\r\ntransfer-encoding: chunked\r\n\r\nzz\r\n',
    'a body longer than allowed': answer(200, 'x'.repeat(1025)),
  }
  for (const [name, bytes] of Object.entries(unreadable)) {
    it(`${name} is unreadable`, async () => {
      const server = await serve((socket) => socket.write(bytes))
      expect(await open(local(server)).send(post())).toMatchObject({ type: 'lost', why: 'unreadable' })
      expect(server.requests).toHaveLength(1)
    })
  }
})

/** Lets a client that would send again do so: one more exchange through the same connections. */
async function provideAnotherTurn(exchange: Exchange, server: RawServer): Promise<void> {
  const before = server.requests.length
  await exchange.send({ ...post(), method: 'GET', body: null })
  expect(server.requests.length).toBe(before + 1)
}
