import type { AcceptRequest } from '@financial-agents/bus/messages/operations'
import { type OperationState, operationStates, terminalStates } from '@financial-agents/operation-machine/machine'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  createInstance,
  newId,
  newPrincipal,
  newRequest,
  openTestOperations,
  query,
} from '../operations.test-helper.ts'
import { createOwnerActivity } from './owner-activity.ts'

let tables: Awaited<ReturnType<typeof openTestOperations>>
let instance: ReturnType<typeof createInstance>
let activity: ReturnType<typeof createOwnerActivity>

beforeAll(async () => {
  tables = await openTestOperations()
  instance = createInstance(tables.open())
  activity = createOwnerActivity(instance.db)
})
afterAll(() => tables.close())

let minutes = 0

/** Accepts an operation one minute after the previous one, and puts it into a state. */
async function operate(over: Partial<AcceptRequest['principal']>, state: OperationState = 'accepted'): Promise<string> {
  const request = newRequest({ principal: { ...newPrincipal(), ...over } })
  minutes += 1
  instance.clock.setOffsetMs(minutes * 60_000)
  await instance.accept(request)
  await query(instance.db, 'UPDATE operations SET state = $2, payload_sealed = NULL WHERE id = $1', [
    request.operation_id,
    state,
  ])
  return request.operation_id
}

test('what has no outcome is in flight, over all clients and subjects, newest first; other owners are not there', async () => {
  const owner_id = newId()
  const open: string[] = []
  for (const [index, state] of operationStates.entries()) {
    const id = await operate({ owner_id, client_id: `client-${index % 3}` }, state)
    if (!(terminalStates as readonly string[]).includes(state)) open.unshift(id)
  }
  await operate({})
  const { in_flight } = await activity({ owner_id })
  expect(in_flight.map(({ operation_id }) => operation_id)).toEqual(open)
  expect(in_flight.filter(({ submission_uncertain }) => submission_uncertain)).toMatchObject([
    { state: 'indeterminate', kind: 'beneficiary_create', resource_type: 'beneficiary' },
  ])
})

test('at most 100 are told, the newest of all clients together', async () => {
  const owner_id = newId()
  const accept = (client_id: string) =>
    Promise.all(
      Array.from({ length: 70 }, () =>
        instance.accept(newRequest({ principal: { ...newPrincipal(), owner_id, client_id } })),
      ),
    )
  instance.clock.setOffsetMs(0)
  await accept('client-one')
  instance.clock.setOffsetMs(60_000)
  await accept('client-two')
  const { in_flight } = await activity({ owner_id })
  const clients = in_flight.map(({ client_id }) => client_id)
  expect(clients).toEqual([...Array(70).fill('client-two'), ...Array(30).fill('client-one')])
})

test('the latest of each grant is told, whatever became of it', async () => {
  const owner_id = newId()
  const [former, current, other] = [newId(), newId(), newId()]
  const subject = 'one-subject'
  await operate({ owner_id, subject, grant_id: former })
  const ofFormer = await operate({ owner_id, subject, grant_id: former }, 'failed')
  await operate({ owner_id, subject, grant_id: current })
  const ofCurrent = await operate({ owner_id, subject, grant_id: current }, 'succeeded')
  const ofOther = await operate({ owner_id, client_id: 'client-two', grant_id: other })
  const { latest } = await activity({ owner_id })
  expect(new Map(latest.map((operation) => [operation.grant_id, operation.operation_id]))).toEqual(
    new Map([
      [former, ofFormer],
      [current, ofCurrent],
      [other, ofOther],
    ]),
  )
})

test('an owner without operations has none', async () => {
  expect(await activity({ owner_id: newId() })).toEqual({ in_flight: [], latest: [] })
})
