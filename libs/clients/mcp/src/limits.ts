/**
 * The limits that the person who starts the server sets, in addition to those of the owner's grant. A refusal names the
 * limit.
 */

import { writtenAmount } from '@financial-agents/client'
import { exceeds } from './decimal.ts'

/** The limits of this server. */
export type Limits = {
  /** Only tools that read. */
  readOnly: boolean
  /** The most that one payment may be, by currency. If there is one, other currencies are refused. */
  maxPerPayment: Readonly<Record<string, string>>
  /** The tools that are offered; all if it is undefined. */
  tools: readonly string[] | undefined
}

/** Returns the reason for which this server does not make the payment; undefined if the server may make it. */
export function refusedHere({ maxPerPayment }: Limits, amount: string, currency: string): string | undefined {
  const entries = Object.entries(maxPerPayment)
  if (entries.length === 0) return undefined
  const most = maxPerPayment[currency]
  const listed = entries.map(([code, value]) => `${writtenAmount(value, code)} ${code}`).join(', ')
  if (most !== undefined && !exceeds(amount, most)) return undefined
  return `This server was started with --max-per-payment (${listed}). Only the person who starts it can change that: ask for a smaller payment, or ask the person.`
}

/** Reads `50.00 EUR` or `50EUR`. @throws Error that says what to give */
export function maxPerPaymentOf(texts: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    texts.map((text) => {
      const [, amount, currency] = /^\s*(\d{1,18}(?:\.\d{1,18})?)\s*([A-Z]{3})\s*$/.exec(text) ?? []
      if (!amount || !currency)
        throw new Error('--max-per-payment takes an amount and a currency, for example "50.00 EUR".')
      return [currency, amount]
    }),
  )
}
