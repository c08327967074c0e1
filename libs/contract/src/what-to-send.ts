/**
 * What a client is told of a member that a schema has no words for: what to send instead, not what a parser expected. Given to
 * zod with each parse of a request; where a schema has words of its own, those stand.
 */

import type { z } from 'zod'

const kinds: Readonly<Record<string, string>> = {
  string: 'a string',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'an array',
  object: 'an object',
  record: 'an object',
}

type Issue = Parameters<z.core.$ZodErrorMap>[0]

/** Undefined where zod's own words say it. */
export function whatToSend(issue: Issue): string | undefined {
  if (issue.code === 'invalid_type') {
    const kind = kinds[issue.expected]
    return kind === undefined ? undefined : `Send ${kind}.`
  }
  if (issue.code === 'invalid_value') {
    const values = issue.values.map(String)
    return values.length === 1 ? `Send ${values.join()}.` : `Send one of: ${values.join(', ')}.`
  }
  return undefined
}
