/** TypeScript types of the schemas of the OpenAPI document, as text. */

export type JsonSchema = { readonly [keyword: string]: unknown }

/** `export type Name = …` with the description of the schema. */
export function declarationOf(name: string, schema: JsonSchema): string {
  return `${commentOf(describe(schema), '')}export type ${name} = ${typeOf(schema, '')}`
}

/** The type of a schema; members of objects are indented by two spaces more than `indent`. */
export function typeOf(schema: JsonSchema, indent: string): string {
  const { $ref, anyOf, oneOf, allOf, type, enum: values } = schema
  if (typeof $ref === 'string') return $ref.slice($ref.lastIndexOf('/') + 1)
  if ('const' in schema) return JSON.stringify(schema['const'])
  const growing = schema['x-extensible-enum']
  // The enumeration may grow within a version of the API: its type leaves room for values to come.
  if (Array.isArray(growing)) return union([...growing.map((value) => JSON.stringify(value)), '(string & {})'])
  if (Array.isArray(values)) return union(values.map((value) => JSON.stringify(value)))
  const choices = anyOf ?? oneOf
  if (Array.isArray(choices)) return union(choices.map((choice: JsonSchema) => typeOf(choice, indent)))
  if (Array.isArray(allOf)) return allOf.map((part: JsonSchema) => typeOf(part, indent)).join(' & ')
  if (Array.isArray(type)) return union(type.map((one: string) => typeOf({ ...schema, type: one }, indent)))
  if (type === 'array') return arrayOf(typeOf((schema['items'] ?? {}) as JsonSchema, indent))
  if (type === 'object') return objectOf(schema, indent)
  return simple[String(type)] ?? 'unknown'
}

const simple: Readonly<Record<string, string>> = {
  string: 'string',
  integer: 'number',
  number: 'number',
  boolean: 'boolean',
  null: 'null',
}

function objectOf(schema: JsonSchema, indent: string): string {
  const properties = Object.entries((schema['properties'] ?? {}) as Record<string, JsonSchema>)
  const rest = schema['additionalProperties']
  if (properties.length === 0) {
    const value = typeof rest === 'object' && rest !== null ? typeOf(rest as JsonSchema, indent) : 'unknown'
    return rest === false ? 'Record<string, never>' : `Record<string, ${value}>`
  }
  const required = new Set(schema['required'] as string[] | undefined)
  const inner = `${indent}  `
  const lines = properties.map(
    ([name, member]) =>
      `${commentOf(describe(member), inner)}${inner}${nameOf(name)}${required.has(name) ? '' : '?'}: ${typeOf(member, inner)}`,
  )
  return `{\n${lines.join('\n')}\n${indent}}`
}

/** The description of a member, with the format that its type does not show. */
export function describe(schema: JsonSchema): string {
  const text = typeof schema['description'] === 'string' ? schema['description'] : ''
  const written = formatOf(schema)
  return written ? `${text}${text === '' ? '' : ' '}${written}` : text
}

function formatOf(schema: JsonSchema): string {
  const choices = [schema, ...((schema['anyOf'] ?? []) as JsonSchema[])]
  const format = choices.map((choice) => choice['format']).find((found) => typeof found === 'string')
  if (format === 'date-time') return 'RFC 3339.'
  if (format === 'uri') return 'A URL.'
  const { minLength, maxLength, minimum, maximum } = schema
  if (typeof maxLength === 'number')
    return `${typeof minLength === 'number' ? `${minLength} to` : 'At most'} ${maxLength} characters.`
  if (typeof maximum === 'number' && maximum < 1e9) return `From ${String(minimum)} to ${maximum}.`
  return ''
}

/** A documentation comment of one line; nothing if there is no text. */
export function commentOf(text: string, indent: string): string {
  return text === '' ? '' : `${indent}/** ${text.replaceAll('*/', '*\\/')} */\n`
}

/** A member's name as TypeScript writes it. */
export function nameOf(name: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(name) ? name : JSON.stringify(name)
}

function union(types: readonly string[]): string {
  return [...new Set(types)].join(' | ')
}

function arrayOf(type: string): string {
  return /[ |&]/.test(type) && !type.startsWith('{') ? `(${type})[]` : `${type}[]`
}
