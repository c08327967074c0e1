import { generateKeyPairSync } from 'node:crypto'
import { createFrozenClock } from '@financial-agents/runtime/clock'
import { withContext } from '@financial-agents/runtime/context'
import { Unavailable } from '@financial-agents/runtime/unavailable'
import { decodeJwt, decodeProtectedHeader } from 'jose'
import { afterAll, expect, test } from 'vitest'
import { startStack } from '../console.test-helper.ts'
import { consoleUrl, marta } from '../operator-client.test-helper.ts'
import type { Session } from '../store/sessions.ts'
import { grantRow, operationRow } from '../stub-services.test-helper.ts'
import { createOperatorTokens } from '../token/operator-tokens.ts'
import { ApiRefusal, createApiClient } from './api-client.ts'
import { createGatewayClient } from './gateway-client.ts'

const stack = await startStack()
const gateway = stack.played
afterAll(() => stack.stop())

const { clock, known } = stack
const operation = operationRow(1)
const grant = grantRow(1)
known.operations = [operation]
known.grants = [grant]

function newSession(changes: Partial<Session> = {}): Session {
  const { privateKey: proofKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  return { key: crypto.randomUUID(), operator: marta, scopes: ['ops:read', 'ops:suspend'], proofKey, ...changes }
}

function clientOf(session = newSession(), gatewayUrl = gateway.url) {
  const keys = stack.config.CONSOLE_SIGNING_KEYS
  const tokens = createOperatorTokens({ keys, baseUrl: consoleUrl, clock })
  return createApiClient(
    createGatewayClient({ baseUrl: consoleUrl, gatewayUrl, tokens, clock, timeoutMs: 60_000 }),
    session,
  )
}

test('the four routes answer through the gateway, in the name of whoever is signed in', async () => {
  const api = clientOf()
  known.suspend = async () => ({ outcome: 'suspended', grant: { ...grant, status: 'suspended' } })
  expect((await api.listOperations({ state: 'succeeded' })).items).toMatchObject([{ id: operation.operation_id }])
  expect(await api.getOperation(operation.operation_id)).toMatchObject({ id: operation.operation_id, history: [] })
  expect((await api.listGrants({ grant_id: grant.grant_id })).items).toMatchObject([{ id: grant.grant_id }])
  expect(await api.suspendGrant(grant.grant_id, { reason: 'It drains accounts.' })).toMatchObject({
    status: 'suspended',
  })
  expect((await stack.audit()).map(({ operator_id, outcome }) => [operator_id, outcome])).toEqual(
    ['answered', 'answered', 'answered', 'attempted', 'suspended'].map((outcome) => [marta.id, outcome]),
  )
})

test('only the first request is sent twice, to bring the nonce', async () => {
  const api = clientOf()
  gateway.seen.length = 0
  await api.listGrants({})
  await api.listGrants({})
  expect(gateway.seen.map(({ status }) => status)).toEqual([401, 200, 200])
})

test('a token says who, what and for how long, is bound to the key of the session and names no grant', async () => {
  gateway.seen.length = 0
  const session = newSession({ operator: { id: 'jonas.brandt', name: null }, scopes: ['ops:read'] })
  await clientOf(session).listGrants({})
  const token = gateway.seen[0]?.token.replace('DPoP ', '') ?? ''
  expect(decodeProtectedHeader(token)).toEqual({ alg: 'ES256', typ: 'at+jwt', kid: 'test' })
  const { iat = 0, exp = 0, ...claims } = decodeJwt(token)
  expect(exp - iat).toBe(300)
  expect(claims).toEqual({
    iss: `${consoleUrl}/v1/ops`,
    aud: `${consoleUrl}/v1/ops`,
    sub: 'jonas.brandt',
    client_id: 'ops-console',
    scope: 'ops:read',
    sid: session.key,
    jti: expect.any(String),
    cnf: { jkt: expect.any(String) },
  })
})

test('a token is used again for four minutes, by its own session alone', async () => {
  const keys = stack.config.CONSOLE_SIGNING_KEYS
  const clock = createFrozenClock()
  const tokens = createOperatorTokens({ keys, baseUrl: consoleUrl, clock })
  const [one, other] = [newSession(), newSession()]
  const first = await tokens(one)
  expect(await tokens(other)).not.toBe(first)
  clock.setOffsetMs(239_000)
  expect(await tokens(one)).toBe(first)
  clock.setOffsetMs(241_000)
  expect(await tokens(one)).not.toBe(first)
})

test('a refusal of the API is thrown with its problem', async () => {
  const refused = await clientOf()
    .getOperation('nothing')
    .catch((error: unknown) => error)
  expect(refused).toBeInstanceOf(ApiRefusal)
  expect((refused as ApiRefusal).problem).toMatchObject({ code: 'operation_not_found', status: 404 })
  await expect(clientOf().listOperations({ state: 'sleeping' })).rejects.toMatchObject({
    problem: { code: 'validation_failed', fields: [{ path: 'state' }] },
  })
})

test('a gateway without an answer, or with one that is no problem, is out of reach', async () => {
  await expect(clientOf(newSession(), 'http://127.0.0.1:9').listGrants({})).rejects.toBeInstanceOf(Unavailable)
})

test('a suspension without an answer may have been carried out', async () => {
  const suspended = clientOf(newSession(), 'http://127.0.0.1:9').suspendGrant(grant.grant_id, {
    reason: 'It drains accounts.',
  })
  await expect(suspended).rejects.toMatchObject({ code: 'acceptance_unknown' })
})

test('a call has the id of the request that it is made for', async () => {
  gateway.seen.length = 0
  await withContext({ requestId: 'a-page-1', traceparent: '', timeoutMs: 5_000 }, () => clientOf().listGrants({}))
  expect(new Set(gateway.seen.map(({ requestId }) => requestId))).toEqual(new Set(['a-page-1']))
})
