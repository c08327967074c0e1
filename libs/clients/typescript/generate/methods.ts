/**
 * The generated files of `@financial-agents/client`: the types of the API, the types of its methods, and the table by which
 * the methods work. They derive from the route table and from the OpenAPI document. The client does not depend on either.
 */

import { otherDigits } from '@financial-agents/contract/minor-units'
import { openapiDocument } from '@financial-agents/contract/openapi'
import { placeholderBaseUrl } from '@financial-agents/contract/openapi/origin'
import { problemCatalogue } from '@financial-agents/contract/problem-catalogue'
import { problemsOf } from '@financial-agents/contract/problems-of'
import { enablableOf, type Route, scopesOf } from '@financial-agents/contract/route'
import { type RouteName, routes } from '@financial-agents/contract/routes'
import { scopes } from '@financial-agents/contract/scopes'
import { mayDoTwice } from '@financial-agents/contract/unanswered'
import { declarationOf, type JsonSchema, nameOf, typeOf } from './schema-types.ts'

const note = '// Written by `pnpm gen` from libs/api/contract; change the table it comes from.\n'

type DocumentedOperation = {
  operationId?: string
  parameters?: { name: string; in: string; required?: boolean; description?: string; schema: JsonSchema }[]
  requestBody?: { content: Record<string, { schema: JsonSchema }> }
  responses: Record<string, { content?: Record<string, { schema: JsonSchema }> }>
}

type Method = { route: RouteName; resource: string; method: string }

/** The methods, in the order of the table. */
const methods: readonly Method[] = Object.entries<Route>(routes).flatMap(([route, { client }]) => {
  const [resource, method] = client?.split('.') ?? []
  return resource && method ? [{ route: route as RouteName, resource, method }] : []
})

/** The facts about one method from which every client is written. */
export type Facts = Method & {
  row: Route
  operation: DocumentedOperation
  params: readonly string[]
  /** The type of the query; undefined if the route takes none. */
  query: string | undefined
  queryRequired: boolean
  body: string | undefined
  response: string
  /** The type of the items, if the response is a list. */
  item: string | undefined
}

export const document = openapiDocument(placeholderBaseUrl) as unknown as {
  paths: Record<string, Record<string, DocumentedOperation>>
  components: { schemas: Record<string, JsonSchema> }
}

const documented = new Map(
  Object.values(document.paths).flatMap((path) =>
    Object.values(path).map((operation) => [operation.operationId, operation] as const),
  ),
)

function factsOf(method: Method): Facts {
  const row = (routes as Record<RouteName, Route>)[method.route]
  const operation = documented.get(method.route)
  if (!operation) throw new Error(`the document has no operation ${method.route}`)
  const query = (operation.parameters ?? []).filter((parameter) => parameter.in === 'query')
  const schema = operation.responses[String(row.status)]?.content?.['application/json']?.schema
  const response = schema ? typeOf(schema, '') : 'void'
  return {
    ...method,
    row,
    operation,
    params: [...row.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => `${name}`),
    query: query.length === 0 ? undefined : typeOf(objectOf(query), '  '),
    queryRequired: query.some(({ required }) => required),
    body: operation.requestBody && typeOf(operation.requestBody.content['application/json']?.schema ?? {}, '  '),
    response,
    item: itemOf(schema),
  }
}

function objectOf(parameters: NonNullable<DocumentedOperation['parameters']>): JsonSchema {
  const members = parameters.map(({ name, description, schema }) => [name, { ...schema, description }])
  const required = parameters.filter((parameter) => parameter.required).map(({ name }) => name)
  return { type: 'object', properties: Object.fromEntries(members) as JsonSchema, required }
}

/** The type of the items of a list that the client pages through. */
function itemOf(schema: JsonSchema | undefined): string | undefined {
  if (typeof schema?.['$ref'] !== 'string' || !schema['$ref'].endsWith('List')) return undefined
  const named = document.components.schemas[typeOf(schema, '')] as { properties?: Record<string, JsonSchema> }
  const items = named.properties?.['items']
  return items ? typeOf(items['items'] as JsonSchema, '') : undefined
}

export const facts: readonly Facts[] = methods.map(factsOf)
export const resources = [...new Set(facts.map(({ resource }) => resource))]

/** The table by which the methods work: what each sends, and what may be repeated. One short line for each keeps it small. */
function clientTable(): string {
  const blocks = resources.map((resource) => {
    const lines = facts
      .filter((fact) => fact.resource === resource)
      .map((fact) => `    ${fact.method}: '${rowOf(fact)}',`)
    return `  ${resource}: {\n${lines.join('\n')}\n  },`
  })
  return `${note}
/** Every method of the client, by resource, as \`row.ts\` reads it: method, path, then marks. */
export const table = {
${blocks.join('\n')}
}`
}

/** The row of the table: method, path, then marks. */
export function rowOf({ row, item, response, body, query }: Facts): string {
  const marks = [
    body !== undefined && 'body',
    query !== undefined && 'query',
    row.scope === null && 'open',
    row.keyed && `keyed:${row.opens}`,
    row.confirmation && `confirm:${row.confirmation.action}`,
    row.confirmation?.needed === 'always' && 'always',
    item && 'list',
    response === 'Operation' && !row.keyed && 'operation',
    !row.keyed && mayDoTwice(row) && 'once',
    row.method === 'POST' && !row.keyed && response !== 'Operation' && row.status !== 201 && `status:${row.status}`,
    row.method === 'POST' && hasNoId(response) && `has:${firstMemberOf(response)}`,
  ]
  return [row.method, row.path, ...marks.filter(Boolean)].join(' ')
}

/** The scopes that a client can ask for. */
export const scopeNames = Object.keys(scopes)

const membersOf = (name: string) => (document.components.schemas[name]?.['required'] ?? []) as string[]
const hasNoId = (name: string) => !membersOf(name).includes('id')
/** The member by which the client knows an answer that has no id. */
const firstMemberOf = (name: string) => membersOf(name)[0] ?? ''

/** The types of requests and responses that the client's methods use. */
function clientTypes(): string {
  const { schemas } = document.components
  const wanted = new Set<string>()
  const want = (text: string) => {
    for (const [name] of text.matchAll(/\b[A-Z]\w+\b/g)) {
      const schema = schemas[name]
      if (!schema || wanted.has(name)) continue
      wanted.add(name)
      want(declarationOf(name, schema))
    }
  }
  for (const { body, query, response } of facts) want([body, query, response].join(' '))
  want('Problem ProblemField ProblemCode WebhookPayload')
  const declarations = [...wanted].toSorted().map((name) => declarationOf(name, schemas[name] as JsonSchema))
  return `${note}\n/** The types of the API's requests and responses. Members are named as on the wire. */\n\n${declarations.join('\n\n')}

/** A scope that a client can ask for. */
export type KnownScope =\n${scopeNames.map((name) => `  | '${name}'`).join('\n')}`
}

/** The types of the methods, with the documentation of their routes. */
function clientMethods(): string {
  const blocks = resources.map((resource) => {
    const own = facts.filter((fact) => fact.resource === resource)
    return `/** \`agent.${resource}\` */\nexport type ${typeName(resource)} = {\n${own.map(methodOf).join('\n')}\n}`
  })
  const imported = [...new Set(facts.flatMap(typesIn))].toSorted()
  return `${note}
/** The methods of the client, by resource. */

import type { CallOptions, TrackedOperation, WriteOptions } from '../call-options.ts'
import type { Pages } from '../pages.ts'
import type {\n${imported.map((name) => `  ${name},`).join('\n')}\n} from './types.ts'

${blocks.join('\n\n')}

/** Every resource of the client. */
export type Resources = {\n${resources.map((resource) => `  ${resource}: ${typeName(resource)}`).join('\n')}\n}`
}

const ofOptions = new Set(['TrackedOperation', 'WriteOptions', 'CallOptions', 'Pages', 'Promise', 'Record'])

function typesIn(fact: Facts): string[] {
  const text = signatureOf(fact).replaceAll(/\/\*\*.*\*\//g, '')
  const found = [...text.matchAll(/\b[A-Z]\w+\b/g)].map(([name]) => name)
  return found.filter((name) => !ofOptions.has(name))
}

/** The documentation of a method: its text, and the codes that are its own. `onOwnerNeeded` is the callback's name in the language. */
export function aboutOf({ row }: Facts, onOwnerNeeded: string): { description: string; codes: string[] } {
  const scopes = scopesOf(row).map((scope) => `\`${scope}\``)
  const parts = [
    `${row.summary}: \`${row.method} ${row.path}\`.`,
    row.description,
    scopes.length > 0 ? `Scope: ${scopes.join(' or ')}.` : 'Needs no credentials.',
    enablableOf(row) && `Needs the capability \`${enablableOf(row)}\`.`,
    row.confirmation?.needed === 'always' && `The owner confirms it: \`${onOwnerNeeded}\` gets the address.`,
    row.confirmation?.needed === 'by_policy' && 'The owner confirms it if the policy of the grant says so.',
    row.keyed && `Durable: repeat it with the same \`intent\` after a crash.`,
  ]
  const codes = problemsOf(row).filter((code) => row.problems.includes(code))
  return { description: parts.filter(Boolean).join(' '), codes: codes.map((code) => `\`${code}\``) }
}

function methodOf(fact: Facts): string {
  const { description, codes } = aboutOf(fact, 'onOwnerNeeded')
  const throwing = codes.length > 0 ? [`@throws ApiProblem ${codes.join(', ')}, and those of every call`] : []
  const lines = [description, '', ...throwing, `@see routes.md of the contract, \`${fact.route}\``]
  const comment = lines.map((line) => `   *${line === '' ? '' : ` ${line.replaceAll('*/', '*\\/')}`}`).join('\n')
  return `  /**\n${comment}\n   */\n  ${fact.method}${signatureOf(fact)}`
}

function signatureOf({ row, params, body, query, queryRequired, response, item }: Facts): string {
  const given = params.map((name) => `${nameOf(camel(name))}: string`)
  if (body !== undefined) given.push(`body: ${body}`)
  if (query !== undefined) given.push(`query${queryRequired ? '' : '?'}: ${query}`)
  given.push(row.keyed ? 'options: WriteOptions' : 'options?: CallOptions')
  const result = item ? `Pages<${item}>` : `Promise<${response === 'Operation' ? 'TrackedOperation' : response}>`
  return `(${given.join(', ')}): ${result}`
}

function camel(name: string): string {
  return name.replaceAll(/_(\w)/g, (_match, letter: string) => letter.toUpperCase())
}

export function typeName(resource: string): string {
  return `${resource.charAt(0).toUpperCase()}${resource.slice(1)}Resource`
}

/** The refusals of the API, for the fake one: code, status, title, `retryable`, `submission_uncertain`. */
export const problemRows = Object.entries(problemCatalogue).map(
  ([code, { status, title, retryable, submission_uncertain: isUncertain }]) =>
    [code, status, JSON.stringify(title), retryable, isUncertain] as const,
)

function clientProblems(): string {
  const lines = problemRows.map(([code, ...facts]) => `  ${code}: [${facts.join(', ')}],`)
  return `${note}
/** The refusals of the API: status, title, \`retryable\`, \`submission_uncertain\`. Only the fake API needs them. */
export const problems: Readonly<Record<string, readonly [number, string, boolean, boolean]>> = {\n${lines.join('\n')}\n}`
}

/** The digits of currencies, with which amounts are written. */
function clientMinorUnits(): string {
  const members = [...otherDigits].map(([currency, digits]) => `  ${currency}: ${digits},`)
  const comment = '/** The digits after the point by ISO 4217, of currencies with other than two. */'
  return `${note}\n${comment}\nexport const otherDigits: Readonly<Record<string, number>> = {\n${members.join('\n')}\n}\n`
}

export const documents = {
  'libs/clients/typescript/src/generated/types.ts': clientTypes,
  'libs/clients/typescript/src/generated/methods.ts': clientMethods,
  'libs/clients/typescript/src/generated/table.ts': clientTable,
  'libs/clients/typescript/src/generated/minor-units.ts': clientMinorUnits,
  'libs/clients/typescript/src/generated/problems.ts': clientProblems,
}
