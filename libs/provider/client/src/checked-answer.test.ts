import type { ReadResult } from '@financial-agents/provider-port/port'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { checkedAnswer } from './checked-answer.ts'

const shape = z.strictObject({ list: z.array(z.strictObject({ name: z.string() })) })
const ok = (data: unknown): ReadResult<unknown> => ({ type: 'ok', data })

test('an answer of the shape is given as it is', () => {
  const data = { list: [{ name: 'one' }] }
  expect(checkedAnswer(shape, ok(data))).toEqual({ type: 'ok', data })
})

test.each([
  ['another type', { list: [{ name: 1 }] }, 'list.0.name: invalid_type'],
  ['a member more', { list: [], secret: 'secret' }, ': unrecognized_keys'],
  ['nothing', undefined, ': invalid_type'],
])('an answer with %s is broken, and said to be in paths and codes alone', (_name, data, where) => {
  const answer = checkedAnswer(shape, ok(data))
  expect(answer).toEqual({ type: 'contract_broken', reason: `the answer broke the contract at ${where}` })
})

test('of a long answer only the first faults are named', () => {
  const answer = checkedAnswer(shape, ok({ list: Array.from({ length: 100 }, () => ({})) }))
  expect(answer.type === 'contract_broken' && answer.reason.split(';')).toHaveLength(8)
})

test('what is no answer stays what it is', () => {
  const unavailable = { type: 'unavailable', reason: 'provider_timeout' } as const
  expect(checkedAnswer(shape, unavailable)).toBe(unavailable)
})
