/**
 * IBANs as people print them, in groups of four and perhaps in small letters. The electronic form has neither (ISO 13616), and payout
 * schemas describe that one. The request itself stays as it was sent: an equal request is one with an equal body.
 */

import type { PayoutSchema } from '@financial-agents/contract/schemas/beneficiary'

type Details = Readonly<Record<string, string>>

const electronic = /^[A-Z]{2}[0-9]{2}[A-Z0-9]{11,30}$/

/** The details with the IBANs in their electronic form, in each field that the schema names an IBAN. */
export function withElectronicIbans(details: Details, { fields }: PayoutSchema): Record<string, string> {
  const ofIban = new Set(fields.flatMap(({ key, label }) => (/\biban\b/i.test(`${key} ${label}`) ? [key] : [])))
  return Object.fromEntries(
    Object.entries(details).map(([key, value]) => [key, ofIban.has(key) ? electronicForm(value) : value]),
  )
}

/** Such a field may also take other account numbers, which stay as they are. */
function electronicForm(value: string): string {
  const iban = value.replaceAll(/\p{Zs}/gu, '').toUpperCase()
  return electronic.test(iban) ? iban : value
}
