/** The schemas of the document: the named ones as components, and those of parameters in place. */

import { z } from 'zod'
import { nameOf, namesOfSchemas } from './named-schemas.ts'
import { type JsonSchema, toOpen, toReadable } from './readable-schema.ts'

/** A reference to a named schema. */
export function schemaReference(schema: z.ZodType): { $ref: string } {
  return { $ref: toReference(nameOf(schema)) }
}

const toReference = (name: string) => `#/components/schemas/${name}`

/**
 * The member `components.schemas` of the document. The bodies of requests are closed. All else is open, because a later version may
 * add members to it.
 */
export function componentSchemas(bodies: Iterable<z.ZodType>): Record<string, JsonSchema> {
  const converted = convert(namesOfSchemas, 'output')
  const closed = new Set<string>()
  for (const body of bodies) addReferred(nameOf(body), converted, closed)
  const byName = Array.from(namesOfSchemas, ([schema, name]) => [name, schema] as const)
  const sorted = byName.toSorted(([one], [other]) => (one < other ? -1 : 1))
  const finished = (name: string, schema: z.ZodType) => {
    const whole = withDiscriminator(schema, converted[name])
    return closed.has(name) ? whole : toOpen(whole)
  }
  return Object.fromEntries(sorted.map(([name, schema]) => [name, finished(name, schema)]))
}

/** Adds the name, and the names of all schemas to which its schema refers. */
function addReferred(name: string, schemas: Readonly<Record<string, JsonSchema>>, names: Set<string>): void {
  if (names.has(name)) return
  names.add(name)
  const references = JSON.stringify(schemas[name]).matchAll(/"#\/components\/schemas\/(\w+)"/g)
  for (const [, referred = ''] of references) addReferred(referred, schemas, names)
}

/** Converts parameters to the form that clients send, all at once: each conversion goes through every named schema. */
export function parameterSchemas(schemas: Iterable<z.ZodType>): ReadonlyMap<z.ZodType, JsonSchema> {
  const keyed = Array.from(new Set(schemas), (schema, index) => [schema, `parameter ${index}`] as const)
  const converted = convert([...namesOfSchemas, ...keyed], 'input')
  return new Map(keyed.map(([schema, key]) => [schema, converted[key] ?? {}]))
}

function convert(named: Iterable<readonly [z.ZodType, string]>, io: 'input' | 'output'): Record<string, JsonSchema> {
  const registry = z.registry<{ id: string }>()
  for (const [schema, id] of named) registry.add(schema, { id })
  const { schemas } = z.toJSONSchema(registry, { uri: toReference, io })
  return Object.fromEntries(Object.entries(schemas).map(([name, schema]) => [name, toReadable(schema as JsonSchema)]))
}

/** Names the member by which the alternatives of a union are told apart, and the alternative for each value. */
function withDiscriminator(schema: z.ZodType, converted: JsonSchema = {}): JsonSchema {
  if (!(schema instanceof z.ZodDiscriminatedUnion)) return converted
  const propertyName = schema.def.discriminator
  const alternatives = schema.options as readonly z.ZodObject[]
  const mapping = alternatives.flatMap((alternative) => {
    const { values } = alternative.shape[propertyName] as z.ZodLiteral
    return Array.from(values, (value) => [String(value), toReference(nameOf(alternative))] as const)
  })
  return { ...converted, discriminator: { propertyName, mapping: Object.fromEntries(mapping) } }
}
