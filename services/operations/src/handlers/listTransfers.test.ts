import type { AcceptRequest } from '@financial-agents/bus/messages/operations'
import type { HandlerContext } from '@financial-agents/bus/rpc'
import { createCursors } from '@financial-agents/contract/cursor'
import type { Principal } from '@financial-agents/contract/principal'
import { transfersRoutes } from '@financial-agents/contract/routes/transfers'
import { createLog } from '@financial-agents/runtime/log'
import { createSealer } from '@financial-agents/runtime/sealing'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  createInstance,
  moveOf,
  newId,
  newPayment,
  newPrincipal,
  newRequest,
  openTestOperations,
  sealer,
} from '../operations.test-helper.ts'
import { createProjector } from '../project.ts'
import { getTransfer } from './getTransfer.ts'
import { listTransfers } from './listTransfers.ts'

const log = createLog({ service: 'operations', level: 'silent' })
const cursors = createCursors(Buffer.alloc(32, 7))
const principal = newPrincipal()
const mandate_id = newId()
const beneficiary_id = newId()
/** Two withdrawals, then three transfers under one mandate, oldest first. The last transfer has failed. */
const requests: AcceptRequest[] = []

let tables: Awaited<ReturnType<typeof openTestOperations>>
let instance: ReturnType<typeof createInstance>

beforeAll(async () => {
  tables = await openTestOperations()
  instance = createInstance(tables.open())
  for (let index = 0; index < 5; index += 1) {
    const resource_id = newId()
    const reference_sealed = sealer.seal(Buffer.from(`Rent of ${index}`), resource_id).toString('base64')
    const payment = newPayment({ amount: '12.5', ...(index % 2 ? { beneficiary_id } : {}), reference_sealed })
    const under = { kind: 'mandate_transfer', mandate_id, payment: { ...payment, rule: 'rent' } } as const
    const request = newRequest({ principal, resource_id, ...(index < 2 ? { kind: 'transfer', payment } : under) })
    instance.clock.setOffsetMs(index * 60_000)
    await instance.accept(request)
    requests.push(request)
  }
  const project = createProjector({ db: instance.db, clock: instance.clock, log, confirm: async () => {} })
  const failed = { event: 'fail_before_submission', to: 'failed', upstream_reference: 'up-4' } as const
  await project([{ transitions: [moveOf(requests[4] as AcceptRequest, failed)] }])
})
afterAll(() => tables.close())

const contextOf = (reader: Principal) => ({ principal: reader }) as HandlerContext
const opening = { sealer, log }

async function list(given: Record<string, string> = {}, reader: Principal = principal) {
  const query = transfersRoutes.listTransfers.query.parse(given)
  const answer = await listTransfers(
    instance.db,
    opening,
    cursors,
  )({ params: {}, query, body: undefined }, contextOf(reader))
  return transfersRoutes.listTransfers.response.parse(answer)
}

async function get(transfer_id: string, reader: Principal = principal, given = opening) {
  const input = { params: { transfer_id }, query: {}, body: undefined }
  return transfersRoutes.getTransfer.response.parse(await getTransfer(instance.db, given)(input, contextOf(reader)))
}

const idsOf = async (given: Record<string, string> = {}, reader: Principal = principal) =>
  (await list(given, reader)).items.map(({ id }) => requests.findIndex((request) => request.resource_id === id))
const idOf = (index: number) => requests[index]?.resource_id as string

test('a transfer is what was paid, to whom, under which mandate, and what became of it', async () => {
  const { operation_id, payment } = requests[4] as AcceptRequest
  const transfer = await get(idOf(4))
  expect(transfer).toEqual({
    id: idOf(4),
    operation_id,
    kind: 'mandate_transfer',
    state: 'failed',
    mandate_id,
    beneficiary_id: payment?.beneficiary_id,
    amount: { amount: '12.50', currency: 'EUR' },
    reference: 'Rent of 4',
    rule: 'rent',
    upstream_reference: 'up-4',
    created_at: expect.any(String),
    updated_at: expect.any(String),
  })
  expect((await list()).items[0]).toEqual(transfer)
  expect(await get(idOf(0))).toMatchObject({ kind: 'transfer', state: 'accepted', mandate_id: null, rule: null })
})

describe('the list', () => {
  test('is newest first, and each filter leaves what it says', async () => {
    expect(await idsOf()).toEqual([4, 3, 2, 1, 0])
    expect(await idsOf({ mandate_id })).toEqual([4, 3, 2])
    expect(await idsOf({ beneficiary_id })).toEqual([3, 1])
    expect(await idsOf({ state: 'accepted' })).toEqual([3, 2, 1, 0])
    expect(await idsOf({ state: 'failed', mandate_id })).toEqual([4])
    expect(await idsOf({ mandate_id: newId() })).toEqual([])
    const { created_at } = await get(idOf(2))
    expect(await idsOf({ created_after: created_at })).toEqual([4, 3])
    expect(await idsOf({ created_before: created_at })).toEqual([1, 0])
    // RFC 3339 permits this offset, and PostgreSQL does not accept it.
    expect(await idsOf({ created_after: '6108-02-29T22:40:03.5537+21:07' })).toEqual([])
    expect(await idsOf({ created_before: '0001-01-01T00:00:00Z' })).toEqual([])
  })

  test('goes on where the page before ended, and shows each transfer once', async () => {
    const seen: string[] = []
    for (let cursor: string | null = null, pages = 0; pages === 0 || cursor; pages += 1) {
      const page = await list({ limit: '2', ...(cursor ? { cursor } : {}) })
      seen.push(...page.items.map(({ id }) => id))
      cursor = page.next_cursor
    }
    expect(seen).toEqual([4, 3, 2, 1, 0].map(idOf))
  })

  test('takes a cursor of the same reader and query alone', async () => {
    const { next_cursor: cursor } = await list({ limit: '2' })
    const refused = { code: 'validation_failed' }
    for (const [given, reader] of [
      [{ limit: '3' }, principal],
      [{ limit: '2', mandate_id }, principal],
      [{ limit: '2' }, { ...principal, client_id: 'client-two' }],
      [{ limit: '2' }, { ...principal, owner_id: newId() }],
    ] as const)
      await expect(list({ ...given, cursor: cursor ?? '' }, reader)).rejects.toMatchObject(refused)
    await expect(list({ limit: '2', cursor: 'nonsense' })).rejects.toMatchObject(refused)
  })
})

test.each([
  ['another owner', { ...principal, owner_id: newId() }],
  ['another subject', { ...principal, subject: 'subject-of-another' }],
  ['another client', { ...principal, client_id: 'client-two' }],
])('%s sees none of them, as if there were none', async (_who, reader) => {
  expect(await idsOf({}, reader)).toEqual([])
  await expect(get(idOf(0), reader)).rejects.toMatchObject({ code: 'transfer_not_found' })
})

test('an id of no transfer, or no id at all, is not found', async () => {
  for (const id of [newId(), requests[0]?.operation_id ?? '', 'nonsense', '\0'])
    await expect(get(id)).rejects.toMatchObject({ code: 'transfer_not_found' })
})

test('another grant of the client reads them too', async () => {
  expect(await idsOf({}, { ...principal, grant_id: newId() })).toEqual([4, 3, 2, 1, 0])
})

test('a reference that no key opens any more hides nothing else', async () => {
  const other = createSealer([{ id: 'other', key: Buffer.alloc(32, 1) }])
  expect(await get(idOf(4), principal, { sealer: other, log })).toMatchObject({ reference: null, rule: 'rent' })
})
