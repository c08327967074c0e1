/**
 * The current grant with its effective policy, and the owner's identity towards this client (resources,
 * "Authorization", "Identity").
 */

import { z } from 'zod'
import { scopeNames } from '../scopes.ts'
import { dateTime, money } from './primitives.ts'
import { publicConfig } from './system.ts'

/** The status of a grant as clients see it. A grant is `expired` as soon as its time has ended. */
export const grantStatus = z.enum(['active', 'suspended', 'revoked', 'expired'])
/** The kind of application that a client is registered as. */
export const clientProfile = z.enum(['web', 'spa', 'native', 'device', 'service'])

/** The status of a grant as clients see it. */
export type GrantStatus = z.output<typeof grantStatus>

/** The kind of application that a client is registered as. */
export type ClientProfile = z.output<typeof clientProfile>

/** The actions that an owner can be asked to confirm (decisions, "Confirmation intents"). */
export const confirmedAction = z.enum(['mandate_create', 'mandate_revoke', 'service_disconnect', 'transfer'])

/** An action that an owner can be asked to confirm. */
export type ConfirmedAction = z.output<typeof confirmedAction>

/** The ceilings on payments, and the actions that need the owner's confirmation. `above` null: always. */
export const grantPolicy = z.strictObject({
  ceilings: z
    .strictObject({
      per_payment: money.nullable().describe('In one payment.'),
      per_day: money.nullable().describe('In a day (UTC), in all payments of this client, whatever its grant.'),
    })
    .describe(
      'What this client can pay at most, by withdrawal or under a mandate; null where there is no ceiling. Where there is one, a currency without one is refused.',
    ),
  confirmation: z
    .array(
      z.strictObject({
        action: confirmedAction.describe('The action.'),
        above: money.nullable().describe('Above this amount; null: always.'),
      }),
    )
    .describe("Which actions need the owner's confirmation."),
})

/** The policy of a grant: its ceilings and confirmations. */
export type GrantPolicy = z.output<typeof grantPolicy>

/** `GET /v1/authorization`. */
export const authorization = z.strictObject({
  grant: z
    .strictObject({
      id: z.uuid().describe('The grant.'),
      status: grantStatus.describe('Whether it is good.'),
      created_at: dateTime.describe('When the owner gave it.'),
      expires_at: dateTime.nullable().describe('When it ends; that of a service account has no end of its own.'),
      scopes: z.array(z.enum(scopeNames)).describe('What it allows.'),
    })
    .describe('The grant that this token is of.'),
  client: z
    .strictObject({
      id: z.string().describe('As it is registered.'),
      name: z.string().describe('As owners know it.'),
      profile: clientProfile.describe('What kind of application it is.'),
    })
    .describe('Who acts.'),
  policy: grantPolicy.describe('What the owner delegated.'),
  capabilities: publicConfig.shape.capabilities.describe('What this environment can do, as in GET /v1/public-config.'),
})

/** `GET /v1/identity`: display preferences of the owner. Nothing in it proves the owner's identity. */
export const identity = z.strictObject({
  subject: z.string().describe('The owner, to this client alone: another knows them by another one.'),
  display_name: z.string().nullable().describe('How the owner is called.'),
  locale: z.string().describe('BCP 47.'),
  timezone: z.string().describe('IANA.'),
})

/** The browser session of the pages. The other members are null if nobody is signed in. */
export const session = z.strictObject({
  authenticated: z.boolean().describe('Whether somebody is signed in.'),
  display_name: z.string().nullable().describe('Who; null where nobody is.'),
  csrf_token: z.string().nullable().describe('What forms of the pages send along; null where nobody is signed in.'),
  expires_at: dateTime.nullable().describe('When the session ends by itself.'),
})
