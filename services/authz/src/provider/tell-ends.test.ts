/**
 * A revocation and the replay of a code over a real bus. Nobody learns that a grant has ended before the gateways have
 * been notified and the submitter has confirmed the fence, whether the end or an earlier suspension set it.
 */

import type { Bus } from '@financial-agents/bus/connect'
import type { GrantFeedMessage } from '@financial-agents/bus/messages/authority'
import { serveCall } from '@financial-agents/bus/rpc'
import { startTestNats, type TestNats } from '@financial-agents/bus/testing/nats'
import { createLog } from '@financial-agents/runtime/log'
import { decodeJwt } from 'jose'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { changeInTurn } from '../store/changes.ts'
import { findFence } from '../store/fences.ts'
import { suspendGrantForOperator } from '../store/grant-status.ts'
import { authentication, connect, makeOwnerClient, redeem, refresh } from '../test-client.test-helper.ts'
import { carry, readJson, startTestServer, type TestServer } from '../test-server.test-helper.ts'

const web = makeOwnerClient('web', 'ends-web')
const other = makeOwnerClient('web', 'ends-other')
const spa = makeOwnerClient('spa', 'ends-spa')
const log = createLog({ service: 'test', level: 'silent' })
const heard: GrantFeedMessage[] = []
const fencing = { answers: true, asked: [] as string[] }
let nats: TestNats
let server: TestServer
let gateway: Bus

beforeAll(async () => {
  nats = await startTestNats()
  const submitter = await nats.connect('submitter')
  const answer = async ({ target_id }: { target_id: string }) => {
    fencing.asked.push(target_id)
    if (!fencing.answers) throw new Error('not now')
    return { open_operation_ids: [] }
  }
  serveCall(submitter, 'int.submitter.fence', answer, { log, queue: null })
  gateway = await nats.connect('gateway')
  gateway.hear('evt.grants', (data) => heard.push(JSON.parse(Buffer.from(data).toString()) as GrantFeedMessage))
  await Promise.all([submitter.check(), gateway.check()])
  server = await startTestServer({
    clients: [web, other, spa],
    bus: await nats.connect('authz'),
    patienceMs: () => (fencing.answers ? 60_000 : 1_000),
  })
})
beforeEach(() => {
  fencing.answers = true
})
afterAll(async () => {
  await server.close()
  await nats.stop()
})

type Connected = Awaited<ReturnType<typeof connect>>

async function revoke({ body }: Connected, client = web) {
  const form = { token: String(body['refresh_token']), ...(await authentication(client)) }
  const type: [string, string] = ['content-type', 'application/x-www-form-urlencoded']
  const answer = await carry(server.replicas[1], 'POST', '/oauth/revoke', [type], new URLSearchParams(form).toString())
  return { status: answer.status, headers: new Headers(answer.headers), body: readJson(answer) }
}

const replay = ({ attempt, code }: Connected, client = web) => redeem(server.replicas[1], client, attempt, code)
const grantOf = ({ body }: Connected) => String(decodeJwt(String(body['access_token']))['grant_id'])
const isFenced = async (target_id: string) => (await findFence(server.db, { target: 'grant', target_id }))?.confirmed

/** Returns the changes that a gateway has received. */
async function reported(): Promise<unknown[]> {
  await gateway.check()
  return heard.map(({ change }) => change)
}

describe.each([
  ['a revocation', revoke, { status: 200, body: {} }],
  ['the replay of a code', replay, { status: 400, body: { error: 'invalid_grant' } }],
] as const)('%s', (_name, end, answered) => {
  test('is answered once the gateways have been notified and the fence is confirmed', async () => {
    const connected = await connect(server.replicas[0], web)
    const grant_id = grantOf(connected)
    expect(await end(connected)).toMatchObject(answered)
    expect(await reported()).toContainEqual({ grant_id })
    expect(await isFenced(grant_id)).toBe(true)
  })

  test('is 503 until then, however often it is repeated, and ends the grant all the same', async () => {
    const connected = await connect(server.replicas[0], web)
    const grant_id = grantOf(connected)
    fencing.answers = false
    for (let times = 0; times < 2; times += 1) {
      const { status, headers, body } = await end(connected)
      expect([status, headers.get('retry-after'), body['error']]).toEqual([503, '1', 'temporarily_unavailable'])
      expect(headers.get('cache-control')).toBe('no-store')
    }
    expect(await reported()).toContainEqual({ grant_id })
    expect(await isFenced(grant_id)).toBe(false)
    const token = String(connected.body['refresh_token'])
    const { status, body } = await refresh(server.replicas[0], web, connected.proofKey, token)
    expect([status, body['error']]).toEqual([400, 'invalid_grant'])
    fencing.answers = true
    expect(await end(connected)).toMatchObject(answered)
    expect(await isFenced(grant_id)).toBe(true)
  })
})

test('a public client that uses a code twice waits likewise', async () => {
  const connected = await connect(server.replicas[0], spa)
  fencing.answers = false
  expect((await replay(connected, spa)).status).toBe(503)
  fencing.answers = true
  expect(await replay(connected, spa)).toMatchObject({ status: 400, body: { error: 'invalid_grant' } })
})

test('the revocation of a suspended grant waits for the fence of the suspension', async () => {
  const connected = await connect(server.replicas[0], web)
  const grant_id = grantOf(connected)
  const by = { operator: 'jonas', words: 'It pays to strangers.', request_id: null }
  await changeInTurn(server.db, (tx) => suspendGrantForOperator(tx, grant_id, by, server.clock.now()))
  fencing.answers = false
  for (let times = 0; times < 2; times += 1) expect((await revoke(connected)).status).toBe(503)
  expect(await isFenced(grant_id)).toBe(false)
  fencing.answers = true
  expect(await revoke(connected)).toMatchObject({ status: 200, body: {} })
  expect(await isFenced(grant_id)).toBe(true)
})

test('the end of another client’s grant holds nobody up', async () => {
  const connected = await connect(server.replicas[0], other)
  fencing.answers = false
  expect((await revoke(connected, other)).status).toBe(503)
  const unknown = { ...connected, body: { refresh_token: 'unknown' } }
  expect((await revoke(unknown, web)).status).toBe(200)
  expect((await revoke(unknown, other)).status).toBe(503)
})
