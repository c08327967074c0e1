/** Health, metadata and the public capability configuration. */

import { z } from 'zod'
import { dateTime } from './primitives.ts'

/** `GET /v1/health`. */
export const health = z.strictObject({
  status: z.enum(['ok', 'degraded']),
  time: dateTime,
  checks: z.array(z.strictObject({ name: z.string(), status: z.enum(['ok', 'degraded']) })),
})

/** `GET /v1/metadata`. */
export const metadata = z.strictObject({
  name: z.string(),
  version: z.string(),
  environment: z.enum(['local', 'test', 'production']),
  issuer: z.url(),
  resource: z.url(),
  documentation_url: z.url(),
  openapi_url: z.url(),
})

/** Whether something can be done here. */
export const availability = z.strictObject({
  available: z.boolean(),
  documentation_url: z.url(),
  reason_code: z.string().nullable(),
})

/** `GET /v1/public-config`. */
export const publicConfig = z.strictObject({
  capabilities: z.strictObject({
    cards: z.strictObject({ reveal: availability }),
    provider_events: z.strictObject({ inbound: availability }),
    purchases: z.strictObject({ exact_execute: availability, query_execute: availability }),
    transfers: z.strictObject({ execute: availability }),
  }),
})

/** `GET /v1/openapi.json`: the description of this API (OpenAPI 3.1). */
export const openapi = z.looseObject({ openapi: z.string().startsWith('3.1.') })
