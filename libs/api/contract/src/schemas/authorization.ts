/**
 * The current grant with its effective policy, and the owner's identity towards this client (resources,
 * "Authorization", "Identity").
 */

import { z } from 'zod'
import { scopeNames } from '../scopes.ts'
import { documented } from './documented.ts'
import { dateTime, extensible, money } from './primitives.ts'
import { clientId, eur, ids } from './story.ts'
import { capabilities, exampleCapabilities } from './system.ts'

/** The status of a grant as clients see it. A grant is `expired` as soon as its time has ended. */
export const grantStatus = z
  .enum(['active', 'suspended', 'revoked', 'expired'])
  .register(documented, { id: 'GrantStatus' })
/** The kind of application that a client is registered as. */
const clientProfile = z
  .enum(['web', 'spa', 'native', 'device', 'service'])
  .register(documented, { id: 'ClientProfile' })

/** The status of a grant as clients see it. */
export type GrantStatus = z.output<typeof grantStatus>

export type ClientProfile = z.output<typeof clientProfile>

/** The actions that an owner can be asked to confirm (decisions, "Confirmation intents"), for requests. */
export const confirmableAction = z
  .enum(['mandate_create', 'mandate_revoke', 'service_disconnect', 'transfer'])
  .register(documented, { id: 'ConfirmableAction' })

/** The actions that an owner can be asked to confirm, in responses. */
export const confirmedAction = extensible(z.enum(confirmableAction.options)).register(documented, {
  id: 'ConfirmedAction',
})

/** A scope of customers, in responses. */
export const scope = extensible(z.enum(scopeNames)).register(documented, { id: 'Scope' })

/** An action that an owner can be asked to confirm. */
export type ConfirmedAction = z.output<typeof confirmedAction>

/** The maximum amounts that a client can pay. */
const grantCeilings = z
  .strictObject({
    per_payment: money.nullable().describe('The maximum of one payment.'),
    per_day: money.nullable().describe('The maximum of all payments of this client in a UTC day, over all its grants.'),
  })
  .register(documented, { id: 'GrantCeilings' })

const confirmationRule = z
  .strictObject({
    action: confirmedAction.describe('The action.'),
    above: money.nullable().describe('A confirmation is needed above this amount; null: always.'),
  })
  .register(documented, { id: 'ConfirmationRule' })

/** The limits on payments, and the actions that need the owner's confirmation. `above` null: always. */
const grantPolicy = z
  .strictObject({
    ceilings: grantCeilings.describe(
      'The maximum that this client can pay, by withdrawal or under a mandate; null if there is no ceiling. If there is a ceiling, payments in other currencies are refused.',
    ),
    confirmation: z.array(confirmationRule).describe('The actions that need a confirmation of the owner.'),
  })
  .register(documented, { id: 'GrantPolicy' })

export type GrantPolicy = z.output<typeof grantPolicy>

/** A grant as its client sees it. */
export const grant = z
  .strictObject({
    id: z.uuid().describe('The grant.'),
    status: grantStatus.describe('The status of the grant.'),
    created_at: dateTime.describe('The time at which the owner gave the grant.'),
    expires_at: dateTime
      .nullable()
      .describe('The end of the grant. The grant of a service account has no end of its own.'),
    scopes: z.array(scope).meta({ uniqueItems: true }).describe('The scopes of the grant.'),
  })
  .register(documented, { id: 'Grant' })

export const clientNames = z
  .strictObject({
    id: z.string().describe('The registered client id.'),
    name: z.string().describe('The name of the client as owners know it.'),
  })
  .register(documented, { id: 'RegisteredClientNames' })

export const client = clientNames
  .extend({ profile: clientProfile.describe('The kind of application.') })
  .register(documented, { id: 'RegisteredClient' })

/** `GET /v1/authorization`. */
export const authorization = z
  .strictObject({
    grant: grant.describe('The grant of this token.'),
    client: client.describe('The client that acts.'),
    policy: grantPolicy.describe('The authority that the owner delegated.'),
    capabilities: capabilities.describe('The capabilities of this environment, as in GET /v1/public-config.'),
  })
  .register(documented, {
    id: 'Authorization',
    examples: [
      {
        grant: {
          id: ids.grant,
          status: 'active',
          created_at: '2026-11-01T10:00:00.000Z',
          expires_at: '2027-01-30T10:00:00.000Z',
          scopes: ['authorization:read', 'beneficiaries:read', 'operations:read', 'spending:withdraw'],
        },
        client: { id: clientId, name: 'Rent agent', profile: 'web' },
        policy: {
          ceilings: { per_payment: eur('500.00'), per_day: null },
          confirmation: [{ action: 'transfer', above: eur('100.00') }],
        },
        capabilities: exampleCapabilities,
      },
    ],
  })

export type Authorization = z.output<typeof authorization>

/** `GET /v1/identity`: display preferences of the owner. Nothing in it proves the owner's identity. */
export const identity = z
  .strictObject({
    subject: z.string().describe('The subject of the owner for this client. Other clients see a different subject.'),
    display_name: z.string().nullable().describe('The name of the owner for display.'),
    locale: z.string().describe('The locale of the owner (BCP 47).'),
    timezone: z.string().describe('The time zone of the owner (IANA).'),
  })
  .register(documented, {
    id: 'Identity',
    examples: [{ subject: 'hU3xq0T9bV', display_name: 'Ana', locale: 'pt-PT', timezone: 'Europe/Lisbon' }],
  })

/** Display preferences of the owner. */
export type Identity = z.output<typeof identity>

/** The browser session of the pages. The other members are null if nobody is signed in. */
export const session = z
  .strictObject({
    authenticated: z.boolean().describe('True if somebody is signed in.'),
    display_name: z.string().nullable().describe('The name of the signed-in person; null if nobody is signed in.'),
    csrf_token: z
      .string()
      .nullable()
      .describe('The token that forms of the pages must contain; null if nobody is signed in.'),
    expires_at: dateTime.nullable().describe('The time at which the session expires.'),
  })
  .register(documented, {
    id: 'Session',
    examples: [{ authenticated: false, display_name: null, csrf_token: null, expires_at: null }],
  })

/** The browser session of the pages. */
export type Session = z.output<typeof session>
