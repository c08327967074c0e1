/**
 * Https servers on loopback, with one certificate that this process trusts. The certificate is made here and ends with
 * the process. Fetches of this process have no time-out: a busy machine can exceed that of the library.
 */

import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto'
import type { RequestListener } from 'node:http'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'

export type HttpsServer = { url: string; close: () => Promise<void> }

const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
const cert = selfSigned(privateKey, publicKey)
setDefaultCACertificates([...getCACertificates('default'), cert])

const fetchInTime = globalThis.fetch
globalThis.fetch = (input, init) => fetchInTime(input, { ...init, signal: null })

export async function startHttpsServer(listener: RequestListener): Promise<HttpsServer> {
  const server = createServer({ cert, key: privateKey.export({ type: 'pkcs8', format: 'pem' }) }, listener)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const close = () => {
    server.closeAllConnections()
    return new Promise<void>((resolve) => server.close(() => resolve()))
  }
  return { url: `https://127.0.0.1:${port}`, close }
}

/**
 * An X.509 v3 certificate for 127.0.0.1, signed with ECDSA and SHA-256, valid from an hour ago until an hour from now.
 */
function selfSigned(signing: KeyObject, verifying: KeyObject): string {
  const algorithm = der(0x30, oid('2a8648ce3d040302'))
  const name = der(0x30, der(0x31, der(0x30, oid('550403'), der(0x0c, Buffer.from('test')))))
  const times = [-3_600_000, 3_600_000].map((ms) => der(0x17, Buffer.from(utcTime(new Date(Date.now() + ms)))))
  const address = der(0x30, der(0x87, Buffer.of(127, 0, 0, 1)))
  const extensions = der(0xa3, der(0x30, der(0x30, oid('551d11'), der(0x04, address))))
  const spki = verifying.export({ type: 'spki', format: 'der' })
  const version = der(0xa0, der(0x02, Buffer.of(2)))
  const serial = der(0x02, Buffer.of(1))
  const body = der(0x30, version, serial, algorithm, name, der(0x30, ...times), name, spki, extensions)
  const signature = der(0x03, Buffer.of(0), sign('sha256', body, signing))
  const encoded = der(0x30, body, algorithm, signature).toString('base64')
  return `-----BEGIN CERTIFICATE-----\n${encoded.replace(/.{64}/g, '$&\n')}\n-----END CERTIFICATE-----\n`
}

function der(tag: number, ...parts: Buffer[]): Buffer {
  const content = Buffer.concat(parts)
  const { length } = content
  const size = length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length & 255]
  return Buffer.concat([Buffer.of(tag, ...size), content])
}

function oid(hex: string): Buffer {
  return der(0x06, Buffer.from(hex, 'hex'))
}

function utcTime(time: Date): string {
  return `${time.toISOString().replace(/\D/g, '').slice(2, 14)}Z`
}
