/**
 * The changes of a schema that break clients. A schema of requests must not become narrower, and one of responses must not
 * become wider. Descriptions and examples do not count.
 */

import type { OpenapiDocument } from './document.ts'
import type { JsonSchema } from './readable-schema.ts'

/** Requests are made by clients, responses are read by them. */
export type Direction = 'request' | 'response'

type Side = readonly [document: OpenapiDocument, schema: JsonSchema]

/** Returns one sentence for each breaking change of the schema at `place`. */
export function narrowed(place: string, direction: Direction, before: Side, after: Side): string[] {
  return [...changesOf(place, direction, before, after, new Set())]
}

/** Smaller values of the first group narrow a schema, and larger values of the second. */
const upperBounds = ['maximum', 'maxLength', 'maxItems']
const lowerBounds = ['minimum', 'minLength', 'minItems']
/** Any change of these can break; only their absence allows everything. */
const exact = ['pattern', 'format', 'uniqueItems', 'const']

function* changesOf(place: string, direction: Direction, one: Side, other: Side, seen: Set<string>): Generator<string> {
  const [before, old, oldName] = followed(one)
  const [after, now, name] = followed(other)
  if (oldName !== undefined) {
    if (name !== oldName) yield `${place} is ${name ?? 'unnamed'} instead of ${oldName}`
    if (seen.has(oldName)) return
    seen.add(oldName)
  }
  yield* typeChanges(place, direction, old, now)
  yield* valueChanges(place, direction, old, now)
  if (direction === 'request') yield* boundChanges(place, old, now)
  else if (old['format'] !== now['format']) yield `${place} has the format ${String(now['format'])}`
  yield* memberChanges(place, direction, [before, old], [after, now], seen)
  for (const keyword of ['items', 'additionalProperties'])
    if (isSchema(old[keyword]) && isSchema(now[keyword]))
      yield* changesOf(`${place}[]`, direction, [before, old[keyword]], [after, now[keyword]], seen)
  yield* alternativeChanges(place, direction, [before, old], [after, now], seen)
}

function followed([document, schema]: Side): [OpenapiDocument, JsonSchema, name?: string] {
  const reference = schema['$ref']
  if (typeof reference !== 'string') return [document, schema]
  const name = reference.split('/').at(-1) ?? ''
  return [document, (document.components.schemas[name] ?? {}) as JsonSchema, name]
}

function isSchema(value: unknown): value is JsonSchema {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

const listOf = (value: unknown): unknown[] => (value === undefined ? [] : [value].flat())
const missing = (from: unknown[], wanted: unknown[]) => wanted.filter((value) => !from.includes(value))

function* typeChanges(place: string, direction: Direction, old: JsonSchema, now: JsonSchema): Generator<string> {
  const [was, is] = [listOf(old['type']), listOf(now['type'])]
  const lost = direction === 'request' ? missing(is, was) : missing(was, is)
  if (lost.length > 0) yield `${place} ${direction === 'request' ? 'is no longer' : 'can be'} ${lost.join(', ')}`
}

function* valueChanges(place: string, direction: Direction, old: JsonSchema, now: JsonSchema): Generator<string> {
  const [was, is] = [old['enum'], now['enum']]
  if (was === undefined && is === undefined) return
  if (direction === 'request') {
    if (was === undefined) yield `${place} takes certain values only`
    else if (is !== undefined)
      for (const value of missing(listOf(is), listOf(was))) yield `${place} no longer takes ${String(value)}`
  } else if (is === undefined) yield `${place} is no longer one of certain values`
  else
    for (const value of was === undefined ? [] : missing(listOf(was), listOf(is)))
      yield `${place} can be ${String(value)}`
}

function* boundChanges(place: string, old: JsonSchema, now: JsonSchema): Generator<string> {
  for (const keyword of upperBounds)
    if (Number(now[keyword] ?? Infinity) < Number(old[keyword] ?? Infinity))
      yield `${place}: ${keyword} is ${String(now[keyword])}`
  for (const keyword of lowerBounds)
    if (Number(now[keyword] ?? -Infinity) > Number(old[keyword] ?? -Infinity))
      yield `${place}: ${keyword} is ${String(now[keyword])}`
  for (const keyword of exact)
    if (now[keyword] !== undefined && now[keyword] !== old[keyword])
      yield `${place}: ${keyword} is ${JSON.stringify(now[keyword])}`
}

function* memberChanges(
  place: string,
  direction: Direction,
  [before, old]: Side,
  [after, now]: Side,
  seen: Set<string>,
): Generator<string> {
  const [was, is] = [old, now].map((schema) => (schema['properties'] ?? {}) as Record<string, JsonSchema>)
  for (const [name, member] of Object.entries(was ?? {})) {
    const fresh = is?.[name]
    if (fresh === undefined) yield `${place}.${name} is gone`
    else yield* changesOf(`${place}.${name}`, direction, [before, member], [after, fresh], seen)
  }
  const [needed, needs] = [listOf(old['required']), listOf(now['required'])]
  if (direction === 'request')
    for (const name of missing(needed, needs)) yield `${place}.${String(name)} is newly required`
  else
    for (const name of missing(needs, needed))
      if (is?.[String(name)] !== undefined) yield `${place}.${String(name)} can be absent`
}

function* alternativeChanges(
  place: string,
  direction: Direction,
  [before, old]: Side,
  [after, now]: Side,
  seen: Set<string>,
): Generator<string> {
  for (const keyword of ['anyOf', 'oneOf']) {
    const [was, is] = [listOf(old[keyword]), listOf(now[keyword])] as [JsonSchema[], JsonSchema[]]
    const keyOf = (schema: JsonSchema) => String(schema['$ref'] ?? schema['type'])
    const known = new Map(was.map((schema) => [keyOf(schema), schema]))
    const current = new Map(is.map((schema) => [keyOf(schema), schema]))
    const [from, wanted] = direction === 'request' ? [current, known] : [known, current]
    for (const key of wanted.keys())
      if (!from.has(key)) yield `${place} ${direction === 'request' ? 'is no longer' : 'can be'} ${key}`
    for (const [key, schema] of known) {
      const fresh = current.get(key)
      if (fresh !== undefined) yield* changesOf(place, direction, [before, schema], [after, fresh], seen)
    }
  }
}
