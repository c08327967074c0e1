/**
 * The document as other tools read it: validators other than ours accept it, and it contains no form for which
 * generators of clients are known to produce no usable code.
 */

import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { validate as validateByReadme } from '@readme/openapi-parser'
import { Validator } from '@seriousme/openapi-schema-validator'
import { expect, test } from 'vitest'
import type { OpenapiDocument } from './document.ts'
import type { JsonSchema } from './readable-schema.ts'

const generated = join(import.meta.dirname, '../../generated')
const read = (name: string) => readFile(join(generated, name), 'utf8')
const files = ['openapi.json', 'openapi-without-webhooks.json']
const whole = JSON.parse(await read('openapi.json')) as OpenapiDocument

test.each(files)('%s is valid to two validators of others', async (name) => {
  const text = await read(name)
  expect(await new Validator().validate(JSON.parse(text) as Record<string, unknown>)).toEqual({ valid: true })
  expect(await validateByReadme(JSON.parse(text) as never)).toMatchObject({ valid: true, warnings: [] })
})

test('the variant without webhooks refers to nothing that it lacks, and lacks nothing that its routes need', async () => {
  const text = await read('openapi-without-webhooks.json')
  const variant = JSON.parse(text) as OpenapiDocument
  expect(variant.paths).toEqual(whole.paths)
  expect(variant['webhooks']).toBeUndefined()
  for (const [, group = '', name = ''] of text.matchAll(/"#\/components\/(\w+)\/([^"]+)"/g))
    expect((variant.components as Record<string, Record<string, unknown>>)[group]).toHaveProperty([name])
})

type Place = { path: string; schema: JsonSchema; named: boolean }

/** Every schema of the document with its path. */
function* schemasIn(value: unknown, path: string, named = false): Generator<Place> {
  if (typeof value !== 'object' || value === null) return
  const members = value as JsonSchema
  if ('type' in members || '$ref' in members || 'enum' in members) yield { path, schema: members, named }
  for (const [name, member] of Object.entries(members)) {
    if (/^(x-|examples?$|enum$)/.test(name)) continue
    yield* schemasIn(member, `${path}/${name}`, path === '/components/schemas')
  }
}

const { examples: _, ...components } = whole.components
const places = [...schemasIn({ paths: whole.paths, webhooks: whole['webhooks'], components }, '')]
const pathsOf = (wanted: (place: Place) => boolean) => places.filter(wanted).map(({ path }) => path)
const isType = (schema: JsonSchema, type: string) => [schema['type']].flat().includes(type)

test('every integer says its size and its bounds', () => {
  const integers = places.filter(({ schema }) => isType(schema, 'integer'))
  expect(integers.length).toBeGreaterThan(20)
  for (const { path, schema } of integers) {
    expect(schema, path).toMatchObject({ format: expect.stringMatching(/^int(32|64)$/), minimum: expect.any(Number) })
    expect(Math.abs((schema['maximum'] as number | undefined) ?? 0), path).toBeLessThan(Number.MAX_SAFE_INTEGER)
  }
})

test('every object with members has a name', () => {
  expect(pathsOf(({ schema, named }) => !named && isType(schema, 'object') && 'properties' in schema)).toEqual([])
})

test('every list of values that occurs twice has a name', () => {
  const lists = places.filter(({ schema }) => 'enum' in schema || 'x-extensible-enum' in schema)
  const byValues = Map.groupBy(lists, ({ schema }) => JSON.stringify([schema['enum'], schema['x-extensible-enum']]))
  const repeated = [...byValues.values()].filter((all) => all.length > 1).map((all) => all.map(({ path }) => path))
  expect(repeated).toEqual([])
})

test('no schema has the type null alone, and none is put together in place', () => {
  expect(pathsOf(({ schema }) => 'allOf' in schema || 'not' in schema)).toEqual([])
  const nulls = places.filter(({ schema }) => schema['type'] === 'null')
  expect(nulls.filter(({ path }) => !path.endsWith('/anyOf/1'))).toEqual([])
})

/** Syntax that RE2 (Go, and others that promise linear time) refuses: look-around, back references, possessive parts. */
const notInRe2 = /\(\?(?:[=!]|<[=!])|\\[1-9]|[*+?}]\+/

test('every pattern is one for RE2', () => {
  const patterns = new Set(places.flatMap(({ schema }) => schema['pattern'] ?? []) as string[])
  expect(patterns.size).toBeGreaterThan(10)
  expect([...patterns].filter((pattern) => notInRe2.test(pattern))).toEqual([])
  for (const pattern of patterns) expect(() => new RegExp(pattern, 'u')).not.toThrow()
})

test('the pattern of amounts takes what the schema takes, as far as a currency is that fine', () => {
  const body = whole.components.schemas['CreateWithdrawalRequest'] as { properties: Record<string, JsonSchema> }
  const pattern = new RegExp(body.properties['amount']?.['pattern'] as string)
  for (const good of ['1', '0.01', '0.001', '0.10', '12.500', '9'.repeat(18), `1.${'0'.repeat(18)}`])
    expect(pattern.test(good), good).toBe(true)
  for (const bad of ['0', '0.00', '-1', '01', '1.', '.5', '1e3', '9'.repeat(19), `1.${'0'.repeat(19)}`])
    expect(pattern.test(bad), bad).toBe(false)
})

test('identifiers in paths are typed as in answers', () => {
  const parameters = Object.values(whole.paths).flatMap((item) =>
    Object.values(item).flatMap((operation) => (operation['parameters'] ?? []) as JsonSchema[]),
  )
  const inPaths = parameters.filter((parameter) => parameter['in'] === 'path')
  const others = inPaths.filter(({ schema }) => (schema as JsonSchema)['format'] !== 'uuid')
  // The ids of payout schemas come from the provider.
  expect(new Set(others.map(({ name }) => name))).toEqual(new Set(['payout_schema_id']))
})

test('no operation asks for a second scheme beside its own, nor for the proof as a parameter', () => {
  for (const operation of Object.values(whole.paths).flatMap((item) => Object.values(item))) {
    for (const alternative of operation['security'] as object[])
      expect(Object.keys(alternative).length).toBeLessThanOrEqual(1)
    expect(JSON.stringify(operation['parameters'])).not.toContain('DPoP')
  }
})
