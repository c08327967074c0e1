/**
 * Operators' permissions and their effects: reading, and suspending a grant. A suspension stops the client at once,
 * gets the same answer each time it is sent, and ends only with a new consent.
 */

import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ownerOf } from '../owner.test-helper.ts'
import { registerClients } from '../register-clients.ts'
import { startTestStack, type TestStack } from '../stack.test-helper.ts'
import { createHandClient, type HandClient } from './hand-client.ts'
import { createOperatorClient, type OperatorClient } from './operator-client.ts'
import { expectProblem } from './problem.ts'
import { grantIdOf } from './world.ts'

const reason = 'Its key was found in a public repository.'
const reason_for_owner = 'We look into something unusual.'

let stack: TestStack
let jonas: OperatorClient
let marta: OperatorClient

beforeAll(async () => {
  stack = await startTestStack()
  jonas = await createOperatorClient(stack)
  marta = await createOperatorClient(stack, { sub: 'marta.vidal', name: 'Marta Vidal', scope: 'ops:read' })
})
afterAll(() => stack.close())

const suspend = (grantId: string, body: unknown = { reason }, by = jonas) =>
  by.request('POST', `/v1/ops/grants/${grantId}/suspend`, { body })

describe('an operator who may only view', () => {
  test('views, and is refused a suspension by the scope that is missing, before its body is looked at', async () => {
    expect((await marta.request('GET', '/v1/ops/grants')).status).toBe(200)
    const agent = await createHandClient(stack, 'ines-agent')
    for (const body of [{ reason }, {}, '{']) {
      const refused = await suspend(grantIdOf(agent.token), body, marta)
      expectProblem(refused, { status: 403, code: 'insufficient_scope' })
      const challenge = refused.headers.get('www-authenticate')
      expect(challenge).toMatch(/^DPoP realm="[^"]+\/v1\/ops", error="insufficient_scope"/)
      expect(challenge).toContain('scope="ops:suspend"')
    }
    expect((await agent.send('GET', '/v1/operations')).status).toBe(200)
  })

  test('an operator who may only suspend does not view', async () => {
    const blind = await createOperatorClient(stack, { scope: 'ops:suspend' })
    for (const path of ['/v1/ops/grants', '/v1/ops/operations', '/v1/ops/operations/x'])
      expectProblem(await blind.request('GET', path), { status: 403, code: 'insufficient_scope' })
  })
})

describe('a suspension', () => {
  let client: HandClient
  let grantId: string
  let first: Record<string, unknown>
  beforeAll(async () => {
    client = await createHandClient(stack, 'ines-agent')
    grantId = grantIdOf(client.token)
    expect((await client.send('GET', '/v1/operations')).status).toBe(200)
  })

  test('is refused by the path of what is wrong with its reason, and then changes nothing', async () => {
    const wrong = [{}, { reason: 'ab' }, { reason: 'x'.repeat(501) }, { reason: 7 }, { reason: null }]
    for (const body of wrong)
      expectProblem(await suspend(grantId, body), { status: 422, code: 'validation_failed', fields: ['reason'] })
    for (const reason_for_owner of ['ab', 'x'.repeat(501), null])
      expectProblem(await suspend(grantId, { reason, reason_for_owner }), {
        status: 422,
        code: 'validation_failed',
        fields: ['reason_for_owner'],
      })
    const more = await suspend(grantId, { reason, until: 'tomorrow' })
    expectProblem(more, { status: 422, code: 'validation_failed', fields: ['until'] })
    expect((await client.send('GET', '/v1/operations')).status).toBe(200)
  })

  test('stops the client: from the answer on its requests are refused', async () => {
    const suspended = await suspend(grantId, { reason, reason_for_owner })
    expect(suspended.status, JSON.stringify(suspended.body)).toBe(200)
    first = suspended.body
    expect(first).toMatchObject({
      id: grantId,
      status: 'suspended',
      client: { id: 'ines-agent' },
      suspended: { by: 'jonas.brandt', reason, reason_for_owner },
    })
    expectProblem(await client.send('GET', '/v1/operations'), { status: 401, code: 'invalid_token' })
  })

  test('lasts: the client gets no token, and its old tokens stay refused', async () => {
    expect((await client.requestToken()).status).toBe(400)
    expectProblem(await client.send('GET', '/v1/operations'), { status: 401, code: 'invalid_token' })
  })

  test('gets the same answer when it is sent again, by any operator and for any reason', async () => {
    const lena = await createOperatorClient(stack, { sub: 'lena', name: undefined })
    const again = [await suspend(grantId), await suspend(grantId, { reason: 'Another reason.' }, lena)]
    for (const { status, body } of again) {
      expect(status).toBe(200)
      expect(body['suspended']).toEqual(first['suspended'])
      expect(body['status']).toBe('suspended')
    }
    const atOnce = await Promise.all([suspend(grantId), suspend(grantId)])
    expect(atOnce.map(({ body }) => body['suspended'])).toEqual([first['suspended'], first['suspended']])
  })

  test('is in the list of grants, also for operators who may only view', async () => {
    const listed = await marta.request('GET', '/v1/ops/grants?client_id=ines-agent&status=suspended')
    expect(listed.body['items']).toMatchObject([{ id: grantId, suspended: first['suspended'] }])
    const active = await marta.request('GET', '/v1/ops/grants?client_id=ines-agent&status=active')
    expect(active.body['items']).toEqual([])
  })

  test('is seen by the owner on the account page, and nothing there takes it back', async () => {
    const page = await ownerOf(stack, 'ines').read(`${stack.baseUrl}/account`)
    const text = page.root.text.replaceAll(/\s+/g, ' ')
    expect(text).toMatch(/Ines's agent.*suspended/i)
    expect(text).toContain(reason_for_owner)
    expect(text).not.toContain(reason)
  })

  test('ends for a service account by a new declaration alone, with another grant', async () => {
    await registerClients(stack, (clients) => clients)
    expect((await client.requestToken()).status).toBe(400)
    await registerClients(stack, (clients) => clients.filter(({ client_id }) => client_id !== 'ines-agent'))
    await registerClients(stack, (clients) => clients)
    const anew = await createHandClient(stack, 'ines-agent')
    expect(grantIdOf(anew.token)).not.toBe(grantId)
    await expect.poll(async () => (await anew.send('GET', '/v1/operations')).status).toBe(200)
    expectProblem(await client.send('GET', '/v1/operations'), { status: 401, code: 'invalid_token' })
    const before = await marta.request('GET', `/v1/ops/grants?grant_id=${grantId}`)
    expect(before.body['items']).toMatchObject([{ status: 'revoked' }])
  })
})

test('many at once are each suspended once, and one operator learns what the other did', async () => {
  const client = await createHandClient(stack, 'amara-agent')
  const others = await Promise.all(['a', 'b', 'c'].map((sub) => createOperatorClient(stack, { sub, name: undefined })))
  const answers = await Promise.all(others.map((other) => suspend(grantIdOf(client.token), { reason }, other)))
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200])
  expect(new Set(answers.map(({ body }) => JSON.stringify(body['suspended']))).size).toBe(1)
})

test('a grant that is not there is 404, whatever form the identifier has', async () => {
  for (const id of ['01980000-0000-7000-8000-00000000dead', 'x', '%F0%9F%98%80'])
    expectProblem(await suspend(id), { status: 404, code: 'grant_not_found' })
})

test('a grant that its owner revoked is 409: it cannot come back, and there is nothing to stop', async () => {
  const reader = await createHandClient(stack, 'ines-reader')
  const owner = ownerOf(stack, 'ines')
  const end = /^end access of ines.s reader$/i
  await owner.press(await owner.press(await owner.read(`${stack.baseUrl}/account`), end), end)
  expectProblem(await suspend(grantIdOf(reader.token)), { status: 409, code: 'grant_not_active' })
})
