/** Decisions §1, §3 and §5: the required shape of a request, with the exact answer to each violation. */

import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Seen } from './areas.test-helper.ts'
import { expectProblem, sendRaw, startWorld, type World } from './gateway.test-helper.ts'

const create = '/v1/beneficiaries'
const key = 'key-0123456789abcdef'
const ofBytes = (bytes: number) => `{"a":"${'x'.repeat(bytes - 8)}"}`
const nested = (levels: number) => `${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`

let world: World
let seen: Seen[] = []

beforeAll(async () => {
  world = await startWorld()
  world.areas.set('createBeneficiary', (request) => {
    seen.push(request)
    return { ok: true, data: { id: 'operation' } }
  })
})
afterAll(() => world.stop())

const idOf = async (...values: string[]) => {
  const headers = values.map((value): [string, string] => ['X-Request-Id', value])
  return (await sendRaw(world.gateways[0]?.url as string, 'GET', '/v1/health', headers)).headers.get('x-request-id')
}

const post = (given: Parameters<World['request']>[2]) => world.request('POST', create, { key, ...given })
const refused = async (given: Parameters<World['request']>[2], code: Parameters<typeof expectProblem>[1]) => {
  const before = seen.length
  const problem = expectProblem(await post(given), code, create, false)
  expect(seen).toHaveLength(before)
  return problem
}

describe('a keyed write', () => {
  test('is forwarded with its body, its key and a hash that is equal for equal requests', async () => {
    seen = []
    const bodies = ['{"b":1,"a":{"y":"é","x":[1.0,2]}}', ' {"a" : {"x":[1,2], "y":"\\u00e9"}, "b":1e0 } ', '{"b":2}']
    for (const body of bodies) {
      const response = await post({ body })
      expect(response.status).toBe(202)
      expect(response.body).toEqual({ id: 'operation' })
      expect(response.headers.get('idempotent-replayed')).toBeNull()
    }
    expect(seen.map(({ body }) => body)).toEqual(bodies.map((body) => JSON.parse(body)))
    expect(seen.map(({ idempotency }) => idempotency?.key)).toEqual([key, key, key])
    const hashes = seen.map(({ idempotency }) => idempotency?.request_hash)
    expect(hashes[0]).toMatch(/^[\w-]{43}$/)
    expect(hashes[1]).toBe(hashes[0])
    expect(hashes[2]).not.toBe(hashes[0])
  })

  test('has Idempotent-Replayed: true only on a replay', async () => {
    world.areas.set('createBeneficiary', () => ({ ok: true, data: { id: 'operation' }, replayed: true }))
    const response = await post({ body: '{}' })
    expect(response.status).toBe(202)
    expect(response.body).toEqual({ id: 'operation' })
    expect(response.headers.get('idempotent-replayed')).toBe('true')
    world.areas.set('createBeneficiary', (request) => {
      seen.push(request)
      return { ok: true, data: { id: 'operation' } }
    })
  })

  test.each([
    ['none', {}],
    ['one of 15 characters', { key: 'k'.repeat(15) }],
    ['one of 201 characters', { key: 'k'.repeat(201) }],
    ['an empty one', { key: '' }],
    ['one that is not ASCII', { key: 'k'.repeat(16) + 'é' }],
    ['two', { key, headers: [['idempotency-key', key]] as [string, string][] }],
  ])('is refused with %s for a key', async (_name, given) => {
    const response = await world.request('POST', create, { body: '{}', ...given })
    const { fields } = expectProblem(response, 'validation_failed', create, false)
    expect(fields).toHaveLength(1)
    expect(fields?.[0]?.path).toBe('Idempotency-Key')
  })

  test.each(['k'.repeat(16), 'k'.repeat(200), 'with spaces and "quotes"'])('takes the key %s', async (valid) => {
    expect((await post({ body: '{}', key: valid })).status).toBe(202)
  })
})

describe('the media type', () => {
  test.each(['application/json', 'APPLICATION/JSON; charset=UTF-8', 'application/json;charset="utf-8"'])(
    'may be %s',
    async (type) => {
      expect((await post({ body: '{}', headers: [['Content-Type', type]] })).status).toBe(202)
    },
  )

  test.each([
    'text/plain',
    'application/x-www-form-urlencoded',
    'application/problem+json',
    'application/json; charset=latin1',
    'application/jsonp',
    'nonsense',
    '',
  ])('%j is refused', async (type) => {
    await refused({ body: '{}', headers: [['Content-Type', type]] }, 'unsupported_media_type')
  })

  test('is asked for where there is none', async () => {
    const response = await world.request('POST', create, { key, headers: [['Content-Length', '0']] })
    expectProblem(response, 'unsupported_media_type', create, false)
  })

  test('a content coding is refused', async () => {
    await refused(
      {
        body: '{}',
        headers: [
          ['Content-Encoding', 'gzip'],
          ['Content-Type', 'application/json'],
        ],
      },
      'unsupported_media_type',
    )
  })

  test('two of them are refused', async () => {
    const headers: [string, string][] = [
      ['Content-Type', 'application/json'],
      ['content-type', 'application/json'],
    ]
    await refused({ body: '{}', headers }, 'malformed_request')
  })
})

describe('the body', () => {
  test('holds 65,536 bytes and not one more, declared or not', async () => {
    expect((await post({ body: ofBytes(65_536) })).status).toBe(202)
    await refused({ body: ofBytes(65_537) }, 'payload_too_large')
    const chunked: [string, string][] = [
      ['Transfer-Encoding', 'chunked'],
      ['Content-Type', 'application/json'],
    ]
    expect((await post({ body: ofBytes(65_536), headers: chunked })).status).toBe(202)
    await refused({ body: ofBytes(65_537), headers: chunked }, 'payload_too_large')
    await refused({ body: ofBytes(1_048_576) }, 'payload_too_large')
    await refused({ body: ofBytes(1_048_576), headers: chunked }, 'payload_too_large')
  })

  test.each([
    ['nothing', ''],
    ['half a value', '{"a":'],
    ['two values', '{} {}'],
    ['a trailing comma', '{"a":1,}'],
    ['a comment', '{} // x'],
    ['NaN', '{"a":NaN}'],
    ['a byte order mark', '\ufeff{}'],
    ['bytes that are not UTF-8', Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d])],
    ['UTF-16', Buffer.from('{}', 'utf16le')],
    ['an encoded surrogate', Buffer.from([0x22, 0xed, 0xa0, 0x80, 0x22])],
  ])('that is %s is no JSON', async (_name, body) => {
    await refused({ body }, 'malformed_json')
  })

  test.each([
    ['at the top', '{"amount":"1","amount":"100"}', 'amount'],
    ['with the same value', '{"amount":"1","b":2,"amount":"1"}', 'amount'],
    ['within a member', '{"request":{"body":{"amount":"1","amount":"100"}}}', 'request.body.amount'],
    ['within a list', '{"a":[{"x":1},{"x":1,"y":[],"x":2}]}', 'a.1.x'],
    ['written in two ways', '{"amount":"1","\\u0061mount":"100"}', 'amount'],
    ['without a name', '{"":1,"":2}', 'body'],
  ])('with a member twice %s is refused by its name', async (_where, body, path) => {
    const { detail, fields } = await refused({ body }, 'malformed_json')
    expect(fields).toEqual([{ path, message: 'Send this member once.' }])
    expect(detail).toBe(`${path}: Send this member once.`)
  })

  test('may have one name in several objects', async () => {
    expect((await post({ body: '{"x":{"x":[{"x":1},{"x":"x\\"x"}]},"y":"\\"x\\":1,\\"x\\":2"}' })).status).toBe(202)
  })

  test.each([
    ['NUL', '{"name":"a\\u0000b"}', 'name'],
    ['NUL in a name', '{"a":{"b\\u0000":1}}', 'a.b�'],
    ['a lone surrogate', '{"details":{"iban":"\\ud800"}}', 'details.iban'],
    ['a lone surrogate in a name', '{"\\udc00":1}', '�'],
    ['__proto__', '{"details":{"__proto__":{"x":1}}}', 'details.__proto__'],
    ['__proto__ with a string', '{"details":{"__proto__":"x"}}', 'details.__proto__'],
    ['__proto__ at the top', '{"__proto__":null}', '__proto__'],
    ['constructor.prototype', '{"constructor":{"prototype":{}}}', 'constructor'],
    ['a number beyond range', '{"a":[1,1e999]}', 'a.1'],
    ['33 levels', nested(33), Array.from({ length: 32 }, () => 'a').join('.')],
    [
      '30,000 levels of arrays',
      `${'['.repeat(30_000)}${']'.repeat(30_000)}`,
      Array.from({ length: 32 }, () => '0').join('.'),
    ],
  ])('with %s names where', async (_name, body, at) => {
    const { fields } = await refused({ body }, 'validation_failed')
    expect(fields?.map((field) => field.path)).toEqual([at])
  })

  test('of 32 levels, with surrogate pairs and a member named constructor, goes on', async () => {
    for (const body of [nested(32), '{"a":"\\ud83d\\ude00"}', '{"constructor":"x"}'])
      expect((await post({ body })).status).toBe(202)
  })

  test('is refused on a route that takes none', async () => {
    for (const headers of [[], [['Transfer-Encoding', 'chunked']]] as [string, string][][]) {
      const response = await world.request('GET', '/v1/operations', { body: '{}', headers })
      const { fields } = expectProblem(response, 'validation_failed', '/v1/operations')
      expect(fields?.map((field) => field.path)).toEqual(['body'])
    }
    const empty = await world.request('GET', '/v1/operations', { headers: [['Content-Length', '0']] })
    expect(empty.status).toBe(200)
  })
})

describe('the query and the path', () => {
  test('a parameter that comes twice is named', async () => {
    const response = await world.request('GET', '/v1/operations?limit=1&kind=x&limit=2')
    const { fields } = expectProblem(response, 'validation_failed', '/v1/operations')
    expect(fields?.map((field) => field.path)).toEqual(['limit'])
  })

  test.each(['?a=%', '?a=%zz', '?%c3%28=1', '?a=%ed%a0%80'])('the query %s cannot be decoded', async (query) => {
    expectProblem(await world.request('GET', `/v1/operations${query}`), 'malformed_request', '/v1/operations')
  })

  test.each(['/v1/operations/%', '/v1/operations/%zz', '/v1/%c3%28', '/oauth/%', '/%'])(
    'the path %s cannot be decoded',
    async (path) => {
      const response = await world.request('GET', path)
      expectProblem(response, 'malformed_request', path)
    },
  )

  test('NUL and prototypes are refused in the query too', async () => {
    const withNul = await world.request('GET', '/v1/operations?kind=a%00b')
    expect(expectProblem(withNul, 'validation_failed', '/v1/operations').fields?.[0]?.path).toBe('kind')
    const inQuery = await world.request('GET', '/v1/operations?__proto__=x')
    expect(expectProblem(inQuery, 'validation_failed', '/v1/operations').fields?.[0]?.path).toBe('__proto__')
  })

  test('parameters of the path arrive decoded', async () => {
    world.areas.set('getOperation', ({ params }) => ({ ok: true, data: params }))
    expect((await world.request('GET', '/v1/operations/a%2Fb%20%C3%A9')).body).toEqual({ id: 'a/b é' })
  })
})

describe('the request id', () => {
  test('is the client’s where it is safe', async () => {
    for (const id of ['abcdefgh', `${'a'.repeat(124)}._~-`]) expect(await idOf(id)).toBe(id)
  })

  test('is a new UUID where it is not', async () => {
    const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/
    for (const ids of [[], ['short'], ['a'.repeat(129)], ['has spaces'], ['<script>1'], ['abcdefgh', 'abcdefgh']])
      expect(await idOf(...ids)).toMatch(uuid)
  })

  test('and the trace reach the service', async () => {
    const trace = `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01`
    let request: Seen | undefined
    world.areas.set('listOperations', (asked) => {
      request = asked
      return { ok: true, data: null }
    })
    const headers: [string, string][] = [
      ['X-Request-Id', 'client-request-1'],
      ['traceparent', trace],
    ]
    await world.request('GET', '/v1/operations', { headers })
    expect(request).toMatchObject({ requestId: 'client-request-1', traceparent: trace, timeoutMs: 30_000 })
    await world.request('GET', '/v1/operations', { headers: [['traceparent', 'nonsense']] })
    expect(request?.traceparent).toMatch(/^00-[0-9a-f]{32}-[0-9a-f]{16}-00$/)
    world.areas.delete('listOperations')
  })
})
