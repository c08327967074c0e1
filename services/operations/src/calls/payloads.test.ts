import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createInstance, newId, newRequest, openTestOperations } from '../operations.test-helper.ts'
import { createPayloads } from './payloads.ts'

let tables: Awaited<ReturnType<typeof openTestOperations>>
beforeAll(async () => {
  tables = await openTestOperations()
})
afterAll(() => tables.close())

/** A log that takes everything. */
function newLog() {
  const logged: unknown[] = []
  const append = async (subject: string, value: unknown) => void logged.push({ subject, value })
  return { logged, bus: { registers: { append } } }
}

test.each([
  ['mandate_transfer', '2027-03-01T00:00:00.000Z', '2027-02-01T00:00:00.000Z', '2027-02-01T00:00:00.000Z'],
  ['mandate_transfer', '2027-02-01T00:00:00.000Z', '2027-03-01T00:00:00.000Z', '2027-02-01T00:00:00.000Z'],
  ['beneficiary_create', '2027-02-01T00:00:00.000Z', null, '2027-02-01T00:00:00.000Z'],
  ['beneficiary_create', null, null, null],
  // These only take authority away, so they outlive their grant.
  ['card_freeze', '2027-02-01T00:00:00.000Z', null, null],
  ['mandate_suspend', '2027-02-01T00:00:00.000Z', null, null],
] as const)(
  '%s under a grant until %s and a mandate until %s has authority until %s',
  async (kind, grant, mandate, end) => {
    const db = tables.open()
    const request = newRequest({ kind, mandate_ends_at: mandate })
    const principal = { ...request.principal, grant_ends_at: grant }
    await createInstance(db).accept({ ...request, principal })
    const { operations } = await createPayloads(db, newLog().bus)({ operation_ids: [request.operation_id] })
    expect(operations).toMatchObject([{ operation_id: request.operation_id, authority_ends_at: end }])
  },
)

test('as many payloads come as one message carries, the others are named, and an unknown id is neither', async () => {
  const db = tables.open()
  const { accept } = createInstance(db)
  const payload_sealed = randomBytes(90 * 1_024).toString('base64')
  const requests = Array.from({ length: 12 }, () => newRequest({ payload_sealed }))
  await Promise.all(requests.map((request) => accept(request)))
  const payloads = createPayloads(db, newLog().bus)
  const ids = requests.map((request) => request.operation_id)
  const found: string[] = []
  let asked = [...ids, newId()]
  while (asked.length > 0) {
    const answer = await payloads({ operation_ids: asked })
    expect(answer.operations.length).toBeGreaterThan(0)
    expect(JSON.stringify(answer).length).toBeLessThan(1 << 20)
    found.push(...answer.operations.map(({ operation_id }) => operation_id))
    asked = answer.left_out
  }
  expect(found.toSorted()).toEqual(ids.toSorted())
})

test('a payment is answered only once the log has what its reservation needs', async () => {
  const db = tables.open()
  const { accept } = createInstance(db)
  const [request, other] = [newRequest({ kind: 'mandate_transfer', mandate_id: newId() }), newRequest()]
  await Promise.all([request, other].map((each) => accept(each)))
  const asked = { operation_ids: [request.operation_id, other.operation_id] }
  const { logged, bus } = newLog()
  expect((await createPayloads(db, bus)(asked)).operations).toHaveLength(2)
  const payment = {
    operation_id: request.operation_id,
    id: request.resource_id,
    owner_id: request.principal.owner_id,
    client_id: request.principal.client_id,
    mandate_id: request.mandate_id,
    beneficiary_id: request.payment?.beneficiary_id,
    amount: '1',
    currency: 'EUR',
    day: expect.stringMatching(/^\d{4}-\d\d-\d\d$/),
  }
  expect(logged).toEqual([{ subject: 'witnessed.payments', value: { payments: [payment] } }])
  const refuses = { registers: { append: () => Promise.reject(new Error('no answer')) } }
  await expect(createPayloads(db, refuses)(asked)).rejects.toThrow('no answer')
})
