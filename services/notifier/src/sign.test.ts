/** Signatures, verified as receivers do: with the library of Standard Webhooks, and with plain Ed25519. */

import { createPublicKey, randomBytes, verify } from 'node:crypto'
import { importJWK, type JWK } from 'jose'
import { Webhook } from 'standardwebhooks'
import { expect, test } from 'vitest'
import { signatureHeaders } from './sign.ts'
import { openSigningKeys } from './signing-keys.ts'

const secret = randomBytes(32)
const keys = openSigningKeys([
  { id: 'new', key: randomBytes(32) },
  { id: 'old', key: randomBytes(32) },
])
const body = JSON.stringify({ type: 'operation.succeeded', note: 'ü' })
const message = { id: '01990000-0000-7000-8000-000000000000', body, at: new Date() }
const headers = signatureHeaders(message, { secrets: [secret], signingKey: keys.current })

test('the library of Standard Webhooks verifies with the secret as it was shown', () => {
  const webhook = new Webhook(`whsec_${secret.toString('base64')}`)
  expect(webhook.verify(body, { ...headers })).toEqual(JSON.parse(body))
  expect(() => webhook.verify(`${body} `, { ...headers })).toThrow()
  expect(() => webhook.verify(body, { ...headers, 'webhook-id': 'another' })).toThrow()
  expect(() => new Webhook(`whsec_${randomBytes(32).toString('base64')}`).verify(body, { ...headers })).toThrow()
})

test('each of several secrets verifies', () => {
  const others = [randomBytes(32), randomBytes(32)]
  const given = { ...signatureHeaders(message, { secrets: others, signingKey: keys.current }) }
  expect(given['webhook-signature']).toMatch(/^v1,\S+ v1,\S+ v1a,\S+$/)
  for (const one of others)
    expect(new Webhook(`whsec_${one.toString('base64')}`).verify(body, given)).toEqual(JSON.parse(body))
  expect(() => new Webhook(`whsec_${secret.toString('base64')}`).verify(body, given)).toThrow()
})

test('plain Ed25519 verifies with the first published key, and with no other', async () => {
  const [, v1a] = /^v1,\S+ v1a,(\S+)$/.exec(headers['webhook-signature']) ?? []
  const content = Buffer.from(`${message.id}.${headers['webhook-timestamp']}.${body}`)
  const verified = keys.jwks.keys.map((key) =>
    verify(null, content, createPublicKey({ key, format: 'jwk' }), Buffer.from(v1a ?? '', 'base64')),
  )
  expect(verified).toEqual([true, false])
  expect(Buffer.from(v1a ?? '', 'base64')).toHaveLength(64)
})

test('published keys are public Ed25519 keys under their ids, and the seed is not among them', async () => {
  expect(keys.jwks.keys).toEqual(
    ['new', 'old'].map((kid) => ({
      kty: 'OKP',
      crv: 'Ed25519',
      x: expect.stringMatching(/^[\w-]{43}$/),
      kid,
      alg: 'EdDSA',
      use: 'sig',
    })),
  )
  for (const key of keys.jwks.keys) expect(await importJWK(key as JWK, 'EdDSA')).toMatchObject({ type: 'public' })
})

test('a seed gives the key that RFC 8032 says', () => {
  const seed = Buffer.from('9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60', 'hex')
  const { jwks } = openSigningKeys([{ id: 'rfc', key: seed }])
  const known = 'd75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a'
  expect(Buffer.from(String(jwks.keys[0]?.x), 'base64url').toString('hex')).toBe(known)
})
