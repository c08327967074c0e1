/**
 * Only the API's own word is certain. A load balancer, a captive portal or a cache that answers in place of the API proves nothing about a
 * write, says nothing about a grant, and has a clock of its own.
 */

import type { Route } from '@financial-agents/contract/route'
import { routes } from '@financial-agents/contract/routes'
import { describe, expect, test } from 'vitest'
import { type Answer, answered, fakeApi, lost, operation, problem, proxied, refused } from './fake-api.test-helper.ts'
import { table } from './generated/table.ts'
import { promisedOf } from './own-answer.ts'
import { rowOf } from './row.ts'
import { memoryStore } from './stores/memory.ts'

const route = 'POST /v1/mandates/m-1/transfers'
const body = { amount: '9.90', currency: 'EUR' }
const rent = { intent: 'rent' }
const accepted = answered(operation(), 202)
const none = answered({ items: [] })
const found = answered({ items: [operation('op-2')] })

const with2015 =
  (answer: Answer): Answer =>
  (url, init) => {
    const response = answer(url, init)
    if (response instanceof Response) response.headers.set('date', 'Thu, 01 Jan 2015 00:00:00 GMT')
    return response
  }
const typed =
  (type: string, text: string | null, status: number): Answer =>
  () =>
    new Response(text, { status, headers: { 'content-type': type } })
const problemJson = (status: number, given: object): Answer =>
  typed('application/problem+json', JSON.stringify(given), status)

const own = problem('validation_failed', 422)
const foreign: [string, Answer][] = [
  ...[200, 201, 204, 302, 304, 400, 401, 403, 404, 408, 409, 413, 422, 429, 499, 500, 502, 503, 504, 520].map(
    (status): [string, Answer] => [
      `a page with ${status}`,
      status === 304 ? typed('text/html', null, 304) : proxied(status),
    ],
  ),
  ['other JSON with 200', answered({ status: 'ok' })],
  ['other JSON with the promised status', answered({ status: 'ok' }, 202)],
  ['null', answered(null, 202)],
  ['a list', answered([operation()], 202)],
  ['an empty body', typed('application/json', '', 202)],
  ['half an operation', typed('application/json', JSON.stringify(operation()).slice(0, 90), 202)],
  ['an operation with another status', answered(operation(), 200)],
  ['an operation with another media type', typed('text/html', JSON.stringify(operation()), 202)],
  ['an operation of another kind', answered(operation('op-1', 'accepted', { kind: 'card_freeze' }), 202)],
  ['an operation without an id', answered({ ...operation(), id: undefined }, 202)],
  ['an operation of another shape', answered({ id: 'op-1', state: 'accepted' }, 202)],
  ['a challenge for a token', answered({}, 401, { 'www-authenticate': 'DPoP error="invalid_token"' })],
  ['problem details of nobody', problemJson(422, { title: 'Blocked', status: 422 })],
  [
    'problem details of another API',
    problemJson(422, { ...own, type: 'https://other.example/problems/validation_failed' }),
  ],
  ['problem details about:blank', problemJson(422, { ...own, type: 'about:blank' })],
  ['problem details of another status', problemJson(403, own)],
  ['problem details of another code', problemJson(422, { ...own, code: 'other' })],
  ['problem details that are plain JSON', answered(own, 422)],
  [
    'problem details that say so themselves',
    problemJson(503, { code: 'x', detail: 'no', retryable: true, status: 503 }),
  ],
]

describe('a write', () => {
  test.each(foreign)('that gets %s is looked up by its key, and found', async (_, answer) => {
    const api = fakeApi(answer, found, answered(operation('op-2', 'succeeded')))
    const agent = api.agent({ store: memoryStore() })
    expect((await agent.mandates.transfer('m-1', body, rent)).id).toBe('op-2')
    expect((await agent.mandates.transfer('m-1', body, rent)).state).toBe('succeeded')
    expect(api.asked).toEqual([
      route,
      `GET /v1/operations?idempotency_key=${[...api.keys][0]}`,
      'GET /v1/operations/op-2',
    ])
  })

  test.each(foreign)(
    'that gets %s is uncertain if it is not found, and the same intent goes on with it',
    async (_, answer) => {
      const store = memoryStore()
      const api = fakeApi(answer, none, answer, answer, accepted)
      const write = () => api.agent({ store }).mandates.transfer('m-1', body, rent)
      for (let call = 0; call < 2; call += 1)
        await expect(write()).rejects.toMatchObject({
          name: 'ApiProblem',
          code: expect.stringMatching(/^http_\d+$/),
          fromApi: false,
          retryable: false,
          submissionUncertain: true,
          message: expect.stringContaining('call again with the same intent'),
        })
      expect((await write()).id).toBe('op-1')
      expect(api.keys.size).toBe(1)
    },
  )

  test('whose answer cannot be read to its end is looked up by its key', async () => {
    const broken: Answer = () =>
      new Response(new ReadableStream({ start: (stream) => stream.error(new TypeError('bad gzip')) }), { status: 202 })
    const api = fakeApi(broken, found)
    expect((await api.agent({ retryForMs: 60_000 }).mandates.transfer('m-1', body, rent)).id).toBe('op-2')
    expect(api.asked).toEqual([route, `GET /v1/operations?idempotency_key=${[...api.keys][0]}`])
    for (const answer of [none, lost, proxied(403)])
      await expect(fakeApi(broken, answer).agent().mandates.transfer('m-1', body, rent)).rejects.toMatchObject({
        code: 'unreachable',
        submissionUncertain: true,
      })
    const reading = fakeApi(broken, answered({ id: 'm' }))
      .agent({ retryForMs: 60_000 })
      .mandates.get('m')
    expect(await reading).toMatchObject({ id: 'm' })
  })

  test('is not found in an answer that is none, and not in an operation of another kind', async () => {
    for (const answer of [
      answered({ status: 'ok' }),
      answered({ items: [operation('op', 'accepted', { kind: 'transfer' })] }),
    ])
      await expect(fakeApi(proxied(408), answer).agent().mandates.transfer('m-1', body, rent)).rejects.toMatchObject({
        code: 'http_408',
        submissionUncertain: true,
        cause: expect.objectContaining({ code: 'http_200' }),
      })
  })

  test('that version 1.0.0 recorded without its operation is looked for by its key, and never sent again', async () => {
    const store = memoryStore()
    await fakeApi(accepted).agent({ store }).mandates.transfer('m-1', body, rent)
    const name = 'https://api.example/app/owner/accepted/POST /v1/mandates/{mandate_id}/transfers/rent'
    const { hash } = (await store.get(name)) as { hash: string }
    await store.set(name, { hash, operationId: undefined })
    const api = fakeApi(none, found)
    const write = () => api.agent({ store }).mandates.transfer('m-1', body, rent)
    await expect(write()).rejects.toMatchObject({ code: 'intent_expired' })
    expect((await write()).id).toBe('op-2')
    expect(api.asked.every((path) => path.startsWith('GET /v1/operations?'))).toBe(true)
  })
})

describe('a call without a key', () => {
  const url = 'https://receiver.example/hook'

  test.each(foreign)('that gets %s is uncertain, and one that must not be repeated is not', async (_, answer) => {
    const api = fakeApi(answer, accepted, accepted)
    const uncertain = {
      fromApi: false,
      submissionUncertain: true,
      message: expect.stringContaining('look before you call again'),
    }
    await expect(api.agent({ retryForMs: 60_000 }).webhooks.create({ url })).rejects.toMatchObject(uncertain)
    expect(api.asked).toEqual(['POST /v1/webhook-subscriptions'])
    await expect(
      fakeApi(answer)
        .agent()
        .quotes.create({} as never),
    ).rejects.toMatchObject(uncertain)
    const asking = fakeApi(answer)
      .agent()
      .confirmations.create({} as never)
    await expect(asking).rejects.toMatchObject(uncertain)
  })

  test('that gets a page where nothing was promised is uncertain', async () => {
    for (const answer of [proxied(200), answered({}), proxied(404)])
      await expect(fakeApi(answer).agent().webhooks.delete('w')).rejects.toMatchObject({ submissionUncertain: true })
    const gone = fakeApi(() => new Response(null, { status: 204 }))
    expect(await gone.agent().webhooks.delete('w')).toBeUndefined()
  })
})

describe('a read', () => {
  const mandate = answered({ id: 'm', state: 'active' })

  test.each([429, 500, 502, 503, 504])('that gets a page with %i is repeated', async (status) => {
    const api = fakeApi(proxied(status), mandate)
    expect(await api.agent({ retryForMs: 60_000 }).mandates.get('m')).toMatchObject({ id: 'm' })
  })

  test.each([200, 204, 302, 403, 404, 408])('that gets a page with %i ends, and says who answered', async (status) => {
    const api = fakeApi(proxied(status))
    await expect(api.agent({ retryForMs: 60_000 }).mandates.get('m')).rejects.toMatchObject({
      code: `http_${status}`,
      fromApi: false,
      submissionUncertain: false,
      message: expect.stringContaining('something in between'),
    })
  })

  test.each([answered(null), answered({ status: 'ok' }), answered([])])('that gets other JSON ends', async (answer) => {
    const { mandates, operations } = fakeApi(answer, answer, answer).agent()
    await expect(mandates.get('m')).rejects.toMatchObject({ code: 'http_200', fromApi: false })
    await expect(operations.get('op')).rejects.toMatchObject({ code: 'http_200', fromApi: false })
    await expect(operations.list()).rejects.toMatchObject({ code: 'http_200', fromApi: false })
  })

  test.each([
    ['seconds', '2', 2_000],
    // A slow machine may need half of this time to begin.
    ['an HTTP date', new Date(Date.now() + 59_000).toUTCString(), 30_000],
  ])('is repeated never before Retry-After: %s', async (_, retryAfter, leastMs) => {
    for (const answer of [
      proxied(503, { 'retry-after': retryAfter }),
      refused('rate_limited', 429, { retryable: true }, { 'retry-after': retryAfter }),
    ]) {
      const waits: number[] = []
      const stop = new AbortController()
      const logger = (entry: { event: string; afterMs?: number }) => {
        if (entry.event !== 'repeating') return
        waits.push(entry.afterMs ?? 0)
        stop.abort(new Error('enough'))
      }
      const reading = fakeApi(answer).agent({ retryForMs: 60_000, logger }).mandates.get('m', { signal: stop.signal })
      await expect(reading).rejects.toThrow('enough')
      expect(waits).toEqual([expect.any(Number)])
      expect(waits[0]).toBeGreaterThanOrEqual(leastMs)
    }
  })

  test('of a wait goes on after each of these answers', async () => {
    for (const answer of [
      proxied(200),
      answered({ status: 'ok' }),
      answered(null),
      answered(operation('op-9', 'failed')),
    ]) {
      const api = fakeApi(accepted, answer, answered(operation('op-1', 'succeeded')))
      const made = await api.agent().mandates.transfer('m-1', body, rent)
      expect((await made.wait()).status).toBe('succeeded')
    }
  })
})

describe('the clock', () => {
  test.each([
    ...foreign.filter(([name]) => name !== 'an operation with another status'),
    ['JSON of another server', answered({ id: 'm' })] as [string, Answer],
  ])('is not moved by %s', async (_, answer) => {
    const agent = fakeApi(lost, with2015(answer), accepted).agent({ store: memoryStore() })
    const write = () => agent.mandates.transfer('m-1', body, rent)
    await expect(write()).rejects.toMatchObject({ code: 'unreachable' })
    await agent.mandates.get('m').catch(() => {})
    expect((await write()).id).toBe('op-1')
  })

  test.each([
    ['a refusal', refused('validation_failed', 422)],
    ['an operation', answered(operation('m'))],
  ])('is moved by %s of the API', async (_, answer) => {
    const store = memoryStore()
    const api = fakeApi(with2015(answer))
    const agent = api.agent({ store })
    await agent.operations.get('m').catch(() => {})
    api.answers.push(lost)
    await agent.mandates.transfer('m-1', body, rent).catch(() => {})
    const record = (await store.get(
      'https://api.example/app/owner/sending/POST /v1/mandates/{mandate_id}/transfers/rent',
    )) as { at: number }
    expect(new Date(record.at).getUTCFullYear()).toBe(2015)
  })
})

test('every method is promised what the contract says', () => {
  for (const text of Object.values(table).flatMap((methods) => Object.values<string>(methods))) {
    const row = rowOf(text)
    const { status, opens } =
      Object.values<Route>(routes).find(({ method, path }) => method === row.method && path === row.path) ?? {}
    expect([text, promisedOf(row).status ?? 200]).toEqual([text, status])
    if (row.keyed) expect([text, row.keyed]).toEqual([text, opens])
  }
})
