/** Amounts in the form that the pages use. */

import { findMinorUnitDigits } from '@financial-agents/contract/minor-units'

/**
 * Formats `87.5` euros as `87.50 EUR`: with the currency's number of digits, and never fewer digits than the amount
 * has.
 */
export function money(amount: string, currency: string): string {
  const digits = findMinorUnitDigits(currency) ?? 0
  const [whole = '', fraction = ''] = amount.split('.')
  const shown = fraction.padEnd(digits, '0')
  return `${whole}${shown === '' ? '' : `.${shown}`} ${currency}`
}
