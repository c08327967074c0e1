/** The record that a provider keeps of an instruction, and the answers to it: records, refusals, searches. */

import { z } from 'zod'
import { clientReference, providerReference, reason, utcTimestamp } from './primitives.ts'

/** The record of an instruction of any kind. */
export const providerRecord = z
  .object({
    provider_ref: providerReference.describe(
      "The provider's reference of this record. For a creation it is also the reference of what was created.",
    ),
    client_reference: clientReference,
    status: z
      .enum(['pending', 'active', 'failed'])
      .describe(
        '`active`: executed, final. `failed`: not executed and never will be, final. `pending`: accepted; it becomes final later. A final status never changes.',
      ),
    settled_at: utcTimestamp
      .nullable()
      .describe(
        'The time at which the record became final, by the clock of all records; null while the status is `pending`, and never null afterwards.',
      ),
    failure_reason: reason
      .nullable()
      .describe('The reason for the failure; null unless the status is `failed`, and never null then.'),
    brand: z
      .string()
      .regex(/^[a-z][a-z0-9_]{0,31}$/)
      .optional()
      .describe('The brand of a card, such as `visa`. Required in a final record of a card that was created.'),
    number_tail: z
      .string()
      .regex(/^\d{4}$/)
      .optional()
      .describe('The last four digits of a card. Required in a final record of a card that was created.'),
  })
  .describe('The record of one instruction. It keeps the reference of the application that sent it.')

export type ProviderRecord = z.infer<typeof providerRecord>

export const mutationAnswer = z
  .object({ result: providerRecord })
  .describe('The record of the instruction, as it is when the answer is written.')

/** The provider's clock while it searched. */
const asOf = utcTimestamp
  .optional()
  .describe(
    'The provider’s clock while it searched. A provider that refuses instructions after their deadline shows it in every search.',
  )

const more = z
  .boolean()
  .describe('True if matching records were left out. The answer then proves presence and never absence.')

export const searchAnswer = z
  .object({ results: z.array(providerRecord).max(100).describe('Every matching record.'), more, as_of: asOf })
  .describe('Every record with one of the references that were asked for.')

export const actionSearchAnswer = z
  .object({
    results: z
      .array(
        z.object({
          provider_ref: providerReference.describe('The card, the grant or the connection.'),
          state: z
            .string()
            .regex(/^[a-z][a-z_]{0,31}$/)
            .describe('Its state now.'),
          actions: z
            .array(providerRecord)
            .max(100)
            .describe(
              'The records of its actions with one of the action references that were asked for, and no others.',
            ),
        }),
      )
      .max(100)
      .describe('Each thing that was asked for, or on which a matching action was made.'),
    more,
    as_of: asOf,
  })
  .describe('Things with their state and with the matching actions on them.')

export const refusalAnswer = z
  .object({ error: z.object({ code: reason }).describe('The reason for the refusal.') })
  .describe(
    'The refusal document. With a status from 400 to 499 it promises: nothing was executed, and nothing of it will be.',
  )

const reference = providerReference.optional()

const asked = {
  provider_ref: reference.describe("The provider's reference of the record, or of the thing itself."),
}

/** The query of a search for records: at least one parameter. */
export const recordSearch = z.object({
  client_reference: clientReference.optional().describe("The application's reference."),
  ...asked,
})

/** The query of a search for things and the actions on them: at least one parameter. */
export const thingSearch = z.object({
  ...recordSearch.shape,
  action_reference: clientReference.optional().describe("The application's reference of an action."),
  action_ref: reference.describe("The provider's reference of an action's record."),
})

/** Reasons of refusals and failures that say that the contents of the instruction are at fault. */
export const detailReasons = [
  'account_closed',
  'amount_too_fine',
  'currency_not_offered',
  'ends_in_the_past',
  'form_not_offered',
  'invalid_destination',
  'invalid_request',
  'name_mismatch',
  'note_length',
  'over_limit',
  'under_limit',
  'unknown_payee',
  'unknown_purpose',
  'unknown_scheme',
  'wrong_currency',
] as const
