/** Pages of the provider for a person's browser: approvals, sign-in, card reveals, identity checks. */

import { z } from 'zod'
import { grantTerms, transferTerms } from './instructions.ts'
import { clientReference, providerReference, reason, tokenReference, utcTimestamp, webAddress } from './primitives.ts'

/** Members of every page that was started. */
export const hostedPage = z.object({
  client_reference: clientReference,
  page_url: webAddress.describe('The page for the person’s browser. It must be of no use to anybody else.'),
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
      .discriminatedUnion('type', [
        z.object({ type: z.literal('grant'), terms: grantTerms }),
        z.object({ type: z.literal('transfer'), terms: transferTerms }),
      ])
      .describe('The instruction in the words in which it will be sent, without its reference.'),
  })
  .describe('An instruction that a person may have to approve first.')

const checkAfterMs = z
  .int()
  .min(1)
  .max(3_600_000)
  .describe('The time in milliseconds after which it is worth asking for the decision.')

const waived = z
  .object({
    status: z.literal('waived').describe('Nobody has to approve the instruction. There is no page.'),
    client_reference: clientReference,
  })
  .describe('An approval that is not needed.')

export const approvalStarted = z
  .object({
    approval: z.discriminatedUnion('status', [
      waived,
      hostedPage.extend({
        status: z.enum(['waiting', 'approved', 'declined', 'expired', 'failed']).describe('The decision so far.'),
        approval_ref: tokenReference,
        check_after_ms: checkAfterMs,
      }),
    ]),
  })
  .describe('The approval. An equal request gets an equal answer, also after the decision.')

export const approvalResult = z
  .object({
    approval: z.discriminatedUnion('status', [
      z.object({
        status: z
          .enum(['waiting', 'approved', 'waived', 'declined', 'expired'])
          .describe('Every status but `waiting` is final.'),
        approval_ref: providerReference,
      }),
      z.object({
        status: z.literal('failed').describe('The provider will not accept the instruction.'),
        approval_ref: providerReference,
        failure_reason: reason,
      }),
    ]),
  })
  .describe('The decision.')

export const newCardReveal = z
  .object({ client_reference: clientReference, card_ref: providerReference })
  .describe('A visit to the page that shows the number of one card.')

export const cardReveal = z
  .object({ card_reveal: hostedPage.extend({ reveal_ref: providerReference, card_ref: providerReference }) })
  .describe('The page asks the person to sign in, shows the number once, and shows nothing to a plain request.')

export const newIdentityCheck = z
  .object({ client_reference: clientReference, return_url: returnUrl })
  .describe('A visit to the page on which a person proves who they are.')

export const identityCheck = z
  .object({ identity_check: hostedPage.extend({ check_ref: providerReference }) })
  .describe('The page of an identity check.')

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
    device_authentication: hostedPage.extend({
      authentication_ref: tokenReference.describe(
        'A secret of the application: it reads the credentials. Unguessable.',
      ),
    }),
  })
  .describe('The page on which the person signs in and decides.')

export const deviceAuthenticationResult = z
  .object({
    device_authentication: z.discriminatedUnion('status', [
      z.object({ status: z.enum(['waiting', 'declined', 'expired']).describe('The decision so far.') }),
      z.object({
        status: z.literal('approved').describe('The person allowed it. Every later read answers the same again.'),
        credentials: z
          .string()
          .regex(/^[\x21-\x7e]{1,8192}$/)
          .describe('The credentials of the connection: the application sends them with every call for this person.'),
        customer: z
          .object({
            customer_ref: z
              .string()
              .regex(/^[\x21-\x7e]{1,200}$/)
              .describe('The person. The same each time the same person signs in; it identifies the owner.'),
            full_name: z
              .string()
              .regex(/^\P{Cc}{1,200}$/u)
              .nullable()
              .describe('For display.'),
            locale: z.string().max(100).describe('BCP 47.'),
            time_zone: z.string().max(100).describe('A name of the IANA time zone database.'),
          })
          .describe('The person who signed in.'),
      }),
    ]),
  })
  .describe('The decision of a sign-in.')
