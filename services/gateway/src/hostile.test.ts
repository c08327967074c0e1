/** Hostile input gets a 4xx problem or a closed connection: never a 5xx, and never no answer. */

import { randomBytes } from 'node:crypto'
import { checkProblem } from '@financial-agents/testkit/problem-shape'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { baseUrl } from './authz.test-helper.ts'
import { startWorld, type World } from './gateway.test-helper.ts'
import { type RawAnswer, sendBytes } from './raw-socket.test-helper.ts'

const head = (more: string) =>
  `POST /v1/beneficiaries HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n${more}\r\n`

let world: World
let url: string

beforeAll(async () => {
  world = await startWorld()
  url = world.gateways[0]?.url as string
})
afterAll(() => world.stop())

function expectRefusal(answer: RawAnswer, code?: Parameters<typeof checkProblem>[1]['code']): void {
  if (answer.text === '') return expect(answer.closed).toBe(true)
  expect(answer.status).toBeGreaterThanOrEqual(400)
  expect(answer.status).toBeLessThan(500)
  const body = answer.body as { code: never; instance: string; refresh_onboarding?: boolean }
  const refresh = body.refresh_onboarding === undefined ? {} : { refreshOnboarding: body.refresh_onboarding }
  checkProblem(answer, { baseUrl, code: code ?? body.code, instance: body.instance, ...refresh })
}

describe('bytes that are not HTTP', () => {
  test('random ones', async () => {
    for (let times = 0; times < 40; times += 1) {
      // The bytes do not begin with an empty line, because HTTP allows one before a request.
      const bytes = Buffer.concat([Buffer.of(0x80 + times), randomBytes((times % 7) * 50), Buffer.from('\r\n\r\n')])
      expectRefusal(await sendBytes(url, bytes))
    }
  })

  const host = 'Host: x\r\n'
  test.each([
    ['another protocol', 'SSH-2.0-x\r\n\r\n'],
    ['another version', `GET /v1/health HTTP/9.9\r\n${host}\r\n`],
    ['a space in the target', `GET /v1/ health HTTP/1.1\r\n${host}\r\n`],
    ['no host', 'GET /v1/health HTTP/1.1\r\n\r\n'],
    ['two hosts', `GET /v1/health HTTP/1.1\r\n${host}host: y\r\n\r\n`],
    ['a header without a colon', `GET /v1/health HTTP/1.1\r\n${host}nonsense\r\n\r\n`],
    ['a control character in a header', `GET /v1/health HTTP/1.1\r\n${host}DPoP: a\x01b\r\n\r\n`],
    ['a folded header', `GET /v1/health HTTP/1.1\r\n${host}DPoP: a\r\n b\r\n\r\n`],
    ['two lengths', `POST /v1/beneficiaries HTTP/1.1\r\n${host}Content-Length: 1\r\nContent-Length: 2\r\n\r\n{}`],
    [
      'length and chunks',
      `POST /v1/beneficiaries HTTP/1.1\r\n${host}Content-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
    ],
    ['a negative length', `POST /v1/beneficiaries HTTP/1.1\r\n${host}Content-Length: -1\r\n\r\n{}`],
    ['an unknown transfer coding', `POST /v1/beneficiaries HTTP/1.1\r\n${host}Transfer-Encoding: gzip\r\n\r\n{}`],
  ])('%s', async (_name, bytes) => {
    expectRefusal(await sendBytes(url, bytes))
  })

  test('a head of more than 16 KiB', async () => {
    const long = 'x'.repeat(20_000)
    for (const bytes of [
      `GET /v1/health HTTP/1.1\r\nHost: x\r\nDPoP: ${long}\r\n\r\n`,
      `GET /v1/${long} HTTP/1.1\r\nHost: x\r\n\r\n`,
    ])
      expectRefusal(await sendBytes(url, bytes), 'request_header_too_large')
  })

  test('garbage after a request is not answered in its place', async () => {
    const answer = await sendBytes(url, 'GET /v1/operations HTTP/1.1\r\nHost: x\r\n\r\n\x00\x01rubbish\r\n\r\n')
    expectRefusal(answer, 'invalid_token')
  })
})

describe('bodies that never come', () => {
  test('are not awaited if the request is not allowed', async () => {
    for (const more of ['Content-Length: 1000\r\n', 'Transfer-Encoding: chunked\r\n', 'Content-Length: 100000000\r\n'])
      expectRefusal(await sendBytes(url, head(more)), 'invalid_token')
  })

  test('are not requested if the request is not allowed', async () => {
    const answer = await sendBytes(url, head('Content-Length: 1000\r\nExpect: 100-continue\r\n'))
    expectRefusal(answer, 'invalid_token')
    expect(answer.headers.get('connection')).toBe('close')
  })

  test('are requested if it is allowed', async () => {
    await world.request('GET', '/v1/operations')
    const proof = world.maker.makeProof({
      method: 'POST',
      url: `${baseUrl}/v1/beneficiaries`,
      accessToken: world.token,
      nonce: world.nonces.get(world.gateways[0] as never) as string,
    })
    const credentials = `Authorization: DPoP ${world.token}\r\nDPoP: ${proof}\r\nIdempotency-Key: key-0123456789abcdef\r\n`
    const answer = await sendBytes(url, head(`${credentials}Content-Length: 2\r\nExpect: 100-continue\r\n`), {
      quietMs: 500,
    })
    expect(answer.text).toBe('HTTP/1.1 100 Continue\r\n\r\n')
  })
})

describe('a request that cannot be parsed is answered under its path and its id', () => {
  const id = 'X-Request-Id: my-request-id\r\n'
  test.each([
    [
      'a header without a colon',
      `GET /v1/cards?a=1 HTTP/1.1\r\nHost: x\r\n${id}bad line\r\n\r\n`,
      400,
      'malformed_request',
    ],
    [
      'a head that is too large',
      `GET /v1/cards HTTP/1.1\r\nHost: x\r\n${id}X-Big: ${'a'.repeat(20_000)}\r\n\r\n`,
      431,
      'request_header_too_large',
    ],
    ['a method that nobody knows', `FOO /v1/cards HTTP/1.1\r\nHost: x\r\n${id}\r\n`, 501, 'method_not_implemented'],
    ['a path that cannot be decoded', `GET /v1/cards/%zz HTTP/1.1\r\nHost: x\r\n${id}\r\n`, 400, 'malformed_request'],
  ])('%s', async (_what, bytes, status, code) => {
    const answer = await sendBytes(url, bytes)
    expect(answer.headers.get('x-request-id')).toBe('my-request-id')
    const instance = bytes.includes('%zz') ? '/v1/cards/%zz' : '/v1/cards'
    expect(answer.body).toMatchObject({ status, code, instance, request_id: 'my-request-id' })
  })
})

describe('a body that breaks', () => {
  const credentials = () => {
    const [gateway] = world.gateways
    const nonce = world.nonces.get(gateway as never) as string
    const target = { method: 'POST', url: `${baseUrl}/v1/beneficiaries`, accessToken: world.token, nonce }
    const key = 'Idempotency-Key: key-0123456789abcdef\r\nX-Request-Id: my-request-id\r\n'
    return `Authorization: DPoP ${world.token}\r\nDPoP: ${world.maker.makeProof(target)}\r\n${key}`
  }
  const statuses = ({ text }: RawAnswer) => text.match(/^HTTP\/1\.1 \d+/gm)

  test.each([
    ['a chunk that is none', 'Transfer-Encoding: chunked\r\n', '5\r\n{"a":\r\nzz\r\n'],
    ['a chunk without its end', 'Transfer-Encoding: chunked\r\n', '1\r\n{"a":1}\r\n0\r\n\r\n'],
  ])('while it is read is answered under the id of its request: %s', async (_name, more, body) => {
    await world.request('GET', '/v1/operations')
    const answer = await sendBytes(url, head(credentials() + more) + body)
    expectRefusal(answer, 'malformed_request')
    expect(answer.headers.get('x-request-id')).toBe('my-request-id')
    expect(answer.headers.get('connection')).toBe('close')
  })

  test('after its request was answered closes the connection without a second answer', async () => {
    for (const more of ['Transfer-Encoding: chunked\r\n', 'Transfer-Encoding: xchunked\r\n']) {
      const smuggled = 'zz\r\nGET /v1/health HTTP/1.1\r\nHost: x\r\n\r\n'
      const answer = await sendBytes(url, head(more) + smuggled, { untilClosed: true })
      expect(statuses(answer)).toEqual(['HTTP/1.1 401'])
      expect(answer.closed).toBe(true)
    }
  })

  test('by never coming is a request_timeout, and so is a head that never ends', async () => {
    const impatient = await world.startAnother({ REQUEST_TIMEOUT_MS: '6000' })
    const [late, token, endless] = await Promise.all([
      sendBytes(impatient.url, head(`${credentials()}Content-Length: 100\r\n`) + '{'),
      sendBytes(impatient.url, 'POST /oauth/token HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\ngrant_type='),
      sendBytes(impatient.url, 'GET /v1/health HTTP/1.1\r\nHost: x\r\n'),
    ])
    expectRefusal(late, 'request_timeout')
    expect([late.status, late.headers.get('x-request-id')]).toEqual([408, 'my-request-id'])
    expect(token.status).toBe(408)
    expectRefusal(endless, 'request_timeout')
  })
})

test('random JSON and random headers on every kind of route', async () => {
  world.areas.set('createBeneficiary', () => ({ ok: true, data: {} }))
  for (let times = 0; times < 150; times += 1) {
    const bytes = randomBytes(1 + (times % 60))
    const body =
      times % 2 ? bytes : Buffer.from(JSON.stringify({ [bytes.toString('utf16le')]: bytes.toString('latin1') }))
    const key = `${bytes.toString('hex')}0123456789abcdef`.slice(0, 200)
    const junk = bytes.toString('latin1').replace(/[^\x21-\x7e\x80-\xff]/g, '')
    const response = await world.request('POST', `/v1/beneficiaries?${encodeURI(junk)}`, {
      body,
      key,
      headers: [['X-Request-Id', junk]],
      proofClaims: { url: `${baseUrl}/v1/beneficiaries` },
    })
    expect([202, 400, 422]).toContain(response.status)
    if (response.status !== 202) expectRefusal({ ...response, closed: false })
  }
})
