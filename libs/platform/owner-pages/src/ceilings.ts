/**
 * Reads the limits on payments that the owner enters on the consent page. The client's registered limit is the
 * upper bound, and the default if the owner enters nothing.
 *
 * Invariant: a result never exceeds the registered limit.
 */

import { amountWords } from '@financial-agents/contract/amount-words'
import { compareDecimals } from '@financial-agents/contract/decimals'
import { findMinorUnitDigits, validateAmount, validateCurrency } from '@financial-agents/contract/minor-units'
import type { GrantPolicy } from '@financial-agents/contract/schemas/authorization'
import type { Reader } from '@financial-agents/pages/reader'

export type Ceilings = GrantPolicy['ceilings']
export type CeilingName = keyof Ceilings
const ceilingNames = ['per_payment', 'per_day'] as const satisfies readonly CeilingName[]

export type CeilingErrors = { [Name in CeilingName | 'currency']?: string }

/** Returns the limits, and errors that tell what to enter instead. */
export function readCeilings(
  form: Readonly<Record<string, string>>,
  registered: Ceilings,
  currency: string | undefined,
  reader: Reader,
): { ceilings: Ceilings; errors: CeilingErrors } {
  const say = reader.say('limitFields')
  const errors: CeilingErrors = {}
  const ceilings: Ceilings = { ...registered }
  const chosen = currency ?? form['currency']?.trim().toUpperCase() ?? ''
  for (const name of ceilingNames) {
    const written = form[name]?.trim() ?? ''
    if (written === '') continue
    const amount = readAmount(written)
    const most = registered[name]
    if (amount === undefined) errors[name] = say('amountHint')
    else if (most && compareDecimals(amount, most.amount) > 0)
      errors[name] = say('tooMuch', { amount: amountWords(most.amount, most.currency, reader.locale) })
    else if (validateCurrency(chosen)) errors.currency = say('currencyNeeded')
    else {
      if (validateAmount(amount, chosen)) errors[name] = tooFine(chosen, reader)
      else ceilings[name] = { amount, currency: chosen }
    }
  }
  if (errors.per_payment === undefined && errors.per_day === undefined) validateDay(form, ceilings, errors, reader)
  return { ceilings, errors }
}

/** A day below one payment would refuse payments that the limit of one payment allows. */
function validateDay(
  form: Readonly<Record<string, string>>,
  { per_payment, per_day }: Ceilings,
  errors: CeilingErrors,
  reader: Reader,
): void {
  const isWritten = ceilingNames.some((name) => (form[name]?.trim() ?? '') !== '')
  if (!isWritten || !per_payment || !per_day || per_payment.currency !== per_day.currency) return
  if (compareDecimals(per_day.amount, per_payment.amount) < 0)
    errors.per_day = reader.say('limitFields')('dayTooLow', {
      amount: amountWords(per_payment.amount, per_payment.currency, reader.locale),
    })
}

/** Asks for an amount of the currency's precision. */
export function tooFine(currency: string, reader: Reader): string {
  return reader.say('limitFields')('tooFine', { currency, digits: findMinorUnitDigits(currency) ?? 0 })
}

/** Returns the only currency of the client's policy, or undefined if the policy names none. */
export function currencyOf({ ceilings, confirmation }: GrantPolicy): string | undefined {
  const above = confirmation.find(({ action }) => action === 'transfer')?.above
  return (ceilings.per_payment ?? ceilings.per_day ?? above)?.currency
}

/**
 * Converts an amount to the contract's form. Some people write a comma instead of a point. A comma before three digits
 * may separate thousands, so such an amount is refused.
 */
export function readAmount(written: string): string | undefined {
  if (/,\d{3}$/.test(written)) return undefined
  const [, whole, fraction] = /^0*(\d{1,15})(?:[.,](\d{1,6}))?$/.exec(written) ?? []
  if (whole === undefined) return undefined
  const digits = whole === '' ? '0' : whole
  return fraction === undefined ? digits : `${digits}.${fraction}`
}
