/** The bodies of instructions: the calls that change something and are executed at most once. */

import { z } from 'zod'
import { clientReference, currency, money, positiveDecimal, providerReference, text, timestamp } from './primitives.ts'

/** Members of every instruction. */
const instruction = {
  client_reference: clientReference,
  valid_until: timestamp
    .optional()
    .describe(
      'The deadline. You may begin to execute the instruction until this time by your clock, and not after it (422 `submission_expired`). Without it there is no deadline.',
    ),
}

export const amount = money
  .extend({ value: positiveDecimal })
  .describe('The amount that arrives, in the currency of the payee.')

const note = text(0, 8192)
  .nullable()
  .describe(
    'A text for the payee. The network limits it (`GET /limits`): refuse a text of another length (`note_length`).',
  )

const beneficiary = z.object({
  holder: z
    .object({
      full_name: text(1, 200).describe('The name of the account’s holder.'),
      alias: z.string().nullable().describe('The name that the person uses for the payee.'),
    })
    .describe('The holder of the account.'),
  destination: z
    .object({
      scheme_id: z.string().describe('A scheme of `GET /payout-schemas`.'),
      country_code: z.string().length(2).describe('The country of the scheme.'),
      currency_code: z.string().length(3).describe('The currency of the scheme.'),
      inputs: z
        .record(z.string(), z.unknown())
        .describe('The inputs that the scheme names, with their values as texts.'),
    })
    .describe('The account.'),
  third_party: z.boolean().describe('True if the account belongs to somebody else.'),
  purpose: z.string().nullable().describe('The purpose code for payments to it.'),
})

export const newBeneficiary = z.object({ ...instruction, ...beneficiary.shape }).describe('A payee to keep.')

/** The terms of a grant. */
export const grantTerms = z
  .object({
    payee_ref: providerReference.describe('The payee: `provider_ref` of its creation.'),
    ceilings: z
      .object({
        each: positiveDecimal.describe('The highest amount of one payment. You refuse what exceeds it.'),
        day: positiveDecimal.describe('The most in a day. The application checks it.'),
        week: positiveDecimal.describe('The most in a week. The application checks it.'),
        month: positiveDecimal.describe('The most in a month. The application checks it.'),
        all: positiveDecimal.describe('The most of all payments together. You refuse what exceeds it.'),
      })
      .describe('Amounts in the currency of the payee.'),
    uses: z.int().min(1).max(10_000).describe('The most payments.'),
    ends_at: timestamp.describe('The end of the grant. It must be in the future.'),
  })
  .describe('The terms of a standing permission to pay one payee.')

/** The terms of a transfer. */
export const transferTerms = z
  .object({
    payee_ref: providerReference.describe('The payee: `provider_ref` of its creation.'),
    amount,
    purpose: text(1, 128).nullable().describe('One of `purposes` in `GET /limits`, or null.'),
    note,
  })
  .describe('The terms of a transfer.')

/** The terms of a transfer under a grant. */
export const underGrantTerms = z.object({ amount, note })

/** The terms of a card. */
export const cardTerms = z.object({
  title: text(0, 80).nullable().describe('The name that the person uses for the card.'),
  form: z.enum(['digital', 'plastic']).describe('`plastic`: a physical card is made. `digital`: none is made.'),
  ccy: currency,
})

export const newGrant = z.object({ ...instruction, ...grantTerms.shape }).describe('A grant to keep.')
export const newTransfer = z.object({ ...instruction, ...transferTerms.shape }).describe('A transfer to one payee.')
export const newTransferUnderGrant = z
  .object({ ...instruction, ...underGrantTerms.shape })
  .describe('A transfer to the payee of the grant.')
export const newCard = z.object({ ...instruction, ...cardTerms.shape }).describe('A card to make.')
export const newAction = z.object(instruction).describe('An action on what the path names. The path says the rest.')

/** The parameter of paths that name a thing. */
export const refParams = z.object({
  ref: z.string().min(1).max(200).describe("The provider's reference of the thing."),
})
