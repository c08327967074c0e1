/** Health, metadata and the public capability configuration. */

import { z } from 'zod'
import { dateTime } from './primitives.ts'

/** `GET /v1/health`. */
export const health = z.strictObject({
  status: z.enum(['ok', 'degraded']).describe('`ok` if protected requests can be served.'),
  time: dateTime.describe('The current time of the server.'),
  checks: z
    .array(
      z.strictObject({
        name: z.string().describe('The name of the check.'),
        status: z.enum(['ok', 'degraded']).describe('The result of the check.'),
      }),
    )
    .describe('The checks on which the status depends.'),
})

/** `GET /v1/metadata`. */
export const metadata = z.strictObject({
  name: z.string().describe('The name of this API.'),
  version: z.string().describe('The version of this API; all routes are under /v1.'),
  environment: z
    .enum(['local', 'test', 'production'])
    .describe('The environment. Tokens, keys and clients of one environment are not valid in another.'),
  issuer: z.url().describe('The issuer: the authorization server.'),
  resource: z.url().describe('The resource for which tokens are issued.'),
  documentation_url: z.url().describe('The address of the documentation.'),
  openapi_url: z.url().describe('The address of this document.'),
})

/** The availability of one capability in this environment. */
export const availability = z.strictObject({
  available: z.boolean().describe('True if the capability is available.'),
  documentation_url: z.url().describe('The address of further documentation.'),
  reason_code: z.string().nullable().describe('The reason why the capability is not available; null if it is.'),
})

/** `GET /v1/public-config`. */
export const publicConfig = z.strictObject({
  capabilities: z
    .strictObject({
      cards: z
        .strictObject({ reveal: availability.describe('Show a card number on the page of the provider.') })
        .describe('The capabilities of cards.'),
      provider_events: z
        .strictObject({ inbound: availability.describe('Receive events from the provider.') })
        .describe('The capabilities of provider events.'),
      purchases: z
        .strictObject({
          exact_execute: availability.describe('Execute an exact quote.'),
          query_execute: availability.describe('Execute a purchase that a query finds.'),
        })
        .describe('The capabilities of purchases.'),
      transfers: z
        .strictObject({ execute: availability.describe('Execute transfers and withdrawals.') })
        .describe('The capabilities of transfers.'),
    })
    .describe('The capabilities of this environment.'),
})

/** `GET /v1/openapi.json`: the description of this API (OpenAPI 3.1). */
export const openapi = z.looseObject({
  openapi: z
    .string()
    .regex(/^3\.1\./)
    .describe('The version of OpenAPI.'),
})
