/** The times of filters as operators enter them. */

import { operatorRoutes } from '@financial-agents/contract/routes/operator'
import { describe, expect, test } from 'vitest'
import { timeFilters, withTimes } from './entered-times.ts'

const { query } = operatorRoutes.listOperatorOperations

test('every time of the API’s query is one of them', () => {
  const times = Object.keys(query.shape).filter((name) => query.safeParse({ [name]: '2026-11-23T19:00:00Z' }).success)
  expect(times.filter((name) => /_(?:from|until)$/.test(name))).toEqual([...timeFilters])
})

describe.each(timeFilters)('%s takes', (name) => {
  test.each([
    ['2026-11-23T19:00Z', '2026-11-23T19:00:00Z'],
    ['2026-11-23T19:00:30Z', '2026-11-23T19:00:30Z'],
    ['2026-11-23t19:00:30.125z', '2026-11-23T19:00:30.125Z'],
    // The values of `datetime-local` controls.
    ['2026-11-23T19:00', '2026-11-23T19:00:00Z'],
    ['2026-11-23T19:00:30', '2026-11-23T19:00:30Z'],
    ['2026-11-23T19:00:30.5', '2026-11-23T19:00:30.5Z'],
    [' 2026-11-23 19:00 ', '2026-11-23T19:00:00Z'],
    ['2026-11-23 19:00 UTC', '2026-11-23T19:00:00Z'],
    ['2026-11-23T20:00+01:00', '2026-11-23T20:00:00+01:00'],
    ['2026-11-23T20:00 01:00', '2026-11-23T20:00:00+01:00'],
    ['2026-11-23T20:00+0100', '2026-11-23T20:00:00+01:00'],
    ['2026-11-23T14:00:00-05:00', '2026-11-23T14:00:00-05:00'],
  ])('%s', (text, timestamp) => {
    expect(withTimes({ [name]: text, kind: 'transfer' })).toEqual({ [name]: timestamp, kind: 'transfer' })
    expect(query.safeParse({ [name]: timestamp }).success).toBe(true)
  })

  test('a date: the whole day, at the bound that includes its time too', () => {
    const time = name === 'created_until' ? '23:59:59.999' : '00:00:00'
    expect(withTimes({ [name]: '2026-11-23' })).toEqual({ [name]: `2026-11-23T${time}Z` })
  })

  test.each(['yesterday', '2026-02-30', '2026-11-23T25:00', '23.11.2026', '2026-11-23T19', '19:00'])(
    'not %s, which the API refuses',
    (text) => {
      expect(query.safeParse(withTimes({ [name]: text })).error?.issues[0]?.path).toEqual([name])
    },
  )
})
