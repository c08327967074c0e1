import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { idMadeAt } from './items.test-helper.ts'
import { isFromBefore } from './recovery.ts'

const point = new Date('2026-06-01T00:00:00.000Z')
const pointMs = point.getTime()
const before = idMadeAt(new Date(pointMs - 1))
const after = idMadeAt(point)

const validate = (made: string, acceptedMs: number) =>
  isFromBefore(point, { operation_id: made, accepted_at: new Date(acceptedMs).toISOString() })

test('what was accepted before the point is from before; what was made and accepted at the point is not', () => {
  expect(validate(before, pointMs - 1)).toBe(true)
  expect(validate(after, pointMs)).toBe(false)
  expect(validate(after, pointMs - 1)).toBe(true)
})

test('what was made before the point and accepted after it may have been sent in the time that was lost', () => {
  expect(validate(before, pointMs + 60_000)).toBe(true)
})

test('an id that does not tell when it was made is never taken as young', () => {
  expect(validate(randomUUID(), pointMs + 60_000)).toBe(true)
})
