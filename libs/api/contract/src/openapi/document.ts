/**
 * Builds the OpenAPI 3.1 document for one origin, from the route table, the schemas and the problem catalogue. The
 * committed document names a placeholder origin; a gateway serves it with its own (`committed.ts`).
 *
 * Invariant: the document contains no facts that these tables do not contain.
 */

import type { z } from 'zod'
import { problemCatalogue, problemCodes } from '../problem-catalogue.ts'
import type { Route } from '../route.ts'
import { routes } from '../routes.ts'
import { areas, extensionAreas } from './areas.ts'
import { componentSchemas, parameterSchemas } from './components.ts'
import { headerReferences, headers, parameters } from './headers.ts'
import { introduction } from './introduction.ts'
import { examplesAt } from './named-schemas.ts'
import { extensionMark, operationOf } from './operations.ts'
import { problemExample } from './problem-examples.ts'
import { createProblemResponses, mayRefreshOnboarding, problemExampleName } from './responses.ts'
import { securitySchemes } from './security.ts'
import { schemasOfWebhooks, webhooks, webhooksTag } from './webhooks.ts'

const version = '1.0.0'

/** An OpenAPI 3.1 document. */
export type OpenapiDocument = {
  openapi: '3.1.1'
  tags: { name: string; description: string }[]
  paths: Record<string, Record<string, Record<string, unknown>>>
  components: Record<
    'schemas' | 'parameters' | 'headers' | 'responses' | 'examples' | 'securitySchemes',
    Record<string, unknown>
  >
} & Record<string, unknown>

/** Builds the document of the API at an origin. */
export function openapiDocument(baseUrl: string): OpenapiDocument {
  const table = Object.entries(routes as Record<string, Route>)
  const rows = table.map(([, row]) => row)
  const { components, responsesOf } = createProblemResponses(rows)
  const stated = rows.flatMap(({ params, query }) => [params, query]).flatMap(membersOf)
  const parts = { responsesOf, parameters: parameterSchemas(stated) }
  const paths: OpenapiDocument['paths'] = {}
  for (const [name, row] of table) {
    paths[row.path] ??= {}
    Object.assign(paths[row.path] as object, { [row.method.toLowerCase()]: operationOf(name, row, parts) })
  }
  return {
    openapi: '3.1.1',
    info: {
      title: 'Financial Agents API',
      version,
      summary: "An API through which an agent acts for one person's money: every write a durable operation.",
      description: introduction(baseUrl),
      contact: { name: 'Financial Agents', url: `${baseUrl}/docs` },
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [
      { url: baseUrl, description: 'This environment. Tokens, keys and clients of one are not valid in another.' },
    ],
    externalDocs: { url: `${baseUrl}/problems`, description: 'Every problem code, with its remedy' },
    tags: [...tags, webhooksTag],
    paths,
    webhooks,
    components: {
      schemas: componentSchemas(),
      parameters,
      headers,
      responses: { ...components, NotModified: notModified },
      examples: { ...namedExamples(baseUrl), ...problemExamples(baseUrl) },
      securitySchemes: securitySchemes(baseUrl),
    },
  }
}

function membersOf({ shape }: z.ZodObject): z.ZodType[] {
  return Object.values(shape) as z.ZodType[]
}

/**
 * The same document without `webhooks`, and without the schemas to which only webhooks refer. Some generators of clients
 * stop at webhooks or make a client's methods of them.
 */
export function withoutWebhooks(document: OpenapiDocument): OpenapiDocument {
  const { webhooks: _, ...rest } = document
  const { schemas, examples, ...components } = document.components
  const kept = (all: Record<string, unknown>) =>
    Object.fromEntries(Object.entries(all).filter(([name]) => !schemasOfWebhooks.has(name)))
  return {
    ...rest,
    openapi: document.openapi,
    paths: document.paths,
    tags: document.tags.filter(({ name }) => name !== webhooksTag.name),
    components: { ...components, schemas: kept(schemas), examples: kept(examples) },
  }
}

const tags = Object.entries(areas).map(([name, description]) => ({
  name,
  description,
  ...(extensionAreas.has(name as Route['area']) ? extensionMark : {}),
}))

const notModified = {
  description: 'Your cached version is still current. There is no body.',
  headers: headerReferences(['X-Request-Id', 'ETag', 'Cache-Control']),
}

function namedExamples(baseUrl: string): Record<string, unknown> {
  return Object.fromEntries(Object.entries(examplesAt(baseUrl)).map(([name, value]) => [name, { value }]))
}

function problemExamples(baseUrl: string): Record<string, unknown> {
  const all = problemCodes.flatMap((code) =>
    [false, true].flatMap((refreshOnboarding) => {
      if (refreshOnboarding && !mayRefreshOnboarding(code)) return []
      const value = problemExample(baseUrl, code, refreshOnboarding)
      if (value === undefined) return []
      const { title } = problemCatalogue[code]
      return [[problemExampleName(code, refreshOnboarding), { summary: title, value }] as const]
    }),
  )
  return Object.fromEntries(all)
}
