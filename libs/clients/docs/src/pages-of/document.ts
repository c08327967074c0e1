/** The OpenAPI document, as the pages of routes read it. */

import { openapiDocument } from '@financial-agents/contract/openapi'
import { placeholderBaseUrl } from '@financial-agents/contract/openapi/origin'
import type { Route } from '@financial-agents/contract/route'

/** A part of the document. */
export type Json = { readonly [name: string]: unknown }
export type Parameter = { name: string; in: string; required?: boolean; description: string; schema: Json }

export const document = openapiDocument(placeholderBaseUrl)

/** A call of the document: its parameters, its body and the answer of its success. */
export function findCall(row: Route) {
  const operation = document.paths[row.path]?.[row.method.toLowerCase()] as Json
  const parameters = (operation['parameters'] as Json[]).map((parameter) => resolve(parameter) as Parameter)
  const [bodyName, bodySchema, example] = contentOf(operation['requestBody'] as Json | undefined)
  const success = resolve((operation['responses'] as Record<string, Json>)[String(row.status)] ?? {})
  return { operation, parameters, bodyName, bodySchema, example, success }
}

/** Resolves a reference; returns any other part as it is. */
export function resolve(part: Json): Json {
  const reference = part['$ref']
  if (typeof reference !== 'string') return part
  return reference
    .slice(2)
    .split('/')
    .reduce<unknown>((at, name) => (at as Json)[name], document) as Json
}

/** The name of the schema of a body, the schema, and its first example. */
export function contentOf(part: Json | undefined): [name: string, schema: Json | undefined, example: unknown] {
  const content = Object.values((part?.['content'] ?? {}) as Record<string, Json>)[0]
  if (!content) return ['', undefined, undefined]
  const schema = content['schema'] as Json
  const example = Object.values((content['examples'] ?? {}) as Record<string, Json>)[0]
  return [nameOf(schema), resolve(schema), example && resolve(example)['value']]
}

/** The name of a schema from its reference; empty if the schema is written out in place. */
export function nameOf(schema: Json): string {
  return textOf(schema['$ref']).split('/').at(-1) ?? ''
}

/** The value if it is text. */
export function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}
