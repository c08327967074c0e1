/**
 * The checks of a creation that only this area can make: the payout schema exists, country and currency match it, and
 * the details satisfy it. One answer reports all failures, each with its path.
 */

import { validatePlainTexts } from '@financial-agents/contract/plain-text'
import { type Field, fieldsProblem } from '@financial-agents/contract/problem'
import type { RouteInput } from '@financial-agents/contract/route'
import type { beneficiariesRoutes } from '@financial-agents/contract/routes/beneficiaries'
import type { CompiledSchema, PayoutSchemas } from './payout-schemas.ts'
import { withElectronicIbans } from './printed-ibans.ts'

export type CreateBody = RouteInput<(typeof beneficiariesRoutes)['createBeneficiary']>['body']

const texts = ['name', 'nickname', 'purpose_code'] as const

/**
 * Returns the schema that the body names and satisfies, and the details as the provider takes them.
 * @throws Problem validation_failed
 */
export function checkBody(body: CreateBody, schemas: PayoutSchemas) {
  const compiled = schemas.get(body.payout_schema_id)
  if (!compiled)
    throw fieldsProblem([
      { path: 'payout_schema_id', message: 'Send the id of one of GET /v1/beneficiaries/payout-schemas.' },
    ])
  const { schema } = compiled
  const details = withElectronicIbans(body.details, schema)
  const fields = [
    ...validatePlainTexts(body, texts),
    ...validateDestination(body, compiled),
    ...validateDetails(details, compiled),
  ]
  if (fields.length > 0) throw fieldsProblem(fields)
  return { schema, details }
}

function validateDestination(body: CreateBody, { schema }: CompiledSchema): Field[] {
  const names = ['country', 'currency'] as const
  const bad = names.filter((name) => body[name] !== schema[name])
  return bad.map((path) => ({ path, message: `Send ${schema[path]}, as the payout schema ${schema.id} has it.` }))
}

function validateDetails(details: CreateBody['details'], { schema, checks }: CompiledSchema): Field[] {
  const known = schema.fields.map((field) => field.key).join(', ')
  const unknown = Object.keys(details)
    .filter((key) => !checks.has(key))
    .map((key) => ({ path: `details.${key}`, message: `Remove it: the payout schema takes ${known}.` }))
  const wrong = schema.fields.flatMap(({ key, label, required }): Field[] => {
    const value = Object.hasOwn(details, key) ? details[key] : undefined
    const message = value === undefined ? (required ? `Send it: ${label}.` : undefined) : checks.get(key)?.(value)
    return message === undefined ? [] : [{ path: `details.${key}`, message }]
  })
  return [...wrong, ...unknown]
}
