/**
 * Free text of clients that is stored, shown to people and sent on to the provider: whole characters, none of them a control
 * character. PostgreSQL refuses some of the others outright, and a page or a log must not be steered by them.
 */

import type { Field } from './problem.ts'

/** Text that can be stored, shown and sent on. */
export function isPlainText(value: string): boolean {
  return value.isWellFormed() && !/\p{Cc}/u.test(value)
}

/** Spaces, what draws nothing by itself (U+3164, zero-width characters), and the blank of Braille. */
const unseen = /[\p{White_Space}\p{Default_Ignorable_Code_Point}\p{C}\p{Z}\u2800]/gu

/** Whether there is anything to see of a name: a person could not tell one without from none. */
export function canBeSeen(value: string): boolean {
  return value.replace(unseen, '') !== ''
}

/** A field, with its path, for each of `names` whose text in `body` is not plain; what was not sent is. */
export function judgePlainTexts<Name extends string>(
  body: { readonly [Member in Name]?: string | undefined },
  names: readonly Name[],
): Field[] {
  const bad = names.filter((name) => !isPlainText(body[name] ?? ''))
  return bad.map((path) => ({ path, message: 'Send text without control characters.' }))
}
