/** Decisions §4: what the client is told where a service refuses, is not there, or does not answer. */

import { Problem } from '@financial-agents/contract/problem'
import { problemCatalogue, problemCodes } from '@financial-agents/contract/problem-catalogue'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { pause } from './authz.test-helper.ts'
import { expectProblem, startWorld, type World } from './gateway.test-helper.ts'

const create = '/v1/beneficiaries'
const list = '/v1/operations'
const write = { key: 'key-0123456789abcdef', body: '{}' }
let world: World

beforeAll(async () => {
  world = await startWorld({ REQUEST_DEADLINE_MS: '200' })
})
afterAll(() => world.stop())

// Which methods a path takes is the gateway's to say.
test.each(problemCodes.filter((code) => code !== 'method_not_allowed'))(
  'a service’s %s arrives as it was said',
  async (code) => {
    const fields = [{ path: 'a.b', message: 'm' }]
    world.areas.set('createBeneficiary', () => ({
      ok: false,
      problem: { ...new Problem(code, { detail: 'Said.', fields, retryAfterS: 7 }).data, refresh_onboarding: true },
    }))
    const response = await world.request('POST', create, write)
    expect(expectProblem(response, code, create, true)).toMatchObject({ detail: 'Said.', fields })
    if (problemCatalogue[code].status === 429) expect(response.headers.get('retry-after')).toBe('7')
    expect(response.headers.get('dpop-nonce')).toMatch(/^[\w-]{43}$/)
    expect(response.headers.get('idempotent-replayed')).toBeNull()
    world.areas.delete('createBeneficiary')
  },
)

test('a write that was not answered in time may have been accepted, and says how to find out', async () => {
  world.areas.set('createBeneficiary', () => pause(400).then(() => ({ ok: true, data: {} })))
  const problem = expectProblem(await world.request('POST', create, write), 'acceptance_unknown', create, false)
  expect(problem.detail).toContain('GET /v1/operations?idempotency_key=')
  expect(problem).toMatchObject({ retryable: false, submission_uncertain: true })
  world.areas.delete('createBeneficiary')
})

test('a read that was not answered in time may be repeated', async () => {
  world.areas.set('listOperations', () => pause(400).then(() => ({ ok: true, data: {} })))
  expectProblem(await world.request('GET', list), 'service_unavailable', list)
  world.areas.delete('listOperations')
})

test('an answer that cannot be read is an error of ours, without its contents', async () => {
  world.areas.set('listOperations', () => 'secret' as never)
  const response = await world.request('GET', list)
  expectProblem(response, 'internal_error', list)
  expect(response.text).not.toContain('secret')
  world.areas.delete('listOperations')
})

test('a service that is not there received nothing: the request may be repeated, a write too', async () => {
  const another = await startWorld({}, { areas: [] })
  try {
    expectProblem(await another.request('GET', list), 'service_unavailable', list)
    expectProblem(await another.request('POST', create, write), 'service_unavailable', create, false)
  } finally {
    await another.stop()
  }
})

test('a large answer arrives whole', async () => {
  const data = { items: Array.from({ length: 3_000 }, (_, index) => ({ id: `é${index}`, text: 'x'.repeat(100) })) }
  world.areas.set('listOperations', () => ({ ok: true, data }))
  expect((await world.request('GET', list)).body).toEqual(data)
  world.areas.delete('listOperations')
})
