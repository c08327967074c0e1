import fc from 'fast-check'
import { expect, test } from 'vitest'
import { maskedNumber } from './masked-number.ts'

test.each([
  ['0154', '••••0154'],
  ['PT50 0002 0123 1234 5678 9015 4', '••••0154'],
  ['4111-1111-1111-1234', '••••1234'],
  ['****1234', '••••1234'],
  ['…34', '•••••34'],
  ['DE89 **** ****', null],
  ['', null],
  [null, null],
])('of %s is shown %s', (number, shown) => {
  expect(maskedNumber(number)).toBe(shown)
})

test('whatever is sent, only letters and digits among its last four characters are legible', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 40 }), (number) => {
      const shown = Array.from(maskedNumber(number) ?? '').slice(4)
      const end = Array.from(number.replaceAll(/[\s-]/g, '')).slice(-4)
      expect(shown.length).toBeLessThanOrEqual(4)
      for (const [index, each] of shown.entries())
        if (each !== '•') expect([each, /[A-Za-z0-9]/.test(each)]).toEqual([end[index], true])
    }),
  )
})
