import { expect, test } from 'vitest'
import { type MandateCaps, validateLowerCaps } from './lower-caps.ts'

const caps: MandateCaps = {
  per_payment_max: '100',
  daily_max: '200',
  weekly_max: '300',
  monthly_max: '400',
  total_cap: '1500',
}
const mandate = {
  ...caps,
  currency: 'EUR',
  remaining: { daily: '149.5', weekly: '300', monthly: '349.5', total: '1449.5', payments: 3 },
}
const validate = (wanted: Partial<MandateCaps>) => validateLowerCaps(mandate, { ...caps, ...wanted })

test('a cap is kept or lowered, down to the amount that is used already', () => {
  expect(validate({})).toEqual([])
  expect(validate({ per_payment_max: '0.01', daily_max: '50.5', total_cap: '400' })).toEqual([])
  expect(validate({ per_payment_max: '1', daily_max: '50.49' })).toEqual([
    { path: 'daily_max', message: 'Enter EUR 50.50 or more: so much is used already.' },
  ])
})

test.each([
  [{ total_cap: '1500.01' }, 'total_cap', 'Enter EUR 1,500.00 or less. A limit that you confirmed is only lowered.'],
  [{ per_payment_max: '0' }, 'per_payment_max', 'Enter more than zero. To stop these payments, pause or end them.'],
  [{ per_payment_max: '0.00' }, 'per_payment_max', 'Enter more than zero. To stop these payments, pause or end them.'],
  [{ weekly_max: '199' }, 'weekly_max', 'Enter EUR 200.00 or more, or lower the limit before it too.'],
  [{ monthly_max: '310.001' }, 'monthly_max', 'Enter at most 2 digits after the point: EUR has no smaller unit.'],
] as const)('%j is refused at its field', (wanted, path, message) =>
  expect(validate(wanted)).toEqual([{ path, message }]),
)

test('every refused cap is named', () => {
  const wanted = { per_payment_max: '101', daily_max: '201', weekly_max: '301', monthly_max: '401', total_cap: '1501' }
  expect(validate(wanted).map(({ path }) => path)).toEqual(Object.keys(caps))
})
