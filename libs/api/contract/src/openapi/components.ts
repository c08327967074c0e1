/** The schemas of the document: the named ones as components, and those of parameters in place. */

import { z } from 'zod'
import { nameOf, namesOfSchemas } from './named-schemas.ts'
import { type JsonSchema, toReadable } from './readable-schema.ts'

export function schemaReference(schema: z.ZodType): { $ref: string } {
  return { $ref: toReference(nameOf(schema)) }
}

const toReference = (name: string) => `#/components/schemas/${name}`

/** The member `components.schemas` of the document. An object has the members that its schema names, and no others. */
export function componentSchemas(): Record<string, JsonSchema> {
  const converted = convert(namesOfSchemas, 'output')
  const byName = Array.from(namesOfSchemas, ([schema, name]) => [name, schema] as const)
  const sorted = byName.toSorted(([one], [other]) => (one < other ? -1 : 1))
  return Object.fromEntries(sorted.map(([name, schema]) => [name, withDiscriminator(schema, converted[name])]))
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
