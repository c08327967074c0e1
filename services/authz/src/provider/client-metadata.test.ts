import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeOwnerClient } from '../test-client.test-helper.ts'
import { makeServiceClient, startTestServer, type TestServer } from '../test-server.test-helper.ts'

const hosts = { redirect_uris: ['https://one.example/cb', 'https://two.example/cb'], sector_identifier: 'one.example' }
const clients = [
  makeOwnerClient('web', 'meta-web', hosts),
  makeOwnerClient('spa', 'meta-spa', { ...hosts, origins: ['https://one.example'] }),
  makeOwnerClient('native', 'meta-native', {
    redirect_uris: ['http://127.0.0.1/cb', 'http://[::1]/cb', 'com.example.app:/cb', 'https://app.example/cb'],
  }),
  makeOwnerClient('device', 'meta-device'),
  makeServiceClient('meta-service'),
]
let server: TestServer

beforeAll(async () => {
  server = await startTestServer()
  await server.apply(clients.map(({ registration }) => registration))
})
afterAll(() => server.close())

const code = ['authorization_code', 'refresh_token']
const device = ['urn:ietf:params:oauth:grant-type:device_code', 'refresh_token']

test.each([
  ['meta-web', code, 'private_key_jwt', true, ['code'], 'web'],
  ['meta-spa', code, 'none', false, ['code'], 'web'],
  ['meta-native', code, 'none', false, ['code'], 'native'],
  ['meta-device', device, 'none', false, [], 'web'],
  ['meta-service', ['client_credentials'], 'private_key_jwt', false, [], 'web'],
])('%s has the grants and controls of its profile', async (clientId, grants, authentication, pushes, types, kind) => {
  const client = await server.replicas[0].provider().Client.find(clientId)
  expect(client).toMatchObject({
    grantTypes: grants,
    tokenEndpointAuthMethod: authentication,
    requirePushedAuthorizationRequests: pushes,
    responseTypes: types,
    applicationType: kind,
    dpopBoundAccessTokens: true,
    idTokenSignedResponseAlg: 'ES256',
  })
})

test('is parsed once however many clients there are, and anew when its registration changed', async () => {
  const [first] = clients
  if (!first) throw new Error('no client')
  const find = () => server.replicas[0].provider().Client.find(first.clientId)
  const parsed = await find()
  const many = Array.from({ length: 250 }, (_, index) => makeOwnerClient('device', `meta-${index}`).registration)
  const declared = clients.map(({ registration }) => registration)
  await server.apply([...declared, ...many])
  for (const { client_id } of many) await server.replicas[0].provider().Client.find(client_id)
  expect(await find()).toBe(parsed)
  await server.apply([{ ...first.registration, name: 'Another name' }, ...declared.slice(1)])
  expect((await find())?.clientName).toBe('Another name')
})

test('a client that is no longer declared is none', async () => {
  await server.apply([])
  for (const { clientId } of clients) expect(await server.replicas[0].provider().Client.find(clientId)).toBeUndefined()
})
