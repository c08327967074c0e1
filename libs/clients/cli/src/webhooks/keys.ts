/**
 * The keys that sign local notifications. A profile has its own, made when they are first needed. The environment may
 * give another secret.
 */

import { createPrivateKey, generateKeyPairSync, type JsonWebKey, type KeyObject, randomBytes } from 'node:crypto'
import type { Cli } from '../cli.ts'
import { wrongUse } from '../failure.ts'

const variable = 'FINANCIAL_AGENTS_WEBHOOK_SECRET'
const secretName = 'webhook-secret'
const keyName = 'webhook-key'

/** Finds or makes the secret of `v1` (`whsec_…`). */
export async function webhookSecret(cli: Cli): Promise<string> {
  const given = cli.process.env[variable]
  if (given !== undefined && given !== '') {
    if (!/^whsec_[A-Za-z0-9+/]{16,}={0,2}$/.test(given))
      throw wrongUse(`${variable} is not a secret: whsec_ and base64.`)
    return given
  }
  return findOrMake(cli, secretName, () => `whsec_${randomBytes(32).toString('base64')}`)
}

/** Finds or makes the Ed25519 key of `v1a`: the private key, and its public part as a JWK Set. */
export async function webhookKey(cli: Cli): Promise<{ signingKey: KeyObject; jwks: { keys: JsonWebKey[] } }> {
  const make = () => generateKeyPairSync('ed25519').privateKey.export({ format: 'jwk' })
  const jwk = await findOrMake(cli, keyName, make)
  const { kty = 'OKP', crv = 'Ed25519', x = '' } = jwk
  return { signingKey: createPrivateKey({ key: jwk, format: 'jwk' }), jwks: { keys: [{ kty, crv, x, use: 'sig' }] } }
}

/** Finds the value, or makes and keeps it. Two processes that make it at the same time get the same value. */
async function findOrMake<Value>(cli: Cli, name: string, make: () => Value): Promise<Value> {
  const { store } = await cli.used()
  const kept = (await store.get(name)) as Value | undefined
  if (kept !== undefined) return kept
  const made = make()
  if (await store.set(name, made, { ifAbsent: true, secret: true })) return made
  return (await store.get(name)) as Value
}
