import { generateKeyPairSync, randomUUID } from 'node:crypto'
import { type JWTPayload, SignJWT } from 'jose'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  askToken,
  fetchNonce,
  makeAssertion,
  makeProof,
  makeProofKey,
  makeServiceClient,
  sendToken,
  startTestServer,
  type TestServer,
  tokenForm,
  tokenUrl,
} from '../test-server.test-helper.ts'

const client = makeServiceClient('agent-proof')
let server: TestServer

beforeAll(async () => {
  server = await startTestServer({ clients: [client] })
})
afterAll(() => server.close())

const nowS = () => Math.floor(Date.now() / 1_000)
const refused = { status: 400, body: { error: 'invalid_dpop_proof' } }

async function sendProofs(...headers: [string, string][]) {
  return sendToken(server.replicas[0], { form: tokenForm(await makeAssertion(client)), headers })
}

describe('a proof is accepted', () => {
  test.each([
    ['made 10 s ago', () => ({ iat: nowS() - 10 })],
    ['made 10 s ahead', () => ({ iat: nowS() + 10 })],
    ['with query and fragment in htu', () => ({ htu: `${tokenUrl}?a=b#c` })],
    ['with htu in another but equal form', () => ({ htu: 'HTTPS://API.example.test:443/oauth/token' })],
    ['with nbf past and exp to come', () => ({ nbf: nowS() - 5, exp: nowS() + 60 })],
  ])('%s', async (_name, claims) => {
    expect((await askToken(server.replicas[0], client, { proof: claims() })).status).toBe(200)
  })

  test('with the header name in any letter case', async () => {
    const nonce = await fetchNonce(server.replicas[0], client)
    expect((await sendProofs(['DpOp', await makeProof(makeProofKey(), { nonce })])).status).toBe(200)
  })
})

describe('a proof is refused with invalid_dpop_proof', () => {
  test.each([
    ['made an hour ago', () => ({ iat: nowS() - 3_600 })],
    ['made an hour ahead', () => ({ iat: nowS() + 3_600 })],
    ['without iat', () => ({ iat: undefined })],
    ['without jti', () => ({ jti: undefined })],
    ['without htm', () => ({ htm: undefined })],
    ['without htu', () => ({ htu: undefined })],
    ['for another method', () => ({ htm: 'GET' })],
    ['for the method in lower case', () => ({ htm: 'post' })],
    ['for another path', () => ({ htu: 'https://api.example.test/oauth/authorize' })],
    ['for another host', () => ({ htu: 'https://api.other.test/oauth/token' })],
    ['for another scheme', () => ({ htu: 'http://api.example.test/oauth/token' })],
    ['with an htu that is no URL', () => ({ htu: '/oauth/token' })],
    ['not valid yet', () => ({ nbf: nowS() + 60 })],
    ['expired', () => ({ exp: nowS() - 60 })],
    ['with a nonce that is no string', () => ({ nonce: 7 })],
  ])('%s', async (_name, claims) => {
    expect(await askToken(server.replicas[0], client, { proof: claims() as JWTPayload })).toMatchObject(refused)
  })

  test.each([
    ['without typ', () => ({ typ: undefined })],
    ['with another typ', () => ({ typ: 'JWT' })],
    ['without jwk', () => ({ jwk: undefined })],
    ['with a private jwk', () => ({ jwk: makeProofKey().privateKey.export({ format: 'jwk' }) })],
    ['with the jwk of another key', () => ({ jwk: makeProofKey().publicKey.export({ format: 'jwk' }) })],
  ])('%s', async (_name, header) => {
    expect(await askToken(server.replicas[0], client, { proofHeader: header() })).toMatchObject(refused)
  })

  test('missing', async () => {
    expect(await sendProofs()).toMatchObject(refused)
  })

  test.each([
    ['malformed', async () => 'nonsense'],
    ['unsigned', async (proof: string) => `${proof.split('.').slice(0, 2).join('.')}.`],
    ['with a bad signature', async (proof: string) => `${proof.slice(0, -8)}AAAAAAAA`],
    [
      'with alg none',
      async (proof: string) => {
        const jwk = makeProofKey().publicKey.export({ format: 'jwk' })
        const header = Buffer.from(JSON.stringify({ alg: 'none', typ: 'dpop+jwt', jwk })).toString('base64url')
        return `${header}.${proof.split('.')[1]}.`
      },
    ],
    [
      'without alg',
      async (proof: string) => {
        const jwk = makeProofKey().publicKey.export({ format: 'jwk' })
        const header = Buffer.from(JSON.stringify({ typ: 'dpop+jwt', jwk })).toString('base64url')
        return [header, ...proof.split('.').slice(1)].join('.')
      },
    ],
    [
      'signed with ES384',
      async () => {
        const key = generateKeyPairSync('ec', { namedCurve: 'P-384' })
        return new SignJWT({ htm: 'POST', htu: tokenUrl, jti: 'j', iat: nowS() })
          .setProtectedHeader({ alg: 'ES384', typ: 'dpop+jwt', jwk: key.publicKey.export({ format: 'jwk' }) })
          .sign(key.privateKey)
      },
    ],
  ])('%s', async (_name, spoil) => {
    const nonce = await fetchNonce(server.replicas[0], client)
    const proof = await makeProof(makeProofKey(), { nonce })
    expect(await sendProofs(['dpop', await spoil(proof)])).toMatchObject(refused)
  })

  test('sent twice in one request', async () => {
    const nonce = await fetchNonce(server.replicas[0], client)
    const proofs = await Promise.all([0, 1].map(() => makeProof(makeProofKey(), { nonce })))
    expect(await sendProofs(...proofs.map((proof): [string, string] => ['dpop', proof]))).toMatchObject(refused)
  })

  test('used before', async () => {
    const nonce = await fetchNonce(server.replicas[0], client)
    const proof = await makeProof(makeProofKey(), { nonce })
    expect((await sendProofs(['dpop', proof])).status).toBe(200)
    expect(await sendProofs(['dpop', proof])).toMatchObject(refused)
  })
})

describe('a nonce', () => {
  test.each([
    ['missing', undefined],
    ['forged', 'A'.repeat(43)],
    ['empty', ''],
  ])('%s is answered with use_dpop_nonce and a fresh one', async (_name, nonce) => {
    const answer = await sendProofs(['dpop', await makeProof(makeProofKey(), nonce === undefined ? {} : { nonce })])
    expect(answer).toMatchObject({ status: 400, body: { error: 'use_dpop_nonce' } })
    expect(answer.headers.get('dpop-nonce')).toMatch(/^[A-Za-z0-9_-]{43}$/)
    expect(answer.headers.get('cache-control')).toBe('no-store')
  })
})

test('a refused proof leaves the assertion unused where there was no proof at all', async () => {
  const form = tokenForm(await makeAssertion(client))
  const nonce = await fetchNonce(server.replicas[0], client)
  expect(await sendToken(server.replicas[0], { form })).toMatchObject(refused)
  const dpop = await makeProof(makeProofKey(), { nonce })
  expect((await sendToken(server.replicas[0], { form, headers: [['dpop', dpop]] })).status).toBe(200)
})

test('a request that is refused after its client was authenticated has used its proof up', async () => {
  const nonce = await fetchNonce(server.replicas[0], client)
  const dpop = await makeProof(makeProofKey(), { nonce })
  const send = async (scope: [string, string][]) => {
    const form = tokenForm(await makeAssertion(client)).filter(([name]) => scope.length === 0 || name !== 'scope')
    return sendToken(server.replicas[0], { form: [...form, ...scope], headers: [['dpop', dpop]] })
  }
  expect(await send([['scope', 'no\u00a0scope']])).toMatchObject({ status: 400, body: { error: 'invalid_scope' } })
  expect(await send([])).toMatchObject(refused)
})

test('an assertion and a proof may have the same jti, and each is good once', async () => {
  const nonce = await fetchNonce(server.replicas[0], client)
  const jti = randomUUID()
  const send = async (assertion: string, dpop: string) =>
    sendToken(server.replicas[1], { form: tokenForm(assertion), headers: [['dpop', dpop]] })
  const assertion = await makeAssertion(client, { jti })
  const proof = await makeProof(makeProofKey(), { nonce, jti })
  expect((await send(assertion, proof)).status).toBe(200)
  expect(await send(await makeAssertion(client), proof)).toMatchObject(refused)
  const another = await makeProof(makeProofKey(), { nonce })
  expect(await send(assertion, another)).toMatchObject({ status: 401, body: { error: 'invalid_client' } })
})

test('an id that an assertion had may be of a later proof, and the other way round', async () => {
  const nonce = await fetchNonce(server.replicas[0], client)
  const [one, other] = [randomUUID(), randomUUID()]
  for (const [jti, ofProof] of [
    [one, other],
    [other, one],
  ] as const) {
    const form = tokenForm(await makeAssertion(client, { jti }))
    const dpop = await makeProof(makeProofKey(), { nonce, jti: ofProof })
    expect((await sendToken(server.replicas[0], { form, headers: [['dpop', dpop]] })).status).toBe(200)
  }
})
