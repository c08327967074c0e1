/**
 * The provider's names for account details, by country and network. The limits are invented and the formats are real.
 * Every sample satisfies the inputs of its scheme; the samples are the published example accounts of each format.
 */

export type SchemeInput = {
  readonly name: string
  readonly caption: string
  readonly kind: 'text' | 'choice'
  /** A pattern for the whole value. */
  readonly regex: string | null
  readonly min: number | null
  readonly max: number | null
  readonly choices: readonly string[] | null
  readonly mandatory: boolean
}

export type Scheme = {
  readonly scheme_id: string
  readonly title: string
  readonly country_code: string
  readonly currency_code: string
  readonly network: string
  readonly inputs: readonly SchemeInput[]
  readonly sample: Readonly<Record<string, string>>
}

function text(name: string, caption: string, regex: string | null, min: number, max: number): SchemeInput {
  return { name, caption, kind: 'text', regex, min, max, choices: null, mandatory: true }
}

function choice(name: string, caption: string, choices: readonly string[]): SchemeInput {
  return { name, caption, kind: 'choice', regex: null, min: null, max: null, choices, mandatory: true }
}

function sepa(country: string, title: string, regex: string, sampleIban: string): Scheme {
  const bic = text('bic', 'BIC', '[A-Z]{6}[A-Z0-9]{2}(?:[A-Z0-9]{3})?', 8, 11)
  return {
    scheme_id: `sepa_${country.toLowerCase()}_eur`,
    title,
    country_code: country,
    currency_code: 'EUR',
    network: 'sepa.credit_transfer',
    inputs: [text('iban', 'IBAN', regex, sampleIban.length, sampleIban.length), { ...bic, mandatory: false }],
    sample: { iban: sampleIban },
  }
}

const accountType = choice('account_type', 'Account type', ['checking', 'savings'])
const swiftBic = text('bic', 'BIC (SWIFT code)', '[A-Z]{6}[A-Z0-9]{2}(?:[A-Z0-9]{3})?', 8, 11)
const swiftAccount = text('account_number', 'Account number or IBAN', '[A-Z0-9]+', 4, 34)
const bankAddress = text('bank_city', 'City of the bank', null, 1, 60)

export const payoutSchemes: readonly Scheme[] = [
  sepa('DE', 'Germany, SEPA', 'DE[0-9]{20}', 'DE89370400440532013000'),
  sepa('ES', 'Spain, SEPA', 'ES[0-9]{22}', 'ES9121000418450200051332'),
  sepa('FR', 'France, SEPA', 'FR[0-9]{12}[A-Z0-9]{11}[0-9]{2}', 'FR1420041010050500013M02606'),
  sepa('IT', 'Italy, SEPA', 'IT[0-9]{2}[A-Z][0-9]{10}[A-Z0-9]{12}', 'IT60X0542811101000000123456'),
  sepa('NL', 'Netherlands, SEPA', 'NL[0-9]{2}[A-Z]{4}[0-9]{10}', 'NL91ABNA0417164300'),
  sepa('PT', 'Portugal, SEPA', 'PT[0-9]{23}', 'PT50000201231234567890154'),
  {
    scheme_id: 'fps_gb_gbp',
    title: 'United Kingdom, Faster Payments',
    country_code: 'GB',
    currency_code: 'GBP',
    network: 'faster_payments',
    inputs: [
      text('sort_code', 'Sort code', '[0-9]{6}', 6, 6),
      text('account_number', 'Account number', '[0-9]{8}', 8, 8),
    ],
    sample: { sort_code: '601613', account_number: '31926819' },
  },
  {
    scheme_id: 'ach_us_usd',
    title: 'United States, ACH',
    country_code: 'US',
    currency_code: 'USD',
    network: 'ach',
    inputs: [
      text('routing_number', 'Routing number', '[0-9]{9}', 9, 9),
      text('account_number', 'Account number', '[0-9]{4,17}', 4, 17),
      accountType,
    ],
    sample: { routing_number: '021000021', account_number: '9876543210', account_type: 'checking' },
  },
  {
    scheme_id: 'swift_us_usd',
    title: 'United States, SWIFT in US dollars',
    country_code: 'US',
    currency_code: 'USD',
    network: 'swift',
    inputs: [swiftBic, swiftAccount, bankAddress],
    sample: { bic: 'CHASUS33', account_number: '9876543210', bank_city: 'New York' },
  },
  {
    scheme_id: 'swift_sg_usd',
    title: 'Singapore, SWIFT in US dollars',
    country_code: 'SG',
    currency_code: 'USD',
    network: 'swift',
    inputs: [swiftBic, swiftAccount, { ...bankAddress, mandatory: false }],
    sample: { bic: 'DBSSSGSG', account_number: '0052312891' },
  },
]

const byId: ReadonlyMap<string, Scheme> = new Map(payoutSchemes.map((scheme) => [scheme.scheme_id, scheme]))

const patterns: ReadonlyMap<SchemeInput, RegExp> = new Map(
  payoutSchemes
    .flatMap((scheme) => scheme.inputs)
    .flatMap((input) => (input.regex === null ? [] : [[input, new RegExp(`^(?:${input.regex})$`, 'u')] as const])),
)

export function findScheme(schemeId: string): Scheme | undefined {
  return byId.get(schemeId)
}

/** True if the values match the scheme's inputs exactly. */
export function acceptsInputs(scheme: Scheme, values: Readonly<Record<string, unknown>>): boolean {
  const known = Object.keys(values).every((name) => scheme.inputs.some((input) => input.name === name))
  return known && scheme.inputs.every((input) => acceptsValue(input, values[input.name]))
}

function acceptsValue(input: SchemeInput, value: unknown): boolean {
  if (value === undefined) return !input.mandatory
  if (typeof value !== 'string') return false
  if (input.choices !== null && !input.choices.includes(value)) return false
  if (input.name === 'iban' && !hasGoodCheckDigits(value)) return false
  if (value.length < (input.min ?? 0) || value.length > (input.max ?? Number.POSITIVE_INFINITY)) return false
  return patterns.get(input)?.test(value) ?? true
}

/** The check digits of an IBAN (ISO 7064, MOD 97-10): moved to the end and read as a number, with A as 10, it leaves 1. */
function hasGoodCheckDigits(iban: string): boolean {
  if (!/^[A-Z0-9]{5,34}$/.test(iban)) return false
  const moved = iban.slice(4) + iban.slice(0, 4)
  return BigInt(moved.replaceAll(/[A-Z]/g, (letter) => String(Number.parseInt(letter, 36)))) % 97n === 1n
}
