/** Accounts, money to spend, limits, identity. */

import { z } from 'zod'
import { currency, decimal, money, network, providerReference, reason, text, timestamp } from './primitives.ts'

const balance = z
  .string()
  .regex(/^-?(?:0|[1-9]\d*)(?:\.\d+)?$/)
  .describe('A decimal, negative if the account is overdrawn.')

export const accounts = z
  .object({
    accounts: z
      .array(
        z.object({
          account_ref: providerReference,
          title: z.string().min(1).max(200).describe('The name of the account.'),
          sort: z.enum(['current', 'savings', 'virtual']).describe('The kind of account.'),
          ccy: currency,
          status: z.enum(['open', 'restricted', 'closed']).describe('The status of the account.'),
          available: balance,
          booked: balance,
          number_tail: z
            .string()
            .regex(/^\d{4}$/)
            .nullable()
            .describe('The last four digits of its number, and never more.'),
          opened_at: timestamp.nullable().describe('The time at which it was opened.'),
        }),
      )
      .describe('All accounts of the person.'),
  })
  .describe('The accounts of the person.')

export const purse = z
  .object({
    purse: z
      .object({
        held: money.describe('The money that can be spent, without promotional credit.'),
        promotional: money.describe('Credit that the provider gave.'),
        owed: money.describe('The amount that the person owes.'),
      })
      .describe('The money from which transfers are paid. No amount is below zero.'),
  })
  .describe('The money to spend.')

const length = z.int().min(0).max(8192)

export const limitsQuery = z.object({
  scheme_id: text(1, 512).describe('A scheme of `GET /payout-schemas`.'),
  ccy: currency.optional().describe('Answer null if the limits are in another currency.'),
  account_kind: text(0, 200).optional().describe('Answer null if the limits are of another kind of account.'),
})

export const limits = z
  .object({
    limits: z
      .object({
        scheme_id: z.string().describe('The scheme that was asked for.'),
        ccy: currency,
        lowest: decimal.describe('The lowest amount of one transfer.'),
        highest: decimal.describe('The highest amount of one transfer.'),
        fee: z
          .object({ fixed: decimal, basis_points: decimal.describe('Hundredths of a percent of the amount.') })
          .describe('The fee of a transfer, in addition to its amount.'),
        network,
        note: z
          .object({
            allowed: z.boolean().describe('True if a note can be sent.'),
            min: length.describe('The fewest characters.'),
            max: length.describe('The most characters.'),
          })
          .describe('The limits of the note.'),
        purposes: z
          .array(z.string().min(1).max(128))
          .max(256)
          .describe('The purposes that a transfer may name; empty: any.'),
      })
      .nullable()
      .describe('Null if there are none for this query.'),
  })
  .describe('The limits of one transfer. They promise nothing: each transfer is validated again.')

export const identity = z
  .object({
    identity: z
      .object({
        status: z
          .enum(['none', 'open', 'reviewing', 'passed', 'refused', 'lapsed'])
          .describe('The status of the check of the person’s identity. `lapsed`: the check has to be made again.'),
        reason: reason.nullable().describe('The reason why it was refused or has lapsed.'),
        changed_at: timestamp.describe('The time at which the status changed.'),
      })
      .describe('The state of the check.'),
  })
  .describe('The state of the check of the person’s identity, without any evidence.')
