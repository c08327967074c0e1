/** Values for the schemas of the document: good ones and nearly good ones. */

import fc, { type Arbitrary } from 'fast-check'
import { resolve, type Schema } from './document.ts'

/** Maps names of members and parameters, or `<operation>.<name>`, to values that exist in the stack. */
export type KnownValues = Readonly<Record<string, readonly unknown[]>>

const scraps = [
  '',
  ' ',
  '0',
  '-1',
  '1e400',
  '00.5',
  '0.0000000000000000001',
  '9'.repeat(400),
  'null',
  'true',
  '\u0000',
  '\ud800',
  '\u202e',
  'e\u0301',
  '👩‍👩‍👧‍👦'.repeat(40),
  '../',
  '%2e%2e',
  "' OR 1=1 --",
  '<script>',
  '__proto__',
  'constructor',
  '2026-02-30T00:00:00Z',
  '9999-12-31T23:59:59.999Z',
  '0000-01-01T00:00:00Z',
  '-271821-04-20T00:00:00Z',
  '00000000-0000-0000-0000-000000000000',
  'ffffffff-ffff-ffff-ffff-ffffffffffff',
]

/** Text that no schema allows for. */
export const scrap: Arbitrary<string> = fc.oneof(
  fc.constantFrom(...scraps),
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.string({ unit: 'grapheme', maxLength: 300 }),
)

/** A JSON value that no schema allows for. */
export const strange: Arbitrary<unknown> = fc.oneof(
  scrap,
  fc.constantFrom<unknown>(null, true, 0, -1, 1.5, 1e21, Number.MAX_SAFE_INTEGER + 1, [], {}, [[]], [null]),
  fc.jsonValue({ maxDepth: 3 }),
)

/** Generates values of a schema, as far as that is reasonable; known values if the name has any. */
export function valueOf(given: Schema, known: KnownValues, name = ''): Arbitrary<unknown> {
  const schema = resolve(given) as Schema
  const usual = plainValueOf(schema, known)
  const values = known[name]
  return values === undefined
    ? usual
    : fc.oneof({ weight: 6, arbitrary: fc.constantFrom(...values) }, { weight: 1, arbitrary: usual })
}

function plainValueOf(schema: Schema, known: KnownValues): Arbitrary<unknown> {
  if (schema.const !== undefined) return fc.constant(schema.const)
  if (schema.enum) return fc.constantFrom(...schema.enum)
  if (schema.anyOf) return fc.oneof(...schema.anyOf.map((one) => valueOf(one, known)))
  const type = Array.isArray(schema.type) ? schema.type[0] : schema.type
  switch (type) {
    case 'string':
      return textOf(schema)
    case 'integer':
      return integerOf(schema)
    case 'number':
      return fc.double({ noNaN: true })
    case 'boolean':
      return fc.boolean()
    case 'array':
      return fc.array(valueOf(schema.items ?? {}, known), { minLength: schema.minItems ?? 0, maxLength: 4 })
    case 'object':
      return objectOf(schema, known)
    case 'null':
      return fc.constant(null)
    default:
      return fc.jsonValue({ maxDepth: 2 })
  }
}

const anyTime = { noInvalidDate: true, min: new Date(0), max: new Date('9999-12-31T23:59:59.999Z') }

function textOf({ pattern, format, minLength = 0, maxLength = 60 }: Schema): Arbitrary<string> {
  if (format === 'uuid') return fc.uuid({ version: 7 })
  if (format === 'date-time') return fc.date(anyTime).map((at) => at.toISOString())
  if (pattern !== undefined)
    return fc.stringMatching(new RegExp(pattern)).map((value) => value.padEnd(minLength, 'x').slice(0, maxLength))
  const long = fc.string({ unit: 'grapheme-ascii', minLength: maxLength, maxLength })
  const usual = fc.string({ unit: 'grapheme-ascii', minLength, maxLength: Math.min(maxLength, 60) })
  return maxLength > 1_000 ? usual : fc.oneof({ weight: 5, arbitrary: usual }, { weight: 1, arbitrary: long })
}

function integerOf({ minimum = -1_000, maximum = 1_000_000 }: Schema): Arbitrary<number> {
  return fc.oneof(fc.constantFrom(minimum, maximum), fc.integer({ min: minimum, max: maximum }))
}

function objectOf({ properties, required, additionalProperties }: Schema, known: KnownValues): Arbitrary<unknown> {
  if (properties === undefined) {
    const values = typeof additionalProperties === 'object' ? valueOf(additionalProperties, known) : strange
    return fc.dictionary(fc.string({ unit: 'grapheme-ascii', minLength: 1, maxLength: 12 }), values, { maxKeys: 3 })
  }
  const members = Object.entries(properties).map(([name, member]) => [name, valueOf(member, known, name)] as const)
  return fc.record(Object.fromEntries(members), { requiredKeys: required ?? [] })
}
