/**
 * A webhook, through all services: subscribed through the gateway, verified with the keys that the gateway publishes,
 * and never ahead of the client's reads. Polling decides: the notification only says when to read.
 */

import { createPublicKey, type JsonWebKey, verify } from 'node:crypto'
import { webhookPayload } from '@financial-agents/contract/schemas/webhook'
import type { ApiClient } from '@financial-agents/testkit/client'
import { Webhook } from 'standardwebhooks'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { type Receiver, startReceiver } from '../../services/notifier/src/receiver.test-helper.ts'
import { clientOf, create, pollUntil, startTestStack, type TestStack } from '../stack.test-helper.ts'

type Received = { headers: Record<string, string>; body: string; read: Record<string, unknown> }

let stack: TestStack
let client: ApiClient
let receiver: Receiver
let url: string
const received: Received[] = []
const eventually = { timeout: 120_000, interval: 50 }

beforeAll(async () => {
  stack = await startTestStack()
  client = await clientOf(stack, 'ines-agent')
  // The receiver reads the operation before it answers, as it should.
  receiver = await startReceiver()
  receiver.answer(({ headers, body }, response) => {
    void (async () => {
      const { operation_id } = webhookPayload.parse(JSON.parse(body)).data
      const read = await client.request('GET', `/v1/operations/${operation_id}`)
      received.push({ headers, body, read: read.body })
      response.writeHead(204).end()
    })()
  })
  url = `${receiver.url}/webhooks?key=hidden-in-the-query`
})
afterAll(async () => {
  await stack.close()
  await receiver.stop()
})

test('an agent hears of its operation, verifies both signatures and reads no older state; once deleted it hears nothing', async () => {
  const created = await client.request('POST', '/v1/webhook-subscriptions', { body: { url, description: 'Agent' } })
  expect(created).toMatchObject({ status: 201, body: { status: 'active', secret: expect.stringMatching(/^whsec_/) } })
  const { id, secret } = created.body as { id: string; secret: string }
  const operation = await create(client, 'Notified')
  await pollUntil(client, operation.body.id, ['succeeded'])
  await vi.waitFor(() => expect(typesOf(operation.body.id)).toContain('operation.succeeded'), eventually)

  const keys = (await (await fetch(`${stack.baseUrl}/.well-known/webhooks-jwks.json`)).json()) as { keys: JsonWebKey[] }
  expect(keys.keys).toHaveLength(1)
  for (const one of received) {
    expect(new Webhook(secret).verify(one.body, one.headers)).toEqual(JSON.parse(one.body))
    expect(isSignedBy(keys.keys[0] as JsonWebKey, one)).toBe(true)
    const { data } = webhookPayload.parse(JSON.parse(one.body))
    expect(rankOf(String(one.read['state']))).toBeGreaterThanOrEqual(rankOf(data.state))
  }

  const path = `/v1/webhook-subscriptions/${id}`
  await vi.waitFor(async () => {
    const { body } = await client.request('GET', `${path}/deliveries`)
    expect(new Set(body['items'].map(idOf))).toEqual(heardSince(0))
    for (const item of body['items'])
      expect(item).toMatchObject({ status: 'delivered', operation_id: operation.body.id })
  }, eventually)
  expect(await (await clientOf(stack, 'ines-bookkeeper')).request('GET', path)).toMatchObject({ status: 404 })

  expect((await client.request('DELETE', path)).status).toBe(204)
  expect(await client.request('DELETE', path)).toMatchObject({
    status: 404,
    body: { code: 'webhook_subscription_not_found' },
  })
  const heard = received.length
  const other = await client.request('POST', '/v1/webhook-subscriptions', { body: { url: `${url}&other` } })
  const silent = await create(client, 'Silent')
  await pollUntil(client, silent.body.id, ['succeeded'])
  await vi.waitFor(() => expect(typesOf(silent.body.id)).toContain('operation.succeeded'), eventually)
  await vi.waitFor(async () => {
    const listed = await client.request('GET', `/v1/webhook-subscriptions/${other.body.id}/deliveries`)
    expect(new Set(listed.body['items'].map(idOf))).toEqual(heardSince(heard))
  }, eventually)
})

test('an address that leads near, in whatever spelling, is refused though loopback is allowed to development', async () => {
  for (const near of ['https://10.0.0.1/', 'https://3232235777/', 'https://[::ffff:169.254.169.254]/', 'http://db/'])
    expect(await client.request('POST', '/v1/webhook-subscriptions', { body: { url: near } })).toMatchObject({
      status: 422,
      body: { code: 'validation_failed', fields: [{ path: 'url' }] },
    })
})

const idOf = ({ id }: { id: string }) => id

/** The notifications that were received, without the first ones. A late answer leads to a repetition under the same id. */
function heardSince(first: number): Set<string | undefined> {
  return new Set(received.slice(first).map(({ headers }) => headers['webhook-id']))
}

function typesOf(operationId: string): string[] {
  const payloads = received.map(({ body }) => webhookPayload.parse(JSON.parse(body)))
  return payloads.filter(({ data }) => data.operation_id === operationId).map(({ type }) => type)
}

const ranks = ['accepted', 'submitting', 'submitted', 'succeeded']
const rankOf = (state: string) => ranks.indexOf(state)

function isSignedBy(key: JsonWebKey, { headers, body }: Received): boolean {
  const [, signature = ''] = / ?v1a,(\S+)/.exec(headers['webhook-signature'] ?? '') ?? []
  const content = Buffer.from(`${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`)
  return verify(null, content, createPublicKey({ key, format: 'jwk' }), Buffer.from(signature, 'base64'))
}
