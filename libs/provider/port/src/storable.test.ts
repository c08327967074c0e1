import { expect, test } from 'vitest'
import { storableFacts, storableText } from './storable.ts'

test('text loses what PostgreSQL does not keep, and is cut without breaking a character in two', () => {
  expect(storableText('a\0b\ud83d')).toBe('ab\ufffd')
  expect(storableText(`${'x'.repeat(499)}😀`)).toBe(`${'x'.repeat(499)}\ufffd`)
})

test('facts are at most eight, short and text; none are null', () => {
  expect(storableFacts({ brand: 'visa', last_four: '4242' })).toEqual({ brand: 'visa', last_four: '4242' })
  const many = Object.fromEntries(Array.from({ length: 20 }, (_, n) => [`fact_${n}`, 'x'.repeat(5_000)]))
  const kept = storableFacts(many)
  expect(Object.keys(kept ?? {})).toHaveLength(8)
  expect(kept?.['fact_0']).toHaveLength(200)
  expect(storableFacts({ count: 7, brand: 'vi\0sa' } as never)).toEqual({ brand: 'visa' })
  for (const nothing of [undefined, {}, { count: 7 } as never]) expect(storableFacts(nothing)).toBeNull()
})
