/** The sandbox calls, with which the conformance kit controls a provider that moves no real money. */

import { z } from 'zod'
import { amount, cardTerms } from './instructions.ts'
import { clientReference, currency, providerReference, webAddress } from './primitives.ts'
import { newPurchaseEstimate, newTransferEstimate } from './quotes.ts'

/** Faults that a sandbox makes with the instruction of one reference. The kit makes all other faults itself. */
export const sandboxFaults = ['refuse', 'reject', 'settle_later', 'two_records', 'reopened', 'expire_approval'] as const

export type SandboxFault = (typeof sandboxFaults)[number]

const fault = z
  .enum(sandboxFaults)
  .describe(
    '`refuse`: answer 403 and execute nothing. `reject`: answer 422 and execute nothing. `settle_later`: answer 202 and stay pending until `POST /sandbox/settlements`. `two_records`: answer 202; searches then show two records of the reference, one active and one failed. `reopened`: answer 202; searches then show a record that is pending and has `settled_at`. `expire_approval`: the approval with this reference is over before anybody decides.',
  )

const credentials = z.string().min(1).max(8192).describe('Credentials of a connection, as a sign-in gives them.')

export const sandbox = z
  .object({
    faults: z
      .array(fault)
      .describe('The faults that `POST /sandbox/faults` makes. Cases that need another one are left out.'),
    payout_scheme: z.string().describe('A scheme of `GET /payout-schemas` with which payments are final at once.'),
    payment: amount.describe(
      'An amount that a person who needs no approval can pay 100 times, in the currency of the scheme.',
    ),
    approved_payment: amount
      .nullable()
      .describe('An amount that a person who has to approve can pay; null if nobody ever has to approve.'),
    card: cardTerms.pick({ form: true, ccy: true }).describe('A card that can be made any number of times.'),
    limits_scheme: z.string().describe('A scheme for which `GET /limits` answers limits.'),
    transfer_estimate: newTransferEstimate
      .omit({ payee_ref: true, fixed: true })
      .describe('A request that gets an estimate whichever side is fixed.'),
    purchase_estimate: newPurchaseEstimate.describe('A request that gets an estimate.'),
    price_ccy: currency.describe('A currency with prices.'),
    reader: z
      .object({ credentials, card_ref: providerReference.describe('A card of this person that was used.') })
      .describe('A person with accounts, orders and at least twenty movements, some of every origin.'),
    other_reader: z.object({ credentials }).describe('Another person with accounts, orders and movements.'),
  })
  .describe('What the kit needs to know about the sandbox.')

export const newSandboxConnection = z
  .object({
    approves: z
      .boolean()
      .describe('True: a person who has to approve grants and transfers. False: one who never has to.'),
  })
  .describe('A connection of the kit’s own.')

export const sandboxConnection = z
  .object({ credentials })
  .describe('Credentials of a new connection. To withdraw it changes no other one.')

export const newSandboxFault = z
  .object({ client_reference: clientReference, fault })
  .describe('A fault for the next instruction with this reference.')

export const newSandboxSettlement = z
  .object({
    client_reference: clientReference,
    as: z.enum(['active', 'failed']).describe('The final status.'),
  })
  .describe('Makes the records final that wait under this reference.')

export const newSandboxDecision = z
  .object({
    page_url: webAddress.describe('The page of an approval.'),
    decision: z.enum(['approve', 'decline']).describe('What the person decides.'),
  })
  .describe('Decides as the person on the page of an approval.')

export const sandboxDone = z.object({}).describe('It was done.')
