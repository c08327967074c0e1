/**
 * The committed OpenAPI documents, at any origin. The gateway serves them: to build the document from the schemas takes
 * 0.3 s of CPU, which each start would pay.
 */

import whole from '../../generated/openapi.json' with { type: 'json' }
import withoutWebhooks from '../../generated/openapi-without-webhooks.json' with { type: 'json' }
import { placeholderBaseUrl, sessionCookie } from './origin.ts'

/** Returns the document of the API at an origin, as JSON. */
export function openapiJson(baseUrl: string): string {
  return at(whole, baseUrl)
}

/** Returns the same document without webhooks, as JSON, for generators that do not know them. */
export function openapiJsonWithoutWebhooks(baseUrl: string): string {
  return at(withoutWebhooks, baseUrl)
}

function at(document: object, baseUrl: string): string {
  return JSON.stringify(document)
    .replaceAll(placeholderBaseUrl, baseUrl)
    .replaceAll(`"${sessionCookie(placeholderBaseUrl)}"`, `"${sessionCookie(baseUrl)}"`)
}
