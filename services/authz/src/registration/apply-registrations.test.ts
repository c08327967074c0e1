import { randomBytes } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { listChangesAfter } from '../store/changes.ts'
import { listOrigins } from '../store/clients.ts'
import {
  askToken,
  makeAssertion,
  makeProof,
  makeProofKey,
  makeServiceClient,
  sendToken,
  startTestServer,
  type TestClient,
  type TestServer,
  tokenForm,
} from '../test-server.test-helper.ts'
import { applyRegistrations } from './apply-registrations.ts'
import { registration } from './registration.ts'

const otherOwner = '01980000-0000-7000-8000-000000000002'
const client = makeServiceClient('agent-a')
const bystander = makeServiceClient('agent-b')
let server: TestServer

beforeEach(async () => {
  server = await startTestServer()
})
afterEach(() => server.close())

type Grant = {
  grant_id: string
  client_id: string
  owner_id: string
  subject: string
  scopes: string[]
  status: string
}
const grants = () =>
  server.db.rows<Grant>(
    { name: 'test_grants', text: 'SELECT * FROM grants WHERE client_id = $1 ORDER BY created_at' },
    ['agent-a'],
  )
const fences = () =>
  server.db.rows({ name: 'test_fences', text: 'SELECT target, target_id, fenced FROM fences ORDER BY target' })
const changes = async () => (await listChangesAfter(server.db, 0)).map((row) => row.change)
const withMembers = (members: object): TestClient => ({
  ...client,
  registration: registration.parse({ ...client.registration, ...members }),
})

const spa = (id: string, origin: string) =>
  registration.parse({
    client_id: id,
    name: id,
    profile: 'spa',
    redirect_uris: [`${origin}/`],
    origins: [origin],
    scopes: ['openid'],
  })

async function refusedAsUnknown(): Promise<boolean> {
  const [dpop, assertion] = [await makeProof(makeProofKey()), await makeAssertion(client)]
  const answer = await sendToken(server.replicas[0], { form: tokenForm(assertion), headers: [['dpop', dpop]] })
  return answer.status === 401 && answer.body.error === 'invalid_client'
}

test('a new service account gets one grant, is announced, and applying it again changes nothing', async () => {
  const lines = await server.apply([client.registration])
  const [grant] = await grants()
  expect(lines).toEqual(['client agent-a: registered as service', `client agent-a: grant ${grant?.grant_id} created`])
  expect(grant).toMatchObject({ status: 'active', scopes: client.registration.scopes })
  expect(await changes()).toEqual([{ client_id: 'agent-a' }])
  expect(await server.apply([client.registration])).toEqual([])
  expect(await grants()).toEqual([grant])
  expect(await changes()).toHaveLength(1)
  expect(await fences()).toEqual([])
})

test('ten commands at once make one client with one grant', async () => {
  const lines = await Promise.all(Array.from({ length: 10 }, () => server.apply([client.registration])))
  expect(lines.flat()).toHaveLength(2)
  expect(await grants()).toHaveLength(1)
})

test('a failure on the way changes nothing at all', async () => {
  await server.db.rows({ name: 'test_break', text: "ALTER TABLE audit ADD CHECK (client_id <> 'agent-b')" })
  await expect(server.apply([client.registration, bystander.registration])).rejects.toThrow()
  expect(await grants()).toEqual([])
  expect(await changes()).toEqual([])
})

describe('a client that is no longer declared', () => {
  beforeEach(async () => {
    await server.apply([client.registration, bystander.registration])
    expect(await server.apply([bystander.registration])).toEqual(['client agent-a: suspended (no longer declared)'])
  })

  test('is suspended with its grant, fenced and announced, and gets no token', async () => {
    const [grant] = await grants()
    expect(grant?.status).toBe('suspended')
    expect(await fences()).toEqual([
      { target: 'client', target_id: 'agent-a', fenced: true },
      { target: 'grant', target_id: grant?.grant_id, fenced: true },
    ])
    expect((await changes()).at(-1)).toEqual({ client_id: 'agent-a' })
    expect(await refusedAsUnknown()).toBe(true)
    expect((await askToken(server.replicas[1], bystander)).status).toBe(200)
  })

  test('stays as it is when applied again', async () => {
    expect(await server.apply([bystander.registration])).toEqual([])
  })

  test('comes back with its grant and what changed meanwhile', async () => {
    const [before] = await grants()
    const changed = withMembers({ scopes: ['kyc:read'] })
    expect(await server.apply([changed.registration, bystander.registration])).toEqual([
      'client agent-a: changed (scopes)',
      'client agent-a: reactivated',
    ])
    expect(await grants()).toMatchObject([{ grant_id: before?.grant_id, status: 'active', scopes: ['kyc:read'] }])
    expect((await fences()).map((fence) => (fence as { fenced: boolean }).fenced)).toEqual([false, false])
    expect((await askToken(server.replicas[0], changed)).body.scope).toBe('kyc:read')
  })

  test('does not bring back a grant that was suspended for another reason', async () => {
    await server.db.rows({ name: 'test_reason', text: `UPDATE grants SET status_reason = 'operator'` })
    await server.apply([client.registration, bystander.registration])
    expect((await grants())[0]?.status).toBe('suspended')
    expect(await askToken(server.replicas[0], client)).toMatchObject({
      status: 400,
      body: { error: 'unauthorized_client' },
    })
  })
})

describe('a change', () => {
  beforeEach(() => server.apply([client.registration]))

  test('of the key holds for the next token', async () => {
    const rotated = makeServiceClient('agent-a')
    expect(await server.apply([rotated.registration])).toEqual(['client agent-a: changed (jwks)'])
    expect((await askToken(server.replicas[1], rotated)).status).toBe(200)
    expect(await refusedAsUnknown()).toBe(true)
  })

  test('of the owner revokes and fences the grant and makes another, with another subject', async () => {
    await server.apply([withMembers({ service_owner: otherOwner }).registration])
    const [old, made] = await grants()
    expect([old?.status, made?.status]).toEqual(['revoked', 'active'])
    expect(made?.owner_id).toBe(otherOwner)
    expect(made?.subject).not.toBe(old?.subject)
    expect(await fences()).toEqual([{ target: 'grant', target_id: old?.grant_id, fenced: true }])
  })

  test('of the profile revokes the grant', async () => {
    const { jwks: _jwks, service_owner: _owner, ...rest } = client.registration as Record<string, unknown>
    await server.apply([registration.parse({ ...rest, profile: 'device' })])
    expect((await grants()).map((grant) => grant.status)).toEqual(['revoked'])
    expect(await refusedAsUnknown()).toBe(true)
  })

  test('of the pairwise key is noticed, and nothing is changed', async () => {
    const wrong = { pairwiseKey: randomBytes(32), now: server.clock.now() }
    await expect(applyRegistrations(server.db, [client.registration], wrong)).rejects.toThrow('PAIRWISE_KEY')
    expect((await grants()).map((grant) => grant.status)).toEqual(['active'])
  })
})

test('two clients of one sector know the owner by one subject, others by another', async () => {
  const shared = { sector_identifier: 'example.com' }
  await server.apply(
    [
      ['x', shared],
      ['y', shared],
      ['z', {}],
    ].map(([id, members]) => makeServiceClient(id as string, members as Record<string, unknown>).registration),
  )
  const rows = await server.db.rows<{ subject: string }>({
    name: 'test_subjects',
    text: 'SELECT subject FROM grants ORDER BY client_id',
  })
  const [x, y, z] = rows.map((row) => row.subject)
  expect(x).toBe(y)
  expect(x).not.toBe(z)
})

test('origins are those of active browser clients', async () => {
  await server.apply([spa('one', 'https://one.example'), spa('two', 'https://two.example'), client.registration])
  expect(await listOrigins(server.db)).toEqual(['https://one.example', 'https://two.example'])
  await server.apply([spa('two', 'https://two.example')])
  expect(await listOrigins(server.db)).toEqual(['https://two.example'])
})
