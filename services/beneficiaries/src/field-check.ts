/**
 * Validates one value against one field of a payout schema. The message tells the client which value to send.
 *
 * Patterns come from the provider and values from the client. A pattern therefore runs in RE2's automaton, whose time
 * is linear in the value. A pattern that backtracks without end cannot stop this process; a limit on the length would
 * not prevent that. A pattern that RE2 does not support (look-around, back-reference) is left to the provider, which
 * validates the details anyway.
 */

import { canBeSeen, isPlainText } from '@financial-agents/contract/plain-text'
import type { PayoutSchema } from '@financial-agents/contract/schemas/beneficiary'
import { RE2JS } from 're2js'

export type PayoutField = PayoutSchema['fields'][number]

/** Returns the error in the value, as a request to the client, or undefined if the value is valid. */
export type FieldCheck = (value: string) => string | undefined

/**
 * Compiles the field once. Calls `onPatternUnusable` if RE2 does not support the pattern, which is then not run here.
 */
export function compileField(field: PayoutField, onPatternUnusable: () => void): FieldCheck {
  const pattern = field.pattern === null ? undefined : findPattern(field.pattern)
  if (field.pattern !== null && !pattern) onPatternUnusable()
  const options = field.options && new Set(field.options)
  const min = field.min_length ?? 0
  const max = field.max_length ?? Number.POSITIVE_INFINITY
  return (value) => {
    if (!isPlainText(value)) return 'Send text without control characters.'
    if (value !== '' && !canBeSeen(value)) return 'Send something that can be seen.'
    if (options && !options.has(value)) return `Send one of: ${field.options?.join(', ')}.`
    const length = Array.from(value).length
    if (length < min || length > max) return lengthMessage(min, max)
    if (pattern && !pattern.matches(value)) return `Send a value that matches ${field.pattern}.`
    return undefined
  }
}

/** `matches` is anchored at both ends, even if the pattern is not. */
function findPattern(source: string): RE2JS | undefined {
  try {
    return RE2JS.compile(RE2JS.translateRegExp(source))
  } catch {
    return undefined
  }
}

function lengthMessage(min: number, max: number): string {
  if (min === max) return `Send exactly ${min} characters.`
  if (max === Number.POSITIVE_INFINITY) return `Send at least ${min} characters.`
  return min === 0 ? `Send at most ${max} characters.` : `Send ${min} to ${max} characters.`
}
