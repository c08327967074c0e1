import { type Ceilings, currencyOf, readCeilings } from '@financial-agents/owner-pages/ceilings'
import { englishReader } from '@financial-agents/pages/reader'
import { describe, expect, test } from 'vitest'

const eur = (amount: string) => ({ amount, currency: 'EUR' })
const registered: Ceilings = { per_payment: eur('100.00'), per_day: null }
const none: Ceilings = { per_payment: null, per_day: null }

describe('ceilings', () => {
  test.each([
    ['50', '50'],
    ['49.90', '49.90'],
    ['49,90', '49.90'],
    ['0', '0'],
    ['007', '7'],
    ['0.00', '0.00'],
    [' 12 ', '12'],
    ['100.00', '100.00'],
    ['100.000', '100.000'],
  ])('%j is %s', (written, amount) => {
    expect(readCeilings({ per_payment: written }, registered, 'EUR', englishReader)).toEqual({
      ceilings: { ...registered, per_payment: eur(amount) },
      errors: {},
    })
  })

  test.each([
    '100.01',
    '101',
    '1000000',
    '-1',
    '+1',
    '1e2',
    '1.2.3',
    '1,000.00',
    '1,500',
    '12,345',
    '1 000',
    '€50',
    'fifty',
    '٥',
    '.5',
    '5.',
    '9'.repeat(30),
  ])('%j is refused, and what is registered stays', (written) => {
    const { ceilings, errors } = readCeilings({ per_payment: written }, registered, 'EUR', englishReader)
    expect(errors.per_payment).toMatch(/^Enter /)
    expect(ceilings).toEqual(registered)
  })

  test.each([
    ['20.001', 'EUR', 'Enter at most 2 digits after the point: EUR has no smaller unit.'],
    ['20,5', 'JPY', 'Enter a whole amount: JPY has no smaller unit.'],
  ])('%s %s is finer than the currency, and refused', (written, currency, message) => {
    const { ceilings, errors } = readCeilings({ per_day: written }, none, currency, englishReader)
    expect(errors).toEqual({ per_day: message })
    expect(ceilings).toEqual(none)
  })

  test('a day below one payment is refused at the field of the day, from wherever the two amounts are', () => {
    const days: Ceilings = { per_payment: eur('1000.00'), per_day: eur('5000.00') }
    const message = /^Enter EUR 1,000\.00 or more, or lower the limit for each payment\.$/
    expect(readCeilings({ per_day: '999.99' }, days, 'EUR', englishReader).errors.per_day).toMatch(message)
    expect(readCeilings({ per_payment: '1000', per_day: '999,9' }, days, 'EUR', englishReader).errors.per_day).toMatch(
      message,
    )
    for (const form of [{ per_day: '1000' }, { per_payment: '999', per_day: '999.00' }, {}])
      expect(readCeilings(form, days, 'EUR', englishReader).errors).toEqual({})
    // The operator registered a day below one payment. The owner who enters nothing keeps it, without an error.
    expect(readCeilings({}, { per_payment: eur('2'), per_day: eur('1') }, 'EUR', englishReader).errors).toEqual({})
  })

  test('an empty field means the registered ceiling, never no ceiling', () => {
    for (const form of [{}, { per_payment: '' }, { per_payment: '  ' }])
      expect(readCeilings(form, registered, 'EUR', englishReader)).toEqual({ ceilings: registered, errors: {} })
  })

  test('are in the one currency of the client, whatever the form says', () => {
    const { ceilings } = readCeilings({ per_payment: '50', currency: 'JPY' }, registered, 'EUR', englishReader)
    expect(ceilings.per_payment).toEqual(eur('50'))
  })

  test('are in the currency that the owner names where the client has none', () => {
    expect(readCeilings({ per_day: '50', currency: 'gbp' }, none, undefined, englishReader).ceilings).toEqual({
      per_payment: null,
      per_day: { amount: '50', currency: 'GBP' },
    })
    expect(readCeilings({ per_day: '50', currency: '£' }, none, undefined, englishReader)).toMatchObject({
      ceilings: none,
      errors: { currency: expect.any(String) },
    })
    expect(readCeilings({ currency: '£' }, none, undefined, englishReader).errors).toEqual({})
    expect(readCeilings({ per_day: '50', currency: 'zzz' }, none, undefined, englishReader)).toMatchObject({
      ceilings: none,
      errors: { currency: expect.any(String) },
    })
  })

  test('the currency is that of any amount in the policy', () => {
    expect(currencyOf({ ceilings: none, confirmation: [] })).toBeUndefined()
    expect(currencyOf({ ceilings: registered, confirmation: [] })).toBe('EUR')
    const confirmation = [{ action: 'transfer' as const, above: { amount: '1', currency: 'GBP' } }]
    expect(currencyOf({ ceilings: none, confirmation })).toBe('GBP')
  })
})
