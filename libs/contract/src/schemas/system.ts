/** Health, metadata and the public capability configuration. */

import { z } from 'zod'
import { dateTime } from './primitives.ts'

/** `GET /v1/health`. */
export const health = z.strictObject({
  status: z.enum(['ok', 'degraded']).describe('Whether protected requests can be served.'),
  time: dateTime.describe('What time it is here.'),
  checks: z
    .array(
      z.strictObject({
        name: z.string().describe('What was looked at.'),
        status: z.enum(['ok', 'degraded']).describe('How it is.'),
      }),
    )
    .describe('What that depends on.'),
})

/** `GET /v1/metadata`. */
export const metadata = z.strictObject({
  name: z.string().describe('This API.'),
  version: z.string().describe('Its version; all routes live under /v1.'),
  environment: z
    .enum(['local', 'test', 'production'])
    .describe('Tokens, keys and clients of one are not valid in another.'),
  issuer: z.url().describe('The authorization server.'),
  resource: z.url().describe('What tokens are for.'),
  documentation_url: z.url().describe('Where it is described.'),
  openapi_url: z.url().describe('Where this document is.'),
})

/** The availability of one capability in this environment. */
export const availability = z.strictObject({
  available: z.boolean().describe('Whether it can be done here.'),
  documentation_url: z.url().describe('Where more is said about it.'),
  reason_code: z.string().nullable().describe('Why it cannot; null where it can.'),
})

/** `GET /v1/public-config`. */
export const publicConfig = z.strictObject({
  capabilities: z
    .strictObject({
      cards: z
        .strictObject({ reveal: availability.describe('Showing the number of a card at the page of the provider.') })
        .describe('Cards.'),
      provider_events: z
        .strictObject({ inbound: availability.describe('Events that the provider sends.') })
        .describe('Events of the provider.'),
      purchases: z
        .strictObject({
          exact_execute: availability.describe('Carrying out an exact quote.'),
          query_execute: availability.describe('Carrying out what a query finds.'),
        })
        .describe('Purchases.'),
      transfers: z
        .strictObject({ execute: availability.describe('Carrying out transfers and withdrawals.') })
        .describe('Transfers.'),
    })
    .describe('What this environment can do.'),
})

/** `GET /v1/openapi.json`: the description of this API (OpenAPI 3.1). */
export const openapi = z.looseObject({
  openapi: z
    .string()
    .regex(/^3\.1\./)
    .describe('The version of OpenAPI.'),
})
