/**
 * The message for a member without a message in its schema: what to send instead, and not what the parser expected. The
 * function is passed to zod with each parse of a request. Messages of a schema take precedence.
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

/** Returns the message; undefined to keep zod's own message. */
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
