/**
 * The names and the examples of the document's schemas. A named schema is referenced, and any other schema is written out
 * in place. A schema states both where it is defined; bodies and lists are named after their routes and items.
 */

import { z } from 'zod'
import type { Route } from '../route.ts'
import { routes } from '../routes.ts'
import { documented } from '../schemas/documented.ts'
// Registers the bodies of refusals, which no row names.
// oxlint-disable-next-line import/no-unassigned-import -- the registration is its effect
import '../schemas/problem.ts'
import { webhookPayload } from '../schemas/webhook.ts'
import { placeholderBaseUrl } from './origin.ts'

// oxlint-disable-next-line no-underscore-dangle -- zod lists a registry by no other name
const names = new Map(Array.from(documented._idmap, ([name, schema]) => [schema as z.ZodType, name]))
const sent = new Map<string, z.ZodType>()
for (const [name, row] of Object.entries(routes as Record<string, Route>)) {
  if (row.body) send(row.body, `${capitalised(name)}Request`)
  if (row.status !== 204) send(row.response, `${findItemName(row.response) ?? capitalised(name)}List`)
}
send(webhookPayload, '')

function send(schema: z.ZodType, nameIfNone: string): void {
  const name = names.get(schema) ?? nameIfNone
  names.set(schema, name)
  sent.set(name, schema)
}

function itemOf(response: z.ZodType): z.ZodType | undefined {
  const items: unknown = response instanceof z.ZodObject ? response.shape['items'] : undefined
  return items instanceof z.ZodArray ? (items.element as z.ZodType) : undefined
}

function findItemName(response: z.ZodType): string | undefined {
  const item = itemOf(response)
  return item && names.get(item)
}

function capitalised(name: string): string {
  return name.charAt(0).toUpperCase() + name.slice(1)
}

export const namesOfSchemas: ReadonlyMap<z.ZodType, string> = names

/** @throws Error if the schema has no name */
export function nameOf(schema: z.ZodType): string {
  const name = names.get(schema)
  if (name === undefined) throw new Error('the schema has no name')
  return name
}

/** The example of a schema; that of a list has one item. @throws Error if neither the schema nor its items have one */
export function exampleOf(schema: z.ZodType): unknown {
  const [example] = documented.get(schema)?.examples ?? []
  if (example !== undefined) return example
  const item = itemOf(schema)
  if (item === undefined) throw new Error(`${nameOf(schema)} has no example: register one where it is defined`)
  const isPaged = schema instanceof z.ZodObject && 'next_cursor' in schema.shape
  return { items: [exampleOf(item)], ...(isPaged ? { next_cursor: null } : {}) }
}

/** The examples of every body and every response for an origin, by schema name. */
export function examplesAt(baseUrl: string): Readonly<Record<string, unknown>> {
  const examples = Object.fromEntries(Array.from(sent, ([name, schema]) => [name, exampleOf(schema)]))
  return JSON.parse(JSON.stringify(examples).replaceAll(placeholderBaseUrl, baseUrl)) as Record<string, unknown>
}
