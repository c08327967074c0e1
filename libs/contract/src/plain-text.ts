/**
 * Free text of clients that is stored, shown to people and sent on to the provider: whole characters, none of them a control
 * character. PostgreSQL refuses some of the others outright, and a page or a log must not be steered by them.
 */

import type { Field } from './problem.ts'

/** Text that can be stored, shown and sent on. */
export function isPlainText(value: string): boolean {
  return value.isWellFormed() && !/\p{Cc}/u.test(value)
}

/** A field, with its path, for each of `names` whose text in `body` is not plain; what was not sent is. */
export function judgePlainTexts<Name extends string>(
  body: { readonly [Member in Name]?: string | undefined },
  names: readonly Name[],
): Field[] {
  const bad = names.filter((name) => !isPlainText(body[name] ?? ''))
  return bad.map((path) => ({ path, message: 'Send text without control characters.' }))
}
