import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { problemCatalogue } from '../problem-catalogue.ts'
import { problemsOf } from '../problems-of.ts'
import { type Route, scopesOf } from '../route.ts'
import { routes } from '../routes.ts'
import { openapiJson, openapiJsonWithoutWebhooks } from './committed.ts'
import { type OpenapiDocument, openapiDocument, withoutWebhooks } from './document.ts'
import { examplesAt, namesOfSchemas } from './named-schemas.ts'
import { placeholderBaseUrl } from './origin.ts'

const committed = join(import.meta.dirname, '../../generated/openapi.json')
const text = await readFile(committed, 'utf8')
const document = JSON.parse(text) as OpenapiDocument
const table = Object.entries(routes as Record<string, Route>)

const ajv = new Ajv2020({ allErrors: true, strict: true, strictTypes: false, strictRequired: false })
addFormats.default(ajv)
ajv.addVocabulary(['components', 'example', 'discriminator'])
// Lists that may grow in a later version are complete in this one.
const closed = JSON.parse(text.replaceAll('"x-extensible-enum"', '"enum"')) as OpenapiDocument
ajv.addSchema({ $id: 'document', components: closed.components })

/** Compiled validators. Schemas of the document refer to its components. */
const compiled = new Map<string, ReturnType<typeof ajv.compile>>()

function errorsOf(schema: object, value: unknown): unknown {
  const text = JSON.stringify(schema).replaceAll('"#/', '"document#/')
  const validate = compiled.get(text) ?? ajv.compile(JSON.parse(text) as object)
  compiled.set(text, validate)
  return validate(value) ? [] : validate.errors
}

type Media = { schema: object; examples: Record<string, { $ref: string }> }
type Content = Record<string, Media>
type Operation = { operationId: string; requestBody?: { content: Content }; responses: Record<string, object> }

function operationOf(row: Route): Operation {
  return document.paths[row.path]?.[row.method.toLowerCase()] as unknown as Operation
}

function resolve(value: object): unknown {
  if (!('$ref' in value)) return value
  const path = (value.$ref as string).slice(2).split('/')
  return path.reduce<unknown>((at, name) => (at as Record<string, unknown>)[name], document)
}

/** All media objects of a row: that of the body, and those of the responses with their status. */
function mediaOf(row: Route): [where: string, media: Media][] {
  const { requestBody, responses } = operationOf(row)
  const all: [string, Content | undefined][] = [['body', requestBody?.content]]
  for (const [status, response] of Object.entries(responses))
    all.push([status, (resolve(response) as { content?: Content }).content])
  return all.flatMap(([where, content]) => Object.values(content ?? {}).map((media): [string, Media] => [where, media]))
}

test('the committed document equals the one that the tables generate', () => {
  const isCurrent = JSON.stringify(document) === JSON.stringify(openapiDocument(placeholderBaseUrl))
  expect(isCurrent, 'run `npx -y pnpm@12 gen`').toBe(true)
})

test('the committed variant is the document without its webhooks', async () => {
  const variant = await readFile(join(committed, '../openapi-without-webhooks.json'), 'utf8')
  expect(JSON.parse(variant)).toEqual(withoutWebhooks(document))
})

test('what a gateway serves is the document that the tables generate for its origin', () => {
  for (const origin of ['https://bank.example:8443', 'http://127.0.0.1:3000']) {
    const built = openapiDocument(origin)
    expect(openapiJson(origin) === JSON.stringify(built)).toBe(true)
    expect(openapiJsonWithoutWebhooks(origin) === JSON.stringify(withoutWebhooks(built))).toBe(true)
  }
})

test("Redocly's linter finds nothing to say, by its strict recommended rules", async () => {
  const folder = join(createRequire(import.meta.url).resolve('@redocly/cli/package.json'), '..')
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [join(folder, 'bin/cli.js'), 'lint', '--extends', 'recommended-strict', '--format', 'json', committed],
    { env: { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' } },
  )
  expect(JSON.parse(stdout).problems).toEqual([])
})

test('every row is an operation with its name, and every operation is a row', () => {
  const operations = Object.values(document.paths).flatMap((item) => Object.values(item))
  expect(operations).toHaveLength(table.length)
  expect(new Set(operations.map(({ operationId }) => operationId))).toEqual(new Set(Object.keys(routes)))
})

test.each(table)('%s: the body and every response have examples, and they validate', (_name, row) => {
  for (const [where, { schema, examples }] of mediaOf(row)) {
    const values = Object.values(examples).map((example) => (resolve(example) as { value: unknown }).value)
    expect(values.length, where).toBeGreaterThan(0)
    for (const value of values) expect(errorsOf(schema, value), where).toEqual([])
  }
})

test.each(table)('%s: its problems stand under their statuses, each code in the list of its response', (_name, row) => {
  const documented = Object.entries(operationOf(row).responses).flatMap(([status, response]) => {
    const media = (resolve(response) as { content?: Content }).content?.['application/problem+json']
    const codes = Object.keys(media?.examples ?? {})
    const bodyOf = (code: string) => (resolve(media?.examples[code] as object) as { value: object }).value
    for (const code of codes) {
      expect(bodyOf(code)).toMatchObject({ code, status: Number(status) })
    }
    expect((resolve(response) as { 'x-problem-codes'?: string[] })['x-problem-codes'] ?? []).toEqual(codes)
    return codes.map((code) => [code, Number(status)])
  })
  const wanted = problemsOf(row).map((code) => [code, problemCatalogue[code].status])
  expect(Object.fromEntries(documented)).toEqual(Object.fromEntries(wanted))
  expect(documented).toHaveLength(wanted.length)
})

test.each(table)('%s: what its own schemas make of the examples is what they say', (_name, row) => {
  const examples = examplesAt(placeholderBaseUrl)
  const nameOf = (media: Media | undefined) => Object.keys(media?.examples ?? {})[0] ?? ''
  const media = new Map(mediaOf(row))
  if (row.body) expect(() => row.body?.parse(examples[nameOf(media.get('body'))])).not.toThrow()
  if (row.status !== 204) {
    const example = examples[nameOf(media.get(String(row.status)))]
    expect(row.response.parse(example)).toEqual(example)
  }
})

test.each(table)('%s: takes exactly the credentials that its row names', (_name, row) => {
  const { security } = operationOf(row) as unknown as { security: { dpop?: string[]; operator?: string[] }[] }
  const ofClass = (name: 'dpop' | 'operator') => security.flatMap((alternative) => alternative[name] ?? [])
  expect(ofClass('dpop')).toEqual(row.audience === 'customer' ? scopesOf(row) : [])
  expect(ofClass('operator')).toEqual(row.audience === 'operator' ? scopesOf(row) : [])
})

type Described = { description?: string; $ref?: string; properties?: Record<string, Described>; items?: Described }

function* silentMembers(where: string, { properties = {}, items }: Described): Generator<string> {
  for (const [name, member] of Object.entries(properties)) {
    if (!member.description && !(resolve(member) as Described).description) yield `${where}.${name}`
    yield* silentMembers(`${where}.${name}`, member)
  }
  if (items) yield* silentMembers(`${where}[]`, items)
}

test('every member has a description', () => {
  const schemas = Object.entries(document.components.schemas as Record<string, Described>)
  expect(schemas.flatMap(([name, schema]) => [...silentMembers(name, schema)])).toEqual([])
})

test.each(table)('%s: every parameter says what it is', (_name, row) => {
  const { parameters } = operationOf(row) as unknown as { parameters: object[] }
  for (const parameter of parameters)
    expect(resolve(parameter) as Described).toMatchObject({ description: expect.stringMatching(/./) })
})

test('every object of the document is closed or open as the wire is: closed, but for the document itself and what names its own members', () => {
  const open: string[] = []
  for (const [schema, name] of namesOfSchemas) {
    const described = document.components.schemas[name] as Record<string, unknown>
    if (!(schema instanceof z.ZodObject)) continue
    const strange = schema.safeParse({ a_member_of_nobody: 1 })
    const isStrict = strange.error?.issues.some(({ code }) => code === 'unrecognized_keys') ?? false
    expect(described['additionalProperties'] === false, name).toBe(isStrict)
    if (!isStrict) open.push(name)
  }
  expect(open).toEqual(['OpenapiDocument'])
})

test.each([
  'WithdrawalLimits',
  'MemoLimits',
  'Money',
  'SpendingAccount',
  'AddressCountries',
  'AddressCountry',
  'PublicConfig',
  'Capabilities',
  'Availability',
  'Problem',
  'ProblemWithOnboarding',
  'ProblemField',
  'Operation',
  'PayoutSchemaField',
])('%s is closed in the document', (name) => {
  expect(document.components.schemas[name]).toMatchObject({ additionalProperties: false })
})

test('no schema in place of the document is an open object', () => {
  const isOpen = (part: unknown) => {
    const { type, properties, additionalProperties } = (part ?? {}) as Record<string, unknown>
    return type === 'object' && properties !== undefined && additionalProperties !== false
  }
  const open: string[] = []
  JSON.parse(text, (name, part: unknown) => {
    if (isOpen(part)) open.push(name)
    return part
  })
  expect(open).toEqual(['OpenapiDocument'])
})
