/** Beneficiaries, payout schemas and address countries. A beneficiary's details go in and never come out but as masks. */

import { z } from 'zod'
import { country, currency, dateTime, decimal, id, money, rail, text } from './primitives.ts'

/** The body of `POST /v1/beneficiaries`. */
export const createBeneficiaryBody = z.strictObject({
  country,
  currency,
  details: z.record(z.string().min(1).max(64), z.string().max(512), {
    error: 'Send an object of strings, as the payout schema lists its fields.',
  }),
  name: text(1, 200),
  payout_schema_id: text(1, 100),
  is_external: z.boolean({ error: 'Send true or false.' }).optional(),
  nickname: text(0, 80).optional(),
  purpose_code: text(0, 80).optional(),
})

/** Somebody whom the owner can pay; account details are masked. */
export const beneficiary = z.strictObject({
  id,
  name: z.string(),
  nickname: z.string().nullable(),
  country,
  currency,
  payout_schema_id: z.string(),
  is_external: z.boolean(),
  purpose_code: z.string().nullable(),
  /** label → last four characters. */
  masked_details: z.record(z.string(), z.string()),
  state: z.enum(['pending', 'active', 'failed']),
  operation_id: id,
  created_at: dateTime,
  updated_at: dateTime,
})

/** Somebody whom the owner can pay. */
export type Beneficiary = z.output<typeof beneficiary>

/** A field that a payout scheme asks for. */
export const payoutSchemaField = z.strictObject({
  key: z.string(),
  label: z.string(),
  type: z.enum(['string', 'enum']),
  pattern: z.string().optional(),
  min_length: z.int().min(0).optional(),
  max_length: z.int().min(1).optional(),
  options: z.array(z.string()).optional(),
  required: z.boolean(),
})

/** What a way of paying out needs to know. */
export const payoutSchema = z.strictObject({
  id: z.string(),
  name: z.string(),
  country,
  currency,
  rail,
  fields: z.array(payoutSchemaField),
  example_details: z.record(z.string(), z.string()),
})

/** What a way of paying out needs to know. */
export type PayoutSchema = z.output<typeof payoutSchema>

/** The countries that an address can be in. */
export const addressCountries = z.strictObject({
  countries: z.array(z.strictObject({ code: z.string(), alpha3: z.string(), name: z.string() })).max(300),
})

/** What it costs to be paid on an account number of one's own, currency by currency. */
export const virtualAccountEconomics = z.strictObject({
  items: z.array(
    z.strictObject({
      currency,
      monthly_fee: money,
      inbound_fee_fixed: decimal,
      inbound_fee_basis_points: decimal,
      settlement_days: z.int().min(0),
    }),
  ),
})
