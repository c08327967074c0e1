/** One exchange over TLS: the connection goes to the validated address, and TLS verifies the name. */

import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { getCACertificates, setDefaultCACertificates, type TLSSocket } from 'node:tls'
import { generate } from 'selfsigned'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { post } from './post.ts'
import { type Receiver, startReceiver } from './receiver.test-helper.ts'

let receiver: Receiver
let port: number
const names: (string | false | undefined)[] = []
const before = getCACertificates('default')

/** A certificate for this run alone. */
async function makeCertificate(name: string): Promise<{ key: string; cert: string }> {
  const altNames = [{ type: 2 as const, value: name }]
  const made = await generate([{ name: 'commonName', value: name }], {
    keyType: 'ec',
    algorithm: 'sha256',
    extensions: [{ name: 'subjectAltName', altNames }],
  })
  return { key: made.private, cert: made.cert }
}

beforeAll(async () => {
  const certificate = await makeCertificate('hooks.example.com')
  setDefaultCACertificates([...before, certificate.cert])
  const server = createServer(certificate)
  server.on('secureConnection', (socket: TLSSocket & { servername?: string | false }) => names.push(socket.servername))
  receiver = await startReceiver(server)
  port = (server.address() as AddressInfo).port
})
afterAll(async () => {
  setDefaultCACertificates(before)
  await receiver.stop()
})

const validated = [{ address: '127.0.0.1', family: 4 }]
const postTo = (host: string, addresses = validated) =>
  post({
    url: new URL(`https://${host}:${port}/in?a=1`),
    addresses,
    headers: { 'webhook-id': 'one' },
    body: '{}',
    signal: AbortSignal.timeout(60_000),
  })

test('the validated address is connected to without another look-up; SNI and Host are the name', async () => {
  expect(await postTo('hooks.example.com')).toBe(204)
  expect(receiver.received).toMatchObject([
    { path: '/in?a=1', body: '{}', headers: { host: `hooks.example.com:${port}`, 'webhook-id': 'one' } },
  ])
  expect(names).toEqual(['hooks.example.com'])
})

test('where one validated address cannot be reached, another one is tried', async () => {
  expect(await postTo('hooks.example.com', [{ address: '::1', family: 6 }, ...validated])).toBe(204)
})

test('a certificate for another name is refused before anything is sent', async () => {
  const received = receiver.received.length
  await expect(postTo('other.example.com')).rejects.toMatchObject({ code: 'ERR_TLS_CERT_ALTNAME_INVALID' })
  expect(receiver.received).toHaveLength(received)
})

test('without a validated address nothing is connected to', async () => {
  const received = receiver.received.length
  await expect(postTo('hooks.example.com', [])).rejects.toThrow()
  expect(receiver.received).toHaveLength(received)
})

test('connections are not kept', async () => {
  const connections = names.length
  for (let n = 0; n < 3; n += 1) expect(await postTo('hooks.example.com')).toBe(204)
  expect(names.length - connections).toBe(3)
})
