/**
 * A page for each route, from the OpenAPI document: what it takes, what it answers, the problems, and samples that are made of the
 * document's examples.
 */

import { routePagePath, tryPath } from '@financial-agents/contract/documentation-paths'
import { problemsOf } from '@financial-agents/contract/problems-of'
import { type Route, routeString } from '@financial-agents/contract/route'
import { type RouteName, routes } from '@financial-agents/contract/routes'
import { addressOf, base, type DocPage } from '../site.ts'
import { contentOf, document, findCall, type Json, nameOf, type Parameter, resolve, textOf } from './document.ts'
import { errorsPath } from './errors.ts'
import { sampleId } from './sample-id.ts'
import { samplesOf } from './samples.ts'
import { canBeTried } from './try-operations.ts'

/** A page for each row of the table, and one that lists them. */
export function routePages(): DocPage[] {
  const table = Object.entries(routes as Record<string, Route>)
  return [listOfRoutes(table), ...table.map(([name, row]) => routePage(name as RouteName, row))]
}

function listOfRoutes(table: readonly [string, Route][]): DocPage {
  const areas = document.tags.map(({ name: area, description }) => {
    const rows = table.filter(([, row]) => row.area === area)
    const lines = rows.map(
      ([name, row]) => `| [\`${routeString(row)}\`](${routePagePath(name, row)}) | ${row.summary} |`,
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

function routePage(name: RouteName, row: Route): DocPage {
  const { operation, parameters, bodyName, bodySchema, example, success } = findCall(row)
  const [answerName, answerSchema, answer] = contentOf(success)
  const parts = [
    `\`${routeString(row)}\``,
    String(operation['description']),
    samplesOf({
      row,
      inPath: parameters.filter(({ in: place }) => place === 'path').map((parameter) => parameter.name),
      query: sampleQuery(parameters),
      lists: answerName.endsWith('List'),
      body: example,
    }),
    canBeTried(row) ? `[Try it on your development stack](${tryPath}?operation=${name})` : '',
    parameters.length > 0 ? `## Parameters\n\n${parameterTable(parameters)}` : '',
    bodySchema ? `## Body: ${bodyName}\n\n${memberTable(bodySchema)}` : '',
    `## Answer: ${row.status}${answerName ? ` ${answerName}` : ''}\n\n${textOf(success['description'])}`,
    answerSchema ? memberTable(answerSchema) : '',
    answer === undefined ? '' : code('json', JSON.stringify(answer, null, 2)),
    `## Problems\n\n${problemsOf(row)
      .map((problem) => `[\`${problem}\`](${addressOf(errorsPath)}#${problem})`)
      .join(', ')}`,
  ]
  return {
    path: routePagePath(name, row).slice(base.length + 1, -1),
    title: row.summary,
    description: `${routeString(row)}: what it takes, what it answers, and samples.`,
    body: parts.filter((part) => part !== '').join('\n\n'),
  }
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

const code = (language: string, text: string) => `\`\`\`${language}\n${text}\n\`\`\``

function sampleQuery(parameters: readonly Parameter[]): Record<string, unknown> {
  const required = parameters.filter((parameter) => parameter.in === 'query' && parameter.required)
  return Object.fromEntries(required.map(({ name, schema }) => [name, sampleValue(schema)]))
}

function sampleValue(schema: Json): unknown {
  const values = ((schema['$ref'] ? resolve(schema) : schema)['enum'] ?? schema['x-extensible-enum']) as
    | unknown[]
    | undefined
  return (
    values?.[0] ??
    schema['example'] ??
    (schema['examples'] as unknown[] | undefined)?.[0] ??
    (String(schema['pattern']).includes('A-Z') ? 'EUR' : sampleId)
  )
}
