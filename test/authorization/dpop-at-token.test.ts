/**
 * Requirements of DPoP proofs at the token endpoint, for people's grants. test/contract/authentication.test.ts has the
 * cases for service accounts and for proofs at a resource.
 */

import { beforeAll, describe, expect, test } from 'vitest'
import { createKey, encode, type ProofChanges } from '../contract/hand-client.ts'
import { createBrowser } from './browser.ts'
import { freshClient } from './clients.ts'
import { environment } from './environment.ts'
import { expectError, expectTokens } from './expectations.ts'
import { claimsOf, obtainTokens, type Tokens } from './flow.ts'
import { createParty, nowS, type Party, paths, thumbprintOf } from './party.ts'

let spa: Party
let tokens: Tokens
beforeAll(async () => {
  spa = createParty(freshClient('spa'))
  tokens = await obtainTokens(createBrowser(), spa)
})

const refresh = (changes: ProofChanges) => spa.refresh(tokens.refresh_token, {}, changes)

test('the token is bound to the key of the proof', async () => {
  expect(claimsOf(tokens.access_token)['cnf']).toEqual({ jkt: thumbprintOf(spa.key) })
})

test.each<[string, () => ProofChanges]>([
  ['as it should be', () => ({})],
  ['made 10 s ago', () => ({ claims: { iat: nowS() - 10 } })],
  ['made in 10 s', () => ({ claims: { iat: nowS() + 10 } })],
  ['that ends later', () => ({ claims: { nbf: nowS() - 60, exp: nowS() + 60 } })],
  ['whose htu has query and fragment', () => ({ claims: { htu: `${environment().baseUrl}${paths.token}?a=b#c` } })],
  [
    'whose htu is spelt in capitals',
    () => ({ claims: { htu: `${environment().baseUrl.toUpperCase()}${paths.token}` } }),
  ],
])('a proof %s is accepted', async (_name, changes) => {
  expectTokens(await refresh(changes()), { id: true })
})

test.each<[string, () => ProofChanges]>([
  ['without typ', () => ({ header: { typ: undefined } })],
  ['with another typ', () => ({ header: { typ: 'JWT' } })],
  ['without alg', () => ({ header: { alg: undefined } })],
  ['with alg none', () => ({ header: { alg: 'none' } })],
  ['with alg RS256', () => ({ header: { alg: 'RS256' } })],
  ['with alg ES384', () => ({ header: { alg: 'ES384' } })],
  ['with alg HS256', () => ({ header: { alg: 'HS256' } })],
  ['signed by another key', () => ({ signer: createKey(), header: { jwk: spa.key.jwk } })],
  ['without jwk', () => ({ header: { jwk: undefined } })],
  ['with a private jwk', () => ({ header: { jwk: spa.key.privateKey.export({ format: 'jwk' }) } })],
  ['without jti', () => ({ claims: { jti: undefined } })],
  ['without iat', () => ({ claims: { iat: undefined } })],
  ['without htm', () => ({ claims: { htm: undefined } })],
  ['without htu', () => ({ claims: { htu: undefined } })],
  ['for another method', () => ({ claims: { htm: 'GET' } })],
  ['for another endpoint', () => ({ claims: { htu: environment().baseUrl + paths.par } })],
  ['for another host', () => ({ claims: { htu: `https://elsewhere.example${paths.token}` } })],
  ['made an hour ago', () => ({ claims: { iat: nowS() - 3_600 } })],
  ['made in an hour', () => ({ claims: { iat: nowS() + 3_600 } })],
  ['past its exp', () => ({ claims: { exp: nowS() - 60 } })],
  ['before its nbf', () => ({ claims: { nbf: nowS() + 600 } })],
])('a proof %s is refused', async (_name, changes) => {
  expectError(await refresh(changes()), 400, 'invalid_dpop_proof')
})

describe('a refresh is refused', () => {
  const body = () => spa.proof(paths.token).split('.')[1]
  test.each<[string, () => string | null]>([
    ['without a proof', () => null],
    ['with an empty proof', () => ''],
    ['with a proof that is no JWS', () => 'a.b'],
    [
      'with a proof without a signature',
      () => `${encode({ typ: 'dpop+jwt', alg: 'none', jwk: spa.key.jwk })}.${body()}.`,
    ],
  ])('%s', async (_name, proof) => {
    expectError(await spa.refresh(tokens.refresh_token, {}, { proof: proof() }), 400, 'invalid_dpop_proof')
  })

  test('with two proofs', async () => {
    const headers: [string, string][] = [['dpop', spa.proof(paths.token)]]
    expectError(await spa.refresh(tokens.refresh_token, {}, { headers }), 400, 'invalid_dpop_proof')
  })

  test('with a proof that was used', async () => {
    await spa.refresh(tokens.refresh_token)
    const proof = spa.proof(paths.token)
    expectTokens(await spa.refresh(tokens.refresh_token, {}, { proof }), { id: true })
    expectError(await spa.refresh(tokens.refresh_token, {}, { proof }), 400, 'invalid_dpop_proof')
  })
})

test.each([
  ['none', undefined],
  ['an invented one', 'A'.repeat(43)],
])('a proof with the nonce %s is challenged, and the nonce of the challenge is good', async (_name, nonce) => {
  const challenged = await spa.refresh(tokens.refresh_token, {}, { claims: { nonce }, once: true })
  expectError(challenged, 400, 'use_dpop_nonce')
  expect(challenged.headers.get('dpop-nonce')).toMatch(/^[\w-]{43}$/)
  expectTokens(await spa.refresh(tokens.refresh_token, {}, { once: true }), { id: true })
})
