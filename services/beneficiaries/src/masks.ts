/**
 * The stored masks of a beneficiary's details: the end of the value for each label. A mask has at most four characters
 * and at most half of the value, so that a short value is never shown whole.
 */

import type { PayoutSchema } from '@financial-agents/contract/schemas/beneficiary'

const shownCharacters = 4

export function maskDetails(schema: PayoutSchema, details: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(
    schema.fields.flatMap(({ key, label }) => {
      const value = Object.hasOwn(details, key) ? details[key] : undefined
      return value === undefined ? [] : [[label, mask(value)]]
    }),
  )
}

/** Characters are code points, so a surrogate pair is never cut. */
export function mask(value: string): string {
  const characters = Array.from(value)
  const shown = Math.min(shownCharacters, Math.floor(characters.length / 2))
  return characters.slice(characters.length - shown).join('')
}
