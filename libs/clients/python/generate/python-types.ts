/** Python types of the schemas of the OpenAPI document, as text: a `TypedDict` for each object, an alias for everything else. */

import { describe, type JsonSchema } from '../../typescript/generate/schema-types.ts'

/** `class Name(TypedDict)` or `Name: TypeAlias = …`, with the description of the schema. */
export function pythonDeclarationOf(name: string, schema: JsonSchema): string {
  if (!isClass(schema)) return `${name}: TypeAlias = ${pythonTypeOf(schema)}${docstring(describe(schema), '')}`
  const required = new Set(schema['required'] as string[] | undefined)
  const members = Object.entries(schema['properties'] as Record<string, JsonSchema>).map(([member, its]) => {
    if (!/^[a-z_]\w*$/i.test(member) || keywords.has(member)) throw new Error(`${name}.${member} is no name in Python`)
    const type = pythonTypeOf(its)
    return `    ${member}: ${required.has(member) ? type : `NotRequired[${type}]`}${docstring(describe(its), '    ')}`
  })
  const about = docstring(describe(schema), '    ').slice(1)
  return `class ${name}(TypedDict):\n${[...(about === '' ? [] : [`${about}\n`]), ...members].join('\n')}`
}

/** True if the schema becomes a class. Aliases come after all classes, because Python reads a module from top to bottom. */
export function isClass({ type, properties }: JsonSchema): boolean {
  return type === 'object' && Object.keys(properties ?? {}).length > 0
}

export function pythonTypeOf(schema: JsonSchema): string {
  const { $ref, anyOf, oneOf, type, enum: values } = schema
  if (typeof $ref === 'string') return $ref.slice($ref.lastIndexOf('/') + 1)
  if ('const' in schema) return literal([schema['const']])
  const growing = schema['x-extensible-enum']
  // The enumeration may grow within a version of the API: its type leaves room for values to come.
  if (Array.isArray(growing)) return union([literal(growing), 'str'])
  if (Array.isArray(values)) return literal(values)
  const choices = anyOf ?? oneOf
  if (Array.isArray(choices)) return union(choices.map((choice: JsonSchema) => pythonTypeOf(choice)))
  if (Array.isArray(type)) return union(type.map((one: string) => pythonTypeOf({ ...schema, type: one })))
  if (type === 'array') return `list[${pythonTypeOf((schema['items'] ?? {}) as JsonSchema)}]`
  if (type === 'object') return mapOf(schema)
  return simple[String(type)] ?? 'Any'
}

/** A docstring below a declaration; nothing if there is no text. */
export function docstring(text: string, indent: string): string {
  if (text === '') return ''
  const escaped = text.replaceAll('\\', '\\\\').replaceAll('"""', "'''")
  return `\n${indent}"""${escaped.endsWith('"') ? `${escaped} ` : escaped}"""`
}

/** A name of the contract as Python writes it: `createQuote` is `create_quote`, `from` is `from_`. */
export function pythonName(name: string): string {
  const snake = name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
  return keywords.has(snake) ? `${snake}_` : snake
}

/** The keywords that a name of the contract could be. */
const keywords = new Set(
  'and as assert async await break class continue def del elif else except finally for from global if import in is lambda nonlocal not or pass raise return try while with yield'.split(
    ' ',
  ),
)

const simple: Readonly<Record<string, string>> = {
  string: 'str',
  integer: 'int',
  number: 'float',
  boolean: 'bool',
  null: 'None',
}

function mapOf(schema: JsonSchema): string {
  if (isClass(schema)) throw new Error('an object within another one needs a name: register one where it is defined')
  const rest = schema['additionalProperties']
  return `dict[str, ${typeof rest === 'object' && rest !== null ? pythonTypeOf(rest as JsonSchema) : 'Any'}]`
}

function literal(values: readonly unknown[]): string {
  const texts = values
    .filter((value) => value !== null)
    .map((value) => (typeof value === 'boolean' ? (value ? 'True' : 'False') : JSON.stringify(value)))
  return union([
    ...(texts.length > 0 ? [`Literal[${texts.join(', ')}]`] : []),
    ...(values.includes(null) ? ['None'] : []),
  ])
}

function union(types: readonly string[]): string {
  return [...new Set(types)].join(' | ')
}
