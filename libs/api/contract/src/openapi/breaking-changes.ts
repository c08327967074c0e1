/**
 * The changes between two documents that break clients of the first one. A request that was valid must stay valid, and an
 * answer must stay one that a client of the first document understands. Names count, because generated code has them.
 *
 * Additions do not break: routes, members of answers, optional members and parameters, problem codes, and values of
 * `x-extensible-enum`.
 */

import type { OpenapiDocument } from './document.ts'
import type { JsonSchema } from './readable-schema.ts'
import { type Direction, narrowed } from './schema-changes.ts'

type Operation = {
  operationId: string
  security: Record<string, string[]>[]
  parameters: JsonSchema[]
  requestBody?: { content: Content }
  responses: Record<string, JsonSchema>
}
type Content = Record<string, { schema: JsonSchema }>

/** Returns one sentence for each breaking change. */
export function breakingChanges(before: OpenapiDocument, after: OpenapiDocument): string[] {
  const names = Object.keys(before.components.schemas).filter((name) => !(name in after.components.schemas))
  return [
    ...names.map((name) => `the schema ${name} is gone`),
    ...routeChanges(before, after),
    ...webhookChanges(before, after),
  ]
}

function routeChanges(before: OpenapiDocument, after: OpenapiDocument): string[] {
  const current = new Map(operationsOf(after, 'paths'))
  return operationsOf(before, 'paths').flatMap(([place, operation]) => {
    const now = current.get(place)
    return now === undefined ? [`${place} is gone`] : operationChanges(place, [before, operation], [after, now])
  })
}

/** A receiver reads what it is sent, as a client reads an answer. */
function webhookChanges(before: OpenapiDocument, after: OpenapiDocument): string[] {
  const current = new Map(operationsOf(after, 'webhooks'))
  return operationsOf(before, 'webhooks').flatMap(([name, operation]) => {
    const now = current.get(name)
    if (now === undefined) return [`the webhook ${name} is gone`]
    return contentChanges(`the webhook ${name}`, 'response', [before, operation.requestBody], [after, now.requestBody])
  })
}

function operationsOf(document: OpenapiDocument, part: 'paths' | 'webhooks'): [place: string, Operation][] {
  const items = (document[part] ?? {}) as Record<string, Record<string, Operation>>
  return Object.entries(items).flatMap(([path, item]) =>
    Object.entries(item).map(([method, one]): [string, Operation] => [`${method.toUpperCase()} ${path}`, one]),
  )
}

type In<Part> = readonly [document: OpenapiDocument, part: Part]

function operationChanges(place: string, [before, old]: In<Operation>, [after, now]: In<Operation>): string[] {
  const renamed = old.operationId === now.operationId ? [] : [`${place} is now called ${now.operationId}`]
  return [
    ...renamed,
    ...securityChanges(place, old, now),
    ...parameterChanges(place, [before, old], [after, now]),
    ...contentChanges(`the body of ${place}`, 'request', [before, old.requestBody], [after, now.requestBody]),
    ...Object.entries(old.responses).flatMap(([status, response]) => {
      const fresh = now.responses[status]
      // A refusal that no longer occurs breaks nobody.
      if (fresh === undefined) return status < '400' ? [`${place} no longer answers ${status}`] : []
      const sides = [resolve(before, response), resolve(after, fresh)] as { content?: Content }[]
      const [one, other] = sides.map((side) => (side.content === undefined ? undefined : { content: side.content }))
      return contentChanges(`${status} of ${place}`, 'response', [before, one], [after, other])
    }),
  ]
}

function securityChanges(place: string, old: Operation, now: Operation): string[] {
  const enough = new Set(now.security.map((alternative) => JSON.stringify(alternative)))
  const lost = old.security.filter((alternative) => !enough.has(JSON.stringify(alternative)))
  return lost.map((alternative) => `${place} no longer takes ${JSON.stringify(alternative)}`)
}

function parameterChanges(place: string, [before, old]: In<Operation>, [after, now]: In<Operation>): string[] {
  const byName = ([document, { parameters }]: In<Operation>) =>
    new Map(
      parameters.map((given) => {
        const parameter = resolve(document, given)
        return [`${String(parameter['in'])} ${String(parameter['name'])}`, parameter] as const
      }),
    )
  const [known, current] = [byName([before, old]), byName([after, now])]
  const required = [...current].filter(
    ([name, { required }]) => required === true && known.get(name)?.['required'] !== true,
  )
  return [
    ...required.map(([name]) => `${place} newly requires ${name}`),
    ...[...known].flatMap(([name, parameter]) => {
      const fresh = current.get(name)
      if (fresh === undefined) return [`${place} no longer takes ${name}`]
      const [one, other] = [parameter['schema'], fresh['schema']] as [JsonSchema, JsonSchema]
      return narrowed(`${name} of ${place}`, 'request', [before, one], [after, other])
    }),
  ]
}

type Body = { content: Content } | undefined

function contentChanges(
  place: string,
  direction: Direction,
  [before, old]: In<Body>,
  [after, now]: In<Body>,
): string[] {
  if (old === undefined) return now === undefined || direction === 'response' ? [] : [`${place} is newly required`]
  return Object.entries(old.content).flatMap(([type, { schema }]) => {
    const fresh = now?.content[type]?.schema
    if (fresh === undefined) return [`${place} is no longer ${type}`]
    return narrowed(place, direction, [before, schema], [after, fresh])
  })
}

/** Follows a reference; returns any other part as it is. */
function resolve(document: OpenapiDocument, part: JsonSchema): JsonSchema {
  const reference = part['$ref']
  if (typeof reference !== 'string') return part
  const path = reference.slice(2).split('/')
  return path.reduce<unknown>((at, name) => (at as JsonSchema)[name], document) as JsonSchema
}
