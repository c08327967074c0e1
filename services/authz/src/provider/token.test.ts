import { oauthUnavailable } from '@financial-agents/pages/tunnel/oauth-unavailable'
import { createLocalJWKSet, type JSONWebKeySet, jwtVerify } from 'jose'
import * as oauth from 'oauth4webapi'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { pairwiseSubject } from '../registration/pairwise-subject.ts'
import { changeInTurn } from '../store/changes.ts'
import { revokeGrant, suspendGrantForOperator } from '../store/grant-status.ts'
import {
  askToken,
  baseUrl,
  carry,
  fetchInto,
  fetchNonce,
  makeAssertion,
  makeProof,
  makeProofKey,
  makeServiceClient,
  ownerId,
  readJson,
  sendToken,
  startOauthClient,
  startTestServer,
  type TestServer,
  tokenForm,
} from '../test-server.test-helper.ts'

const client = makeServiceClient('agent-token')
let server: TestServer

beforeAll(async () => {
  server = await startTestServer({ clients: [client] })
})
afterAll(() => server.close())

const statement = (name: string, text: string) => ({ name, text })

describe('a service account with oauth4webapi', () => {
  test('is challenged for a nonce once and then gets a token with exactly the claims of the contract', async () => {
    const [replica] = server.replicas
    const app = await startOauthClient(replica, client)
    const parameters = { scope: 'operations:read', resource: baseUrl }
    const challenge = await app.request(parameters).catch((error: unknown) => error)
    expect(oauth.isDPoPNonceError(challenge)).toBe(true)
    const issued = await app.request(parameters)
    expect(Object.keys(issued).toSorted()).toEqual(['access_token', 'expires_in', 'scope', 'token_type'])
    expect(issued).toMatchObject({ token_type: 'dpop', expires_in: 300, scope: 'operations:read' })

    const jwks = (await fetchInto(replica)(app.metadata.jwks_uri as string).then((response) =>
      response.json(),
    )) as JSONWebKeySet
    const { payload, protectedHeader } = await jwtVerify(issued.access_token, createLocalJWKSet(jwks), {
      issuer: baseUrl,
      audience: baseUrl,
      typ: 'at+jwt',
      algorithms: ['ES256'],
    })
    expect(Object.keys(payload).toSorted()).toEqual([
      'aud',
      'client_id',
      'cnf',
      'exp',
      'grant_id',
      'iat',
      'iss',
      'jti',
      'scope',
      'sub',
    ])
    expect(protectedHeader).toEqual({ alg: 'ES256', typ: 'at+jwt', kid: jwks.keys[0]?.kid })
    const [grant] = await server.db.rows<{ grant_id: string }>(
      statement('test_grant', 'SELECT grant_id FROM grants WHERE client_id = $1'),
      [client.clientId],
    )
    expect(payload).toMatchObject({
      aud: baseUrl,
      client_id: client.clientId,
      scope: 'operations:read',
      sub: pairwiseSubject(server.pairwiseKey, `client:${client.clientId}`, ownerId),
      grant_id: grant?.grant_id,
      cnf: { jkt: await app.proofs.calculateThumbprint() },
    })
    expect((payload.exp as number) - (payload.iat as number)).toBe(300)
  })

  test('gets tokens of one grant from either replica, with a nonce of the other', async () => {
    const nonce = await fetchNonce(server.replicas[0], client)
    const form = tokenForm(await makeAssertion(client))
    const proof = await makeProof(makeProofKey(), { nonce })
    const answer = await sendToken(server.replicas[1], { form, headers: [['dpop', proof]] })
    expect(answer.status).toBe(200)
    const grants = await server.db.rows(statement('test_grants', 'SELECT 1 FROM grants'))
    expect(grants).toHaveLength(1)
  })

  test('leaves an audit of client, grant and time, and no token in it', async () => {
    const answer = await askToken(server.replicas[0], client)
    const [row] = await server.db.rows<Record<string, unknown>>(
      statement('test_audit', `SELECT * FROM audit WHERE event = 'token_issued' ORDER BY id DESC LIMIT 1`),
    )
    expect(row).toMatchObject({
      client_id: client.clientId,
      owner_id: ownerId,
      actor: 'client',
      remote_address: '192.0.2.7',
      request_id: 'request-of-test',
    })
    const token = String(answer.body.access_token)
    for (const part of token.split('.')) expect(JSON.stringify(row)).not.toContain(part)
    await expect(server.db.rows(statement('test_audit_update', 'UPDATE audit SET event = event'))).rejects.toThrow(
      'append-only',
    )
    await expect(server.db.rows(statement('test_audit_delete', 'DELETE FROM audit'))).rejects.toThrow('append-only')
  })
})

describe('resource', () => {
  test('may be left out and then is the one of this environment', async () => {
    expect(await askToken(server.replicas[0], client)).toMatchObject({ status: 200, body: { token_type: 'DPoP' } })
  })

  test.each([
    ['foreign', 'https://api.other.test'],
    ['with a slash at the end', `${baseUrl}/`],
    ['with a fragment', `${baseUrl}#x`],
    ['in capitals', baseUrl.toUpperCase()],
    ['not a URI', 'api'],
  ])('%s is refused with invalid_target', async (_name, resource) => {
    const answer = await askToken(server.replicas[0], client, { members: { resource } })
    expect(answer).toMatchObject({ status: 400, body: { error: 'invalid_target' } })
  })

  test.each([
    ['two different ones', [baseUrl, 'https://api.other.test']],
    ['the right one twice', [baseUrl, baseUrl]],
  ])('%s are refused with invalid_target', async (_name, resources) => {
    const nonce = await fetchNonce(server.replicas[0], client)
    const extra = resources.map((resource): [string, string] => ['resource', resource])
    const answer = await sendToken(server.replicas[0], {
      form: [...tokenForm(await makeAssertion(client)), ...extra],
      headers: [['dpop', await makeProof(makeProofKey(), { nonce })]],
    })
    expect(answer).toMatchObject({ status: 400, body: { error: 'invalid_target' } })
  })
})

describe('scope', () => {
  test('left out means the whole ceiling', async () => {
    const answer = await askToken(server.replicas[0], client)
    expect(answer.body.scope).toBe('beneficiaries:read beneficiaries:write operations:read')
  })

  test.each([
    ['purchases:execute', 'purchases:execute'],
    ['an unknown scope', 'nonsense'],
    ['openid', 'openid'],
    ['a scope outside the ceiling', 'cards:manage'],
    ['one of two outside the ceiling', 'operations:read cards:manage'],
    ['characters that no scope has', 'operations:read "'],
  ])('%s is refused with invalid_scope', async (_name, scope) => {
    const answer = await askToken(server.replicas[0], client, { members: { scope } })
    expect(answer).toMatchObject({ status: 400, body: { error: 'invalid_scope' } })
    expect(answer.headers.get('cache-control')).toBe('no-store')
  })
})

describe('what the token endpoint does not do', () => {
  test.each([
    ['password', 'unsupported_grant_type'],
    ['implicit', 'unsupported_grant_type'],
    ['urn:ietf:params:oauth:grant-type:token-exchange', 'unsupported_grant_type'],
    ['urn:openid:params:grant-type:ciba', 'unsupported_grant_type'],
    ['authorization_code', 'unauthorized_client'],
    ['refresh_token', 'unauthorized_client'],
    ['urn:ietf:params:oauth:grant-type:device_code', 'unauthorized_client'],
  ])('grant type %s: %s', async (grant_type, error) => {
    const answer = await askToken(server.replicas[0], client, { members: { grant_type } })
    expect(answer).toMatchObject({ status: 400, body: { error } })
  })

  test('a refresh or ID token', async () => {
    const { body } = await askToken(server.replicas[0], client, { members: { scope: 'operations:read' } })
    expect(Object.keys(body).toSorted()).toEqual(['access_token', 'expires_in', 'scope', 'token_type'])
  })

  test('serve a browser: no origin is registered for a service account', async () => {
    const nonce = await fetchNonce(server.replicas[0], client)
    const answer = await sendToken(server.replicas[0], {
      form: tokenForm(await makeAssertion(client)),
      headers: [
        ['dpop', await makeProof(makeProofKey(), { nonce })],
        ['origin', 'https://app.example'],
      ],
    })
    expect(answer).toMatchObject({ status: 400, body: { error: 'invalid_request' } })
    expect(answer.headers.get('access-control-allow-origin')).toBeNull()
  })

  test('answer in HTML, whatever is asked for', async () => {
    const headers: [string, string][] = [
      ['accept', 'text/html'],
      ['content-type', 'application/x-www-form-urlencoded'],
      ['dpop', await makeProof(makeProofKey())],
    ]
    const answer = await carry(server.replicas[0], 'POST', '/oauth/token', headers, 'grant_type=password')
    expect(readJson(answer)).toMatchObject({ error: 'invalid_client' })
  })

  test('take a body that is not a form, a parameter twice, or one that is too large', async () => {
    const dpop: [string, string] = ['dpop', await makeProof(makeProofKey())]
    const json = await carry(
      server.replicas[0],
      'POST',
      '/oauth/token',
      [dpop, ['content-type', 'application/json']],
      '{}',
    )
    expect([json.status, readJson(json).error]).toEqual([400, 'invalid_request'])
    const assertion = await makeAssertion(client)
    const twice = await sendToken(server.replicas[0], {
      form: [...tokenForm(assertion), ['grant_type', 'client_credentials']],
      headers: [dpop],
    })
    expect([twice.status, twice.body.error]).toEqual([400, 'invalid_request'])
    const large = await sendToken(server.replicas[0], { form: [['x', 'x'.repeat(60_000)]], headers: [dpop] })
    expect([large.status, large.body.error]).toEqual([400, 'invalid_request'])
  })
})

test('a service account hears whether its grant is suspended or was revoked', async () => {
  const account = makeServiceClient('agent-suspended')
  const own = await startTestServer({ clients: [account] })
  const now = own.clock.now()
  const [grant] = await own.db.rows<{ grant_id: string }>(statement('test_grant_id', 'SELECT grant_id FROM grants'))
  const grantId = String(grant?.grant_id)
  const by = { operator: 'jonas', words: 'A stolen key.', request_id: null }
  await changeInTurn(own.db, (tx) => suspendGrantForOperator(tx, grantId, by, now))
  const reported = async () => (await askToken(own.replicas[0], account)).body
  expect(await reported()).toEqual({
    error: 'unauthorized_client',
    error_description: 'the grant of this service account is suspended',
  })
  await revokeGrant(own.db, grantId, { reason: 'revoked_by_owner', by: 'owner', request_id: null }, now)
  expect(await reported()).toEqual({
    error: 'unauthorized_client',
    error_description: 'the grant of this service account was revoked',
  })
  await own.close()
})

test('a part of the server out of reach answers 503 and no token', async () => {
  const other = await startTestServer()
  await other.apply([client.registration])
  const nonce = await fetchNonce(other.replicas[0], client)
  await other.close()
  const answer = await sendToken(other.replicas[0], {
    form: tokenForm(await makeAssertion(client)),
    headers: [['dpop', await makeProof(makeProofKey(), { nonce })]],
  })
  expect(answer).toMatchObject({ status: 503, body: oauthUnavailable })
  expect(answer.headers.get('retry-after')).toBe('1')
})

test('a part that falls out of reach under a client that was served before answers 503, too', async () => {
  const other = await startTestServer()
  await other.apply([client.registration])
  const nonce = await fetchNonce(other.replicas[0], client)
  const ask = async () =>
    sendToken(other.replicas[0], {
      form: tokenForm(await makeAssertion(client)),
      headers: [['dpop', await makeProof(makeProofKey(), { nonce })]],
    })
  expect((await ask()).status).toBe(200)
  await other.close()
  expect(await ask()).toMatchObject({ status: 503, body: oauthUnavailable })
})

test('a token whose audit cannot be written is withheld', async () => {
  const other = await startTestServer()
  await other.apply([client.registration])
  const nonce = await fetchNonce(other.replicas[0], client)
  await other.db.rows(statement('test_no_audit', 'ALTER TABLE audit RENAME TO audit_gone'))
  const answer = await sendToken(other.replicas[0], {
    form: tokenForm(await makeAssertion(client)),
    headers: [['dpop', await makeProof(makeProofKey(), { nonce })]],
  })
  expect(answer.status).toBe(503)
  expect(answer.body).toEqual(oauthUnavailable)
  expect(answer.headers.get('retry-after')).toBe('1')
  await other.close()
})
