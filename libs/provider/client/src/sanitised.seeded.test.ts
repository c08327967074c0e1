import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { sanitised } from './sanitised.ts'

test.each([
  ['Renda para PT50 0002 0123 1234 5678 9015 4', 'Renda para ••••'],
  ['reembolso a DE89370400440532013000', 'reembolso a ••••'],
  ['to mt84malt011000012345mtlcast001s now', 'to •••• now'],
  ['to MT84 MALT 0110 0001 2345 MTLC AST0 01S now', 'to •••• now'],
  ['NL91-ABNA-0417-1643-00', '••••'],
  ['Cartão 4111 1111 1111 1111 pago', 'Cartão •••• pago'],
  ['Card 4111.1111/1111–1111', 'Card ••••'],
  ['４１１１ １１１１ １１１１ １１１１', '••••'],
  ['٤١١١ ١١١١ ١١١١ ١١١١', '••••'],
  ['4111\u200b1111\u00ad1111\u20631111', '••••'],
  ['account 12345678', 'account ••••'],
  ['Fatura, rui.prado@example.com, +351 912 345 678', 'Fatura, •••• +••••'],
  ['rui ＠ example.com', '••••'],
  ['rui @ example.com', '••••'],
  ['mailto:rui@localhost', '••••'],
  ['pay https://user:secret@shop.example/x now', 'pay •••• now'],
  ['pay https://shop.example/x?token=abc now', 'pay •••• now'],
  ['ref 550e8400e29b41d4', 'ref ••••'],
  ['Internet\tcontrato 5512\u0007', 'Internet contrato 5512'],
  ['\u202egnp.exe\u2066 paid\u2028twice', 'gnp.exe paid twice'],
  ['  many   spaces\r\n', 'many spaces'],
  ['half \ud83d', 'half'],
])('%j is shown as %j', (text, shown) => {
  expect(sanitised(text)).toBe(shown)
})

test.each([
  'Vencimento',
  'MERCADO DA RIBEIRA 0112',
  'Lunch @ Joe’s, 12.50 EUR',
  'Table 12, seat 34, at 18:30',
  'https://shop.example/about',
  'Спасибо за обед 👍',
  'Ação nº 5, 20.11.',
])('%j is shown as it is', (text) => {
  expect(sanitised(text)).toBe(text)
})

test('a text is cut to 140 code points, and never within what is read as one character', () => {
  expect(sanitised('😀'.repeat(200))).toBe('😀'.repeat(140))
  expect(sanitised(`${'a'.repeat(138)}e\u0323\u0307\u0301rest`)).toBe('a'.repeat(138))
  expect(Array.from(sanitised(`a${'\u0323'.repeat(500)}`))).toHaveLength(140)
})

test('what is hidden besides is hidden before the text is cut', () => {
  const hide = (text: string) => text.replaceAll('Maria', 'M.')
  expect(sanitised(`${'x'.repeat(137)} Maria`, hide)).toBe(`${'x'.repeat(137)} M.`)
})

const between = fc.stringMatching(/^[ \-./_*\u00a0\u200b\u2013\t]{0,3}$/)
const digit = fc.constantFrom('0', '1', '4', '7', '9', '４', '٤', '²')
const number = fc.array(fc.tuple(digit, between), { minLength: 9, maxLength: 30 }).map((parts) => parts.flat().join(''))
const iban = fc
  .tuple(
    fc.stringMatching(/^[A-Za-z]{2}[0-9]{2}$/),
    fc.stringMatching(/^[A-Z0-9]{11,30}$/),
    fc.constantFrom('', ' ', '-'),
  )
  .map(([head, rest, gap]) => (head + rest).match(/.{1,4}/g)?.join(gap) ?? '')
const address = fc.emailAddress()
const anything = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 300 }),
  fc.string({ unit: 'grapheme', maxLength: 300 }),
)
const text = fc
  .array(fc.oneof(anything, number, iban, address, fc.constantFrom(' ', '@', '••••', 'to', '://', '?')), {
    maxLength: 8,
  })
  .map((parts) => parts.join(' '))

describe('for whatever a provider sends', () => {
  const holds = (check: (shown: string) => void, arbitrary = text) =>
    fc.assert(
      fc.property(arbitrary, (given) => {
        check(sanitised(given))
      }),
      { numRuns: 1_000 },
    )

  test('no more than 140 code points are shown, none of them a control, bidi or invisible one', () =>
    holds((shown) => {
      expect(Array.from(shown).length).toBeLessThanOrEqual(140)
      expect(shown).not.toMatch(/[\p{C}\p{Zl}\p{Zp}]|\p{Default_Ignorable_Code_Point}/u)
      expect(shown.isWellFormed()).toBe(true)
      expect(shown).toBe(shown.normalize('NFC').trim())
    }))

  test('no address is shown', () => holds((shown) => expect(shown).not.toMatch(/[^\s@]@|@[^\s@]/)))

  test('no seven digits follow each other, whatever is between them', () =>
    holds((shown) => expect(shown.replace(/[\p{P}\p{S}\p{Z}\p{M}]/gu, '')).not.toMatch(/\p{N}{7}/u)))

  test('no IBAN is shown', () => {
    holds(
      (shown) => expect(shown.replace(/[\p{P}\p{S}\p{Z}]/gu, '')).not.toMatch(/^\p{L}{2}\p{N}{2}[\p{L}\p{N}]{11}/u),
      iban,
    )
    holds((shown) => {
      for (const piece of shown.match(/[\p{L}\p{N}]{8,}/gu) ?? [])
        expect(piece.match(/\p{N}/gu)?.length ?? 0).toBeLessThan(4)
    })
  })

  test('what was shown is shown again as it is', () => holds((shown) => expect(sanitised(shown)).toBe(shown)))
})
