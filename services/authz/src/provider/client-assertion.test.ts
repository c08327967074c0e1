import { generateKeyPairSync, randomUUID } from 'node:crypto'
import type { JWTPayload } from 'jose'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  askToken,
  baseUrl,
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

const client = makeServiceClient('agent-assertion')
const neighbour = makeServiceClient('agent-neighbour')
let server: TestServer

beforeAll(async () => {
  server = await startTestServer({ clients: [client, neighbour] })
})
afterAll(() => server.close())

const nowS = () => Math.floor(Date.now() / 1_000)
const unauthenticated = {
  status: 401,
  body: { error: 'invalid_client', error_description: 'client authentication failed' },
}

async function sendWith(members: Record<string, string | undefined>, assertion?: string) {
  const nonce = await fetchNonce(server.replicas[0], client)
  const form = tokenForm(assertion ?? (await makeAssertion(client))).filter(([name]) => !(name in members))
  const given = Object.entries(members).filter((entry): entry is [string, string] => entry[1] !== undefined)
  const dpop = await makeProof(makeProofKey(), { nonce })
  return sendToken(server.replicas[0], { form: [...form, ...given], headers: [['dpop', dpop]] })
}

describe('an assertion is accepted', () => {
  test.each([
    ['with iat and nbf 8 s ahead', () => ({ iat: nowS() + 8, nbf: nowS() + 8 })],
    ['without iat', () => ({ iat: undefined })],
    ['that lives ten minutes', () => ({ exp: nowS() + 600 })],
  ])('%s', async (_name, claims) => {
    expect((await askToken(server.replicas[0], client, { assertion: claims() as JWTPayload })).status).toBe(200)
  })
})

describe('an assertion is refused with invalid_client', () => {
  test.each([
    ['with the token endpoint as audience', () => ({ aud: tokenUrl })],
    ['with an array as audience', () => ({ aud: [baseUrl] })],
    ['with an array that holds another audience too', () => ({ aud: [baseUrl, tokenUrl] })],
    ['with the issuer and a slash as audience', () => ({ aud: `${baseUrl}/` })],
    ['with a foreign audience', () => ({ aud: 'https://api.other.test' })],
    ['without audience', () => ({ aud: undefined })],
    ['without sub', () => ({ sub: undefined })],
    ['without iss', () => ({ iss: undefined })],
    ['with another issuer', () => ({ iss: neighbour.clientId })],
    ['without jti', () => ({ jti: undefined })],
    ['with a jti that is no string', () => ({ jti: 7 as unknown as string })],
    ['without exp', () => ({ exp: undefined })],
    ['that expired five minutes ago', () => ({ exp: nowS() - 300 })],
    ['that lives an hour', () => ({ exp: nowS() + 3_600 })],
    ['with an exp beyond every calendar', () => ({ exp: 1e300 })],
    ['with iat over 60 s ahead', () => ({ iat: nowS() + 61, exp: nowS() + 120 })],
    ['with nbf over 60 s ahead', () => ({ nbf: nowS() + 61, exp: nowS() + 120 })],
  ])('%s', async (_name, claims) => {
    expect(await askToken(server.replicas[0], client, { assertion: claims() as JWTPayload })).toMatchObject(
      unauthenticated,
    )
  })

  test('signed with RS256', async () => {
    const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2_048 })
    const assertion = await makeAssertion(client, {}, { alg: 'RS256' }, privateKey)
    expect(await sendWith({}, assertion)).toMatchObject(unauthenticated)
  })

  test('not signed at all', async () => {
    const signed = await makeAssertion(client)
    const header = Buffer.from('{"alg":"none"}').toString('base64url')
    expect(await sendWith({}, `${header}.${signed.split('.')[1]}.`)).toMatchObject(unauthenticated)
  })

  test('signed with the key of another client', async () => {
    const assertion = await makeAssertion(client, {}, {}, neighbour.privateKey)
    expect(await sendWith({}, assertion)).toMatchObject(unauthenticated)
  })

  test('of a client that is not registered, with the same words as for a wrong key', async () => {
    const assertion = await makeAssertion({ ...client, clientId: 'agent-unknown' })
    expect(await sendWith({}, assertion)).toMatchObject(unauthenticated)
  })

  test('used a second time, at either replica', async () => {
    const assertion = await makeAssertion(client)
    expect((await sendWith({}, assertion)).status).toBe(200)
    expect(await sendWith({}, assertion)).toMatchObject(unauthenticated)
    const nonce = await fetchNonce(server.replicas[1], client)
    const dpop = await makeProof(makeProofKey(), { nonce })
    const answer = await sendToken(server.replicas[1], { form: tokenForm(assertion), headers: [['dpop', dpop]] })
    expect(answer).toMatchObject(unauthenticated)
  })

  test('with a jti that was used before, but not because another client used it', async () => {
    const jti = randomUUID()
    expect((await askToken(server.replicas[0], client, { assertion: { jti } })).status).toBe(200)
    expect(await askToken(server.replicas[0], client, { assertion: { jti } })).toMatchObject(unauthenticated)
    expect((await askToken(server.replicas[0], neighbour, { assertion: { jti } })).status).toBe(200)
  })
})

describe('other ways to authenticate are refused', () => {
  test.each<[string, Record<string, string | undefined>, number, string]>([
    ['none at all', { client_assertion: undefined, client_assertion_type: undefined }, 401, 'invalid_client'],
    [
      'a client id alone',
      { client_assertion: undefined, client_assertion_type: undefined, client_id: client.clientId },
      401,
      'invalid_client',
    ],
    ['a client id that is not of the assertion', { client_id: neighbour.clientId }, 401, 'invalid_client'],
    [
      'another assertion type',
      { client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:saml2-bearer' },
      401,
      'invalid_client',
    ],
    ['no assertion type', { client_assertion_type: undefined }, 401, 'invalid_client'],
    ['something that is no JWT', { client_assertion: 'nonsense' }, 401, 'invalid_client'],
  ])('%s', async (_name, members, status, error) => {
    expect(await sendWith(members)).toMatchObject({ status, body: { error } })
  })

  test('a client secret in the form', async () => {
    const members = {
      client_assertion: undefined,
      client_assertion_type: undefined,
      client_id: client.clientId,
      client_secret: 'x',
    }
    expect((await sendWith(members)).status).toBeGreaterThanOrEqual(400)
  })

  test('a client secret as Basic', async () => {
    const answer = await sendToken(server.replicas[0], {
      form: [['grant_type', 'client_credentials']],
      headers: [
        ['authorization', `Basic ${Buffer.from(`${client.clientId}:secret`).toString('base64')}`],
        ['dpop', await makeProof(makeProofKey())],
      ],
    })
    expect(answer).toMatchObject(unauthenticated)
  })
})

test('of 50 concurrent uses of one assertion at two replicas exactly one gets a token', async () => {
  const nonce = await fetchNonce(server.replicas[0], client)
  const form = tokenForm(await makeAssertion(client))
  const proofs = await Promise.all(Array.from({ length: 50 }, () => makeProof(makeProofKey(), { nonce })))
  const answers = await Promise.all(
    proofs.map((dpop, index) =>
      sendToken(server.replicas[index % 2 === 0 ? 0 : 1], { form, headers: [['dpop', dpop]] }),
    ),
  )
  const statuses = answers.map((answer) => answer.status)
  expect(statuses.filter((status) => status === 200)).toHaveLength(1)
  expect(statuses.filter((status) => status === 401)).toHaveLength(49)
})

test('of 50 concurrent uses of one proof at two replicas exactly one gets a token', async () => {
  const nonce = await fetchNonce(server.replicas[0], client)
  const dpop = await makeProof(makeProofKey(), { nonce })
  const assertions = await Promise.all(Array.from({ length: 50 }, () => makeAssertion(client)))
  const answers = await Promise.all(
    assertions.map((assertion, index) =>
      sendToken(server.replicas[index % 2 === 0 ? 0 : 1], { form: tokenForm(assertion), headers: [['dpop', dpop]] }),
    ),
  )
  expect(answers.filter((answer) => answer.status === 200)).toHaveLength(1)
  const refused = answers.filter((answer) => answer.status !== 200)
  expect(refused.map((answer) => answer.body.error)).toEqual(Array(49).fill('invalid_dpop_proof'))
})

test('the logs of all this hold no token, assertion, proof or key', async () => {
  const nonce = await fetchNonce(server.replicas[0], client)
  const assertion = await makeAssertion(client)
  const dpop = await makeProof(makeProofKey(), { nonce })
  const sent = { form: tokenForm(assertion), headers: [['dpop', dpop]] as [string, string][] }
  const issued = await sendToken(server.replicas[0], sent)
  await sendToken(server.replicas[0], sent)
  await sendWith({ client_assertion: `${assertion}x` })
  await sendToken(server.replicas[0], { ...sent, headers: [['dpop', `${dpop}x`]] })
  const logged = server.logged()
  expect(logged).toContain('a request was refused')
  const secrets = [String(issued.body.access_token), assertion, dpop].flatMap((value) => value.split('.'))
  const { d } = client.privateKey.export({ format: 'jwk' })
  for (const secret of [...secrets, String(d)]) {
    if (secret === 'eyJhbGciOiJFUzI1NiJ9') continue
    expect(logged).not.toContain(secret)
    expect(logged).not.toContain(secret.slice(0, 24))
  }
})
