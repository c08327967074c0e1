import { expect, test } from 'vitest'
import { createMandateBody } from './mandate.ts'
import { moment } from './primitives.ts'

test('a time of RFC 3339 is taken with capital and with small letters, and becomes one with capitals', () => {
  for (const sent of ['2027-03-31T23:59:59Z', '2027-03-31t23:59:59z', '2027-03-31t23:59:59Z', '2027-03-31T23:59:59z'])
    expect(moment.parse(sent)).toBe('2027-03-31T23:59:59Z')
  expect(moment.parse('2027-03-31t23:59:59.123+01:00')).toBe('2027-03-31T23:59:59.123+01:00')
  expect(createMandateBody.shape.expires_at.parse('2027-03-31t23:59:59z')).toBe('2027-03-31T23:59:59Z')
  for (const sent of ['2027-03-31', '2027-03-31t23:59:59', '2027-03-31x23:59:59z', 5])
    expect(moment.safeParse(sent).success).toBe(false)
})
