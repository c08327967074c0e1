/**
 * Texts, amounts and times of the port. A shape converts an answer to one form: amounts have the digits of their currency, times are in UTC
 * with milliseconds. An answer that was converted is not changed by a second parse.
 */

import { inDigits } from '@financial-agents/contract/schemas/primitives'
import { z } from 'zod'
import { storableText } from './storable.ts'

/** The data of a shape. Answers are shared, so nobody may change them. */
export type DataOf<Shape extends z.ZodType> = Unchangeable<z.infer<Shape>>

type Unchangeable<Data> = Data extends readonly (infer Item)[]
  ? readonly Unchangeable<Item>[]
  : Data extends object
    ? { readonly [Name in keyof Data]: Unchangeable<Data[Name]> }
    : Data

/** A text of so many characters. Like JSON Schema it counts code points: one emoji is one character. */
export function text(least: number, most: number) {
  return z
    .string()
    .max(most * 2)
    .refine((value) => {
      const length = Array.from(value).length
      return length >= least && length <= most
    })
    .meta({ ...(least > 0 && { minLength: least }), maxLength: most })
}

/** The application's reference. */
export const clientReference = z
  .string()
  .min(1)
  .max(200)
  .describe(
    "The application's own reference. It is unique among the instructions of all persons, and is sent at most once by a correct application.",
  )

/** A reference of the provider that a row can hold unchanged. */
export const reference = z
  .string()
  .min(1)
  .max(200)
  .refine((text) => storableText(text) === text)
  .describe("The provider's own reference. It never changes and is never used again.")

/** A reference of the provider that stands in a path or is a secret. */
export const tokenReference = z
  .string()
  .regex(/^[A-Za-z0-9_-]{1,200}$/)
  .describe("The provider's own reference: letters, digits, `_` and `-`.")

/** A decimal: no sign, no exponent, no leading zeros. */
export const decimal = z
  .string()
  .max(64)
  .regex(/^(?:0|[1-9]\d*)(?:\.\d+)?$/, { abort: true })
  .describe('A decimal without sign, exponent or leading zeros. Compare decimals by value: `20` and `20.00` are equal.')

/** A decimal above zero. */
export const positiveDecimal = z
  .string()
  .max(64)
  .regex(/^(?:0|[1-9]\d*)(?:\.\d+)?$/)
  .refine((value) => !/^[0.]*$/.test(value))
  .describe('A decimal above zero, without sign, exponent or leading zeros. Any number of decimal places may arrive.')

export const currency = z
  .string()
  .regex(/^[A-Z]{3}$/, { abort: true })
  .describe('ISO 4217, such as `EUR`.')

export const money = z.object({ amount: decimal, currency }).overwrite(inDigits).describe('An amount and its currency.')

/** An amount as a decimal string, and its ISO 4217 currency. */
export type Money = DataOf<typeof money>

/** A time with any offset and any precision. */
export const timestamp = z.iso
  .datetime({ offset: true, abort: true })
  .overwrite((time) => new Date(time).toISOString())
  .describe('RFC 3339, with any offset; fractions are optional.')

/** A time in UTC. */
export const utcTimestamp = z.iso.datetime().describe('RFC 3339, in UTC with `Z`.')

export const rail = z
  .string()
  .max(128)
  .regex(/^[a-z0-9]+(?:[._-][a-z0-9]+)*$/)
  .describe('The payout method in lower case, such as `sepa.credit_transfer`.')

/** The code of a failure or a refusal. */
export const code = z
  .string()
  .regex(/^[a-z][a-z0-9_]{0,63}$/)
  .describe('A code in lower case. The document lists the codes that have a meaning; you may add others.')

export const webAddress = z
  .url({ protocol: /^https?$/ })
  .max(2_048)
  .describe('An address on the web. Outside of sandboxes it is `https`.')
