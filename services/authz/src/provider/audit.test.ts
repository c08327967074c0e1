import { statement } from '@financial-agents/postgres/database'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  addressOf,
  browse,
  connect,
  flow,
  locationOf,
  makeAttempt,
  makeBrowser,
  makeOwnerClient,
  redeem,
  refresh,
  textOf,
} from '../test-client.test-helper.ts'
import { startTestServer, type TestServer } from '../test-server.test-helper.ts'

const owner = '01980000-0000-7000-8000-0000000000aa'
const spa = makeOwnerClient('spa', 'audit-spa')
const other = makeOwnerClient('spa', 'audit-other')
let server: TestServer

beforeAll(async () => {
  server = await startTestServer({ clients: [spa, other] })
})
afterAll(() => server.close())

type Line = {
  event: string
  actor: string
  owner_id: string | null
  grant_id: string | null
  request_id: string | null
}
const lines = (clientId: string) =>
  server.db.rows<Line>(
    statement('test_lines', `SELECT * FROM audit WHERE client_id = $1 AND event <> 'client_registered' ORDER BY id`),
    [clientId],
  )

test('the audit records authorizations, tokens and refreshes with actor, owner and grant', async () => {
  const { body, proofKey, attempt, code } = await connect(server.replicas[0], spa)
  await refresh(server.replicas[0], spa, proofKey, String(body['refresh_token']))
  await redeem(server.replicas[0], spa, attempt, code)
  const written = await lines(spa.clientId)
  expect(written.map(({ event, actor }) => [event, actor])).toEqual([
    ['grant_created', 'owner'],
    ['consented', 'owner'],
    ['authorized', 'owner'],
    ['token_issued', 'client'],
    ['token_refreshed', 'client'],
    ['grant_revoked', 'system'],
  ])
  expect(new Set(written.map((line) => line.owner_id))).toEqual(new Set([owner]))
  expect(new Set(written.map((line) => line.grant_id)).size).toBe(1)
  expect(written.slice(2).map((line) => line.request_id)).toEqual(Array(4).fill('request-of-test'))
})

test('an authorization that was declined is written down', async () => {
  const browser = makeBrowser()
  const { parameters } = await makeAttempt(other)
  const interaction = locationOf(await browse(server.replicas[0], browser, addressOf(parameters)))
  const resume = locationOf(await browse(server.replicas[0], browser, `${interaction}?act=deny`, { method: 'POST' }))
  const back = new URL(locationOf(await browse(server.replicas[0], browser, resume)))
  expect([back.searchParams.get('error'), back.searchParams.get('state')]).toEqual(['access_denied', 'state-1'])
  expect(await lines(other.clientId)).toMatchObject([{ event: 'authorization_denied', grant_id: null }])
})

test('a code whose audit cannot be written is withheld', async () => {
  const unaudited = await startTestServer()
  await unaudited.apply([spa.registration])
  const [replica] = unaudited.replicas
  const { browser } = await connect(replica, spa)
  await unaudited.db.rows(statement('test_no_audit', 'ALTER TABLE audit RENAME TO audit_gone'))
  const { parameters } = await makeAttempt(spa)
  const answer = await browse(replica, browser, addressOf(parameters))
  expect([answer.status, answer.headers.some(([name]) => name === 'location')]).toEqual([503, false])
  expect(textOf(answer)).toContain('<code>temporarily_unavailable</code>')
  await expect(flow(replica, browser, addressOf(parameters))).rejects.toThrow('no redirect: 503')
  await unaudited.close()
})
