/** The record that a provider keeps of an instruction, and the answers to it: records, refusals, searches. */

import { clientReference, code, reference, utcTimestamp } from '@financial-agents/provider-port/primitives'
import { z } from 'zod'

/** The record of an instruction of any kind. */
export const providerRecord = z
  .object({
    reference: reference.describe(
      "The provider's reference of this record. For a creation it is also the reference of what was created.",
    ),
    client_reference: clientReference,
    status: z
      .enum(['pending', 'succeeded', 'failed'])
      .describe(
        '`succeeded`: executed, final. `failed`: not executed and never will be, final. `pending`: accepted; it becomes final later. A final status never changes.',
      ),
    settled_at: utcTimestamp
      .nullable()
      .describe(
        'The time at which the record became final, by the clock of all records; null while the status is `pending`, and never null afterwards.',
      ),
    failure_code: code
      .nullable()
      .describe('The reason for the failure; null unless the status is `failed`, and never null then.'),
    brand: z
      .string()
      .regex(/^[a-z][a-z0-9_]{0,31}$/)
      .optional()
      .describe('The brand of a card, such as `visa`. Required in a final record of a card that was created.'),
    last_four: z
      .string()
      .regex(/^\d{4}$/)
      .optional()
      .describe('The last four digits of a card. Required in a final record of a card that was created.'),
  })
  .describe('The record of one instruction. It keeps the reference of the application that sent it.')

export type ProviderRecord = z.infer<typeof providerRecord>

export const mutationAnswer = z
  .object({ data: providerRecord })
  .describe('The record of the instruction, as it is when the answer is written.')

/** The provider's clock while it searched. */
const asOf = utcTimestamp
  .optional()
  .describe(
    'The provider’s clock while it searched. A provider that refuses instructions after their deadline shows it in every search.',
  )

const hasMore = z
  .boolean()
  .describe('True if matching records were left out. The answer then proves presence and never absence.')

export const searchAnswer = z
  .object({ data: z.array(providerRecord).max(100).describe('Every matching record.'), has_more: hasMore, as_of: asOf })
  .describe('Every record with one of the references of the query.')

export const actionSearchAnswer = z
  .object({
    data: z
      .array(
        z.object({
          reference: reference.describe('The card, the mandate or the connection.'),
          state: z
            .string()
            .regex(/^[a-z][a-z_]{0,31}$/)
            .describe('Its state now.'),
          actions: z
            .array(providerRecord)
            .max(100)
            .describe('The records of its actions with one of the action references of the query, and no others.'),
        }),
      )
      .max(100)
      .describe('Each resource that the query names, or on which a matching action was made.'),
    has_more: hasMore,
    as_of: asOf,
  })
  .describe('Resources with their state and with the matching actions on them.')

export const refusal = z
  .object({ error: z.object({ code: code.describe('The reason for the refusal.') }).describe('The refusal.') })
  .describe(
    'The refusal document. With a status from 400 to 499 it promises: nothing was executed, and nothing of it will be.',
  )

/** The parameter of paths that name a resource. */
export const referenceParams = z.object({
  reference: reference.describe("The provider's reference of the resource."),
})

/** The query of a search for records: at least one parameter. */
export const recordSearch = z.object({
  client_reference: clientReference.optional().describe("The application's reference."),
  reference: reference.optional().describe("The provider's reference of the record, or of the resource itself."),
})

/** The query of a search for resources and the actions on them: at least one parameter. */
export const resourceSearch = z.object({
  ...recordSearch.shape,
  action_client_reference: clientReference.optional().describe("The application's reference of an action."),
  action_reference: reference.optional().describe("The provider's reference of an action's record."),
})

/** Codes of refusals and failures that say that the contents of the instruction are at fault. */
export const detailCodes = [
  'account_closed',
  'amount_too_fine',
  'card_type_not_offered',
  'currency_not_offered',
  'expires_in_the_past',
  'invalid_details',
  'invalid_request',
  'memo_length',
  'name_mismatch',
  'over_limit',
  'under_limit',
  'unknown_beneficiary',
  'unknown_payout_schema',
  'unknown_purpose_code',
  'wrong_currency',
] as const
