/** Requests through a proxy: the tunnel, its credentials, and the hosts that need none. */

import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import { createServer as createSecureServer } from 'node:https'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { generate } from 'selfsigned'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { neverSent } from './http.ts'
import { proxyFetch } from './proxy.ts'

const host = 'api.example.test'
const before = getCACertificates('default')
const tunnels: { to: string | undefined; credentials: string | undefined }[] = []
const received: { method: string | undefined; type: string | undefined; body: string }[] = []
const sockets = new Set<Socket>()
let refusal: number | undefined
let api: Server
let proxy: Server
let proxyHost: string

beforeAll(async () => {
  const made = await generate([{ name: 'commonName', value: host }], {
    extensions: [{ name: 'subjectAltName', altNames: [{ type: 2, value: host }] }],
  })
  setDefaultCACertificates([...before, made.cert])
  api = createSecureServer({ key: made.private, cert: made.cert }, (request, response) => {
    let body = ''
    request.on('data', (part: Buffer) => {
      body += part.toString()
    })
    request.on('end', () => {
      received.push({ method: request.method, type: request.headers['content-type'], body })
      if (request.method === 'DELETE') response.writeHead(204).end()
      else response.writeHead(302, { location: '/', 'x-answer': 'ü'.length }).end('{"done":true}')
    })
  })
  proxy = createServer((_request, response) => response.writeHead(400).end())
  proxy.on('connect', ({ url, headers }, socket: Socket) => {
    tunnels.push({ to: url, credentials: headers['proxy-authorization'] })
    sockets.add(socket)
    socket.on('error', () => {})
    if (refusal !== undefined) return void socket.end(`HTTP/1.1 ${refusal} No\r\n\r\n`)
    const through = connect((api.address() as AddressInfo).port, '127.0.0.1')
    through.on('error', () => socket.destroy())
    socket.write('HTTP/1.1 200 Connection established\r\n\r\n')
    socket.pipe(through).pipe(socket)
  })
  for (const server of [api, proxy]) await once(server.listen(0, '127.0.0.1'), 'listening')
  proxyHost = `127.0.0.1:${(proxy.address() as AddressInfo).port}`
})
beforeEach(() => {
  tunnels.length = 0
  received.length = 0
  refusal = undefined
})
afterAll(() => {
  setDefaultCACertificates(before)
  for (const socket of sockets) socket.destroy()
  api.close()
  proxy.close()
})

test.each([
  ['HTTPS_PROXY', (address: string) => ({ HTTPS_PROXY: `http://${address}` })],
  ['https_proxy without a scheme', (address: string) => ({ https_proxy: address })],
  ['ALL_PROXY', (address: string) => ({ ALL_PROXY: `http://${address}/`, NO_PROXY: 'other.test' })],
])('a request goes through the tunnel of %s, and its answer comes back', async (_name, env) => {
  const fetch = proxyFetch(env(proxyHost))
  const body = new URLSearchParams({ a: 'ü' })
  const answer = await fetch(`https://${host}/v1/identity`, { method: 'POST', body, redirect: 'manual' })
  expect([answer.status, answer.headers.get('x-answer'), await answer.json()]).toEqual([302, '1', { done: true }])
  expect(tunnels).toEqual([{ to: `${host}:443`, credentials: undefined }])
  expect(received).toEqual([
    { method: 'POST', type: 'application/x-www-form-urlencoded;charset=UTF-8', body: 'a=%C3%BC' },
  ])
  expect((await fetch(`https://${host}/v1/x`, { method: 'DELETE' })).status).toBe(204)
})

test('credentials of the proxy are sent to the proxy, and repeated in no error', async () => {
  await proxyFetch({ HTTPS_PROXY: `http://me:sw%40rd@${proxyHost}` })(`https://${host}/`, {})
  const credentials = `Basic ${Buffer.from('me:sw@rd').toString('base64')}`
  expect(tunnels).toEqual([{ to: `${host}:443`, credentials }])
  for (const wrong of ['socks5://me:swordfish@127.0.0.1:1080', 'http://me:swordfish@:no'])
    expect(() => proxyFetch({ HTTPS_PROXY: wrong })).toThrow(/^(?!.*swordfish).*HTTPS_PROXY is no proxy of HTTP/)
})

test('a proxy that refuses, or is away, has sent nothing', async () => {
  refusal = 407
  const refused = await proxyFetch({ HTTPS_PROXY: `http://${proxyHost}` })(`https://${host}/`, {}).catch(
    (error: unknown) => error,
  )
  expect([String(refused), neverSent(refused)]).toEqual(['Error: the proxy answered 407', true])
  const away = await proxyFetch({ HTTPS_PROXY: 'http://127.0.0.1:1' })(`https://${host}/`, {}).catch(
    (error: unknown) => error,
  )
  expect(neverSent(away)).toBe(true)
  expect(received).toEqual([])
})

test('a signal ends the request', async () => {
  const fetch = proxyFetch({ HTTPS_PROXY: `http://${proxyHost}` })
  await expect(fetch(`https://${host}/`, { signal: AbortSignal.abort(new Error('enough')) })).rejects.toMatchObject({
    name: 'AbortError',
  })
})

test.each(['*', host, '.example.test', '*.example.test', 'example.test', `other.test, ${host}:443`])(
  'NO_PROXY=%s exempts the host',
  async (NO_PROXY) => {
    // Without the proxy the host is not found.
    const fetch = proxyFetch({ HTTPS_PROXY: `http://${proxyHost}`, NO_PROXY })
    await expect(fetch(`https://${host}/`, {})).rejects.toThrow()
    expect(tunnels).toEqual([])
  },
)

test.each(['ample.test', `${host}:8443`, 'other.test'])('NO_PROXY=%s does not', async (NO_PROXY) => {
  await proxyFetch({ HTTPS_PROXY: `http://${proxyHost}`, NO_PROXY })(`https://${host}/`, {})
  expect(tunnels).toHaveLength(1)
})

test('this machine is reached without the proxy', async () => {
  const fetch = proxyFetch({ HTTPS_PROXY: `http://${proxyHost}` })
  expect((await fetch(`http://${proxyHost}/`, {})).status).toBe(400)
  await expect(fetch('https://127.0.0.1:1/', {})).rejects.toThrow()
  expect(tunnels).toEqual([])
})
