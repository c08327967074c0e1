import type { AcceptRequest } from '@financial-agents/bus/messages/operations'
import type { HandlerContext } from '@financial-agents/bus/rpc'
import type { Principal } from '@financial-agents/contract/principal'
import { operationsRoutes } from '@financial-agents/contract/routes/operations'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  createInstance,
  dayMs,
  newId,
  newPrincipal,
  newRequest,
  openTestOperations,
  query,
} from '../operations.test-helper.ts'
import { getOperation } from './getOperation.ts'
import { listOperations } from './listOperations.ts'

let tables: Awaited<ReturnType<typeof openTestOperations>>
let instance: ReturnType<typeof createInstance>
const principal = newPrincipal()
const requests: AcceptRequest[] = []

beforeAll(async () => {
  tables = await openTestOperations()
  instance = createInstance(tables.open())
  for (let index = 0; index < 5; index += 1) {
    const request = newRequest({ principal, ...(index === 4 ? { kind: 'card_create', route: 'POST /v1/cards' } : {}) })
    instance.clock.setOffsetMs(index * 60_000)
    await instance.accept(request)
    requests.push(request)
  }
})
afterAll(() => tables.close())

const contextOf = (reader: Principal) => ({ principal: reader }) as HandlerContext

async function list(given: Record<string, string> = {}, reader: Principal = principal): Promise<string[]> {
  const parsed = operationsRoutes.listOperations.query.parse(given)
  const { items } = await listOperations(instance.db)({ params: {}, query: parsed, body: undefined }, contextOf(reader))
  return operationsRoutes.listOperations.response.parse({ items }).items.map((item) => item.id)
}

function get(id: string, reader: Principal = principal) {
  return getOperation(instance.db)({ params: { id }, query: {}, body: undefined }, contextOf(reader))
}

const ids = (...indexes: number[]) => indexes.map((index) => requests[index]?.operation_id)

const strangers: [string, Principal][] = [
  ['another owner', { ...principal, owner_id: newId() }],
  ['another subject', { ...principal, subject: 'subject-of-another' }],
  ['another client', { ...principal, client_id: 'client-two' }],
]

describe('listOperations', () => {
  test('gives the newest first, at most the limit', async () => {
    expect(await list()).toEqual(ids(4, 3, 2, 1, 0))
    expect(await list({ limit: '2' })).toEqual(ids(4, 3))
  })

  test('gives at most 100, also where there are more', async () => {
    const many = newPrincipal()
    await Promise.all(Array.from({ length: 130 }, () => instance.accept(newRequest({ principal: many }))))
    expect(await list({}, many)).toHaveLength(100)
  })

  test.each(strangers)('shows nothing to %s', async (_who, stranger) => {
    expect(await list({}, stranger)).toEqual([])
    const [first] = requests
    expect(await list({ idempotency_key: String(first?.key) }, stranger)).toEqual([])
  })

  test('shows the owner to another grant of the same client', async () => {
    expect(await list({}, { ...principal, grant_id: newId() })).toHaveLength(5)
  })

  test('filters by kind, resource and state', async () => {
    expect(await list({ kind: 'card_create' })).toEqual(ids(4))
    expect(await list({ resource_id: String(requests[2]?.resource_id) })).toEqual(ids(2))
    await query(instance.db, `UPDATE operations SET state = 'failed', payload_sealed = NULL WHERE id = $1`, ids(1))
    expect(await list({ state: 'failed' })).toEqual(ids(1))
    expect(await list({ state: 'failed', kind: 'card_create' })).toEqual([])
  })

  test('created_after gives what is strictly later, in any offset', async () => {
    const { created_at } = await get(String(requests[2]?.operation_id))
    expect(await list({ created_after: created_at })).toEqual(ids(4, 3))
    const local = `${new Date(Date.parse(created_at) + 2 * 3_600_000).toISOString().slice(0, -1)}+02:00`
    expect(await list({ created_after: local })).toEqual(ids(4, 3))
    expect(await list({ created_after: '0000-01-01T00:00:00Z' })).toHaveLength(5)
    expect(await list({ created_after: '9999-12-31T23:59:59Z' })).toEqual([])
  })

  test('idempotency_key finds the operation on any route, within the window and after it', async () => {
    const [first] = requests
    expect(await list({ idempotency_key: String(first?.key) })).toEqual(ids(0))
    expect(await list({ idempotency_key: String(requests[4]?.key) })).toEqual(ids(4))
    instance.clock.setOffsetMs(2 * dayMs)
    expect(await list({ idempotency_key: String(first?.key) })).toEqual(ids(0))
    expect(await list({ idempotency_key: 'a key that nobody used' })).toEqual([])
  })

  test('a key that PostgreSQL could not hold finds nothing', async () => {
    expect(await list({ idempotency_key: `\0${'x'.repeat(20)}` })).toEqual([])
    expect(await list({ idempotency_key: `\ud800${'x'.repeat(20)}` })).toEqual([])
  })
})

describe('getOperation', () => {
  test("gives the reader's operation as the contract has it", async () => {
    const operation = await get(String(requests[0]?.operation_id))
    expect(operationsRoutes.getOperation.response.parse(operation)).toEqual(operation)
    expect(operation).not.toHaveProperty('action_required')
  })

  test.each(strangers)('is not found by %s', async (_who, stranger) => {
    await expect(get(String(requests[0]?.operation_id), stranger)).rejects.toMatchObject({
      code: 'operation_not_found',
    })
  })

  test.each(['', 'x', '0', '{}', "' OR true --", '\0', newId(), '00000000-0000-0000-0000-000000000000', '../x'])(
    'an id that names nothing is not found: %j',
    async (id) => {
      await expect(get(id)).rejects.toMatchObject({ code: 'operation_not_found' })
    },
  )

  test('submission_uncertain is true exactly while the state is indeterminate', async () => {
    const id = String(requests[3]?.operation_id)
    for (const state of ['submitting', 'indeterminate', 'submitted', 'succeeded']) {
      await query(instance.db, `UPDATE operations SET state = $2, payload_sealed = NULL WHERE id = $1`, [id, state])
      expect((await get(id)).submission_uncertain).toBe(state === 'indeterminate')
    }
  })

  test('action_required is shown only while the owner must act', async () => {
    const id = String(requests[3]?.operation_id)
    const action = {
      kind: 'grant_approval',
      url: 'https://provider.example/approve',
      expires_at: '2030-01-01T00:00:00.000Z',
      poll_after_ms: 2_000,
    }
    const move = (state: string) =>
      query(instance.db, 'UPDATE operations SET state = $2, action_required = $3 WHERE id = $1', [id, state, action])
    await move('requires_action')
    expect(await get(id)).toMatchObject({ state: 'requires_action', action_required: action })
    await move('accepted')
    expect(await get(id)).not.toHaveProperty('action_required')
  })
})
