/** The current grant with its effective policy, and who the owner is to this client (resources, "Authorization", "Identity"). */

import { z } from 'zod'
import { scopeNames } from '../scopes.ts'
import { dateTime, money } from './primitives.ts'
import { publicConfig } from './system.ts'

/** A grant as clients hear of it; `expired` from the end of its time on. */
export const grantStatus = z.enum(['active', 'suspended', 'revoked', 'expired'])
/** What kind of application a client is registered as. */
export const clientProfile = z.enum(['web', 'spa', 'native', 'device', 'service'])

/** Actions that a confirmation by the owner can be asked for (decisions, "Confirmation intents"). */
export const confirmedAction = z.enum(['mandate_create', 'mandate_revoke', 'service_disconnect', 'transfer'])

/** An action that a confirmation can be asked for. */
export type ConfirmedAction = z.output<typeof confirmedAction>

/** Ceilings on withdrawals, and which actions need the owner's confirmation; `above` null: always. */
export const grantPolicy = z.strictObject({
  ceilings: z.strictObject({ per_payment: money.nullable(), per_day: money.nullable() }),
  confirmation: z.array(z.strictObject({ action: confirmedAction, above: money.nullable() })),
})

/** Ceilings and confirmations of a grant. */
export type GrantPolicy = z.output<typeof grantPolicy>

/** `GET /v1/authorization`. */
export const authorization = z.strictObject({
  grant: z.strictObject({
    id: z.uuid(),
    status: grantStatus,
    created_at: dateTime,
    /** The grant of a service account has no end of its own. */
    expires_at: dateTime.nullable(),
    scopes: z.array(z.enum(scopeNames)),
  }),
  client: z.strictObject({ id: z.string(), name: z.string(), profile: clientProfile }),
  policy: grantPolicy,
  capabilities: publicConfig.shape.capabilities,
})

/** `GET /v1/identity`: how the owner wants to be shown things; nothing that proves who it is. */
export const identity = z.strictObject({
  /** Pairwise. */
  subject: z.string(),
  display_name: z.string().nullable(),
  /** BCP 47. */
  locale: z.string(),
  /** IANA. */
  timezone: z.string(),
})

/** The browser session of the pages; the members are null where nobody is signed in. */
export const session = z.strictObject({
  authenticated: z.boolean(),
  display_name: z.string().nullable(),
  csrf_token: z.string().nullable(),
  expires_at: dateTime.nullable(),
})
