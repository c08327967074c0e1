/**
 * Filters the API's data before a model sees them. Only members that the schema names are passed on, so a later version
 * of the API cannot add an unmarked text. A text that somebody else wrote becomes `{ foreign_text }`.
 */

import { definitions } from './generated/schemas.ts'
import type { JsonSchema } from './json-schema.ts'
import { plainText } from './plain-text.ts'

const named = definitions as unknown as Readonly<Record<string, JsonSchema>>
/** The longest text that is ours: a URL. */
const longestOwn = 2_048
const mostItems = 100

/** A text that somebody else wrote, as models get it. */
export type ForeignText = { foreign_text: string }

/** Marks a text that somebody else wrote. */
export function foreignText(text: string): ForeignText {
  return { foreign_text: plainText(text) }
}

/** Returns the value in the form of the named definition: only its members, with the texts of others marked. */
export function project(name: keyof typeof definitions, value: unknown): unknown {
  return projected(value, { $ref: `#/$defs/${name}` })
}

function projected(value: unknown, schema: JsonSchema): unknown {
  if (value === null) return null
  if (schema.$ref === '#/$defs/ForeignText') return foreignText(typeof value === 'string' ? value : '')
  if (schema.$ref === '#/$defs/ForeignEntries') return foreignEntries(value as object)
  if (schema.$ref !== undefined) return projected(value, named[schema.$ref.slice('#/$defs/'.length)] ?? {})
  const choices = schema.anyOf
  if (choices) return projected(value, choiceFor(value, choices))
  if (Array.isArray(value)) return value.slice(0, mostItems).map((item: unknown) => projected(item, schema.items ?? {}))
  if (typeof value === 'object') return members(value as Record<string, unknown>, schema.properties ?? {})
  return typeof value === 'string' ? plainText(value, longestOwn) : value
}

function members(value: Record<string, unknown>, properties: Readonly<Record<string, JsonSchema>>): object {
  return Object.fromEntries(
    Object.entries(properties).flatMap(([name, schema]) =>
      value[name] === undefined ? [] : [[name, projected(value[name], schema)]],
    ),
  )
}

function foreignEntries(value: object): object[] {
  return Object.entries(value)
    .slice(0, mostItems)
    .map(([label, text]) => ({ label: foreignText(label), value: foreignText(String(text)) }))
}

/** Finds the alternative that fits the value, by its `kind` if there are several. */
function choiceFor(value: unknown, choices: readonly JsonSchema[]): JsonSchema {
  const resolved = choices.filter(({ type }) => type !== 'null')
  const { kind } = value as { kind?: string }
  const fits = ({ $ref }: JsonSchema) =>
    named[$ref?.slice('#/$defs/'.length) ?? '']?.properties?.['kind']?.examples?.includes(kind ?? '')
  return resolved.find(fits) ?? resolved[0] ?? {}
}
