/** Pages of the provider for a person's browser: approvals, sign-in, card reveals, identity checks. */

import { providerCustomer } from '@financial-agents/provider-port/device-authentication'
import {
  clientReference,
  code,
  reference,
  tokenReference,
  utcTimestamp,
  webAddress,
} from '@financial-agents/provider-port/primitives'
import { z } from 'zod'
import { mandateTerms, transferTerms } from './instructions.ts'

/** Members of every page that was started. */
export const hostedPage = z.object({
  reference,
  client_reference: clientReference,
  hosted_url: webAddress.describe('The page for the person’s browser. It must be of no use to anybody else.'),
  expires_at: utcTimestamp.describe('From this time on, the page accepts no decision.'),
})

const returnUrl = webAddress
  .nullable()
  .describe(
    'The page sends the browser in which the person decided to this address, with nothing added. Null: nowhere.',
  )

export const newApproval = z
  .object({
    client_reference: clientReference.describe('The reference of the instruction that is to be approved.'),
    return_url: returnUrl,
    instruction: z
      .discriminatedUnion('kind', [
        z.object({ kind: z.literal('mandate_create'), terms: mandateTerms }),
        z.object({ kind: z.literal('transfer'), terms: transferTerms }),
      ])
      .describe('The instruction in the words in which it will be sent, without its reference.'),
  })
  .describe('An instruction that a person may have to approve first.')

export const approvalStarted = z
  .object({
    data: z.discriminatedUnion('status', [
      z
        .object({
          status: z.literal('not_needed').describe('Nobody has to approve the instruction. There is no page.'),
          client_reference: clientReference,
        })
        .describe('An approval that is not needed.'),
      hostedPage.extend({
        status: z.enum(['pending', 'granted', 'declined', 'expired', 'failed']).describe('The decision so far.'),
        reference: tokenReference,
        poll_after_ms: z
          .int()
          .min(1)
          .max(3_600_000)
          .describe('The time in milliseconds after which it is worth asking for the decision.'),
      }),
    ]),
  })
  .describe('The approval. An equal request gets an equal answer, also after the decision.')

export const approvalResult = z
  .object({
    data: z.discriminatedUnion('status', [
      z.object({
        status: z
          .enum(['pending', 'granted', 'not_needed', 'declined', 'expired'])
          .describe('Every status but `pending` is final.'),
        reference,
      }),
      z.object({
        status: z.literal('failed').describe('The provider will not accept the instruction.'),
        reference,
        failure_code: code,
      }),
    ]),
  })
  .describe('The decision.')

export const newCardReveal = z
  .object({ client_reference: clientReference, card_reference: reference })
  .describe('A visit to the page that shows the number of one card.')

export const cardReveal = z
  .object({ data: hostedPage.extend({ card_reference: reference }) })
  .describe('The page asks the person to sign in, shows the number once, and shows nothing to a plain request.')

export const newIdentityCheck = z
  .object({ client_reference: clientReference, return_url: returnUrl })
  .describe('A visit to the page on which a person proves who they are.')

export const identityCheck = z.object({ data: hostedPage }).describe('The page of an identity check.')

export const newDeviceAuthentication = z
  .object({
    client_reference: clientReference.describe('An unguessable reference of the application.'),
    return_url: webAddress.describe(
      'The page sends the browser in which the person decided here, with nothing added. Show this address to nobody else.',
    ),
  })
  .describe('The start of a sign-in.')

export const deviceAuthenticationStarted = z
  .object({
    data: hostedPage.extend({
      reference: tokenReference.describe('A secret of the application: it reads the credentials. Unguessable.'),
    }),
  })
  .describe('The page on which the person signs in and decides.')

export const deviceAuthenticationResult = z
  .object({
    data: z.discriminatedUnion('status', [
      z.object({ status: z.enum(['pending', 'declined', 'expired']).describe('The decision so far.') }),
      z.object({
        status: z.literal('approved').describe('The person allowed it. Every later read answers the same again.'),
        credentials: z
          .string()
          .regex(/^[\x21-\x7e]{1,8192}$/)
          .describe('The credentials of the connection: the application sends them with every call for this person.'),
        customer: providerCustomer.describe('The person who signed in.'),
      }),
    ]),
  })
  .describe('The decision of a sign-in.')
