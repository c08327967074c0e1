import { createLocalJWKSet, decodeJwt, type JSONWebKeySet, jwtVerify } from 'jose'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { pairwiseSubject } from '../registration/pairwise-subject.ts'
import { sectorOf } from '../registration/registration.ts'
import { connect, makeOwnerClient, refresh, thumbprintOf } from '../test-client.test-helper.ts'
import { baseUrl, carry, readJson, startTestServer, type TestServer } from '../test-server.test-helper.ts'

const owner = '01980000-0000-7000-8000-0000000000aa'
const web = makeOwnerClient('web', 'flow-web')
const spa = makeOwnerClient('spa', 'flow-spa')
const native = makeOwnerClient('native', 'flow-native')
let server: TestServer

beforeAll(async () => {
  server = await startTestServer({ clients: [web, spa, native] })
})
afterAll(() => server.close())

describe.each([
  ['web', web],
  ['spa', spa],
  ['native', native],
])('a %s client', (_profile, client) => {
  test('is authorised by its owner and gets an access, an ID and a refresh token with exactly the claims of the contract', async () => {
    const [replica] = server.replicas
    const { body, proofKey } = await connect(replica, client)
    expect(Object.keys(body).toSorted()).toEqual([
      'access_token',
      'expires_in',
      'id_token',
      'refresh_token',
      'scope',
      'token_type',
    ])
    expect(body).toMatchObject({ token_type: 'DPoP', expires_in: 300, scope: 'openid accounts:read' })
    const jwks = readJson(await carry(replica, 'GET', '/oauth/jwks')) as unknown as JSONWebKeySet
    const subject = pairwiseSubject(server.pairwiseKey, sectorOf(client.registration), owner)
    const access = decodeJwt(String(body['access_token']))
    expect(access).toMatchObject({ sub: subject, scope: 'accounts:read', cnf: { jkt: await thumbprintOf(proofKey) } })
    expect(access['grant_id']).toMatch(/^[0-9a-f-]{36}$/)
    const { payload } = await jwtVerify(String(body['id_token']), createLocalJWKSet(jwks), { issuer: baseUrl })
    expect(Object.keys(payload).toSorted()).toEqual(['acr', 'aud', 'auth_time', 'exp', 'iat', 'iss', 'nonce', 'sub'])
    expect(payload).toMatchObject({
      acr: 'urn:service:acr:provider-device',
      aud: client.clientId,
      nonce: 'nonce-1',
      sub: subject,
    })
    expect((payload.exp as number) - (payload.iat as number)).toBe(300)
    expect(JSON.stringify([access, payload])).not.toContain(owner)
  })

  test('refreshes with the same refresh token, at either replica', async () => {
    const { body, proofKey } = await connect(server.replicas[0], client)
    const token = String(body['refresh_token'])
    for (const replica of server.replicas) {
      const answer = await refresh(replica, client, proofKey, token)
      expect(answer).toMatchObject({ status: 200, body: { refresh_token: token, scope: 'openid accounts:read' } })
    }
  })
})
