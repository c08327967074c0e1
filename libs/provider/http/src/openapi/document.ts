/** Builds the OpenAPI 3.1 document of the Provider API from the table of calls. It has no facts that the table does not have. */

import { type JsonSchema, toReadable } from '@financial-agents/contract/openapi/readable-schema'
import { z } from 'zod'
import { type Area, allProviderCalls, basePath, type Nature, type ProviderCall } from '../api/calls.ts'
import { examples } from './examples.ts'
import { introduction } from './introduction.ts'
import { namedSchemas, nameOf } from './named-schemas.ts'

/** An OpenAPI 3.1 document. */
export type ProviderDocument = {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Record<string, unknown>>>>>
  readonly components: { readonly schemas: Readonly<Record<string, JsonSchema>> } & Record<string, unknown>
} & Record<string, unknown>

const areas: { readonly [A in Area]: string } = {
  Instructions: 'Calls that change something. Each is executed at most once for its reference.',
  Searches: 'Searches. They prove the outcome of an instruction whose answer was lost.',
  Approvals: 'A person’s decision about one instruction, before it is sent.',
  Pages: 'Your pages for the person’s browser. Their content never passes through this interface.',
  'Sign-in': 'The connection of a person. There are no credentials yet.',
  Reads: 'Reads of one person’s data.',
  'Public reads': 'Data that is the same for everybody. No person’s credentials are needed.',
  Sandbox: 'Calls of the conformance kit. Not for real providers.',
}

const reference = (part: string, name: string) => ({ $ref: `#/components/${part}/${name}` })

export function providerDocument(): ProviderDocument {
  const paths: Record<string, Record<string, Record<string, unknown>>> = {}
  for (const [name, row] of allProviderCalls) {
    const item = (paths[basePath + row.path] ??= {})
    item[row.method.toLowerCase()] = operationOf(name, row)
  }
  return {
    openapi: '3.1.1',
    info: {
      title: 'Provider API',
      version: '1.0.0',
      summary: 'The interface that a provider of accounts, cards and payments offers to the Financial Agents API.',
      description: introduction,
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: 'https://provider.example', description: 'Your address.' }],
    tags: Object.entries(areas).map(([name, description]) => ({ name, description })),
    security: [{ person: [] }, { application: [], personBeside: [] }, { mutualTls: [], person: [] }],
    paths,
    components: {
      schemas: schemas(),
      responses: responses(),
      examples: Object.fromEntries(shown.map(([name, value]) => [name, { value }])),
      securitySchemes,
    },
  }
}

const securitySchemes = {
  person: {
    type: 'http',
    scheme: 'bearer',
    description: 'The credentials of the person’s connection.',
  },
  personBeside: {
    type: 'apiKey',
    in: 'header',
    name: 'Financial-Agents-Person',
    description: 'The credentials of the person’s connection, where `Authorization` names the application.',
  },
  application: {
    type: 'http',
    scheme: 'DPoP',
    description: 'An access token of your authorization server for the application, bound to a key (RFC 9449).',
  },
  mutualTls: { type: 'mutualTLS', description: 'A client certificate of the application.' },
}

/** Parts of bodies have examples within them. */
const shown = Object.entries(examples).filter(
  ([name]) => !['MandateTerms', 'ProviderRecord', 'TransferTerms'].includes(name),
)

/** Named schemas refer to one another. */
function schemas(): Record<string, JsonSchema> {
  const registry = z.registry<{ id: string }>()
  for (const [name, schema] of Object.entries(namedSchemas)) registry.add(schema, { id: name })
  const { schemas } = z.toJSONSchema(registry, { uri: (name) => `#/components/schemas/${name}`, io: 'input' })
  return Object.fromEntries(Object.entries(schemas).map(([name, schema]) => [name, toReadable(schema as JsonSchema)]))
}

function operationOf(name: string, row: ProviderCall): Record<string, unknown> {
  const { area, summary, description, person, params, query, body, kind } = row
  return {
    operationId: name,
    tags: [area],
    summary,
    ...(description === undefined ? {} : { description }),
    ...(kind === undefined ? {} : { 'x-operation-kind': kind }),
    ...(person ? {} : { security: area === 'Sandbox' ? [] : [{}, { application: [] }, { mutualTls: [] }] }),
    parameters: [...parametersOf('path', params), ...parametersOf('query', query)],
    ...(body === undefined ? {} : { requestBody: { required: true, content: contentOf(body) } }),
    responses: { ...successesOf(row), ...refusalsOf(row) },
  }
}

function parametersOf(place: 'path' | 'query', shape: z.ZodObject | undefined): Record<string, unknown>[] {
  return Object.entries(shape?.shape ?? {}).map(([name, schema]) => {
    const { $schema: _, description, ...converted } = z.toJSONSchema(schema as z.ZodType, { io: 'input' })
    const optional = (schema as z.ZodType).safeParse(undefined).success
    const coerced = 'default' in converted ? { ...converted, type: 'integer' } : converted
    return { name, in: place, required: !optional, description, schema: toReadable(coerced) }
  })
}

function contentOf(schema: z.ZodType): Record<string, unknown> {
  const name = nameOf(schema)
  const named = Object.keys(examples).filter((example) => example === name || example.startsWith(`${name}.`))
  if (named.length === 0) throw new Error(`${name} has no example`)
  return {
    'application/json': {
      schema: reference('schemas', name),
      examples: Object.fromEntries(
        named.map((example) => [example.split('.')[1] ?? 'example', reference('examples', example)]),
      ),
    },
  }
}

const successes: { readonly [N in Nature]: Readonly<Record<number, string>> } = {
  instruction: {
    200: 'The reference arrived before with the same content. The record as it is now.',
    201: 'Executed. The record is final.',
    202: 'Accepted. The record is pending.',
  },
  search: { 200: 'The result. If nothing was found, it is an empty list, never 404.' },
  start: { 200: 'It was started before by an equal request.', 201: 'It was started.' },
  read: { 200: 'The answer.' },
}

function successesOf({ nature, area, answer, method }: ProviderCall): Record<string, unknown> {
  const made = area === 'Sandbox' && method === 'POST' ? { 200: 'It was done.' } : successes[nature]
  return Object.fromEntries(
    Object.entries(made).map(([status, description]) => [status, { description, content: contentOf(answer) }]),
  )
}

function refusalsOf({ nature, area, person, refusals = {} }: ProviderCall): Record<string, unknown> {
  const common: Record<string, string> = {
    400: 'Invalid',
    ...(person ? { 401: 'UnknownCredentials', 403: 'Forbidden' } : {}),
    ...(nature === 'instruction' ? { 409: 'ReferenceReused' } : {}),
    ...(area === 'Sandbox' ? {} : { 429: 'TooMany' }),
  }
  const shared: Record<string, unknown> = {}
  for (const [status, name] of Object.entries(common)) shared[status] = reference('responses', name)
  for (const [status, description] of Object.entries(refusals))
    shared[status] = { description: `Refused. ${description}`, content: refusalContent() }
  return { ...shared, '5XX': reference('responses', 'Failed') }
}

function refusalContent(): object {
  return contentOf(namedSchemas['Refusal'] as z.ZodType)
}

function responses(): Record<string, unknown> {
  const refusal = (description: string) => ({ description, content: refusalContent() })
  return {
    Invalid: refusal('Refused. The request does not match its schema.'),
    UnknownCredentials: refusal('Refused. The credentials of the person, or those of the application, are not valid.'),
    Forbidden: refusal('Refused. `connection_revoked`, `identity_required`, or you will not answer these credentials.'),
    ReferenceReused: refusal('Refused. `reference_reused`: another content arrived under this reference before.'),
    TooMany: refusal('Refused. Too many requests; nothing was executed.'),
    Failed: { description: 'An internal failure. It proves nothing about an instruction.' },
  }
}
