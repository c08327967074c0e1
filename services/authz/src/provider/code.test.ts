import { statement } from '@financial-agents/postgres/database'
import { createFrozenClock } from '@financial-agents/runtime/clock'
import { decodeJwt } from 'jose'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { findHumanGrantById } from '../store/human-grants.ts'
import {
  type Attempt,
  addressOf,
  authorizeUrl,
  codeOf,
  connect,
  flow,
  makeAttempt,
  makeBrowser,
  makeOwnerClient,
  redeem,
  refresh,
} from '../test-client.test-helper.ts'
import { makeProofKey, startTestServer, type TestServer } from '../test-server.test-helper.ts'

const spa = makeOwnerClient('spa', 'code-spa')
const web = makeOwnerClient('web', 'code-web')
const other = makeOwnerClient('spa', 'code-other')
let server: TestServer

beforeAll(async () => {
  server = await startTestServer({ clients: [spa, web, other], dateFollowsClock: true, clock: createFrozenClock() })
})
afterAll(() => server.close())

async function issueCode(): Promise<{ attempt: Attempt; code: string }> {
  const attempt = await makeAttempt(spa)
  return { attempt, code: codeOf(await flow(server.replicas[0], makeBrowser(), addressOf(attempt.parameters))) }
}

const invalidGrant = { status: 400, body: { error: 'invalid_grant' } }

describe('a code', () => {
  test('redeemed 50 times at once at two replicas gives tokens once', async () => {
    const { attempt, code } = await issueCode()
    const uses = Array.from({ length: 50 }, (_, index) =>
      redeem(server.replicas[index % 2] ?? server.replicas[0], spa, attempt, code),
    )
    const answers = await Promise.all(uses)
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(new Set(answers.filter(({ status }) => status !== 200).map(({ body }) => body['error']))).toEqual(
      new Set(['invalid_grant']),
    )
  })

  test('used a second time ends the grant and everything under it', async () => {
    const [replica, second] = server.replicas
    const { attempt, code } = await issueCode()
    const { body } = await redeem(replica, spa, attempt, code)
    const grantId = String(decodeJwt(String(body['access_token']))['grant_id'])
    expect(await redeem(second, spa, attempt, code)).toMatchObject(invalidGrant)
    expect(await findHumanGrantById(server.db, grantId)).toMatchObject({
      status: 'revoked',
      status_reason: 'code_replayed',
    })
    expect(await refresh(replica, spa, attempt.proofKey, String(body['refresh_token']))).toMatchObject(invalidGrant)
    const kept = await server.db.rows(
      statement('test_kept', `SELECT 1 FROM artifacts WHERE grant_hash = sha256(convert_to($1, 'UTF8'))`),
      [grantId],
    )
    expect(kept).toEqual([])
  })

  test('survives a wrong verifier, and does not survive a proof of another key', async () => {
    const [replica] = server.replicas
    const { attempt, code } = await issueCode()
    const verifier = 'x'.repeat(43)
    expect(await redeem(replica, spa, attempt, code, { code_verifier: verifier })).toMatchObject(invalidGrant)
    expect(await redeem(replica, spa, attempt, code)).toMatchObject({ status: 200 })

    const next = await issueCode()
    const stolen = { ...next.attempt, proofKey: makeProofKey() }
    expect(await redeem(replica, spa, stolen, next.code)).toMatchObject(invalidGrant)
    expect(await redeem(replica, spa, next.attempt, next.code)).toMatchObject(invalidGrant)
  })

  test('is bound to its client and its redirect', async () => {
    const { attempt, code } = await issueCode()
    expect(await redeem(server.replicas[0], other, attempt, code)).toMatchObject(invalidGrant)
    const wrong = { redirect_uri: 'https://app.example/other' }
    expect(await redeem(server.replicas[0], spa, attempt, code, wrong)).toMatchObject(invalidGrant)
  })

  test.each([
    [58_000, 200],
    [61_000, 400],
  ])('lives 60 seconds: after %i ms the answer is %i', async (laterMs, status) => {
    const { attempt, code } = await issueCode()
    server.clock.setOffsetMs(laterMs)
    const answer = await redeem(server.replicas[0], spa, attempt, code)
    server.clock.setOffsetMs(0)
    expect(answer.status).toBe(status)
  })

  test.each([
    ['foreign', 'https://api.other.test'],
    ['with a slash', 'https://api.example.test/'],
  ])('is not redeemed for a resource that is %s', async (_name, resource) => {
    const { attempt, code } = await issueCode()
    expect(await redeem(server.replicas[0], spa, attempt, code, { resource })).toMatchObject({
      status: 400,
      body: { error: 'invalid_target' },
    })
  })
})

test('a code and a refresh token are nowhere readable: not in a row, not in the log', async () => {
  const { code, body, attempt } = await connect(server.replicas[0], web)
  const stored = await server.db.rows<Record<string, unknown>>({
    name: 'test_stored',
    text: 'SELECT row_to_json(a)::text AS row FROM artifacts a UNION ALL SELECT row_to_json(u)::text FROM audit u',
  })
  const readable = `${JSON.stringify(stored)}${server.logged()}`
  const { verifier, parameters } = attempt
  for (const secret of [code, verifier, body['refresh_token'], parameters['state'], parameters['code_challenge']]) {
    expect(readable).not.toContain(String(secret))
    expect(readable).not.toContain(Buffer.from(String(secret)).toString('hex'))
  }
})

test('an authorization without a verifier, a key or PKCE never starts', async () => {
  for (const name of ['code_challenge', 'code_challenge_method', 'dpop_jkt', 'nonce', 'scope']) {
    // A nonce belongs to openid. Without a scope, the nonce itself would be refused.
    const without = name === 'scope' ? { scope: undefined, nonce: undefined } : { [name]: undefined }
    const { parameters } = await makeAttempt(spa, without)
    const location = new URL(await flow(server.replicas[0], makeBrowser(), addressOf(parameters)))
    const error = name === 'scope' ? 'invalid_scope' : 'invalid_request'
    expect([name, location.searchParams.get('error')]).toEqual([name, error])
  }
  expect(await authorizeUrl(server.replicas[0], web, await makeAttempt(web))).toContain('request_uri=')
})
