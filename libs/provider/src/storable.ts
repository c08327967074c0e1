/**
 * What a provider said, cut to what a row and every event of it can hold: whatever an adapter brings, an outcome must not
 * be lost to a character that PostgreSQL does not keep, nor to a length.
 */

import { z } from 'zod'
import type { ResourceFacts } from './port.ts'

const maxFacts = 8
const maxFactLength = 200

/** Without NUL and lone surrogates, at most `maxLength` UTF-16 units. */
export function storableText(text: string, maxLength = 500): string {
  return text.replaceAll('\0', '').slice(0, maxLength).toWellFormed()
}

const maxReferenceLength = 512

/** A name that the provider has for something that it keeps: one that a row can hold as it is. */
export const providerReference = z
  .string()
  .min(1)
  .max(maxReferenceLength)
  .refine((text) => storableText(text, maxReferenceLength) === text)

/** At most eight short facts; null where there is none. */
export function storableFacts(resource: ResourceFacts | undefined): ResourceFacts | null {
  const facts = Object.entries(resource ?? {})
    .filter(([, value]) => typeof value === 'string')
    .slice(0, maxFacts)
    .map(([name, value]) => [storableText(name, maxFactLength), storableText(value, maxFactLength)] as const)
  return facts.length === 0 ? null : Object.fromEntries(facts)
}
