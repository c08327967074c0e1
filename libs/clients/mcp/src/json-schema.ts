/** JSON Schema as far as this package reads it; it passes the rest on. */

/** A JSON Schema (2020-12). */
export type JsonSchema = {
  readonly $ref?: string
  readonly type?: string | readonly string[]
  readonly description?: string
  readonly properties?: Readonly<Record<string, JsonSchema>>
  readonly required?: readonly string[]
  readonly items?: JsonSchema
  readonly anyOf?: readonly JsonSchema[]
  readonly examples?: readonly (string | null)[]
  readonly enum?: readonly (string | null)[]
  readonly additionalProperties?: boolean | JsonSchema
  readonly [keyword: string]: unknown
}

/** The schema of an object with these members and no others. */
export function objectOf(properties: Record<string, JsonSchema>, required: readonly string[] = []): JsonSchema {
  return { type: 'object', properties, required, additionalProperties: false }
}
