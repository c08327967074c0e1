/** NKEYs, compared with the implementation of the NATS project (nkeys.js). */

import { nkeyAuthenticator, nkeys } from 'nats'
import { expect, test } from 'vitest'
import { createUserKey, nkeyAuthenticatorOf, publicKeyOf } from './nkey.ts'

type KeyPair = { getSeed(): Uint8Array; getPublicKey(): string }
/** The package exports nkeys.js without its types. */
const theirs = nkeys as {
  createUser(): KeyPair
  createAccount(): KeyPair
  fromSeed(seed: Uint8Array): KeyPair
}
const seedOf = (pair: KeyPair) => new TextDecoder().decode(pair.getSeed())
const bytesOf = (text: string) => new TextEncoder().encode(text)

test('a seed has the public key, and makes the signatures, that nkeys.js finds', () => {
  for (let round = 0; round < 20; round += 1) {
    const pair = theirs.createUser()
    expect(publicKeyOf(seedOf(pair))).toBe(pair.getPublicKey())
    const nonce = `nonce-${round}`
    // Ed25519 signatures are deterministic (RFC 8032).
    expect(nkeyAuthenticatorOf(seedOf(pair))(nonce)).toEqual(nkeyAuthenticator(pair.getSeed())(nonce))
  }
})

test('a created key is one that nkeys.js reads', () => {
  const { seed, publicKey } = createUserKey()
  expect(seed).toMatch(/^SU[A-Z2-7]{56}$/)
  expect(theirs.fromSeed(bytesOf(seed)).getPublicKey()).toBe(publicKey)
  expect(createUserKey().seed).not.toBe(seed)
})

test.each([
  ['nothing', () => ''],
  ['a text', () => 'seed'],
  ['a public key', () => createUserKey().publicKey],
  ['the seed of an account', () => seedOf(theirs.createAccount())],
  ['small letters', () => createUserKey().seed.toLowerCase()],
  ['a seed that lost a character', () => createUserKey().seed.slice(0, -1)],
  ['a seed with two characters more', () => `${createUserKey().seed}AA`],
  ['a mistyped seed', () => createUserKey().seed.replace(/(?<=^.{20})./, (one) => (one === 'A' ? 'B' : 'A'))],
])('%s is refused, and not repeated in the error', (_, make) => {
  const text = make()
  for (const use of [publicKeyOf, nkeyAuthenticatorOf])
    expect(() => use(text)).toThrow('this is not the seed (SU…) of a NATS user')
})

test('a server that sends no challenge gets no signature', () => {
  const { seed, publicKey } = createUserKey()
  expect(nkeyAuthenticatorOf(seed)()).toEqual({ nkey: publicKey, sig: '' })
})
