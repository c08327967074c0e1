/** Payout schemas and the countries of addresses, in the names of the API. */

import { payoutFieldType } from '@financial-agents/contract/schemas/beneficiary'
import { z } from 'zod'
import { currency, type DataOf, rail } from './primitives.ts'

const payoutField = z.object({
  key: z.string().min(1).max(100).describe('The member of `details`.'),
  label: z.string().min(1).describe('The name that a person reads.'),
  type: z.enum(payoutFieldType.options).describe('`enum`: one of `options`.'),
  pattern: z
    .string()
    .max(512)
    .nullable()
    .describe('A pattern that the whole value must match: ECMA-262 with the flag `u`, from `^` to `$`.'),
  min_length: z.int().min(0).max(8192).nullable().describe('The minimum number of characters.'),
  max_length: z.int().min(1).max(8192).nullable().describe('The maximum number of characters.'),
  options: z
    .array(z.string().min(1))
    .nullable()
    .describe('The possible values; null unless `type` is `enum`, and never null then.'),
  required: z.boolean().describe('True if the field is required.'),
})

/** One field of a payout schema's `details`. */
export type PayoutField = DataOf<typeof payoutField>

const payoutSchema = z
  .object({
    id: z.string().min(1).max(100).describe('The id of the payout schema; it never changes.'),
    name: z.string().min(1).describe('The name of the payout schema.'),
    country: z
      .string()
      .regex(/^[A-Z]{2}$/)
      .describe('The country of the account: ISO 3166, two letters.'),
    currency: currency.describe('The currency of payments.'),
    rail,
    fields: z.array(payoutField).describe('The fields of `details` of a beneficiary.'),
    example_details: z
      .record(z.string(), z.string())
      .describe('Example details that the fields accept, with every required field.'),
  })
  .superRefine(({ fields, example_details }, context) => {
    for (const [index, field] of fields.entries())
      if (!isShowable(field, example_details[field.key]))
        context.addIssue({ code: 'custom', path: ['fields', index], message: 'it cannot be shown' })
  })

/** The fields that name an account for payouts to one country. */
export type PayoutSchema = DataOf<typeof payoutSchema>

/** One schema that cannot be shown breaks the whole list, because half a list would look complete. */
export const payoutSchemas = z.array(payoutSchema).max(1_000).describe('The payout schemas of the person, each once.')

function isShowable(field: PayoutField, example: string | undefined): boolean {
  if ((field.type === 'enum') !== (field.options !== null && field.options.length > 0)) return false
  const pattern = findPattern(field.pattern)
  if (field.pattern !== null && pattern === undefined) return false
  if (example === undefined) return !field.required
  return (
    (pattern?.test(example) ?? true) &&
    (field.options?.includes(example) ?? true) &&
    example.length >= (field.min_length ?? 0) &&
    example.length <= (field.max_length ?? Number.POSITIVE_INFINITY)
  )
}

/** A pattern that matches a part of a value would accept too much. */
function findPattern(source: string | null): RegExp | undefined {
  if (source === null || !/^\^.*\$$/su.test(source)) return undefined
  try {
    return new RegExp(source, 'u')
  } catch {
    return undefined
  }
}

const addressCountry = z.object({
  code: z
    .string()
    .regex(/^[A-Z]{2}$/)
    .describe('ISO 3166, two letters.'),
  alpha3: z
    .string()
    .regex(/^[A-Z]{3}$/)
    .describe('ISO 3166, three letters.'),
  name: z.string().min(1).describe('The name in English.'),
})

/** A country that the provider accepts in addresses (contract, "Address-country list"). */
export type AddressCountry = DataOf<typeof addressCountry>

export const addressCountries = z.array(addressCountry).max(300).describe('Each country once.')
