/**
 * Builds one operation of the document from each row of the route table. Every member derives from a column of the row.
 */

import type { z } from 'zod'
import { enablableOf, type Route, scopesOf } from '../route.ts'
import { extensionAreas } from './areas.ts'
import { parameterReference } from './headers.ts'
import { jsonContent } from './media.ts'
import type { JsonSchema } from './readable-schema.ts'
import { type Response, successResponse } from './responses.ts'
import { securityOf } from './security.ts'

/** The mark of extensions, which the contract does not have. */
export const extensionMark = { 'x-extension': true } as const

/** The parts of the document that are made for all operations at once. */
export type Parts = {
  responsesOf(row: Route): Record<string, Response | { $ref: string }>
  /** The schemas of path and query parameters. */
  parameters: ReadonlyMap<z.ZodType, JsonSchema>
}

export function operationOf(name: string, row: Route, parts: Parts): Record<string, unknown> {
  return {
    operationId: name,
    summary: row.summary,
    description: describe(row),
    tags: [row.area],
    ...(extensionAreas.has(row.area) ? extensionMark : {}),
    security: securityOf(row),
    parameters: parametersOf(row, parts),
    ...(row.body === null ? {} : { requestBody: requestBody(row.body) }),
    responses: {
      [row.status]: successResponse(row),
      ...(row.maxAgeS === null ? {} : { 304: { $ref: '#/components/responses/NotModified' } }),
      ...parts.responsesOf(row),
    },
  }
}

function describe(row: Route): string {
  const scopes = scopesOf(row).map((scope) => `\`${scope}\``)
  const sentences = [
    row.description,
    extensionAreas.has(row.area) ? 'An extension of ours, beyond the contract of this API.' : null,
    scopes.length > 0 ? `Scope: ${scopes.join(' or ')}.` : null,
    row.binding ? "Needs the owner's provider connected." : null,
    enablableOf(row) === null ? null : `Needs the capability \`${enablableOf(row)}\` (\`GET /v1/public-config\`).`,
    row.keyed ? 'A keyed write: accepted once for an `Idempotency-Key`, then followed by reading its operation.' : null,
    confirmationSentence(row),
  ]
  return sentences.filter((sentence) => sentence !== null).join(' ') || `${row.summary}.`
}

function confirmationSentence({ confirmation }: Route): string | null {
  if (confirmation === null) return null
  const asked = `a confirmation of the action \`${confirmation.action}\``
  return confirmation.needed === 'always' ? `Needs ${asked}.` : `Needs ${asked} if the policy of the grant asks for it.`
}

function parametersOf(row: Route, { parameters }: Parts): unknown[] {
  const { confirmation } = row
  return [
    ...members('path', row.params, parameters),
    ...members('query', row.query, parameters),
    ...(row.keyed ? [parameterReference('IdempotencyKey')] : []),
    ...(confirmation?.needed === 'always' ? [parameterReference('ConfirmationIntentId')] : []),
    ...(confirmation?.needed === 'by_policy' ? [parameterReference('ConfirmationIntentIdByPolicy')] : []),
    ...(row.maxAgeS === null ? [] : [parameterReference('IfNoneMatch')]),
    parameterReference('RequestId'),
  ]
}

function members(place: 'path' | 'query', { shape }: z.ZodObject, parameters: Parts['parameters']): unknown[] {
  return Object.entries(shape).map(([name, schema]) => {
    const { description, ...rest } = parameters.get(schema as z.ZodType) ?? {}
    const required = place === 'path' || !(schema as z.ZodType).isOptional()
    return { name, in: place, required, description, schema: rest }
  })
}

function requestBody(body: z.ZodObject): unknown {
  return {
    required: true,
    description: 'UTF-8, at most 64 KiB. Unknown members are refused.',
    content: jsonContent(body),
  }
}
