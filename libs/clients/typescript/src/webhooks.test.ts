/** Webhooks are signed by other implementations: `v1` by standardwebhooks, `v1a` by node:crypto. */

import { generateKeyPairSync, randomUUID, sign } from 'node:crypto'
import { runInNewContext } from 'node:vm'
import { Webhook } from 'standardwebhooks'
import { expect, test } from 'vitest'
import { type RawBody, verifyWebhook, type WebhookHeaders } from './webhooks.ts'

const secret = `whsec_${Buffer.from('a secret of the subscription, 32').toString('base64')}`
const body = JSON.stringify({
  type: 'operation.state_to_come',
  timestamp: '2026-11-23T08:00:00.000Z',
  data: { operation_id: 'ü', kind: 'a_kind_to_come' },
})
const { publicKey, privateKey } = generateKeyPairSync('ed25519')
const jwks = { keys: [{ ...publicKey.export({ format: 'jwk' }), kid: 'one', use: 'sig' }] }

function signed({ at = new Date(), id = `msg_${randomUUID()}` } = {}) {
  const timestamp = String(Math.floor(at.getTime() / 1_000))
  const v1 = new Webhook(secret).sign(id, at, body)
  const v1a = `v1a,${sign(null, Buffer.from(`${id}.${timestamp}.${body}`), privateKey).toString('base64')}`
  return { id, v1, v1a, headers: { 'webhook-id': id, 'webhook-timestamp': timestamp } }
}
const refusal = expect.objectContaining({ code: 'webhook_invalid' })

test('a webhook is accepted by its secret, and by the published key alone, whatever event of a later version it tells', async () => {
  const { id, v1, v1a, headers } = signed()
  const by = (signature: string) => ({ ...headers, 'Webhook-Signature': signature })
  expect(await verifyWebhook(by(`${v1} ${v1a}`), body, { secrets: [secret] })).toMatchObject({
    id,
    payload: { type: 'operation.state_to_come' },
  })
  expect((await verifyWebhook(new Headers(by(v1a)), Buffer.from(body), { jwks })).id).toBe(id)
})

test('during a rotation either secret is accepted, and unknown versions are passed over', async () => {
  const { v1, headers } = signed()
  const other = `whsec_${Buffer.from('another secret').toString('base64')}`
  const given = { ...headers, 'webhook-signature': `v9,AAAA v1,!!! ${v1}` }
  expect((await verifyWebhook(given, body, { secrets: [other, secret] })).id).toBe(headers['webhook-id'])
})

test.each<[string, (headers: [string, string][]) => WebhookHeaders]>([
  ['the lists of headersDistinct', (pairs) => Object.fromEntries(pairs.map(([name, value]) => [name, [value]]))],
  ['pairs', (pairs) => pairs],
  ['a Map', (pairs) => new Map(pairs)],
  ['rawHeaders', (pairs) => pairs.flat()],
  ['a class with get alone', (pairs) => ({ get: (name) => new Headers(pairs).get(name) })],
  ['Headers of another realm', (pairs) => runInNewContext('new Map(pairs)', { pairs }) as WebhookHeaders],
])('headers are read from %s', async (_name, made) => {
  const { id, v1, headers } = signed()
  const pairs = Object.entries({ Host: 'h', ...headers, 'Webhook-Signature': v1 })
  expect((await verifyWebhook(made(pairs), body, { secrets: [secret] })).id).toBe(id)
  await expect(verifyWebhook(made(pairs.slice(0, 3)), body, { secrets: [secret] })).rejects.toEqual(refusal)
})

test('signatures in several headers are all tried', async () => {
  const { id, v1, headers } = signed()
  const given = { ...headers, 'webhook-signature': ['v1,AAAA', v1] }
  expect((await verifyWebhook(given, body, { secrets: [secret] })).id).toBe(id)
  expect(
    (await verifyWebhook(new Headers({ ...given, 'webhook-signature': `v1,AAAA, ${v1}` }), body, { secrets: [secret] }))
      .id,
  ).toBe(id)
})

test.each<[string, (bytes: Buffer<ArrayBuffer>) => RawBody]>([
  ['an ArrayBuffer', (bytes) => new Uint8Array(bytes).buffer],
  ['a DataView', (bytes) => new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)],
  ['shared memory', (bytes) => shared(bytes)],
  ['bytes of another realm', (bytes) => runInNewContext('new Uint8Array(bytes)', { bytes }) as Uint8Array],
  [
    'an ArrayBuffer of another realm',
    (bytes) => runInNewContext('new Uint8Array(bytes).buffer', { bytes }) as ArrayBuffer,
  ],
])('the body may be %s', async (_name, made) => {
  const { id, v1, headers } = signed()
  const given = { ...headers, 'webhook-signature': v1 }
  expect(await verifyWebhook(given, made(Buffer.from(body)), { secrets: [secret] })).toMatchObject({
    id,
    payload: JSON.parse(body) as object,
  })
})

function shared(bytes: Uint8Array): SharedArrayBuffer {
  const memory = new SharedArrayBuffer(bytes.length)
  new Uint8Array(memory).set(bytes)
  return memory
}

test.each([
  ['another body', { body: `${body} ` }],
  ['another id', { headers: { 'webhook-id': 'msg_other' } }],
  ['another secret', { keys: { secrets: [`whsec_${Buffer.from('no').toString('base64')}`] } }],
  [
    'another published key',
    { keys: { jwks: { keys: [generateKeyPairSync('ed25519').publicKey.export({ format: 'jwk' })] } } },
  ],
  ['no signature', { headers: { 'webhook-signature': '' } }],
  ['six minutes ago', { at: new Date(Date.now() - 360_000) }],
  ['six minutes ahead', { at: new Date(Date.now() + 360_000) }],
  ['a time that is none', { headers: { 'webhook-timestamp': '1e9' } }],
])('%s is refused', async (_name, changes) => {
  const given = { body, keys: { secrets: [secret] }, headers: {}, ...changes } as {
    body: string
    keys: object
    headers: object
    at?: Date
  }
  const { v1, v1a, headers } = signed(given.at ? { at: given.at } : {})
  const sent = { ...headers, 'webhook-signature': `${v1} ${v1a}`, ...given.headers }
  await expect(verifyWebhook(sent, given.body, given.keys)).rejects.toEqual(refusal)
})

test('a parsed body, and no keys, are a wrong use: the raw body is signed', async () => {
  const { headers } = signed()
  const wrong = expect.objectContaining({ code: 'invalid_use' })
  await expect(verifyWebhook(headers, JSON.parse(body) as string, { secrets: [secret] })).rejects.toEqual(wrong)
  await expect(verifyWebhook(headers, body, {})).rejects.toEqual(wrong)
  await expect(verifyWebhook('webhook-id: 1' as never, body, { secrets: [secret] })).rejects.toEqual(wrong)
})

test.each([Number.NaN, -1])(
  'a tolerance of %d s is a wrong use: it would take a webhook of any age',
  async (toleranceS) => {
    const { v1, headers } = signed({ at: new Date(0) })
    const sent = verifyWebhook({ ...headers, 'webhook-signature': v1 }, body, { secrets: [secret] }, { toleranceS })
    await expect(sent).rejects.toEqual(expect.objectContaining({ code: 'invalid_use' }))
  },
)

test('a webhook is not taken by a clock that has no time', async () => {
  const { v1, headers } = signed()
  const sent = verifyWebhook(
    { ...headers, 'webhook-signature': v1 },
    body,
    { secrets: [secret] },
    { nowMs: Number.NaN },
  )
  await expect(sent).rejects.toEqual(refusal)
})
