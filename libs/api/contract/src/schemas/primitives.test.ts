import { expect, test } from 'vitest'
import { createMandateBody } from './mandate.ts'
import { id, pathId, rfcUuid, timestamp } from './primitives.ts'

test('a time of RFC 3339 is taken with capital and with small letters, and becomes one with capitals', () => {
  for (const sent of ['2027-03-31T23:59:59Z', '2027-03-31t23:59:59z', '2027-03-31t23:59:59Z', '2027-03-31T23:59:59z'])
    expect(timestamp.parse(sent)).toBe('2027-03-31T23:59:59Z')
  expect(timestamp.parse('2027-03-31t23:59:59.123+01:00')).toBe('2027-03-31T23:59:59.123+01:00')
  expect(createMandateBody.shape.expires_at.parse('2027-03-31t23:59:59z')).toBe('2027-03-31T23:59:59Z')
  for (const sent of ['2027-03-31', '2027-03-31t23:59:59', '2027-03-31x23:59:59z', 5])
    expect(timestamp.safeParse(sent).success).toBe(false)
})

test.each([
  ['an id of ours', id, '01990000-ABCD-7000-8000-00000000000F'],
  ['an id in a path', pathId('The operation.'), '01990000-ABCD-7000-8000-00000000000F'],
  ['any UUID', rfcUuid, '01990000-ABCD-4000-8000-00000000000F'],
  ['the UUID of all ones', rfcUuid, 'FFFFFFFF-FFFF-FFFF-FFFF-FFFFFFFFFFFF'],
  ['the nil UUID', rfcUuid, '00000000-0000-0000-0000-000000000000'],
])('%s is read in any case, as the same id', (_what, schema, text) => {
  for (const sent of [text, text.toLowerCase(), text.replace('F', 'f')])
    expect(schema.parse(sent)).toBe(text.toLowerCase())
})

test('a UUID that is not of this API is not asked to be one', () => {
  const messages = [
    id.safeParse('01990000-abcd-4000-8000-000000000000'),
    rfcUuid.safeParse('01990000-abcd-9000-8000-000000000000'),
    rfcUuid.safeParse('01990000-abcd-7000-c000-000000000000'),
  ].map(({ error }) => error?.issues.map(({ message }) => message))
  for (const said of messages) expect(said).toEqual(['Send an identifier that this API gave you, as it was given.'])
})
