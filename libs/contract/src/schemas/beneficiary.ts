/**
 * Beneficiaries, payout schemas and address countries. The API accepts a beneficiary's details and returns only masks
 * of them.
 */

import { z } from 'zod'
import { country, currency, dateTime, decimal, id, money, rail, text, words } from './primitives.ts'

/** The body of `POST /v1/beneficiaries`. */
export const createBeneficiaryBody = z.strictObject({
  country: country.describe('Where the account is held (ISO 3166-1 alpha-2).'),
  currency: currency.describe('What is paid in (ISO 4217).'),
  details: z
    .record(z.string().min(1).max(64), z.string().max(512), {
      error: 'Send an object of strings, as the payout schema lists its fields.',
    })
    .describe('What the payout schema asks for. It is never shown again.'),
  name: words(1, 200).describe('Whom it belongs to.'),
  payout_schema_id: text(1, 100).describe('The payout schema that `details` follow.'),
  is_external: z
    .boolean({ error: 'Send true or false.' })
    .optional()
    .describe('Whether it belongs to somebody else than the owner.'),
  nickname: words(0, 80).optional().describe('How the owner calls them.'),
  purpose_code: text(0, 80).optional().describe('What payments are for, where the payout schema has codes.'),
})

/** A payee of the owner, with masked account details. */
export const beneficiary = z.strictObject({
  id: id.describe('The beneficiary.'),
  name: z.string().describe('Whom it belongs to.'),
  nickname: z.string().nullable().describe('How the owner calls them.'),
  country: country.describe('Where the account is held (ISO 3166-1 alpha-2).'),
  currency: currency.describe('What is paid in (ISO 4217).'),
  payout_schema_id: z.string().describe('The payout schema that its details follow.'),
  is_external: z.boolean().describe('Whether it belongs to somebody else than the owner.'),
  purpose_code: z.string().nullable().describe('What payments are for.'),
  masked_details: z.record(z.string(), z.string()).describe('Labels of details, with their last four characters.'),
  state: z.enum(['pending', 'active', 'failed']).describe('`pending` until its operation has succeeded.'),
  operation_id: id.describe('The operation that made it.'),
  created_at: dateTime.describe('When it was asked for.'),
  updated_at: dateTime.describe('When it changed last.'),
})

/** A payee of the owner. */
export type Beneficiary = z.output<typeof beneficiary>

/** A field that a payout schema requires or allows. */
export const payoutSchemaField = z.strictObject({
  key: z.string().describe('The member of `details`.'),
  label: z.string().describe('What people call it.'),
  type: z.enum(['string', 'enum']).describe('Any string, or one of `options`.'),
  pattern: z.string().nullable().describe('What it has to match (ECMA-262).'),
  min_length: z.int().min(0).nullable().describe('The fewest characters.'),
  max_length: z.int().min(1).nullable().describe('The most characters.'),
  options: z.array(z.string()).nullable().describe('What it can be; null where it is no `enum`.'),
  required: z.boolean().describe('Whether it has to be there.'),
})

/** The fields that a payout method needs. */
export const payoutSchema = z.strictObject({
  id: z.string().describe('The payout schema, as the provider names it.'),
  name: z.string().describe('What people call it.'),
  country: country.describe('Where it pays to (ISO 3166-1 alpha-2).'),
  currency: currency.describe('What it pays in (ISO 4217).'),
  rail: rail.describe('The way in which it pays.'),
  fields: z.array(payoutSchemaField).describe('What `details` of a beneficiary hold.'),
  example_details: z.record(z.string(), z.string()).describe('Details that are valid by it.'),
})

/** The fields that a payout method needs. */
export type PayoutSchema = z.output<typeof payoutSchema>

/** The countries that an address can have. */
export const addressCountries = z.strictObject({
  countries: z
    .array(
      z.strictObject({
        code: z.string().describe('ISO 3166-1 alpha-2.'),
        alpha3: z.string().describe('ISO 3166-1 alpha-3.'),
        name: z.string().describe('In English.'),
      }),
    )
    .max(300)
    .describe('Those that the provider accepts.'),
})

/** The fees of receiving payments on one's own account number, by currency. */
export const virtualAccountEconomics = z.strictObject({
  items: z
    .array(
      z.strictObject({
        currency: currency.describe('The currency of the account (ISO 4217).'),
        monthly_fee: money.describe('What it costs a month.'),
        inbound_fee_fixed: decimal.describe('The fixed part of the fee for each payment.'),
        inbound_fee_basis_points: decimal.describe('The variable part, in hundredths of a percent of the amount.'),
        settlement_days: z.int().min(0).describe('Days until a payment can be spent.'),
      }),
    )
    .describe('Currency by currency.'),
})
