/** The committed document as a client sees it: its operations, and a check of their answers. */

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { ApiResponse } from '@financial-agents/testkit/client'
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'

export type Schema = {
  $ref?: string
  type?: string | string[]
  enum?: unknown[]
  const?: unknown
  anyOf?: Schema[]
  pattern?: string
  format?: string
  minLength?: number
  maxLength?: number
  minimum?: number
  maximum?: number
  minItems?: number
  maxItems?: number
  items?: Schema
  properties?: Record<string, Schema>
  required?: string[]
  additionalProperties?: boolean | Schema
}
export type Parameter = { name: string; in: 'path' | 'query' | 'header'; required?: boolean; schema: Schema }
export type Operation = {
  name: string
  method: string
  path: string
  parameters: Parameter[]
  body: { schema: Schema; example: unknown } | undefined
  /** The kind of token that it takes; null: none. */
  protectedFor: 'customer' | 'operator' | null
  responses: Record<string, unknown>
}

type Raw = Record<string, unknown>
type RawOperation = {
  operationId: string
  parameters: Raw[]
  requestBody?: { content: Record<string, { schema: Schema; examples: Record<string, Raw> }> }
  security: Raw[]
  responses: Record<string, Raw>
}

const file = join(import.meta.dirname, '../../../libs/api/contract/generated/openapi.json')
/** Lists that may grow in a later version are complete in this one. */
const text = readFileSync(file, 'utf8').replaceAll('"x-extensible-enum"', '"enum"')
const document = JSON.parse(text) as {
  paths: Record<string, Record<string, RawOperation>>
  components: Raw
}

/** Follows a reference; returns any other value as it is. */
export function resolve(value: unknown): unknown {
  const reference = (value as { $ref?: string } | undefined)?.$ref
  if (reference === undefined) return value
  return reference
    .slice(2)
    .split('/')
    .reduce<unknown>((at, name) => (at as Raw)[name], document)
}

function protectedFor(security: readonly Raw[]): Operation['protectedFor'] {
  if (security.some((alternative) => 'operator' in alternative)) return 'operator'
  return security.some((alternative) => 'dpop' in alternative) ? 'customer' : null
}

export const operations: readonly Operation[] = Object.entries(document.paths).flatMap(([path, item]) =>
  Object.entries(item).map(([method, raw]) => {
    const media = raw.requestBody?.content['application/json']
    const example = Object.values(media?.examples ?? {}).map((given) => (resolve(given) as { value: unknown }).value)[0]
    return {
      name: raw.operationId,
      method: method.toUpperCase(),
      path,
      parameters: raw.parameters.map((parameter) => resolve(parameter) as Parameter),
      body: media && { schema: media.schema, example },
      protectedFor: protectedFor(raw.security),
      responses: raw.responses,
    }
  }),
)

const ajv = new Ajv2020({ strict: true, strictTypes: false, strictRequired: false })
addFormats.default(ajv)
ajv.addVocabulary(['components', 'example', 'discriminator'])
ajv.addSchema({ $id: 'document', components: document.components })
const compiled = new Map<string, ValidateFunction>()

function validatorOf(schema: unknown): ValidateFunction {
  const text = JSON.stringify(schema).replaceAll('"#/', '"document#/')
  const validate = compiled.get(text) ?? ajv.compile(JSON.parse(text) as Schema)
  compiled.set(text, validate)
  return validate
}

type Documented = { headers?: Raw; 'x-problem-codes'?: string[]; content?: Record<string, { schema: Schema }> }

/** Describes the first contradiction between an answer and the document; undefined if there is none. */
export function faultOf({ responses }: Operation, { status, headers, body }: ApiResponse): string | undefined {
  const documented = resolve(responses[status]) as Documented | undefined
  if (documented === undefined) return `the status ${status} is not documented`
  if (status >= 500) return `the status is ${status}`
  if (!headers.has('x-request-id')) return 'there is no X-Request-Id'
  const type = headers.get('content-type')
  if (documented.content === undefined) return type === null ? undefined : `there is a body of ${type}`
  const media = documented.content[type ?? '']
  if (media === undefined) return `the media type ${type} is not documented`
  const validate = validatorOf(media.schema)
  if (!validate(body)) return `the body breaks its schema: ${ajv.errorsText(validate.errors)}`
  const codes = documented['x-problem-codes']
  return codes?.includes(body['code'] as string) === false ? `the code ${body['code']} is not documented` : undefined
}
