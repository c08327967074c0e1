/** The sandbox calls, with which the conformance kit controls a provider that moves no real money. */

import {
  clientReference,
  currency,
  positiveDecimal,
  reference,
  webAddress,
} from '@financial-agents/provider-port/primitives'
import { askingReads } from '@financial-agents/provider-port/reads'
import { z } from 'zod'
import { cardTerms } from './instructions.ts'

/** Faults that a sandbox makes with the instruction of one reference. The kit makes all other faults itself. */
export const sandboxFaults = ['refuse', 'reject', 'settle_later', 'two_records', 'reopened', 'expire_approval'] as const

export type SandboxFault = (typeof sandboxFaults)[number]

const fault = z
  .enum(sandboxFaults)
  .describe(
    '`refuse`: answer 403 and execute nothing. `reject`: answer 422 and execute nothing. `settle_later`: answer 202 and stay pending until `POST /sandbox/settlements`. `two_records`: answer 202; searches then show two records of the reference, one succeeded and one failed. `reopened`: answer 202; searches then show a record that is pending and has `settled_at`. `expire_approval`: the approval with this reference is over before anybody decides.',
  )

const credentials = z.string().min(1).max(8192).describe('Credentials of a connection, as a sign-in gives them.')

const payment = z.object({ amount: positiveDecimal, currency })

export const sandbox = z
  .object({
    faults: z
      .array(fault)
      .describe('The faults that `POST /sandbox/faults` makes. Cases that need another one are left out.'),
    payout_schema_id: z.string().describe('A payout schema with which payments are final at once.'),
    payment: payment.describe(
      'An amount that a person who needs no approval can pay 100 times, in the currency of the payout schema.',
    ),
    approved_payment: payment
      .nullable()
      .describe('An amount that a person who has to approve can pay; null if nobody ever has to approve.'),
    card: cardTerms.pick({ type: true, currency: true }).describe('A card that can be made any number of times.'),
    reads: z.object(askingReads).describe('For each read with a request: a request of `reader` that gets data.'),
    reader: z
      .object({ credentials, card_reference: reference.describe('A card of this person that was used.') })
      .describe('A person with accounts, purchases and at least twenty movements, some of every source.'),
    other_reader: z.object({ credentials }).describe('Another person with accounts, purchases and movements.'),
  })
  .describe('What the kit needs to know about the sandbox.')

export const newSandboxConnection = z
  .object({
    approves: z
      .boolean()
      .describe('True: a person who has to approve mandates and transfers. False: one who never has to.'),
  })
  .describe('A connection of the kit’s own.')

export const sandboxConnection = z
  .object({ credentials })
  .describe('Credentials of a new connection. To revoke it changes no other one.')

export const newSandboxFault = z
  .object({ client_reference: clientReference, fault })
  .describe('A fault for the next instruction with this reference.')

export const newSandboxSettlement = z
  .object({
    client_reference: clientReference,
    as: z.enum(['succeeded', 'failed']).describe('The final status.'),
  })
  .describe('Makes the records final that wait under this reference.')

export const newSandboxDecision = z
  .object({
    hosted_url: webAddress.describe('The page of an approval.'),
    decision: z.enum(['approve', 'decline']).describe('What the person decides.'),
  })
  .describe('Decides as the person on the page of an approval.')

export const sandboxDone = z.object({}).describe('It was done.')
