/**
 * Checks free text of clients that is stored, shown to people and sent to the provider. It must be well-formed Unicode
 * without control characters. PostgreSQL rejects some of the other characters, and control characters could manipulate
 * a page or a log.
 */

import type { Field } from './problem.ts'

/** True for text that can be stored, shown and sent on. */
export function isPlainText(value: string): boolean {
  return value.isWellFormed() && !/\p{Cc}/u.test(value)
}

/**
 * Spaces, characters that draw nothing by themselves (U+3164, zero-width characters), and the blank Braille pattern.
 */
const unseen = /[\p{White_Space}\p{Default_Ignorable_Code_Point}\p{C}\p{Z}\u2800]/gu

/** True if the name has a visible character. A person could not tell an invisible name from a missing one. */
export function canBeSeen(value: string): boolean {
  return value.replace(unseen, '') !== ''
}

/** Returns an error for each of `names` whose text in `body` is not plain. Absent members are valid. */
export function validatePlainTexts<Name extends string>(
  body: { readonly [Member in Name]?: string | undefined },
  names: readonly Name[],
): Field[] {
  const bad = names.filter((name) => !isPlainText(body[name] ?? ''))
  return bad.map((path) => ({ path, message: 'Send text without control characters.' }))
}
