import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { operationKinds } from '@financial-agents/contract/kinds'
import { validate } from '@readme/openapi-parser'
import { Validator } from '@seriousme/openapi-schema-validator'
import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { expect, test } from 'vitest'
import { allProviderCalls, type ProviderCall } from '../api/calls.ts'
import { providerDocument } from './document.ts'
import { examples } from './examples.ts'
import { namedSchemas, nameOf } from './named-schemas.ts'

const committed = join(import.meta.dirname, '../../generated/openapi.json')
const text = await readFile(committed, 'utf8')
const document = JSON.parse(text) as ReturnType<typeof providerDocument>

const ajv = new Ajv2020({ allErrors: true, strict: true, strictTypes: false, strictRequired: false })
addFormats.default(ajv)
ajv.addVocabulary(['components', 'discriminator'])
ajv.addSchema({ $id: 'document', components: document.components })

const examplesOf = (name: string) =>
  Object.entries(examples).filter(([example]) => example === name || example.startsWith(`${name}.`))

test('the committed document equals the one that the table generates', () => {
  expect(JSON.parse(JSON.stringify(providerDocument())), 'run `npx -y pnpm@12 gen`').toEqual(document)
})

test("Redocly's linter finds nothing to say, by its strict recommended rules", async () => {
  const folder = join(createRequire(import.meta.url).resolve('@redocly/cli/package.json'), '..')
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [join(folder, 'bin/cli.js'), 'lint', '--extends', 'recommended-strict', '--format', 'json', committed],
    { env: { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' } },
  )
  const said = JSON.parse(stdout) as { problems: unknown[] }
  expect(said.problems).toEqual([])
})

test('two other validators accept it', async () => {
  expect(await new Validator().validate(structuredClone(document))).toMatchObject({ valid: true })
  expect(await validate(structuredClone(document) as never)).toMatchObject({ valid: true })
})

test.each(Object.keys(namedSchemas))('%s: its examples validate by the document and by the table', (name) => {
  const found = examplesOf(name)
  expect(found.length).toBeGreaterThan(0)
  const check = ajv.compile({ $ref: `document#/components/schemas/${name}` })
  for (const [example, value] of found) {
    check(value)
    expect(check.errors ?? [], example).toEqual([])
    expect(namedSchemas[name]?.safeParse(value).error?.issues ?? [], example).toEqual([])
  }
})

test('every kind of operation has one instruction, and every body and answer a name', () => {
  const rows: readonly ProviderCall[] = allProviderCalls.map(([, row]) => row)
  expect(rows.flatMap(({ kind }) => kind ?? []).toSorted()).toEqual([...operationKinds].toSorted())
  for (const { answer, body } of rows) for (const schema of [answer, body]) if (schema) nameOf(schema)
})

test('every operation is one row, and no two have one address', () => {
  const operations = Object.values(document.paths).flatMap((item) => Object.values(item))
  expect(operations.map(({ operationId }) => operationId as string).toSorted()).toEqual(
    allProviderCalls.map(([name]) => name as string).toSorted(),
  )
})

type Described = { description?: string; $ref?: string; properties?: Record<string, Described>; items?: Described }

function* silentMembers(where: string, { properties = {}, items }: Described): Generator<string> {
  for (const [name, member] of Object.entries(properties)) {
    // A member needs no description if it refers to a named schema, has members or has alternatives.
    if (!member.description && !member.$ref && member.properties === undefined && !('oneOf' in member))
      yield `${where}.${name}`
    yield* silentMembers(`${where}.${name}`, member)
  }
  if (items) yield* silentMembers(`${where}[]`, items)
}

test('every member has a description', () => {
  const schemas = Object.entries(document.components.schemas as Record<string, Described>)
  expect(schemas.flatMap(([name, schema]) => [...silentMembers(name, schema)])).toEqual([])
})
