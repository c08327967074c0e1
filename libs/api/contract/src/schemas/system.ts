/** Health, metadata and the public capability configuration. */

import { z } from 'zod'
import { placeholderBaseUrl } from '../openapi/origin.ts'
import { documented } from './documented.ts'
import { operationKind } from './operation.ts'
import { dateTime } from './primitives.ts'

const healthStatus = z.enum(['ok', 'degraded']).register(documented, { id: 'HealthStatus' })

const healthCheck = z
  .strictObject({
    name: z.string().describe('The name of the check.'),
    status: healthStatus.describe('The result of the check.'),
  })
  .register(documented, { id: 'HealthCheck' })

export const environment = z.enum(['local', 'test', 'production']).register(documented, { id: 'Environment' })

/** `GET /v1/health`. */
export const health = z
  .strictObject({
    status: healthStatus.describe('`ok` if protected requests can be served.'),
    time: dateTime.describe('The current time of the server.'),
    checks: z.array(healthCheck).describe('The checks on which the status depends.'),
  })
  .register(documented, {
    id: 'Health',
    examples: [
      {
        status: 'ok',
        time: '2026-11-20T09:15:00.000Z',
        checks: [
          { name: 'bus', status: 'ok' },
          { name: 'grant_feed', status: 'ok' },
        ],
      },
    ],
  })

export type Health = z.output<typeof health>

/** `GET /v1/metadata`. */
export const metadata = z
  .strictObject({
    name: z.string().describe('The name of this API.'),
    version: z.string().describe('The version of this API; all routes are under /v1.'),
    environment: environment.describe(
      'The environment. Tokens, keys and clients of one environment are not valid in another.',
    ),
    issuer: z.url().describe('The issuer: the authorization server.'),
    resource: z.url().describe('The resource for which tokens are issued.'),
    documentation_url: z.url().describe('The address of the documentation.'),
    openapi_url: z.url().describe('The address of this document.'),
  })
  .register(documented, {
    id: 'Metadata',
    examples: [
      {
        name: 'Financial Agents API',
        version: '1.0.0',
        environment: 'production',
        issuer: placeholderBaseUrl,
        resource: placeholderBaseUrl,
        documentation_url: `${placeholderBaseUrl}/docs`,
        openapi_url: `${placeholderBaseUrl}/v1/openapi.json`,
      },
    ],
  })

export type Metadata = z.output<typeof metadata>

export const availability = z
  .strictObject({
    available: z.boolean().describe('True if the capability is available.'),
    documentation_url: z.url().describe('The address of further documentation.'),
    reason_code: z.string().nullable().describe('The reason why the capability is not available; null if it is.'),
  })
  .register(documented, { id: 'Availability' })

const cardCapabilities = z
  .strictObject({
    reveal: availability.describe('Show a card number on the page of the provider.'),
  })
  .register(documented, { id: 'CardCapabilities' })

const providerEventCapabilities = z
  .strictObject({
    inbound: availability.describe('Receive events from the provider.'),
  })
  .register(documented, { id: 'ProviderEventCapabilities' })

const purchaseCapabilities = z
  .strictObject({
    exact_execute: availability.describe('Execute an exact quote.'),
    query_execute: availability.describe('Execute a purchase that a query finds.'),
  })
  .register(documented, { id: 'PurchaseCapabilities' })

const transferCapabilities = z
  .strictObject({
    execute: availability.describe('Execute transfers and withdrawals.'),
  })
  .register(documented, { id: 'TransferCapabilities' })

export const capabilities = z
  .strictObject({
    cards: cardCapabilities.describe('The capabilities of cards.'),
    provider_events: providerEventCapabilities.describe('The capabilities of provider events.'),
    purchases: purchaseCapabilities.describe('The capabilities of purchases.'),
    transfers: transferCapabilities.describe('The capabilities of transfers.'),
  })
  .register(documented, { id: 'Capabilities' })

const known = { documentation_url: `${placeholderBaseUrl}/docs` }
const absent = { available: false, ...known, reason_code: 'not_in_this_release' }

export const exampleCapabilities = {
  cards: { reveal: { available: false, ...known, reason_code: 'not_enabled' } },
  provider_events: { inbound: absent },
  purchases: { exact_execute: absent, query_execute: absent },
  transfers: { execute: { available: true, ...known, reason_code: null } },
}

export const operationAvailability = z
  .strictObject({
    kind: operationKind.describe('The kind of operation.'),
    available: z.boolean().describe('True if a request that starts such an operation can be accepted.'),
    reason_code: z
      .string()
      .nullable()
      .describe(
        'The reason why it is not available: `not_enabled` (this environment has not enabled its capability), `not_offered_by_provider`, or `not_known` (the kinds that are offered are not known at present). Null if it is available.',
      ),
  })
  .register(documented, { id: 'OperationAvailability' })

/** `GET /v1/public-config`. */
export const publicConfig = z
  .strictObject({
    capabilities: capabilities.describe('The capabilities of this environment.'),
  })
  .register(documented, { id: 'PublicConfig', examples: [{ capabilities: exampleCapabilities }] })

/** The public capability configuration. */
export type PublicConfig = z.output<typeof publicConfig>

/** `GET /v1/openapi.json`: the description of this API (OpenAPI 3.1). */
export const openapi = z
  .looseObject({
    openapi: z
      .string()
      .regex(/^3\.1\./)
      .describe('The version of OpenAPI.'),
  })
  .register(documented, { id: 'OpenapiDocument', examples: [{ openapi: '3.1.1' }] })
