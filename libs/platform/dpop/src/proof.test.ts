import { generateKeyPairSync, hash, randomUUID } from 'node:crypto'
import { calculateJwkThumbprint, EmbeddedJWK, exportJWK, generateKeyPair, jwtVerify, SignJWT, UnsecuredJWT } from 'jose'
import { expect, test } from 'vitest'
import { createProofMaker } from './make-proof.ts'
import { createProofVerifier } from './proof.ts'
import { type ProofRefusalReason, proofRefusals } from './refusals.ts'
import { createProofFixture, type Members, segment } from './testing/proof-fixture.ts'

const fixture = createProofFixture()
const { clock, forge, goodClaims, header, jkt, validate, maker, nonces, signSegments, target } = fixture
const seconds = clock.nowMs / 1000

function refused(reason: ProofRefusalReason) {
  return { ok: false, error: reason.startsWith('nonce_') ? 'use_dpop_nonce' : 'invalid_dpop_proof', reason }
}

test('a proof that jose signs is accepted, with what the caller needs of it', async () => {
  const pair = await generateKeyPair('ES256', { extractable: true })
  const jwk = await exportJWK(pair.publicKey)
  const josesJkt = await calculateJwkThumbprint(jwk)
  for (let i = 0; i < 50; i++) {
    const claims = { ...goodClaims(), jti: randomUUID() }
    const proof = await new SignJWT(claims)
      .setProtectedHeader({ typ: 'dpop+jwt', alg: 'ES256', jwk })
      .sign(pair.privateKey)
    expect(validate(proof, { jkt: josesJkt })).toEqual({
      ok: true,
      jti: claims.jti,
      jkt: josesJkt,
      iat: seconds,
      nonce: nonces.current(),
      nonceBootId: nonces.bootId,
      nonceIssuedAtMs: clock.nowMs,
    })
  }
})

test('a proof that we make is accepted by jose and by us', async () => {
  const proof = maker.makeProof({ ...target, nonce: nonces.current(), iatMs: clock.nowMs, url: `${target.url}?x=1#y` })
  const { payload, protectedHeader } = await jwtVerify(proof, EmbeddedJWK, {
    typ: 'dpop+jwt',
    currentDate: new Date(clock.nowMs),
  })
  expect(protectedHeader).toEqual(header)
  expect(payload).toEqual({ ...goodClaims(), jti: payload.jti })
  expect(await calculateJwkThumbprint(maker.publicJwk)).toBe(jkt)
  expect(validate(proof).ok).toBe(true)
})

test('every proof made has its own jti', () => {
  const jtis = Array.from({ length: 20 }, () =>
    validate(maker.makeProof({ ...target, nonce: nonces.current(), iatMs: clock.nowMs })),
  )
  expect(new Set(jtis.map((result) => result.ok && result.jti)).size).toBe(20)
})

test('proofs are not made with another kind of key', () => {
  expect(() => createProofMaker(generateKeyPairSync('ed25519').privateKey)).toThrow(TypeError)
  expect(() => createProofMaker(generateKeyPairSync('ec', { namedCurve: 'P-384' }).privateKey)).toThrow(TypeError)
  expect(() => createProofMaker(fixture.publicKey)).toThrow(TypeError)
})

test('an access token without a proof is refused', () => {
  expect(validate(undefined)).toEqual(refused('proof_missing'))
  expect(validate('')).toEqual(refused('proof_missing'))
})

test.each([
  ['two proofs', `${forge()}, ${forge()}`],
  ['two proofs without a space', `${forge()},${forge()}`],
  ['surrounding white space', ` ${forge()}`],
  ['a trailing line feed', `${forge()}\n`],
  ['base64 instead of base64url', `${forge().slice(0, -2)}+/`],
  ['padding', `${forge()}==`],
  ['four segments', `${forge()}.e30`],
  ['two segments', forge().split('.').slice(0, 2).join('.')],
  ['no signature', `${forge().split('.').slice(0, 2).join('.')}.`],
  ['a signature of 63 bytes', forge().slice(0, -2)],
  ['a signature of 65 bytes', `${forge()}A`],
  ['a second spelling of the signature', forge().slice(0, -1) + 'B'],
  ['JSON serialisation', JSON.stringify({ payload: 'e30', protected: 'e30', signature: 'AA' })],
  ['free text', 'not a proof'],
])('a malformed proof is refused: %s', (_what, proof) => {
  expect(validate(proof)).toEqual(refused('proof_malformed'))
})

test('an unsigned proof is refused', () => {
  expect(validate(new UnsecuredJWT(goodClaims()).encode())).toEqual(refused('proof_malformed'))
})

test('a proof longer than the bound is refused', () => {
  expect(validate(forge({}, { padding: 'x'.repeat(8192) }))).toEqual(refused('proof_too_long'))
})

test.each(['[]', 'null', '"x"', '1', '{', ' ', '\u0000'])('a header that is %j is refused', (text) => {
  const proof = signSegments(segment(text), segment(JSON.stringify(goodClaims())))
  expect(validate(proof)).toEqual(refused('header_malformed'))
})

test.each(['[]', 'null', '"x"', '1', '{'])('claims that are %j are refused', (text) => {
  expect(validate(signSegments(segment(JSON.stringify(header)), segment(text)))).toEqual(refused('claims_malformed'))
})

test('a segment of an impossible length is refused', () => {
  const claims = JSON.stringify(goodClaims())
  const whole = segment(claims.padEnd(Math.ceil(claims.length / 3) * 3))
  expect(validate(signSegments(segment(JSON.stringify(header)), whole)).ok).toBe(true)
  expect(validate(signSegments(segment(JSON.stringify(header)), `${whole}A`))).toEqual(refused('claims_malformed'))
})

const publicJwk = maker.publicJwk
const privateJwk = fixture.privateKey.export({ format: 'jwk' })
const p384 = generateKeyPairSync('ec', { namedCurve: 'P-384' }).publicKey.export({ format: 'jwk' })
const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 }).publicKey.export({ format: 'jwk' })

test.each<[string, Members, ProofRefusalReason]>([
  ['a missing typ', { typ: undefined }, 'typ_wrong'],
  ['a wrong typ', { typ: 'JWT' }, 'typ_wrong'],
  ['a typ in other letters', { typ: 'DPoP+JWT' }, 'typ_wrong'],
  ['a typ that is no string', { typ: ['dpop+jwt'] }, 'typ_wrong'],
  ['a missing alg', { alg: undefined }, 'alg_wrong'],
  ['alg none', { alg: 'none' }, 'alg_wrong'],
  ['alg RS256', { alg: 'RS256' }, 'alg_wrong'],
  ['alg HS256', { alg: 'HS256' }, 'alg_wrong'],
  ['alg ES384', { alg: 'ES384' }, 'alg_wrong'],
  ['a critical extension', { crit: ['b64'], b64: false }, 'crit_unsupported'],
  ['a missing jwk', { jwk: undefined }, 'jwk_missing'],
  ['a jwk that is null', { jwk: null }, 'jwk_missing'],
  ['a jwk that is no object', { jwk: 'key' }, 'jwk_invalid'],
  ['a jwk that is a list', { jwk: [publicJwk] }, 'jwk_invalid'],
  ['a private jwk', { jwk: privateJwk }, 'jwk_private'],
  ['a jwk with an empty private member', { jwk: { ...publicJwk, d: '' } }, 'jwk_private'],
  ['a symmetric jwk', { jwk: { kty: 'oct', k: 'AAAA' } }, 'jwk_private'],
  ['a P-384 jwk', { jwk: p384 }, 'jwk_invalid'],
  ['an RSA jwk', { jwk: rsa }, 'jwk_invalid'],
  ['a jwk without y', { jwk: { ...publicJwk, y: undefined } }, 'jwk_invalid'],
  ['a jwk with a short x', { jwk: { ...publicJwk, x: publicJwk.x.slice(1) } }, 'jwk_invalid'],
  ['a jwk with a padded x', { jwk: { ...publicJwk, x: `${publicJwk.x}=` } }, 'jwk_invalid'],
  ['a jwk for encryption', { jwk: { ...publicJwk, use: 'enc' } }, 'jwk_invalid'],
  ['a jwk for another algorithm', { jwk: { ...publicJwk, alg: 'ES384' } }, 'jwk_invalid'],
  ['a jwk that does not verify', { jwk: { ...publicJwk, key_ops: ['sign'] } }, 'jwk_invalid'],
])('a proof is refused for %s', (_what, changes, reason) => {
  expect(validate(forge(changes))).toEqual(refused(reason))
})

test('a key in a second spelling of its coordinates is refused', () => {
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
  const x = publicJwk.x.slice(0, -1) + alphabet[alphabet.indexOf(publicJwk.x.slice(-1)) + 1]
  expect(Buffer.from(x, 'base64url')).toEqual(Buffer.from(publicJwk.x, 'base64url'))
  expect(validate(forge({ jwk: { ...publicJwk, x } }))).toEqual(refused('jwk_invalid'))
})

test('a key whose point is not on the curve is refused', async () => {
  const jwk = { ...publicJwk, y: Buffer.alloc(32, 1).toString('base64url') }
  expect(validate(forge({ jwk }), { jkt: await calculateJwkThumbprint(jwk) })).toEqual(refused('jwk_invalid'))
})

test('a key that says it verifies ES256 signatures, and header members that we do not know, are accepted', () => {
  const jwk = { ...publicJwk, use: 'sig', alg: 'ES256', key_ops: ['verify'], ext: true, kid: 'k' }
  expect(validate(forge({ jwk, kid: 'k' })).ok).toBe(true)
})

test('a proof by another key than the one the token is bound to is refused', () => {
  const other = createProofMaker(generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey)
  const proof = other.makeProof({ ...target, nonce: nonces.current(), iatMs: clock.nowMs })
  expect(validate(proof)).toEqual(refused('key_mismatch'))
  expect(validate(proof, { jkt: other.jkt }).ok).toBe(true)
  expect(validate(forge(), { jkt: '' })).toEqual(refused('key_mismatch'))
})

test.each<[string, Members, ProofRefusalReason]>([
  ['a missing jti', { jti: undefined }, 'jti_invalid'],
  ['an empty jti', { jti: '' }, 'jti_invalid'],
  ['a jti of 257 characters', { jti: 'x'.repeat(257) }, 'jti_invalid'],
  ['a jti that is no string', { jti: 1 }, 'jti_invalid'],
  ['a missing htm', { htm: undefined }, 'htm_missing'],
  ['a wrong htm', { htm: 'GET' }, 'htm_mismatch'],
  ['an htm in other letters', { htm: 'post' }, 'htm_mismatch'],
  ['a missing htu', { htu: undefined }, 'htu_missing'],
  ['another path', { htu: 'https://api.example/v1/mandates' }, 'htu_mismatch'],
  ['another host', { htu: 'https://api.example.evil/v1/beneficiaries' }, 'htu_mismatch'],
  ['another scheme', { htu: 'http://api.example/v1/beneficiaries' }, 'htu_mismatch'],
  ['another port', { htu: 'https://api.example:8443/v1/beneficiaries' }, 'htu_mismatch'],
  ['a path alone', { htu: '/v1/beneficiaries' }, 'htu_mismatch'],
  ['a user name', { htu: 'https://x@api.example/v1/beneficiaries' }, 'htu_mismatch'],
  ['an htu that is no string', { htu: [target.url] }, 'htu_mismatch'],
  ['a missing iat', { iat: undefined }, 'iat_invalid'],
  ['an iat that is no number', { iat: String(seconds) }, 'iat_invalid'],
  ['an iat one hour ahead', { iat: seconds + 3600 }, 'iat_ahead'],
  ['an iat 61 s ahead', { iat: seconds + 61 }, 'iat_ahead'],
  ['an iat one hour ago', { iat: seconds - 3600 }, 'iat_old'],
  ['an iat 301 s ago', { iat: seconds - 301 }, 'iat_old'],
  ['an nbf still to come', { nbf: seconds + 61 }, 'nbf_ahead'],
  ['an nbf that is no number', { nbf: '0' }, 'nbf_invalid'],
  ['an exp gone by', { exp: seconds - 1 }, 'exp_past'],
  ['an exp that is now', { exp: seconds }, 'exp_past'],
  ['an exp that is no number', { exp: null }, 'exp_invalid'],
  ['a missing ath', { ath: undefined }, 'ath_missing'],
  ['a wrong ath', { ath: hash('sha256', 'another token', 'base64url') }, 'ath_mismatch'],
  ['an ath in hexadecimal', { ath: hash('sha256', target.accessToken, 'hex') }, 'ath_mismatch'],
  ['a missing nonce', { nonce: undefined }, 'nonce_missing'],
  ['a nonce that is no string', { nonce: 1 }, 'nonce_malformed'],
  ['an empty nonce', { nonce: '' }, 'nonce_malformed'],
  ['a forged nonce', { nonce: 'A'.repeat(43) }, 'nonce_forged'],
])('a proof is refused for %s', (_what, changes, reason) => {
  expect(validate(forge({}, changes))).toEqual(refused(reason))
})

test('an iat beyond all numbers is refused', () => {
  const claims = JSON.stringify(goodClaims()).replace(/"iat":\d+/, '"iat":1e999')
  expect(validate(signSegments(segment(JSON.stringify(header)), segment(claims)))).toEqual(refused('iat_invalid'))
})

test('members of a prototype are not claims', () => {
  const proof = signSegments(segment(JSON.stringify(header)), segment(`{"__proto__":${JSON.stringify(goodClaims())}}`))
  expect(validate(proof)).toEqual(refused('jti_invalid'))
})

test('a proof for another token is refused', () => {
  expect(validate(forge(), { accessToken: 'another.access.token' })).toEqual(refused('ath_mismatch'))
})

test.each<[string, Members]>([
  ['iat 10 s ahead', { iat: seconds + 10 }],
  ['iat 10 s ago', { iat: seconds - 10 }],
  ['iat 60 s ahead', { iat: seconds + 60 }],
  ['iat 5 minutes ago', { iat: seconds - 300 }],
  ['iat with a fraction', { iat: seconds + 0.5 }],
  ['nbf 10 s ahead, as a clock may be', { nbf: seconds + 10 }],
  ['nbf gone by and exp to come', { nbf: seconds - 1, exp: seconds + 1 }],
  ['a jti of 256 characters', { jti: 'x'.repeat(256) }],
  ['htu with query and fragment', { htu: `${target.url}?a=b#c` }],
  ['htu that has to be normalised', { htu: 'HTTPS://API.example:443/v1/./x/%2E./%62eneficiaries' }],
  ['claims that we do not know', { iss: 'x', extra: { a: 1 } }],
])('a proof is accepted with %s', (_what, changes) => {
  expect(validate(forge({}, changes)).ok).toBe(true)
})

test('a nonce is refused when it is old, and its successor accepted', () => {
  const later = createProofFixture()
  const { nonce } = later.goodClaims()
  later.clock.nowMs += 300_000
  expect(later.validate(later.forge({}, { nonce })).ok).toBe(true)
  later.clock.nowMs += 1000
  expect(later.validate(later.forge({}, { nonce }))).toEqual(refused('nonce_old'))
  expect(later.validate(later.forge()).ok).toBe(true)
})

test('a bad signature is refused, whether or not the key is known', () => {
  const fresh = createProofFixture()
  const good = fresh.forge()
  const other = fresh.forge({}, { jti: 'another' })
  const swapped = good.slice(0, good.lastIndexOf('.')) + other.slice(other.lastIndexOf('.'))
  expect(fresh.validate(swapped)).toEqual(refused('signature_invalid'))
  expect(fresh.validate(good).ok).toBe(true)
  expect(fresh.validate(swapped)).toEqual(refused('signature_invalid'))
})

test('a key is cached only after a valid signature with it', () => {
  const verifier = createProofVerifier({ nowMs: fixture.nowMs, nonces })
  const proof = forge()
  const unsigned = `${proof.slice(0, proof.lastIndexOf('.'))}.${Buffer.alloc(64, 1).toString('base64url')}`
  for (const bad of [unsigned, forge({}, { htm: 'PUT' }), forge({}, { nonce: 'old' })])
    expect(verifier.verify({ ...target, jkt, proof: bad }).ok).toBe(false)
  expect(verifier.cachedKeys).toBe(0)
  expect(verifier.verify({ ...target, jkt, proof }).ok).toBe(true)
  expect(verifier.cachedKeys).toBe(1)
})

const order = Buffer.from('ffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551', 'hex')
test.each([
  ['r is zero', Buffer.concat([Buffer.alloc(32), Buffer.alloc(32, 1)])],
  ['s is zero', Buffer.concat([Buffer.alloc(32, 1), Buffer.alloc(32)])],
  ['both are zero', Buffer.alloc(64)],
  ['both are one', Buffer.concat([Buffer.alloc(31), Buffer.of(1), Buffer.alloc(31), Buffer.of(1)])],
  ['both are the order of the curve', Buffer.concat([order, order])],
  ['all bits are set', Buffer.alloc(64, 0xff)],
])('a signature is refused when %s', (_what, signature) => {
  const proof = forge()
  const forged = `${proof.slice(0, proof.lastIndexOf('.'))}.${signature.toString('base64url')}`
  expect(validate(forged)).toEqual(refused('signature_invalid'))
})

test('a cached key accepts no signature of another key', () => {
  const fresh = createProofFixture()
  const stranger = createProofFixture()
  const borrowed = stranger.signSegments(
    segment(JSON.stringify(fresh.header)),
    segment(JSON.stringify(fresh.goodClaims())),
  )
  expect(fresh.validate(borrowed)).toEqual(refused('signature_invalid'))
  expect(fresh.validate(fresh.forge()).ok).toBe(true)
  expect(fresh.validate(borrowed)).toEqual(refused('signature_invalid'))
  expect(fresh.validate(fresh.forge(), { jkt: stranger.jkt })).toEqual(refused('key_mismatch'))
})

test('keys beyond the cache are imported again and still verify', () => {
  const small = createProofVerifier({ nowMs: fixture.nowMs, nonces, maxCachedKeys: 2 })
  for (let i = 0; i < 12; i++) {
    const kid = `k${i % 4}`
    expect(small.verify({ ...target, jkt, proof: forge({ kid }) }).ok).toBe(true)
  }
})

test('the sentence for each reason is fit to be quoted in a header', () => {
  for (const sentence of Object.values(proofRefusals)) expect(sentence).toMatch(/^[A-Za-z0-9 ,+.-]+\.$/)
})
