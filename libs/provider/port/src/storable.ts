/**
 * Cuts a provider's words to what a row and its events can hold. No outcome may be lost because of a character that
 * PostgreSQL cannot store, or because of a length.
 */

import type { ResourceFacts } from './call.ts'

const maxFacts = 8
const maxFactLength = 200

/** Removes NUL, replaces lone surrogates, and keeps at most `maxLength` UTF-16 units. */
export function storableText(text: string, maxLength = 500): string {
  return text.replaceAll('\0', '').slice(0, maxLength).toWellFormed()
}

/** Keeps at most eight short facts; null if there is none. */
export function storableFacts(resource: ResourceFacts | undefined): ResourceFacts | null {
  const facts = Object.entries(resource ?? {})
    .filter(([, value]) => typeof value === 'string')
    .slice(0, maxFacts)
    .map(([name, value]) => [storableText(name, maxFactLength), storableText(value, maxFactLength)] as const)
  return facts.length === 0 ? null : Object.fromEntries(facts)
}
