import { statement } from '@financial-agents/postgres/database'
import { decodeJwt } from 'jose'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createArtifactStore } from '../store/artifacts.ts'
import { changeInTurn } from '../store/changes.ts'
import { suspendGrantForOperator } from '../store/grant-status.ts'
import { findHumanGrantById } from '../store/human-grants.ts'
import {
  authentication,
  authorizeUrl,
  connect,
  flow,
  makeAttempt,
  makeOwnerClient,
  refresh,
} from '../test-client.test-helper.ts'
import { carry, readJson, startTestServer, type TestClient, type TestServer } from '../test-server.test-helper.ts'

const web = makeOwnerClient('web', 'revoke-web')
const other = makeOwnerClient('web', 'revoke-other')
const spa = makeOwnerClient('spa', 'revoke-spa')
let server: TestServer

beforeAll(async () => {
  server = await startTestServer({ clients: [web, other, spa] })
})
afterAll(() => server.close())

async function revoke(client: TestClient, members: Record<string, string>) {
  const body = new URLSearchParams({ ...members, ...(await authentication(client)) }).toString()
  const headers: [string, string][] = [['content-type', 'application/x-www-form-urlencoded']]
  const answer = await carry(server.replicas[1], 'POST', '/oauth/revoke', headers, body)
  return { status: answer.status, body: readJson(answer) }
}

const grantOf = (body: Record<string, unknown>) => String(decodeJwt(String(body['access_token']))['grant_id'])

describe('an authenticated confidential client', () => {
  test.each([{}, { token_type_hint: 'refresh_token' }, { token_type_hint: 'access_token' }, { token_type_hint: 'x' }])(
    'gives up the whole grant with its refresh token (%o)',
    async (hint) => {
      const { body, proofKey } = await connect(server.replicas[0], web)
      const token = String(body['refresh_token'])
      expect(await revoke(web, { token, ...hint })).toEqual({ status: 200, body: {} })
      expect(await findHumanGrantById(server.db, grantOf(body))).toMatchObject({
        status: 'revoked',
        status_reason: 'revoked_by_client',
      })
      const after = await refresh(server.replicas[0], web, proofKey, token)
      expect(after).toMatchObject({ status: 400, body: { error: 'invalid_grant' } })
      expect(await revoke(web, { token })).toEqual({ status: 200, body: {} })
    },
  )

  test('that heard 503 ends the grant when it asks again', async () => {
    const { body } = await connect(server.replicas[0], web)
    const token = String(body['refresh_token'])
    const run = (text: string) => server.db.rows(statement('', text))
    await run(`ALTER TABLE grants ADD CONSTRAINT out_of_order CHECK (status <> 'revoked') NOT VALID`)
    expect((await revoke(web, { token })).status).toBe(503)
    await run('ALTER TABLE grants DROP CONSTRAINT out_of_order')
    expect((await revoke(web, { token })).status).toBe(200)
    expect(await findHumanGrantById(server.db, grantOf(body))).toMatchObject({ status: 'revoked' })
  })

  test('whose grant was suspended hears 200, and it stays suspended until the owner signs in and consents again', async () => {
    const { browser, body } = await connect(server.replicas[0], web)
    const [token, grantId] = [String(body['refresh_token']), grantOf(body)]
    const by = { operator: 'jonas', words: 'It pays to strangers.', request_id: null }
    const now = server.clock.now()
    await changeInTurn(server.db, (tx) => suspendGrantForOperator(tx, grantId, by, now))
    for (let times = 0; times < 2; times += 1) expect(await revoke(web, { token })).toEqual({ status: 200, body: {} })
    expect(await createArtifactStore(server.db, server.sealer, 'RefreshToken').find(token)).toBeUndefined()
    const suspended = { status: 'suspended', status_reason: 'suspended_by_operator', status_changed_at: now }
    expect(await findHumanGrantById(server.db, grantId)).toMatchObject(suspended)
    const seen: string[] = []
    const url = await authorizeUrl(server.replicas[0], web, await makeAttempt(web))
    await flow(server.replicas[0], browser, url, { seen })
    expect(seen).toEqual(['login', 'consent'])
    expect(await findHumanGrantById(server.db, grantId)).toMatchObject({ status: 'revoked', status_reason: 'replaced' })
  })

  test("hears 200 for what is unknown, another client's, or shaped like a JWT, and nothing happens", async () => {
    const { body } = await connect(server.replicas[0], web)
    const token = String(body['refresh_token'])
    const access = String(body['access_token'])
    for (const [client, value] of [
      [web, 'unknown'],
      [other, token],
      [web, access],
      [web, 'eyJhbGciOiJub25lIn0.e30.'],
    ] as const)
      expect(await revoke(client, { token: value })).toEqual({ status: 200, body: {} })
    expect(await findHumanGrantById(server.db, grantOf(body))).toMatchObject({ status: 'active' })
  })

  test('must name a token, once', async () => {
    expect(await revoke(web, {})).toMatchObject({ status: 400, body: { error: 'invalid_request' } })
  })
})

test('a public client is notified that it may not, whatever it names', async () => {
  const { body } = await connect(server.replicas[0], spa)
  for (const token of [String(body['refresh_token']), 'unknown'])
    expect(await revoke(spa, { token })).toMatchObject({ status: 400, body: { error: 'unauthorized_client' } })
  expect(await findHumanGrantById(server.db, grantOf(body))).toMatchObject({ status: 'active' })
})

test('without authentication nobody revokes', async () => {
  const headers: [string, string][] = [['content-type', 'application/x-www-form-urlencoded']]
  const answer = await carry(server.replicas[0], 'POST', '/oauth/revoke', headers, `token=x&client_id=${web.clientId}`)
  expect([answer.status, readJson(answer)['error']]).toEqual([401, 'invalid_client'])
})
