/**
 * The primitive types of requests and responses. Their messages say what to send, because API users read them in
 * `fields`.
 */

import { z } from 'zod'
import { finestMinorUnitDigits, validateMoney, writtenAmount } from '../minor-units.ts'
import { canBeSeen } from '../plain-text.ts'
import { documented } from './documented.ts'

/** RFC 3339, UTC, milliseconds, `Z`. */
export const dateTime = z.iso.datetime({ precision: 3 })

export const count = z.int32().min(0)

/**
 * Marks an enum of responses to which a later minor version may add values. The document lists the values as
 * `x-extensible-enum`, so that generated clients accept a value that they do not know.
 */
export function extensible<Values extends z.ZodEnum>(values: Values): Values {
  return values.meta({ 'x-extensible-enum': values.options })
}

/** The pattern of text without control characters. Services check it after the result about the key. */
const plain = '^[^\\x00-\\x1f\\x7f-\\x9f]*$'

/** Documents that a service refuses control characters in this text. */
export function withoutControls<Text extends z.ZodType>(schema: Text): Text {
  return schema.meta({ pattern: plain })
}

/** The `:id` of a path. Every string is accepted; one that names nothing answers 404. */
export function pathId(resource: string) {
  return z
    .string()
    .toLowerCase()
    .meta({ format: 'uuid' })
    .describe(`${resource} An identifier that is not a UUID answers 404, like one that does not exist.`)
}

const anIdentifier = 'Send an identifier that this API gave you, as it was given.'

/** One of our identifiers: a UUID, version 7. Hexadecimal digits are read in any case, and compared in lower case. */
export const id = z.uuidv7({ error: anIdentifier }).toLowerCase()

/**
 * Any UUID of RFC 9562, in any case, including the nil and max UUIDs (contract, "DELETE
 * /v1/webhook-subscriptions/{id}").
 */
export const rfcUuid = z
  .string({ error: anIdentifier })
  .toLowerCase()
  .regex(z.regexes.uuid(), { error: anIdentifier })
  .meta({ format: 'uuid' })

const aDecimal = 'Send a decimal string such as "12.50".'

/** A decimal string, non-negative, no leading zeros, optional fraction (contract, "Withdrawal limits"). */
export const decimal = z
  .string({ error: aDecimal })
  .regex(/^(?:0|[1-9]\d*)(?:\.\d+)?$/, { error: aDecimal, abort: true })

const integerDigits = 18
const fractionDigits = 18

/**
 * The pattern of {@link positiveAmount} for the document, without a look-ahead, which RE2 does not support. An amount with
 * more zeros after `0.` is finer than every currency.
 */
function positivePattern(): string {
  const belowOne = Array.from(
    { length: finestMinorUnitDigits },
    (_, zeros) => `${'0'.repeat(zeros)}[1-9]\\d{0,${fractionDigits - zeros - 1}}`,
  )
  return `^(?:[1-9]\\d{0,${integerDigits - 1}}(?:\\.\\d{1,${fractionDigits}})?|0\\.(?:${belowOne.join('|')}))$`
}

/** An amount above zero without sign or exponent: at most 18 digits before the point and 18 after it. */
export const positiveAmount = decimal
  .refine(
    (value) => {
      const [whole = '', fraction = ''] = value.split('.')
      return whole.length <= integerDigits && fraction.length <= fractionDigits && /[1-9]/.test(value)
    },
    {
      error: `Send an amount above zero, with at most ${integerDigits} digits before the point and ${fractionDigits} after it.`,
      abort: true,
    },
  )
  .meta({ pattern: positivePattern() })

const signed = /^\+?(?:\d*[1-9]\d*(?:\.\d*)?|\d*\.\d*[1-9]\d*)(?:[eE][+-]?\d+)?$/

/**
 * A decimal above zero that may have a sign and an exponent (contract, "POST /v1/mandates"). This schema keeps it as it
 * was sent. At most 64 characters, with an exponent from −18 to 18. The number of digits is checked after conversion to
 * canonical form.
 */
export const positiveDecimal = z
  .string({ error: 'Send a positive decimal string such as "250.00".' })
  .max(64, { error: 'Send at most 64 characters.' })
  .regex(signed, { error: 'Send a positive decimal string such as "250.00".' })
  .refine((value) => Math.abs(Number(/[eE](.+)$/.exec(value)?.[1] ?? '0')) <= 18, {
    error: 'Send an exponent from -18 to 18.',
  })
  .meta({
    pattern: '^\\+?(?:\\d*[1-9]\\d*(?:\\.\\d*)?|\\d*\\.\\d*[1-9]\\d*)(?:[eE][+-]?0*(?:\\d|1[0-8]))?$',
  })

const aCurrency = 'Send three capital letters (ISO 4217).'

/** ISO 4217. */
export const currency = z.string({ error: aCurrency }).regex(/^[A-Z]{3}$/, { error: aCurrency, abort: true })

const aCountry = 'Send two capital letters (ISO 3166-1 alpha-2).'

/** ISO 3166-1 alpha-2. */
export const country = z.string({ error: aCountry }).regex(/^[A-Z]{2}$/, { error: aCountry })

/** A payout method (contract, "Withdrawal limits"). */
export const rail = z
  .string()
  .min(1)
  .max(128)
  .regex(/^[a-z0-9]+(?:[._-][a-z0-9]+)*$/)

/** A time from a client: RFC 3339, with its offset. Its letters may be small (RFC 3339, 5.6). */
export function timestampOr(error: string) {
  const inCapitals = (sent: unknown) => (typeof sent === 'string' ? sent.toUpperCase() : sent)
  return z.preprocess(inCapitals, z.iso.datetime({ offset: true, error }))
}

export const timestamp = timestampOr('Send a date and time with its offset (RFC 3339); in a query, + is written %2B.')

/** Writes an amount with the digits of its currency. */
export function inDigits<Money extends { amount: string; currency: string }>(given: Money): Money {
  return { ...given, amount: writtenAmount(given.amount, given.currency) }
}

/** An amount as a decimal string, with its currency. */
export const money = z
  .strictObject({
    amount: decimal.describe('A decimal string, with the digits of the currency.'),
    currency: currency.describe('ISO 4217.'),
  })
  .overwrite(inDigits)
  .register(documented, { id: 'Money' })

type Stated = { amount: string; currency: string }

/**
 * Creates the refinement of an object with a stated amount: no finer than its currency's smallest unit (decisions,
 * "Words and wire conventions"). `moneyOf` returns the amount, its currency, and the paths of both.
 */
export function inMinorUnits<Body>(moneyOf: (body: Body) => Stated & { paths?: Stated }) {
  return (body: Body, context: z.RefinementCtx<Body>) => {
    const { paths, ...stated } = moneyOf(body)
    for (const { path, message } of validateMoney(stated, paths))
      context.addIssue({ code: 'custom', path: [path], message })
  }
}

/** An amount that a client states. */
export const statedMoney = money.superRefine(inMinorUnits((stated) => stated))

/** A string whose length counts in Unicode code points, like the contract's lengths. */
export function text(minCharacters: number, maxCharacters: number) {
  const error =
    minCharacters === 0
      ? `Send a string of at most ${maxCharacters} characters.`
      : `Send a string of ${minCharacters} to ${maxCharacters} characters.`
  return (
    z
      .string({ error })
      .max(maxCharacters * 2, { error })
      .refine((value) => inRange(value, minCharacters, maxCharacters), { error })
      // JSON Schema counts code points too.
      .meta({ ...(minCharacters > 0 ? { minLength: minCharacters } : {}), maxLength: maxCharacters })
  )
}

/** Text for people, such as a name or a label. It has a visible character, or is empty if that is allowed. */
export function words(minCharacters: number, maxCharacters: number) {
  return text(minCharacters, maxCharacters).refine((value) => value === '' || canBeSeen(value), {
    error: 'Send something that can be seen.',
  })
}

function inRange(value: string, min: number, max: number): boolean {
  if (value.length <= max && value.length >= min * 2) return true
  const length = Array.from(value).length
  return length >= min && length <= max
}

const howMany = 'Send a whole number from 1 to 100.'

/** The `limit` of a list: 1–100 (decisions §1), in digits only. `1e1`, `0x10` and `+5` are refused. */
export function limitOr(whereNotSent: number) {
  const inDigits = (sent: unknown) => (typeof sent === 'string' && /^\d{1,3}$/.test(sent) ? Number(sent) : sent)
  return z
    .preprocess(
      inDigits,
      z.int({ error: howMany }).min(1, { error: howMany }).max(100, { error: howMany }).default(whereNotSent),
    )
    .describe('The maximum number of items in the response.')
}

export const limit = limitOr(50)

/** The position at which a list continues; opaque to clients. */
export const cursor = text(1, 1024)
  .optional()
  .describe('The position at which the list continues: `next_cursor` of the page before, with the same query.')

/** The envelope of a list. */
export function page<Item extends z.ZodType>(item: Item) {
  return z.strictObject({
    items: z.array(item).max(100).describe('The items of this page.'),
    next_cursor: z.string().nullable().describe('The `cursor` of the next page; null at the end of the list.'),
  })
}
