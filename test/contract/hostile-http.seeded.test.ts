/**
 * Hostile input at the origin gets a 4xx problem, a documented 503 or a closed connection, with the headers of every
 * answer and within the limits. None of it appears in a log where it should not.
 */

import { randomUUID } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { join } from 'node:path'
import { getFreePort } from '@financial-agents/servers/ports'
import type { ApiResponse } from '@financial-agents/testkit/client'
import { amountOf, seed } from '@financial-agents/testkit/deep'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { beneficiaryBody, startTestStack, type TestStack } from '../stack.test-helper.ts'
import { createHandClient, type HandClient, send } from './hand-client.ts'
import { expectProblem } from './problem.ts'
import { randomRequest } from './random-request.ts'

const problemOf = (response: ApiResponse) =>
  expectProblem(response, {
    status: response.status,
    code: response.body['code'],
    refreshOnboarding: 'refresh_onboarding' in response.body,
  })

let stack: TestStack
let agent: HandClient

beforeAll(async () => {
  stack = await startTestStack()
  agent = await createHandClient(stack, 'ines-agent')
})
afterAll(() => stack.close())

/** Sends bytes, then reads until the server closes the connection or is silent for `silenceMs`. */
function exchange(bytes: string, silenceMs = 120_000): Promise<string> {
  const { hostname, port } = new URL(stack.baseUrl)
  return new Promise((resolve) => {
    let received = ''
    const socket = connect({ host: hostname, port: Number(port) }, () => socket.write(bytes, 'latin1'))
    socket.setTimeout(silenceMs, () => socket.destroy())
    socket.on('data', (chunk) => {
      received += chunk.toString('latin1')
    })
    socket.on('error', () => {})
    socket.on('close', () => resolve(received))
  })
}

const statuses = (received: string) => (received.match(/HTTP\/1\.1 \d{3}/g) ?? []).map((line) => Number(line.slice(9)))
const credentials = (method: string, path: string) =>
  `Authorization: DPoP ${agent.token}\r\nDPoP: ${agent.proofFor(method, path)}\r\n`
const host = 'Host: x\r\n'

const get = async (target: string, signed = target) => {
  const received = await exchange(
    `GET ${target} HTTP/1.1\r\n${host}${credentials('GET', signed)}Connection: close\r\n\r\n`,
  )
  return { status: statuses(received)[0], text: received }
}

describe('a target', () => {
  test.each([
    '//v1/operations',
    '/v1//operations',
    '/v1/operations/',
    '/v1/operations//',
    '/v1/operations;a=b',
    '/v1/operations%3Flimit=1',
    '/v1/operations%23',
    '/v1/operations%00',
    '/v1/operations%2F',
    '/V1/operations',
    '/v1/Operations',
    '/v1/./operations',
    '/v1/x/../operations',
    '/v1/%2e%2e/v1/operations',
    '/oauth/../v1/operations',
    '/oauth/%2e%2e/v1/operations',
    '/.well-known/../v1/operations',
    '/.well-known/../oauth/token',
    '/oauth\\..\\v1\\operations',
    '\\v1\\operations',
    '/v1/health/../operations',
    '/problems/../v1/operations',
    'ftp://x/v1/operations',
    '*',
  ])('%s names nothing', async (target) => {
    const { status, text } = await get(target)
    expect([400, 404]).toContain(status)
    expect(text).toMatch(/"code":"(route_not_found|malformed_request)"/)
    expect(text).toMatch(/x-request-id: /i)
  })

  test.each([
    '/v1/operations/..',
    '/v1/operations/.',
    '/v1/operations/%2F',
    '/v1/operations/a%2Fb',
    '/v1/operations/a;b',
  ])('%s names an operation that is not there, and its own proof is needed', async (target) => {
    expect((await get(target)).text).toContain('"code":"operation_not_found"')
    expect((await get(target, '/v1/operations')).status).toBe(401)
  })

  test.each([
    'http://evil.example/v1/operations',
    'HTTP://evil.example:99/v1/operations?limit=1',
    '/v1/operations#fragment',
  ])('%s is the path that it holds; what stands around it decides nothing', async (target) => {
    expect((await get(target, '/v1/operations')).status).toBe(200)
  })

  test('of any length is refused or validated', async () => {
    expect((await get(`/v1/operations/${'a'.repeat(4_000)}`)).text).toContain('operation_not_found')
    expect((await get(`/v1/operations?idempotency_key=${'a'.repeat(4_000)}`, '/v1/operations')).status).toBe(422)
    for (const target of [`/v1/${'a/'.repeat(9_000)}`, `/v1/operations?${'a=b&'.repeat(5_000)}`])
      expect((await get(target)).status).toBe(431)
  })
})

describe('a second request smuggled behind a first', () => {
  const smuggled = `GET /v1/health HTTP/1.1\r\n${host}\r\n`
  test.each([
    ['length and chunks', `Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n${smuggled}`],
    ['chunks and length', `Transfer-Encoding: chunked\r\nContent-Length: 5\r\n\r\n0\r\n\r\n${smuggled}`],
    ['two lengths', `Content-Length: 0\r\nContent-Length: 44\r\n\r\n${smuggled}`],
    ['two lengths in one', `Content-Length: 0, 44\r\n\r\n${smuggled}`],
    ['a space before the colon', `Transfer-Encoding : chunked\r\n\r\n0\r\n\r\n${smuggled}`],
    ['an unknown coding', `Transfer-Encoding: xchunked\r\n\r\n0\r\n\r\n${smuggled}`],
    ['chunked not last', `Transfer-Encoding: chunked, identity\r\n\r\n0\r\n\r\n${smuggled}`],
    ['a tab in the coding', `Transfer-Encoding:\tchunked\r\nContent-Length: 3\r\n\r\n0\r\n\r\n${smuggled}`],
    ['a folded header', `Transfer-Encoding:\r\n chunked\r\nContent-Length: 3\r\n\r\n0\r\n\r\n${smuggled}`],
    ['a bare line feed', `Content-Length: 0\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n${smuggled}`],
    ['a signed length', `Content-Length: +0\r\n\r\n${smuggled}`],
    ['a hexadecimal length', `Content-Length: 0x0\r\n\r\n${smuggled}`],
    ['a chunk size with a line feed', `Transfer-Encoding: chunked\r\n\r\n0\n\r\n${smuggled}`],
    ['an endless chunk size', `Transfer-Encoding: chunked\r\n\r\nFFFFFFFFFFFFFFFFFF\r\n${smuggled}`],
  ])('by %s is not answered', async (_name, rest) => {
    for (const path of ['/v1/beneficiaries', '/oauth/token']) {
      const found = statuses(await exchange(`POST ${path} HTTP/1.1\r\n${host}${rest}`, 100))
      expect(found.length).toBeLessThanOrEqual(1)
      expect(found).not.toContain(200)
    }
  })

  test('in order is answered: requests may share a connection', async () => {
    const received = await exchange(
      `GET /v1/operations HTTP/1.1\r\n${host}\r\n${smuggled}GET /v1/health HTTP/1.1\r\n${host}Connection: close\r\n\r\n`,
    )
    expect(statuses(received)).toEqual([401, 200, 200])
  })
})

describe('data after a complete request', () => {
  test.each(['}', 'rubbish\r\n\r\n', '\x00', 'CONNECT evil.example:443 HTTP/1.1\r\nHost: x\r\n\r\n'])(
    '%j: a write is carried out once, its answer arrives, and the connection ends',
    async (stray) => {
      const [path, key] = ['/v1/beneficiaries', randomUUID()]
      const body = JSON.stringify(beneficiaryBody())
      const framing = `Content-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n`
      await agent.send('GET', '/v1/operations')
      const received = await exchange(
        `POST ${path} HTTP/1.1\r\n${host}${credentials('POST', path)}Idempotency-Key: ${key}\r\n${framing}\r\n${body}${stray}`,
      )
      expect(statuses(received)).toEqual([202])
      expect(received).toMatch(/\r\nconnection: close\r\n/i)
      const found = await agent.send('GET', `/v1/operations?idempotency_key=${key}`)
      expect((found.body['items'] as { id: string }[]).map(({ id }) => id)).toEqual([
        (JSON.parse(received.slice(received.indexOf('\r\n\r\n'))) as { id: string }).id,
      ])
    },
  )

  test('a tunnel alone is refused with a problem', async () => {
    const received = await exchange(`CONNECT evil.example:443 HTTP/1.1\r\n${host}Connection: close\r\n\r\n`)
    expect(statuses(received)).toEqual([405])
    expect(received).toContain('"code":"method_not_allowed"')
  })

  test('an expectation that nobody knows is 417, and its body is not asked for', async () => {
    const received = await exchange(
      `POST /v1/beneficiaries HTTP/1.1\r\n${host}Expect: 200-maybe\r\nConnection: close\r\nContent-Length: 2\r\n\r\n`,
    )
    expect(statuses(received)).toEqual([417])
    expect(received).toContain('"code":"expectation_failed"')
  })
})

test('a member that comes twice is refused by its name, and nothing is made of the body', async () => {
  const key = randomUUID()
  const twice = JSON.stringify(beneficiaryBody()).replace('"name":', '"name":"Somebody Else","name":')
  const refused = await agent.send('POST', '/v1/beneficiaries', { body: twice, headers: [['Idempotency-Key', key]] })
  expect(refused.body).toMatchObject({ status: 400, code: 'malformed_json', fields: [{ path: 'name' }] })
  expect((await agent.send('GET', `/v1/operations?idempotency_key=${key}`)).body['items']).toEqual([])
})

const getPlain = (path: string) => send(stack.baseUrl + path, 'GET')

describe('data in an answer', () => {
  test.each<[string, string]>([
    ['a line break', 'abcdefgh%0d%0aX-Evil: 1'],
    ['another character set', 'abcdefgh\xe9'],
    ['too short', 'ghijklm'],
    ['too long', 'a'.repeat(129)],
    ['a quote', 'abcdefgh"'],
    ['a comma', 'abcdefgh,ijklmnop'],
  ])('of an unsafe request id (%s) is nothing', async (_name, value) => {
    const received = await exchange(
      `GET /v1/health HTTP/1.1\r\n${host}X-Request-Id: ${value}\r\nConnection: close\r\n\r\n`,
    )
    expect(received).toMatch(/x-request-id: [0-9a-f-]{36}\r\n/i)
    expect(received).not.toContain(value)
  })

  test('of a trace is nothing, and a broken one breaks nothing', async () => {
    for (const value of ['no-trace', `00-${'0'.repeat(32)}-${'0'.repeat(16)}-00`, 'a'.repeat(5_000), '00-%0d%0a']) {
      const response = await agent.send('GET', '/v1/operations', {
        headers: [
          ['traceparent', value],
          ['tracestate', value],
        ],
      })
      expect(response.status).toBe(200)
      expect(JSON.stringify([...response.headers])).not.toContain(value)
    }
  })

  test.each(['HEAD', 'OPTIONS', 'TRACE', 'PUT', 'PATCH', 'DELETE', 'PROPFIND', 'QUERY', 'LOCK', 'M-SEARCH'])(
    'to %s is 405 with what the path takes, everywhere, and never an echo',
    async (method) => {
      const allowed = {
        '/v1/operations': 'GET, HEAD',
        '/v1/beneficiaries': 'POST, GET, HEAD',
        '/v1/health': 'GET, HEAD',
        '/problems/invalid_token': 'GET, HEAD',
        '/oauth/token': 'POST, OPTIONS',
        '/.well-known/openid-configuration': 'GET, HEAD, OPTIONS',
      }
      for (const [path, allow] of Object.entries(allowed)) {
        if (method === 'HEAD' && allow.includes('HEAD')) continue
        const received = await exchange(
          `${method} ${path} HTTP/1.1\r\n${host}X-Canary: canary-4711\r\nConnection: close\r\n\r\n`,
        )
        expect(statuses(received)).toEqual([405])
        expect(received.toLowerCase()).toContain(`\r\nallow: ${allow.toLowerCase()}\r\n`)
        expect(received).toMatch(/x-request-id: [\w-]{36}/i)
        expect(received).not.toContain('canary-4711')
        if (method !== 'HEAD') expect(received).toContain('"code":"method_not_allowed"')
      }
    },
  )

  test('as an error of any kind is complete', async () => {
    const answers = [
      await getPlain('/v1/operations'),
      await getPlain('/v1/nothing'),
      await getPlain('/problems/none'),
      await getPlain('/oauth/none'),
      await getPlain('/.well-known/none'),
      await getPlain('/v1/operations/%zz'),
      await agent.send('GET', '/v1/operations?limit=0'),
      await agent.send('GET', '/v1/operations/none'),
      await agent.send('POST', '/v1/beneficiaries', { body: 'x' }),
    ]
    for (const answer of answers) {
      problemOf(answer)
      expect(answer.headers.get('cache-control') ?? 'no-store').toBe('no-store')
      expect(answer.headers.get('x-content-type-options')).toBe('nosniff')
    }
  })
})

const burst = (count: number, one: () => Promise<ApiResponse>) => Promise.all(Array.from({ length: count }, one))

/** Sends bursts until one is limited: a slow machine sends the first within the allowance. Returns that burst. */
async function limitedBurst(count: number, one: () => Promise<ApiResponse>): Promise<ApiResponse[]> {
  for (;;) {
    const answers = await burst(count, one)
    if (answers.some(({ status }) => status === 429)) return answers
  }
}

/** Expects the refusals of a burst to be in order, and returns them. */
function expectLimited(answers: ApiResponse[]): ApiResponse[] {
  const refused = answers.filter(({ status }) => status === 429)
  for (const answer of refused) {
    expectProblem(answer, { status: 429, code: 'rate_limited' })
    expect(answer.body['retryable']).toBe(true)
    expect(answer.headers.get('retry-after')).toMatch(/^[1-9]\d*$/)
  }
  return refused
}

describe('the limits, with the bursts of the defaults', () => {
  let at: string
  let limited: Awaited<ReturnType<TestStack['start']>>
  beforeAll(async () => {
    // A slow machine never exceeds the rates of the defaults.
    const limits = { GRANT_RATE_PER_S: '1', GRANT_BURST: '40', ADDRESS_RATE_PER_S: '1', ADDRESS_BURST: '30' }
    limited = await stack.start('gateway', limits, { port: await getFreePort() })
    at = limited.url as string
  })
  afterAll(() => limited.child.stop())

  test('a grant has its burst, one grant takes nothing from another, and waiting helps', async () => {
    await agent.send('GET', '/v1/operations', { at, nonce: null })
    const first = expectLimited(await burst(80, () => agent.send('GET', '/v1/operations', { at })))
    expect(80 - first.length).toBeGreaterThanOrEqual(39)
    const refused = expectLimited(await limitedBurst(80, () => agent.send('GET', '/v1/operations', { at })))
    const other = await createHandClient(stack, 'ines-bookkeeper')
    expect((await other.send('GET', '/v1/operations', { at })).status).toBe(200)
    await new Promise((resolve) => setTimeout(resolve, Number(refused[0]?.headers.get('retry-after')) * 1_000))
    expect((await agent.send('GET', '/v1/operations', { at })).status).toBe(200)
  })

  test('failed authentications are limited by address, and good ones from there are not', async () => {
    const wrong = () => agent.send('GET', '/v1/operations', { at, token: 'x' })
    expect(expectLimited(await burst(60, wrong)).length).toBeLessThanOrEqual(31)
    expectLimited(await limitedBurst(60, wrong))
    const other = await createHandClient(stack, 'ines-bookkeeper')
    expect((await other.send('GET', '/v1/operations', { at })).status).toBe(200)
    expectLimited(await limitedBurst(40, () => agent.send('GET', '/v1/health', { at, token: null, proof: null })))
    const tokens = (await limitedBurst(40, () => agent.requestToken({ at }))).filter(({ status }) => status === 429)
    for (const { body, headers } of tokens) {
      expect(body['error']).toBe('temporarily_unavailable')
      expect(headers.get('retry-after')).toMatch(/^[1-9]\d*$/)
    }
  })
})

test('500 connections at once are all answered', async () => {
  const answers = await Promise.all(
    Array.from({ length: 500 }, () => exchange(`GET /v1/health HTTP/1.1\r\n${host}Connection: close\r\n\r\n`)),
  )
  expect(answers.filter((received) => statuses(received)[0] === 200)).toHaveLength(500)
})

describe('random requests', () => {
  const count = amountOf(1_200, 10_000)
  const documented503 = [
    'authorization_unavailable',
    'provider_unavailable',
    'service_unavailable',
    'acceptance_unknown',
  ]

  test(`get no 5xx but the documented 503, and every error is a problem (TEST_SEED=${seed})`, async () => {
    let next = 0
    const seen = new Map<number, number>()
    const worker = async () => {
      while (next < count) {
        const index = next++
        const { method, path, query, headers, body, signed } = randomRequest(`${seed}`, index)
        const text = body === undefined || typeof body === 'string' ? body : JSON.stringify(body)
        const response = await agent.send(method, path + query, {
          headers,
          ...(text === undefined ? {} : { body: text }),
          ...(signed ? {} : { token: null, proof: null }),
        })
        seen.set(response.status, (seen.get(response.status) ?? 0) + 1)
        const what = `TEST_SEED=${seed} ${index}: ${method} ${path}${query} ${JSON.stringify(response.body)}`
        expect(response.headers.get('x-request-id'), what).toMatch(/^[A-Za-z0-9._~-]{8,128}$/)
        if (response.status < 400) continue
        if (response.status >= 500) expect(documented503, what).toContain(response.body['code'])
        if ('error' in response.body) expect(path, what).toMatch(/^\/oauth\//)
        else problemOf(response)
      }
    }
    await Promise.all(Array.from({ length: 8 }, worker))
    for (const status of [200, 202, 400, 401, 404, 405, 409, 415, 422]) expect([...seen.keys()]).toContain(status)
  })

  test('leave no error and no secret in any log', async () => {
    const secrets = [
      agent.token,
      agent.token.split('.')[2] as string,
      beneficiaryBody().details.iban,
      'eyJ',
      'client_assertion=',
    ]
    const folder = join(stack.folder, 'logs')
    for (const file of await readdir(folder)) {
      const text = await readFile(join(folder, file), 'utf8')
      for (const secret of secrets) expect(text.includes(secret), `${file} holds ${secret.slice(0, 8)}…`).toBe(false)
      expect(text.split('\n').filter((line) => line.includes('"level":50') || line.includes('"level":60'))).toEqual([])
    }
  })
})
