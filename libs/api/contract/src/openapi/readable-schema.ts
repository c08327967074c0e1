/**
 * Rewrites zod's JSON Schema into the forms that generators of clients read. The meaning stays the same, or becomes wider
 * where `format` says what a pattern said.
 */

/** A JSON Schema, draft 2020-12. */
export type JsonSchema = { [keyword: string]: unknown }

/** Returns the schema with every part of it rewritten. */
export function toReadable(schema: JsonSchema): JsonSchema {
  const parts = Object.entries(schema).map(([keyword, value]) => [keyword, partOf(keyword, value)] as const)
  const { $schema: _dialect, $id: _id, ...whole } = Object.fromEntries(parts)
  return [withFormat, withoutPattern, extensible, nullable, single].reduce((so_far, rule) => rule(so_far), whole)
}

const values = new Set(['enum', 'const', 'default', 'x-extensible-enum', 'required', 'type'])

function partOf(keyword: string, value: unknown): unknown {
  if (values.has(keyword)) return value
  if (Array.isArray(value)) return (value as unknown[]).map((one) => (isSchema(one) ? toReadable(one) : one))
  if (!isSchema(value)) return value
  if (keyword !== 'properties') return toReadable(value)
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, toReadable(member as JsonSchema)]))
}

function isSchema(value: unknown): value is JsonSchema {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

const maxInt32 = 2 ** 31 - 1

/** The size of an integer follows from its bounds. */
function withFormat(schema: JsonSchema): JsonSchema {
  if (schema['type'] !== 'integer') return schema
  const { minimum, maximum } = schema as { minimum?: number; maximum?: number }
  if (minimum === undefined || maximum === undefined) throw new Error('an integer of the document needs two bounds')
  const fits = minimum >= -maxInt32 - 1 && maximum <= maxInt32
  return { ...schema, format: fits ? 'int32' : 'int64' }
}

const saidByFormat = new Set(['uuid', 'date-time'])

/**
 * Generated clients parse values of these formats into types of their own, to which a text pattern cannot be applied.
 */
function withoutPattern({ pattern, ...schema }: JsonSchema): JsonSchema {
  const isSaid = pattern === undefined || saidByFormat.has(schema['format'] as string)
  return isSaid ? schema : { ...schema, pattern }
}

/** A list that may grow must not be closed by `enum`. */
function extensible({ enum: closed, ...schema }: JsonSchema): JsonSchema {
  return closed === undefined || 'x-extensible-enum' in schema ? schema : { ...schema, enum: closed }
}

/** Writes `type: [string, "null"]` instead of two alternatives: generators would make a type of the alternatives. */
function nullable({ anyOf, ...schema }: JsonSchema): JsonSchema {
  if (!Array.isArray(anyOf)) return schema
  const [value, otherwise] = anyOf as JsonSchema[]
  if (anyOf.length !== 2 || otherwise?.['type'] !== 'null' || typeof value?.['type'] !== 'string')
    return { ...schema, anyOf }
  return { ...value, ...schema, type: [value['type'], 'null'] }
}

/** Generators know an enum of one value better than `const`. */
function single({ const: only, ...schema }: JsonSchema): JsonSchema {
  if (only === undefined) return schema
  return typeof only === 'string' ? { ...schema, enum: [only] } : { ...schema, const: only }
}
