/** Creates a signing key: ES256, named by its thumbprint (RFC 7638). */

import { generateKeyPairSync } from 'node:crypto'
import { calculateJwkThumbprint } from 'jose'
import type { PrivateJwk } from '../store/signing-keys.ts'

export async function makeSigningKey(): Promise<PrivateJwk> {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const { x = '', y = '', d = '' } = privateKey.export({ format: 'jwk' })
  const kid = await calculateJwkThumbprint({ kty: 'EC', crv: 'P-256', x, y })
  return { kty: 'EC', crv: 'P-256', x, y, d, kid, alg: 'ES256', use: 'sig' }
}

export function publicJwk({ kty, crv, x, y, kid, alg, use }: PrivateJwk): Record<string, unknown> {
  return { kty, crv, x, y, kid, alg, use }
}
