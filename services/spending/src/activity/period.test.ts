import { Problem } from '@financial-agents/contract/problem'
import { expect, test } from 'vitest'
import { checkedPeriod } from './period.ts'

function fieldsOf(asked: { from?: string; to?: string }) {
  try {
    return checkedPeriod(asked)
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    return error.data.fields?.map(({ path }) => path)
  }
}

test('moments are asked for in UTC, with milliseconds', () => {
  expect(fieldsOf({ from: '2026-01-01T01:00:00+02:00', to: '2026-01-01T00:00:00.1234Z' })).toEqual({
    from: '2025-12-31T23:00:00.000Z',
    to: '2026-01-01T00:00:00.123Z',
  })
  expect(fieldsOf({})).toEqual({ from: undefined, to: undefined })
})

test('a period that ends before it begins is refused by its end, compared as moments and not as text', () => {
  expect(fieldsOf({ from: '2026-01-01T00:00:00Z', to: '2026-01-01T00:30:00+01:00' })).toEqual(['to'])
  expect(fieldsOf({ from: '2026-01-01T00:00:00+01:00', to: '2025-12-31T23:00:00Z' })).not.toEqual(['to'])
})

test('a moment that no year of four digits holds in UTC is refused by its name', () => {
  expect(fieldsOf({ from: '0000-01-01T00:00:00+01:00' })).toEqual(['from'])
  expect(fieldsOf({ to: '9999-12-31T23:30:00-01:00' })).toEqual(['to'])
})
