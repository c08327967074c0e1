/** Amounts as the pages write them. */

import { findMinorUnitDigits } from '@financial-agents/contract/minor-units'

/** `87.5` of euros is `87.50 EUR`: with the digits that the currency has, and never fewer than the amount. */
export function money(amount: string, currency: string): string {
  const digits = findMinorUnitDigits(currency) ?? 0
  const [whole = '', fraction = ''] = amount.split('.')
  const shown = fraction.padEnd(digits, '0')
  return `${whole}${shown === '' ? '' : `.${shown}`} ${currency}`
}
