/**
 * The provider's payout schemas, checked against the contract and compiled once for the judging of details. A list of
 * which one is broken is broken as a whole: half a list would look complete.
 */

import { type PayoutSchema, payoutSchema } from '@financial-agents/contract/schemas/beneficiary'
import type { PayoutSchema as ProviderSchema } from '@financial-agents/provider/port'
import { compileField, type FieldCheck } from './field-check.ts'

export type CompiledSchema = { schema: PayoutSchema; checks: ReadonlyMap<string, FieldCheck> }

/** In the order of their ids, which is the order of the list. */
export type PayoutSchemas = ReadonlyMap<string, CompiledSchema>

/** Says what is broken, in names and never in values. */
export class BrokenReferenceData extends Error {
  override readonly name = 'BrokenReferenceData'
}

/** @throws BrokenReferenceData */
export function compilePayoutSchemas(
  given: readonly ProviderSchema[],
  onPatternUnusable: (schemaId: string, key: string) => void,
): PayoutSchemas {
  const compiled = new Map<string, CompiledSchema>()
  for (const schema of given.map(checkSchema).toSorted((a, b) => (a.id < b.id ? -1 : 1))) {
    if (compiled.has(schema.id)) throw new BrokenReferenceData(`two payout schemas have the id ${schema.id}`)
    const checks = schema.fields.map((field): [string, FieldCheck] => [
      field.key,
      compileField(field, () => onPatternUnusable(schema.id, field.key)),
    ])
    compiled.set(schema.id, { schema, checks: new Map(checks) })
  }
  return compiled
}

function checkSchema(given: ProviderSchema): PayoutSchema {
  const parsed = payoutSchema.safeParse(given)
  if (!parsed.success) {
    const where = parsed.error.issues.map((issue) => issue.path.join('.')).join(', ')
    throw new BrokenReferenceData(`payout schema ${given.id} breaks the contract at ${where}`)
  }
  for (const name of ['key', 'label'] as const)
    if (new Set(given.fields.map((field) => field[name])).size < given.fields.length)
      throw new BrokenReferenceData(`payout schema ${given.id} has two fields of one ${name}`)
  return parsed.data
}
