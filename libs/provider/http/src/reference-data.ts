/**
 * Payout schemas and countries: a provider's answers in the API's shapes. A list with an entry that the API cannot show
 * (an invalid regular expression, a choice without values, an example that its own fields refuse) is `contract_broken` as a
 * whole, because half a list would look complete.
 */

import { countries, payoutSchemes } from '@financial-agents/provider-api/shapes/reference-data'
import type { AddressCountry, PayoutField, PayoutSchema } from '@financial-agents/provider-port/payout-schemas'
import type { ReadResult } from '@financial-agents/provider-port/port'
import type { ExchangeResult } from './exchange.ts'
import { listOf } from './read-answers.ts'

export function payoutSchemasOf(result: ExchangeResult): ReadResult<readonly PayoutSchema[]> {
  const answer = listOf(result, payoutSchemes)
  if (answer.type !== 'ok') return answer
  const schemas: PayoutSchema[] = []
  for (const scheme of answer.data.schemes) {
    const fields: PayoutField[] = scheme.inputs.map((input) => ({
      key: input.name,
      label: input.caption,
      type: input.kind === 'choice' ? 'enum' : 'string',
      pattern: input.regex === null ? null : `^(?:${input.regex})$`,
      min_length: input.min,
      max_length: input.max,
      options: input.choices,
      required: input.mandatory,
    }))
    const faulty = fields.find((field) => !isShowable(field, scheme.sample[field.key]))
    if (faulty !== undefined) {
      return { type: 'contract_broken', reason: `payout schema ${scheme.scheme_id}, field ${faulty.key}` }
    }
    schemas.push({
      id: scheme.scheme_id,
      name: scheme.title,
      country: scheme.country_code,
      currency: scheme.currency_code,
      rail: scheme.network,
      fields,
      example_details: scheme.sample,
    })
  }
  return { type: 'ok', data: schemas }
}

export function addressCountriesOf(result: ExchangeResult): ReadResult<readonly AddressCountry[]> {
  const answer = listOf(result, countries)
  if (answer.type !== 'ok') return answer
  const data = answer.data.countries.map(({ iso2, iso3, display_name }) => ({
    code: iso2,
    alpha3: iso3,
    name: display_name,
  }))
  return { type: 'ok', data }
}

function isShowable(field: PayoutField, example: string | undefined): boolean {
  if ((field.type === 'enum') !== (field.options !== null && field.options.length > 0)) return false
  const pattern = findPattern(field.pattern)
  if (field.pattern !== null && pattern === undefined) return false
  if (example === undefined) return !field.required
  return (
    (pattern?.test(example) ?? true) &&
    (field.options?.includes(example) ?? true) &&
    example.length >= (field.min_length ?? 0) &&
    example.length <= (field.max_length ?? Number.POSITIVE_INFINITY)
  )
}

function findPattern(source: string | null): RegExp | undefined {
  if (source === null) return undefined
  try {
    return new RegExp(source, 'u')
  } catch {
    return undefined
  }
}
