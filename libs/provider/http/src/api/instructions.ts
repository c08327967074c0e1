/** The bodies of instructions: the calls that change something and are executed at most once. The members are those of the API. */

import {
  clientReference,
  currency,
  positiveDecimal,
  reference,
  text,
  timestamp,
} from '@financial-agents/provider-port/primitives'
import { z } from 'zod'

/** Members of every instruction. */
const instruction = {
  client_reference: clientReference,
  valid_until: timestamp
    .optional()
    .describe(
      'The deadline. You may begin to execute the instruction until this time by your clock, and not after it (422 `submission_expired`). Without it there is no deadline.',
    ),
}

const memo = text(0, 8192)
  .nullish()
  .describe(
    'A text for the beneficiary. The rail limits it (`GET /withdrawal-limits`): refuse a text of another length (`memo_length`).',
  )
const amount = positiveDecimal.describe('The amount that arrives.')
const beneficiary_reference = reference.describe('The beneficiary: `reference` of its creation.')

export const beneficiaryTerms = z.object({
  name: text(1, 200).describe('The name of the account holder.'),
  nickname: z.string().nullish().describe('The name that the person uses for the beneficiary.'),
  country: z.string().length(2).describe('The country of the payout schema.'),
  currency: z.string().length(3).describe('The currency of the payout schema.'),
  payout_schema_id: z.string().describe('A payout schema of `GET /payout-schemas`.'),
  details: z.record(z.string(), z.unknown()).describe('The fields of the payout schema, with their values as texts.'),
  is_external: z.boolean().nullish().describe('True if the account belongs to somebody else.'),
  purpose_code: z.string().nullish().describe('The purpose of payments to it.'),
})

export const mandateTerms = z
  .object({
    beneficiary_reference,
    per_payment_max: positiveDecimal.describe('The maximum of one payment. You refuse what exceeds it.'),
    daily_max: positiveDecimal.describe('The maximum in a day. The application checks it.'),
    weekly_max: positiveDecimal.describe('The maximum in a week. The application checks it.'),
    monthly_max: positiveDecimal.describe('The maximum in a month. The application checks it.'),
    total_cap: positiveDecimal.describe('The maximum of all payments together. You refuse what exceeds it.'),
    payment_count: z.int().min(1).max(10_000).describe('The maximum number of payments.'),
    expires_at: timestamp.describe('The end of the mandate. It must be in the future.'),
  })
  .describe('The terms of a permission to pay one beneficiary. Amounts are in the currency of the beneficiary.')

export const transferTerms = z
  .object({
    beneficiary_reference,
    amount,
    currency: currency.describe('The currency of the beneficiary.'),
    purpose_code: text(1, 128).nullish().describe('One of `purpose_codes` in `GET /withdrawal-limits`.'),
    memo,
  })
  .describe('The terms of a transfer.')

export const mandateTransferTerms = z.object({
  amount,
  currency: currency.describe('The currency of the beneficiary.'),
  reference: memo,
})

export const cardTerms = z.object({
  label: text(0, 80).nullish().describe('The name that the person uses for the card.'),
  type: z.enum(['virtual', 'physical']).describe('`physical`: a card of plastic is made. `virtual`: none is made.'),
  currency,
})

export const newBeneficiary = z
  .object({ ...instruction, ...beneficiaryTerms.shape })
  .describe('A beneficiary to create.')
export const newMandate = z.object({ ...instruction, ...mandateTerms.shape }).describe('A mandate to create.')
export const newTransfer = z
  .object({ ...instruction, ...transferTerms.shape })
  .describe('A transfer to one beneficiary.')
export const newMandateTransfer = z
  .object({ ...instruction, ...mandateTransferTerms.shape })
  .describe('A transfer to the beneficiary of the mandate.')
export const newCard = z.object({ ...instruction, ...cardTerms.shape }).describe('A card to create.')
export const newAction = z
  .object(instruction)
  .describe('An action on the resource that the path names. The path says the rest.')
