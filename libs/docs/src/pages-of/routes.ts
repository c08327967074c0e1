/**
 * A page for each route, from the OpenAPI document: what it takes, what it answers, the problems, and samples that are made of the
 * document's examples.
 */

import { openapiDocument, placeholderBaseUrl } from '@financial-agents/contract/openapi'
import { problemsOf } from '@financial-agents/contract/problems-of'
import { type Route, routeString } from '@financial-agents/contract/route'
import { routes } from '@financial-agents/contract/routes'
import { methodNames } from '@financial-agents/dev/method-names'
import { addressOf, type DocPage } from '../site.ts'

type Json = { readonly [name: string]: unknown }
type Parameter = { name: string; in: string; required?: boolean; description: string; schema: Json }

const document = openapiDocument(placeholderBaseUrl)

/** The path of a route's page. */
export function routePath(name: string, { area }: Pick<Route, 'area'>): string {
  return `reference/routes/${area}/${name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`
}

/** A page for each row of the table, and one that lists them. */
export function routePages(): DocPage[] {
  const table = Object.entries(routes as Record<string, Route>)
  return [listOfRoutes(table), ...table.map(([name, row]) => routePage(name, row))]
}

function listOfRoutes(table: readonly [string, Route][]): DocPage {
  const areas = document.tags.map(({ name: area, description }) => {
    const rows = table.filter(([, row]) => row.area === area)
    const lines = rows.map(
      ([name, row]) => `| [\`${routeString(row)}\`](${addressOf(routePath(name, row))}) | ${row.summary} |`,
    )
    return rows.length === 0 ? '' : `## ${area}\n\n${description}\n\n| Route | |\n| --- | --- |\n${lines.join('\n')}\n`
  })
  return {
    path: 'reference/all-routes',
    title: 'All routes',
    description: 'Every route of the API, by area.',
    order: 1,
    body: areas.join('\n'),
  }
}

function routePage(name: string, row: Route): DocPage {
  const operation = document.paths[row.path]?.[row.method.toLowerCase()] as Json
  const parameters = (operation['parameters'] as Json[]).map((parameter) => resolve(parameter) as Parameter)
  const body = operation['requestBody'] as Json | undefined
  const success = resolve((operation['responses'] as Record<string, Json>)[String(row.status)] ?? {})
  const [bodyName, bodySchema, example] = contentOf(body)
  const [answerName, answerSchema, answer] = contentOf(success)
  const parts = [
    `\`${routeString(row)}\``,
    String(operation['description']),
    samples(name, row, parameters, example),
    parameters.length > 0 ? `## Parameters\n\n${parameterTable(parameters)}` : '',
    bodySchema ? `## Body: ${bodyName}\n\n${memberTable(bodySchema)}` : '',
    `## Answer: ${row.status}${answerName ? ` ${answerName}` : ''}\n\n${textOf(success['description'])}`,
    answerSchema ? memberTable(answerSchema) : '',
    answer === undefined ? '' : code('json', JSON.stringify(answer, null, 2)),
    `## Problems\n\n${problemsOf(row)
      .map((problem) => `[\`${problem}\`](${addressOf('reference/problems')}#${problem})`)
      .join(', ')}`,
  ]
  return {
    path: routePath(name, row),
    title: row.summary,
    description: `${routeString(row)}: what it takes, what it answers, and samples.`,
    body: parts.filter((part) => part !== '').join('\n\n'),
  }
}

function resolve(part: Json): Json {
  const reference = part['$ref']
  if (typeof reference !== 'string') return part
  return reference
    .slice(2)
    .split('/')
    .reduce<unknown>((at, name) => (at as Json)[name], document) as Json
}

/** The name of the schema of a body, the schema, and its first example. */
function contentOf(part: Json | undefined): [name: string, schema: Json | undefined, example: unknown] {
  const content = Object.values((part?.['content'] ?? {}) as Record<string, Json>)[0]
  if (!content) return ['', undefined, undefined]
  const schema = content['schema'] as Json
  const example = Object.values((content['examples'] ?? {}) as Record<string, Json>)[0]
  return [nameOf(schema), resolve(schema), example && resolve(example)['value']]
}

const textOf = (value: unknown) => (typeof value === 'string' ? value : '')

function nameOf(schema: Json): string {
  return textOf(schema['$ref']).split('/').at(-1) ?? ''
}

function typeOf(schema: Json): string {
  if (typeof schema['$ref'] === 'string') return nameOf(schema)
  const values = (schema['enum'] ?? schema['x-extensible-enum']) as unknown[] | undefined
  if (values)
    return `${values.map((value) => `\`${String(value)}\``).join(', ')}${schema['x-extensible-enum'] ? ' (more may come)' : ''}`
  const type = [schema['type'] ?? 'any']
    .flat()
    .map(String)
    .filter((one) => one !== 'null')
  const nullable = [schema['type']].flat().includes('null') ? ' or null' : ''
  if (type.includes('array')) return `list of ${typeOf((schema['items'] ?? {}) as Json)}${nullable}`
  const choices = (schema['anyOf'] ?? schema['oneOf']) as Json[] | undefined
  if (choices) return choices.map(typeOf).join(' or ')
  const format = schema['format'] === undefined ? '' : ` (${textOf(schema['format'])})`
  return `${type.join(' or ')}${format}${nullable}`
}

function boundsOf(schema: Json): string {
  const bounds = [
    ['minimum', 'at least'],
    ['maximum', 'at most'],
    ['minLength', 'characters: at least'],
    ['maxLength', 'characters: at most'],
    ['maxItems', 'items: at most'],
    ['default', 'default'],
  ] as const
  const said = bounds.flatMap(([keyword, words]) =>
    schema[keyword] === undefined ? [] : [`${words} ${JSON.stringify(schema[keyword])}`],
  )
  return said.length === 0 ? '' : ` (${said.join(', ')})`
}

const cell = (text: string) => text.replaceAll('|', '\\|').replaceAll('\n', ' ').replaceAll('<', '&lt;')

function parameterTable(parameters: readonly Parameter[]): string {
  const rows = parameters.map(
    ({ name, in: place, required, description, schema }) =>
      `| \`${name}\` | ${place}${required ? ', required' : ''} | ${cell(`${typeOf(schema)}${boundsOf(schema)}`)} | ${cell(description)} |`,
  )
  return `| Name | In | Type | Meaning |\n| --- | --- | --- | --- |\n${rows.join('\n')}`
}

function memberTable(schema: Json): string {
  const members = Object.entries((schema['properties'] ?? {}) as Record<string, Json>)
  if (members.length === 0) return ''
  const required = new Set((schema['required'] ?? []) as string[])
  const rows = members.map(([name, member]) => {
    const description = textOf(member['description'] ?? resolve(member)['description'])
    return `| \`${name}\`${required.has(name) ? '' : ' (optional)'} | ${cell(`${typeOf(member)}${boundsOf(member)}`)} | ${cell(description)} |`
  })
  return `| Member | Type | Meaning |\n| --- | --- | --- |\n${rows.join('\n')}`
}

const id = '01980000-0000-7000-8000-000000000001'
const code = (language: string, text: string) => `\`\`\`${language}\n${text}\n\`\`\``

function samples(name: string, row: Route, parameters: readonly Parameter[], example: unknown): string {
  const typescript = typescriptSample(name, row, parameters, example)
  return [
    '## Samples',
    ...(typescript === undefined ? [] : ['With the client for TypeScript:', code('ts', typescript)]),
    'With curl:',
    code('sh', curlSample(row, example)),
    ...(row.scope === null
      ? []
      : [
          '`$TOKEN` is an access token. `$PROOF` is a DPoP proof that is made for this one request (RFC 9449): the client makes one for each.',
        ]),
  ].join('\n\n')
}

function curlSample(row: Route, example: unknown): string {
  const path = row.path.replaceAll(/\{\w+\}/g, id)
  const lines = [`curl -s${row.method === 'GET' ? '' : ` -X ${row.method}`} "$API${path}"`]
  if (row.scope !== null) lines.push('-H "Authorization: DPoP $TOKEN"', '-H "DPoP: $PROOF"')
  if (row.keyed) lines.push("-H 'Idempotency-Key: rent-2026-11-7f3a9c'")
  if (row.confirmation?.needed === 'always') lines.push(`-H 'Confirmation-Intent-ID: ${id}'`)
  if (row.browserSession) lines.push('-H "Cookie: $COOKIE"')
  if (example !== undefined)
    lines.push(
      "-H 'Content-Type: application/json'",
      `-d '${JSON.stringify(example, null, 2).replaceAll("'", "'\\''")}'`,
    )
  return lines.join(' \\\n  ')
}

/** The call of the client's method; undefined if it has none. */
function typescriptSample(
  name: string,
  row: Route,
  parameters: readonly Parameter[],
  example: unknown,
): string | undefined {
  const method = methodNames[name as keyof typeof methodNames]
  if (method === null) return undefined
  const given = parameters.filter((parameter) => parameter.in === 'path').map(() => `'${id}'`)
  if (example !== undefined) given.push(literal(example))
  const query = parameters.filter((parameter) => parameter.in === 'query' && parameter.required)
  if (query.length > 0)
    given.push(literal(Object.fromEntries(query.map(({ name: key, schema }) => [key, sampleValue(schema)]))))
  if (row.keyed) given.push("{ intent: 'rent-2026-11' }")
  const call = `agent.${method}(${given.join(', ')})`
  if (parameters.some((parameter) => parameter.name === 'cursor'))
    return `for await (const item of ${call}) console.log(item)`
  if (row.status === 204) return `await ${call}`
  return row.keyed
    ? `const operation = await ${call}\nconst outcome = await operation.wait()`
    : `console.log(await ${call})`
}

function sampleValue(schema: Json): unknown {
  const values = ((schema['$ref'] ? resolve(schema) : schema)['enum'] ?? schema['x-extensible-enum']) as
    | unknown[]
    | undefined
  return (
    values?.[0] ??
    schema['example'] ??
    (schema['examples'] as unknown[] | undefined)?.[0] ??
    (String(schema['pattern']).includes('A-Z') ? 'EUR' : id)
  )
}

/** A value as TypeScript writes it: names without quotes. */
function literal(value: unknown): string {
  return JSON.stringify(value, null, 2)
    .replaceAll(/^(\s*)"(\w+)":/gm, '$1$2:')
    .replaceAll(/"((?:[^"\\']|\\[^"])*)"/g, "'$1'")
}
