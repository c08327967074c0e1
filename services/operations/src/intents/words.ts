/**
 * The words that summaries are made of. What clients wrote stands in quotation marks and can neither close them nor steer
 * the page, so that nothing a client sends reads as if we had said it.
 */

import type { OwnerClient } from '@financial-agents/bus/messages/authority'
import { findMinorUnitDigits } from '@financial-agents/contract/minor-units'
import { BigNumber } from 'bignumber.js'

const conjunction = new Intl.ListFormat('en', { type: 'conjunction' })
const moment = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' })

/** `a, b and c`. */
export function listOf(words: readonly string[]): string {
  return conjunction.format(words)
}

/** What somebody wrote, between quotation marks of ours: nothing in it looks like one of them. */
export function quote(text: string): string {
  return `“${plain(text).replaceAll(/[“”„‟❝❞❠〝〞〟＂🙶🙷🙸]/gu, '"')}”`
}

/** Without what is not seen: a character that turns the direction would turn the amounts after it. */
function plain(text: string): string {
  return text.replaceAll(/[\p{C}\p{Zl}\p{Zp}]+/gu, ' ')
}

/** `EUR 125.00` for `+1.25e2`: exact, with at least the digits that the currency has. */
export function amountOf(currency: string, decimal: string): string {
  const amount = new BigNumber(decimal.replace('+', ''))
  const digits = findMinorUnitDigits(currency) ?? 0
  return `${currency} ${(amount.decimalPlaces() ?? 0) < digits ? amount.toFixed(digits) : amount.toFixed()}`
}

/** `1 January 2027 at 10:00 UTC`. */
export function momentOf(time: string): string {
  return `${moment.format(new Date(time))} UTC`
}

/** `12 payments`. */
export function countOf(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`
}

/** The registered name of each client. One that holds no grant of the owner has none here; its id is what somebody wrote. */
export function clientNames(ids: readonly string[], known: readonly OwnerClient[]): string {
  const names = new Map(known.map(({ client_id, name }) => [client_id, name]))
  return listOf(ids.map((id) => names.get(id) ?? `the client ${quote(id)}`))
}

type Payee = { name: string; country: string; masked_details: Readonly<Record<string, string>> }

/** `“Jane Doe” (IBAN ending in 0154, PT)`: whom an owner pays, as far as it is ever shown. */
export function payeeOf({ name, country, masked_details }: Payee): string {
  const masks = Object.entries(masked_details).map(([label, last]) => `${label} ending in ${plain(last)}`)
  return `${quote(name)} (${[...masks, country].join(', ')})`
}
