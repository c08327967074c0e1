/** Payments that the database has lost count against the limits of their days again. */

import type { WitnessedPayment } from '@financial-agents/bus/messages/witness'
import { createClock } from '@financial-agents/runtime/clock'
import { countingWitness } from '@financial-agents/witness/testing/witness'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { utcDayOf } from '../ceilings/validate-payments.ts'
import {
  createInstance,
  newId,
  newPayment,
  newPrincipal,
  newRequest,
  noCeilings,
  openTestOperations,
  query,
} from '../operations.test-helper.ts'
import { createReserveAgain } from './reserve-again.ts'

const clock = createClock()
let tables: Awaited<ReturnType<typeof openTestOperations>>
beforeAll(async () => {
  tables = await openTestOperations()
})
afterAll(() => tables.close())

const principal = newPrincipal()
const ceilings = { ...noCeilings, per_day: { amount: '10', currency: 'EUR' } }
const paying = (amount: string) =>
  newRequest({ principal, kind: 'transfer', payment: newPayment({ amount, ceilings }) })

function lostOf({ operation_id, resource_id, payment }: ReturnType<typeof paying>): WitnessedPayment {
  const { beneficiary_id, amount, currency } = payment as NonNullable<typeof payment>
  const { owner_id, client_id } = principal
  const place = { owner_id, client_id, currency, day: utcDayOf(clock.now()) }
  return { ...place, operation_id, id: resource_id, mandate_id: null, beneficiary_id, amount }
}

test('a lost payment is reserved once, a known one not again, and a repeated request is not refused for its own payment', async () => {
  const db = tables.open()
  const reserveAgain = createReserveAgain(db, clock)
  const [known, lost, more] = [paying('1'), paying('9'), paying('0.5')]
  expect(await createInstance(db).accept(known)).toMatchObject({ type: 'accepted' })
  const payments = [lostOf(known), lostOf(lost)]
  for (let run = 0; run < 2; run += 1) expect(await reserveAgain({ payments })).toEqual({ payments: [lostOf(lost)] })
  const reserved = () => query(db, 'SELECT reserved::text AS reserved FROM ceiling_days')
  expect(await reserved()).toEqual([{ reserved: '10' }])
  // A draft of the lost payment was left, and its client sends the request again.
  const point = new Date(Date.now() + 60_000)
  const { record } = countingWitness(db)
  const recovered = { record: ((commit) => record((mark) => commit(mark, point), 0)) as typeof record }
  const { accept } = createInstance(db, { witness: recovered })
  expect(await accept(more)).toMatchObject({ type: 'refused', code: 'grant_ceiling_exceeded' })
  expect(await accept(lost)).toMatchObject({ type: 'accepted', operation: { id: lost.operation_id } })
  expect(await reserved()).toEqual([{ reserved: '10' }])
  expect(await reserveAgain({ payments: [{ ...lostOf(lost), operation_id: newId(), id: newId() }] })).toMatchObject({
    payments: [{ amount: '9' }],
  })
  expect(await reserved()).toEqual([{ reserved: '19' }])
})
