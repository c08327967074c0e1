/**
 * The console's own keys, which sign only operators' tokens. The first key signs and all are published, so keys are
 * rotated by their order.
 */

import { createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto'
import { z } from 'zod'

export type ConsoleSigningKey = { kid: string; privateKey: KeyObject }

const message = 'must be kid:base64 pairs of P-256 private keys (PKCS#8, DER), comma-separated, each kid once'

export const consoleSigningKeys = z.string().transform((value, issues): ConsoleSigningKey[] => {
  const keys = value.split(',').map(readKey)
  const kids = new Set(keys.map((key) => key?.kid))
  if (keys.some((key) => key === undefined) || kids.size !== keys.length) issues.addIssue({ code: 'custom', message })
  return keys.filter((key) => key !== undefined)
})

function readKey(pair: string): ConsoleSigningKey | undefined {
  const [kid = '', der = ''] = pair.split(':')
  if (!/^[A-Za-z0-9_-]{1,64}$/.test(kid)) return undefined
  try {
    const privateKey = createPrivateKey({ key: Buffer.from(der, 'base64'), format: 'der', type: 'pkcs8' })
    return privateKey.asymmetricKeyDetails?.namedCurve === 'prime256v1' ? { kid, privateKey } : undefined
  } catch {
    // The library's error is dropped, because it may quote the key.
    return undefined
  }
}

export function publicJwk({ kid, privateKey }: ConsoleSigningKey): Record<string, unknown> {
  const { kty, crv, x, y } = createPublicKey(privateKey).export({ format: 'jwk' })
  return { kty, crv, x, y, kid, alg: 'ES256', use: 'sig' }
}
