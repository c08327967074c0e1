import type { PayoutSchema } from '@financial-agents/contract/schemas/beneficiary'
import { expect, test } from 'vitest'
import { withElectronicIbans } from './printed-ibans.ts'

const schema = {
  fields: [
    { key: 'iban', label: 'Account' },
    { key: 'account_number', label: 'Account number or IBAN' },
    { key: 'libanese', label: 'Something else' },
  ],
} as unknown as PayoutSchema

test.each([
  ['PT50 0002 0123 1234 5678 9015 4', 'PT50000201231234567890154'],
  ['pt50000201231234567890154', 'PT50000201231234567890154'],
  [' pt50\u00a00002\u202f0123 1234 5678 9015 4 ', 'PT50000201231234567890154'],
  // A line break is no part of a printed IBAN: the schema refuses it.
  ['PT50000201231234567890154\n', 'PT50000201231234567890154\n'],
  ['fr14 2004 1010 0505 0001 3m02 606', 'FR1420041010050500013M02606'],
  ['0052 3128 91', '0052 3128 91'],
  ['PT50-0002', 'PT50-0002'],
  ['', ''],
])('%j is %s in a field of an IBAN, and stays in any other', (printed, electronic) => {
  const details = { iban: printed, account_number: printed, libanese: printed }
  expect(withElectronicIbans(details, schema)).toEqual({
    iban: electronic,
    account_number: electronic,
    libanese: printed,
  })
})
