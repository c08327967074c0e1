/**
 * The provider's payout schemas, compiled once to validate details. A list with one broken schema is refused as a whole,
 * because half a list would look complete.
 */

import type { PayoutSchema } from '@financial-agents/contract/schemas/beneficiary'
import { compileField, type FieldCheck } from './field-check.ts'

export type CompiledSchema = { schema: PayoutSchema; checks: ReadonlyMap<string, FieldCheck> }

/** In the order of their ids, which is the order of the list. */
export type PayoutSchemas = ReadonlyMap<string, CompiledSchema>

/** Names the broken schemas. The message never contains values. */
export class BrokenReferenceData extends Error {
  override readonly name = 'BrokenReferenceData'
}

/** @throws BrokenReferenceData */
export function compilePayoutSchemas(
  given: readonly PayoutSchema[],
  onPatternUnusable: (schemaId: string, key: string) => void,
): PayoutSchemas {
  const compiled = new Map<string, CompiledSchema>()
  for (const schema of given.toSorted((a, b) => (a.id < b.id ? -1 : 1))) {
    checkNames(schema)
    if (compiled.has(schema.id)) throw new BrokenReferenceData(`two payout schemas have the id ${schema.id}`)
    const checks = schema.fields.map((field): [string, FieldCheck] => [
      field.key,
      compileField(field, () => onPatternUnusable(schema.id, field.key)),
    ])
    compiled.set(schema.id, { schema, checks: new Map(checks) })
  }
  return compiled
}

function checkNames(given: PayoutSchema): void {
  for (const name of ['key', 'label'] as const)
    if (new Set(given.fields.map((field) => field[name])).size < given.fields.length)
      throw new BrokenReferenceData(`payout schema ${given.id} has two fields of one ${name}`)
}
