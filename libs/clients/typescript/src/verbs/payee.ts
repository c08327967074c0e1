/** The verb `payee`: a beneficiary that can be paid. */

import type { CallOptions, WriteOptions } from '../call-options.ts'
import { ClientError } from '../client-error.ts'
import type { Resources } from '../generated/methods.ts'
import type { Beneficiary, PayoutSchema } from '../generated/types.ts'
import { timeLeft } from '../time-limit.ts'
import { settled, shown } from './settled.ts'

/** A payee to be added. */
export type PayeeRequest = WriteOptions & {
  /** The name of the account holder. */
  name: string
  /** ISO 3166-1 alpha-2. */
  country: string
  /** ISO 4217. */
  currency: string
  /** The account, by the fields of the payout schema: `{ iban }`, for example. */
  details: Record<string, string>
  /** The payout schema, if several take these details. */
  payoutSchema?: string
  nickname?: string
}

/**
 * Adds a payee, or finds the one that this intent added, and waits until it can be paid.
 *
 * @throws ClientError `not_settled` if it has not been added (yet), whose `outcome` says how it stands; `wait_failed`
 */
export async function payee(resources: Resources, request: PayeeRequest): Promise<Beneficiary> {
  const { name, country, currency, details, nickname, payoutSchema, ...options } = request
  const left = timeLeft(request)
  const inTime = () => ({ ...options, ...left() })
  const operation = await resources.beneficiaries.create(
    {
      name,
      country,
      currency,
      details,
      payout_schema_id: payoutSchema ?? (await payoutSchemaFor(resources, request, inTime())),
      ...(nickname === undefined ? {} : { nickname }),
    },
    inTime(),
  )
  const id = await settled(operation, inTime(), `The payee "${name}"`)
  return shown((reading) => resources.beneficiaries.get(id, reading), inTime)
}

/**
 * Finds the one payout schema that takes exactly these details; returns its id.
 *
 * @throws ClientError `invalid_use` if there is none, or several: its message lists those of the country and currency
 */
export async function payoutSchemaFor(
  resources: Pick<Resources, 'payoutSchemas'>,
  request: Pick<PayeeRequest, 'country' | 'currency' | 'details'>,
  options?: CallOptions,
): Promise<string> {
  const { country, currency, details } = request
  const fitting: PayoutSchema[] = []
  const known: string[] = []
  for await (const schema of resources.payoutSchemas.list({ country, currency }, options)) {
    if (takes(schema, details)) fitting.push(schema)
    known.push(`${schema.id} (${schema.fields.map(({ key, required }) => (required ? key : `${key}?`)).join(', ')})`)
  }
  const [only] = fitting
  if (only && fitting.length === 1) return only.id
  throw new ClientError(
    'invalid_use',
    `${fitting.length} payout schemas take these details for ${country} and ${currency}. Give the details of one, or name it as payoutSchema: ${known.join('; ')}.`,
  )
}

function takes({ fields }: PayoutSchema, details: Record<string, string>): boolean {
  const keys = new Set(fields.map(({ key }) => key))
  return (
    Object.keys(details).every((key) => keys.has(key)) &&
    fields.every(({ key, required }) => !required || key in details)
  )
}
