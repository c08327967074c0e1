/** Amounts as the pages write them. */

/** `87.5` of euros is `87.50 EUR`: with the digits that the currency has, and never fewer than the amount. */
export function money(amount: string, currency: string): string {
  const digits =
    new Intl.NumberFormat('en', { style: 'currency', currency }).resolvedOptions().maximumFractionDigits ?? 0
  const [whole = '', fraction = ''] = amount.split('.')
  const shown = fraction.padEnd(digits, '0')
  return `${whole}${shown === '' ? '' : `.${shown}`} ${currency}`
}
