/**
 * The OpenAPI document without webhooks, for generators that do not know them. It stands beside the documentation, because the contract
 * has one route for the document.
 */

import { documentationRoot } from '@financial-agents/contract/documentation-paths'
import { openapiJsonWithoutWebhooks } from '@financial-agents/contract/openapi/committed'
import type { Stored } from './stored.ts'

export const openapiVariantPath = `${documentationRoot}/openapi-without-webhooks.json`

const headers = ['Content-Type', 'application/json', 'Cache-Control', 'no-cache', 'X-Content-Type-Options', 'nosniff']

/** Returns the variant of this origin's document. */
export function openapiVariant(baseUrl: string): Stored {
  return { headers, body: openapiJsonWithoutWebhooks(baseUrl) }
}
