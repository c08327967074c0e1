/**
 * The provider's names for account details, by country and network. The limits are invented and the formats are real.
 * Every example satisfies the fields of its schema; the examples are the published example accounts of each format.
 */

import type { PayoutField, PayoutSchema } from '@financial-agents/provider-port/payout-schemas'

function text(key: string, label: string, regex: string | null, min_length: number, max_length: number): PayoutField {
  const pattern = regex === null ? null : `^${regex}$`
  return { key, label, type: 'string', pattern, min_length, max_length, options: null, required: true }
}

function choice(key: string, label: string, options: readonly string[]): PayoutField {
  return { key, label, type: 'enum', pattern: null, min_length: null, max_length: null, options, required: true }
}

function sepa(country: string, name: string, regex: string, sampleIban: string): PayoutSchema {
  const bic = text('bic', 'BIC', '[A-Z]{6}[A-Z0-9]{2}(?:[A-Z0-9]{3})?', 8, 11)
  return {
    id: `sepa_${country.toLowerCase()}_eur`,
    name,
    country,
    currency: 'EUR',
    rail: 'sepa.credit_transfer',
    fields: [text('iban', 'IBAN', regex, sampleIban.length, sampleIban.length), { ...bic, required: false }],
    example_details: { iban: sampleIban },
  }
}

const accountType = choice('account_type', 'Account type', ['checking', 'savings'])
const swiftBic = text('bic', 'BIC (SWIFT code)', '[A-Z]{6}[A-Z0-9]{2}(?:[A-Z0-9]{3})?', 8, 11)
const swiftAccount = text('account_number', 'Account number or IBAN', '[A-Z0-9]+', 4, 34)
const bankAddress = text('bank_city', 'City of the bank', null, 1, 60)

export const payoutSchemas: readonly PayoutSchema[] = [
  sepa('DE', 'Germany, SEPA', 'DE[0-9]{20}', 'DE89370400440532013000'),
  sepa('ES', 'Spain, SEPA', 'ES[0-9]{22}', 'ES9121000418450200051332'),
  sepa('FR', 'France, SEPA', 'FR[0-9]{12}[A-Z0-9]{11}[0-9]{2}', 'FR1420041010050500013M02606'),
  sepa('IT', 'Italy, SEPA', 'IT[0-9]{2}[A-Z][0-9]{10}[A-Z0-9]{12}', 'IT60X0542811101000000123456'),
  sepa('NL', 'Netherlands, SEPA', 'NL[0-9]{2}[A-Z]{4}[0-9]{10}', 'NL91ABNA0417164300'),
  sepa('PT', 'Portugal, SEPA', 'PT[0-9]{23}', 'PT50000201231234567890154'),
  {
    id: 'fps_gb_gbp',
    name: 'United Kingdom, Faster Payments',
    country: 'GB',
    currency: 'GBP',
    rail: 'faster_payments',
    fields: [
      text('sort_code', 'Sort code', '[0-9]{6}', 6, 6),
      text('account_number', 'Account number', '[0-9]{8}', 8, 8),
    ],
    example_details: { sort_code: '601613', account_number: '31926819' },
  },
  {
    id: 'ach_us_usd',
    name: 'United States, ACH',
    country: 'US',
    currency: 'USD',
    rail: 'ach',
    fields: [
      text('routing_number', 'Routing number', '[0-9]{9}', 9, 9),
      text('account_number', 'Account number', '[0-9]{4,17}', 4, 17),
      accountType,
    ],
    example_details: { routing_number: '021000021', account_number: '9876543210', account_type: 'checking' },
  },
  {
    id: 'swift_us_usd',
    name: 'United States, SWIFT in US dollars',
    country: 'US',
    currency: 'USD',
    rail: 'swift',
    fields: [swiftBic, swiftAccount, bankAddress],
    example_details: { bic: 'CHASUS33', account_number: '9876543210', bank_city: 'New York' },
  },
  {
    id: 'swift_sg_usd',
    name: 'Singapore, SWIFT in US dollars',
    country: 'SG',
    currency: 'USD',
    rail: 'swift',
    fields: [swiftBic, swiftAccount, { ...bankAddress, required: false }],
    example_details: { bic: 'DBSSSGSG', account_number: '0052312891' },
  },
]

const byId: ReadonlyMap<string, PayoutSchema> = new Map(payoutSchemas.map((schema) => [schema.id, schema]))

const patterns: ReadonlyMap<PayoutField, RegExp> = new Map(
  payoutSchemas
    .flatMap(({ fields }) => fields)
    .flatMap((field) => (field.pattern === null ? [] : [[field, new RegExp(field.pattern, 'u')] as const])),
)

export function findPayoutSchema(id: string): PayoutSchema | undefined {
  return byId.get(id)
}

/** True if the details match the fields of the payout schema exactly. */
export function acceptsDetails({ fields }: PayoutSchema, details: Readonly<Record<string, unknown>>): boolean {
  const known = Object.keys(details).every((name) => fields.some(({ key }) => key === name))
  return known && fields.every((field) => acceptsValue(field, details[field.key]))
}

function acceptsValue(field: PayoutField, value: unknown): boolean {
  if (value === undefined) return !field.required
  if (typeof value !== 'string') return false
  if (field.options !== null && !field.options.includes(value)) return false
  if (field.key === 'iban' && !hasGoodCheckDigits(value)) return false
  if (value.length < (field.min_length ?? 0) || value.length > (field.max_length ?? Number.POSITIVE_INFINITY))
    return false
  return patterns.get(field)?.test(value) ?? true
}

/** The check digits of an IBAN (ISO 7064, MOD 97-10): moved to the end and read as a number, with A as 10, it leaves 1. */
function hasGoodCheckDigits(iban: string): boolean {
  if (!/^[A-Z0-9]{5,34}$/.test(iban)) return false
  const moved = iban.slice(4) + iban.slice(0, 4)
  return BigInt(moved.replaceAll(/[A-Z]/g, (letter) => String(Number.parseInt(letter, 36)))) % 97n === 1n
}
