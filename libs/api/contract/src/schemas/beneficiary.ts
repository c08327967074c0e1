/**
 * Beneficiaries, payout schemas and address countries. The API accepts a beneficiary's details and returns only masks
 * of them.
 */

import { z } from 'zod'
import { writtenAmount } from '../minor-units.ts'
import { documented } from './documented.ts'
import {
  count,
  country,
  currency,
  dateTime,
  decimal,
  extensible,
  id,
  money,
  rail,
  text,
  withoutControls,
  words,
} from './primitives.ts'
import { eur, ids, written } from './story.ts'

/** The body of `POST /v1/beneficiaries`. */
export const createBeneficiaryBody = z
  .strictObject({
    country: country.describe('The country of the account (ISO 3166-1 alpha-2).'),
    currency: currency.describe('The currency of payments (ISO 4217).'),
    details: z
      .record(z.string().min(1).max(64), z.string().max(512), {
        error: 'Send an object of strings, as the payout schema lists its fields.',
      })
      .describe(
        'The fields that the payout schema requires. An IBAN may have spaces and small letters. Responses never contain them.',
      ),
    name: withoutControls(words(1, 200)).describe('The name of the account holder.'),
    payout_schema_id: text(1, 100).describe('The payout schema that `details` follow.'),
    is_external: z
      .boolean({ error: 'Send true or false.' })
      .optional()
      .describe('True if the account belongs to somebody other than the owner.'),
    nickname: withoutControls(words(0, 80)).optional().describe("The owner's nickname for the beneficiary."),
    purpose_code: withoutControls(text(0, 80))
      .optional()
      .describe('The purpose of payments, if the payout schema has purpose codes.'),
  })
  .register(documented, {
    examples: [
      {
        name: 'Casa Azul Lda',
        nickname: 'Landlord',
        country: 'PT',
        currency: 'EUR',
        payout_schema_id: 'sepa_pt_eur',
        details: { iban: 'PT50000201231234567890154' },
      },
    ],
  })

const beneficiaryState = z.enum(['pending', 'active', 'failed']).register(documented, { id: 'BeneficiaryState' })

/** A payee of the owner, with masked account details. */
export const beneficiary = z
  .strictObject({
    id: id.describe('The beneficiary.'),
    name: z.string().describe('The name of the account holder.'),
    nickname: z.string().nullable().describe("The owner's nickname for the beneficiary."),
    country: country.describe('The country of the account (ISO 3166-1 alpha-2).'),
    currency: currency.describe('The currency of payments (ISO 4217).'),
    payout_schema_id: z.string().describe('The payout schema that its details follow.'),
    is_external: z.boolean().describe('True if the account belongs to somebody other than the owner.'),
    purpose_code: z.string().nullable().describe('The purpose of payments.'),
    masked_details: z
      .record(z.string(), z.string())
      .describe('The labels of the details, with their last four characters.'),
    state: beneficiaryState.describe('`pending` until its operation has succeeded.'),
    operation_id: id.describe('The operation that creates the beneficiary.'),
    created_at: dateTime.describe('The time of the request.'),
    updated_at: dateTime.describe('The time of the last change.'),
  })
  .register(documented, {
    id: 'Beneficiary',
    examples: [
      {
        id: ids.beneficiary,
        name: 'Casa Azul Lda',
        nickname: 'Landlord',
        country: 'PT',
        currency: 'EUR',
        payout_schema_id: 'sepa_pt_eur',
        is_external: false,
        purpose_code: null,
        masked_details: { IBAN: '0154' },
        state: 'active',
        operation_id: ids.operation,
        ...written,
      },
    ],
  })

/** A payee of the owner. */
export type Beneficiary = z.output<typeof beneficiary>

export const payoutFieldType = extensible(z.enum(['string', 'enum'])).register(documented, { id: 'PayoutFieldType' })

const payoutSchemaField = z
  .strictObject({
    key: z.string().describe('The member of `details`.'),
    label: z.string().describe('The display label.'),
    type: payoutFieldType.describe('Any string, or one of `options`.'),
    pattern: z.string().nullable().describe('A pattern for the value (ECMA-262).'),
    min_length: count.nullable().describe('The minimum number of characters.'),
    max_length: z.int32().min(1).nullable().describe('The maximum number of characters.'),
    options: z.array(z.string()).nullable().describe('The permitted values; null if the type is not `enum`.'),
    required: z.boolean().describe('True if the field is required.'),
  })
  .register(documented, { id: 'PayoutSchemaField' })

/** The fields that a payout method needs. */
export const payoutSchema = z
  .strictObject({
    id: z.string().describe('The payout schema, as the provider names it.'),
    name: z.string().describe('The display name.'),
    country: country.describe('The country of the account (ISO 3166-1 alpha-2).'),
    currency: currency.describe('The currency of payments (ISO 4217).'),
    rail: rail.describe('The payout method.'),
    fields: z.array(payoutSchemaField).describe('The fields of `details` of a beneficiary.'),
    example_details: z.record(z.string(), z.string()).describe('Example details that are valid for this schema.'),
  })
  .register(documented, {
    id: 'PayoutSchema',
    examples: [
      {
        id: 'sepa_pt_eur',
        name: 'SEPA transfer to Portugal',
        country: 'PT',
        currency: 'EUR',
        rail: 'sepa',
        fields: [
          {
            key: 'iban',
            label: 'IBAN',
            type: 'string',
            pattern: '^PT[0-9]{23}$',
            min_length: 25,
            max_length: 25,
            options: null,
            required: true,
          },
        ],
        example_details: { iban: 'PT50000201231234567890154' },
      },
    ],
  })

export type PayoutSchema = z.output<typeof payoutSchema>

export const addressCountry = z
  .strictObject({
    code: z.string().describe('ISO 3166-1 alpha-2.'),
    alpha3: z.string().describe('ISO 3166-1 alpha-3.'),
    name: z.string().describe('The name of the country in English.'),
  })
  .register(documented, { id: 'AddressCountry' })

export const addressCountries = z
  .strictObject({
    countries: z.array(addressCountry).max(300).describe('The countries that the provider accepts.'),
  })
  .register(documented, {
    id: 'AddressCountries',
    examples: [{ countries: [{ code: 'PT', alpha3: 'PRT', name: 'Portugal' }] }],
  })

export type AddressCountries = z.output<typeof addressCountries>

/** The fees of receiving payments on one's own account number in one currency. */
export const virtualAccountFees = z
  .strictObject({
    currency: currency.describe('The currency of the account (ISO 4217).'),
    monthly_fee: money.describe('The fee per month.'),
    inbound_fee_fixed: decimal.describe('The fixed part of the fee for each payment.'),
    inbound_fee_basis_points: decimal.describe(
      'The variable part of the fee, in hundredths of a percent of the amount.',
    ),
    settlement_days: count.describe('The number of days until a payment can be spent.'),
  })
  .overwrite((fees) => ({ ...fees, inbound_fee_fixed: writtenAmount(fees.inbound_fee_fixed, fees.currency) }))
  .register(documented, { id: 'VirtualAccountFees' })

/** The fees of receiving payments on one's own account number, by currency. */
export const virtualAccountEconomics = z
  .strictObject({
    items: z.array(virtualAccountFees).describe('One entry for each currency.'),
  })
  .register(documented, {
    id: 'VirtualAccountEconomics',
    examples: [
      {
        items: [
          {
            currency: 'EUR',
            monthly_fee: eur('2.00'),
            inbound_fee_fixed: '0.10',
            inbound_fee_basis_points: '5',
            settlement_days: 1,
          },
        ],
      },
    ],
  })

/** The fees of receiving payments on one's own account number. */
export type VirtualAccountEconomics = z.output<typeof virtualAccountEconomics>
