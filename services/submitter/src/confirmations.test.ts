/** A batch leaves the outbox only when every operation in it has an outcome that every consumer has confirmed. */

import type { OperationState } from '@financial-agents/contract/machine'
import { beforeEach, expect, test } from 'vitest'
import { type Confirmations, createConfirmations } from './confirmations.ts'
import { newItem } from './items.test-helper.ts'
import { claimedRow } from './store/claims.ts'
import type { SubmissionRow } from './submission.ts'

const at = new Date('2026-01-02T03:04:05.678Z')
let nowMs = 0
let confirmations: Confirmations
beforeEach(() => {
  nowMs = at.getTime()
  confirmations = createConfirmations(() => nowMs)
})

const claim = () => claimedRow(newItem(at))
const ended = (row: SubmissionRow, state: OperationState = 'succeeded'): SubmissionRow => ({
  ...row,
  state,
  sequence: row.sequence + 1,
  outcome_event: 'provider_completed',
  outcome_at: at,
})
const hear = (by: 'operations' | 'reconciler', row: SubmissionRow, sequence = row.sequence) =>
  confirmations.hear({ by, items: [{ operation_id: row.operation_id, sequence }] })

test('a batch is confirmed once the outcome of its last operation is', () => {
  const [one, other] = [claim(), claim()]
  confirmations.hold({ batchId: 'batch', rows: [one, other] })
  for (const row of [one, other]) {
    hear('operations', row)
    expect(confirmations.takeConfirmed()).toEqual([])
    confirmations.ended([ended(row)])
    expect(confirmations.takeConfirmed()).toEqual([])
    expect(confirmations.heardOf(row.operation_id).operationsSequence).toBe(2)
    hear('operations', ended(row))
  }
  expect(confirmations.takeConfirmed()).toEqual(['batch'])
  expect(confirmations.takeConfirmed()).toEqual([])
  confirmations.giveBack(['batch'])
  expect(confirmations.takeConfirmed()).toEqual(['batch'])
})

test.each(['submitted', 'indeterminate'] as const)(
  'an operation that is %s is also confirmed by the reconciler',
  (state) => {
    const row = ended(claim(), state)
    confirmations.hold({ batchId: 'batch', rows: [row] })
    hear('operations', row)
    expect(confirmations.takeConfirmed()).toEqual([])
    hear('reconciler', row)
    expect(confirmations.takeConfirmed()).toEqual(['batch'])
  },
)

test('an outcome whose confirmation was heard first is confirmed when its row is read', () => {
  const row = claim()
  confirmations.hold({ batchId: 'batch', rows: [row] })
  // The watchdog of another replica has ended the attempt. This process learns of the end only from the row.
  hear('operations', ended(row))
  hear('reconciler', ended(row))
  expect(confirmations.takeConfirmed()).toEqual([])
  confirmations.hold({ batchId: 'batch', rows: [ended(row, 'indeterminate')] })
  expect(confirmations.takeConfirmed()).toEqual(['batch'])
})

test('a row that was read before its outcome was written does not undo the outcome', () => {
  const row = claim()
  confirmations.hold({ batchId: 'batch', rows: [row] })
  confirmations.ended([ended(row)])
  confirmations.hold({ batchId: 'batch', rows: [row] })
  hear('operations', ended(row))
  expect(confirmations.takeConfirmed()).toEqual(['batch'])
})

test('what was confirmed before an operation came into a new batch confirms nothing there', () => {
  const [row, other] = [ended(claim()), claim()]
  confirmations.hold({ batchId: 'first', rows: [row, other] })
  hear('operations', row)
  confirmations.hold({ batchId: 'second', rows: [row] })
  expect(confirmations.takeConfirmed()).toEqual([])
  expect(confirmations.heardOf(row.operation_id).operationsSequence).toBe(0)
  expect(confirmations.settled(nowMs + 1)).toEqual([{ batchId: 'first', operationId: row.operation_id }])
  hear('operations', row)
  expect(confirmations.takeConfirmed()).toEqual(['second'])
})

test('an operation that left the batch at another replica is waited for no more', () => {
  const [one, other] = [ended(claim()), ended(claim())]
  confirmations.hold({ batchId: 'batch', rows: [one, other] })
  hear('operations', one)
  // Another replica has heard the confirmation of the other operation, and has taken that operation out of the batch.
  confirmations.hold({ batchId: 'batch', rows: [one] })
  expect(confirmations.takeConfirmed()).toEqual(['batch'])
})

test('settled operations of batches that wait for others need no repetition; a batch just held is left alone', () => {
  const [one, other] = [ended(claim()), claim()]
  confirmations.hold({ batchId: 'batch', rows: [one, other] })
  hear('operations', one)
  expect(confirmations.settled(nowMs)).toEqual([])
  expect(confirmations.settled(nowMs + 1)).toEqual([{ batchId: 'batch', operationId: one.operation_id }])
})

test('memory is bounded: the oldest batches are forgotten, and those that another replica took', () => {
  const rows = Array.from({ length: 30_000 }, () => ended(claim()))
  confirmations.hold({ batchId: 'old', rows })
  confirmations.hold({ batchId: 'young', rows: rows.map((row) => ({ ...row, operation_id: `${row.operation_id}-2` })) })
  for (const row of rows.slice(0, 3)) hear('operations', row)
  expect(confirmations.settled(nowMs + 1)).toEqual([])
  nowMs += 121_000
  confirmations.hold({ batchId: 'new', rows: [claim()] })
  hear('operations', { ...(rows[0] as SubmissionRow), operation_id: `${rows[0]?.operation_id}-2` })
  expect(confirmations.settled(nowMs + 1)).toEqual([])
})
