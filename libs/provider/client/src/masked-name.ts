/**
 * Names of others as they may be shown (decisions/0002): initials, unless the card networks classify the name as a merchant's.
 */

import type { ProviderActivityItem } from '@financial-agents/provider-port/activity-reads'
import { sanitised } from './sanitised.ts'

/** Categories of money transfer, cash, finance, rented homes and professions, in which the name may be a person's. */
const notSurelyTrade = /^(?:4829|6\d{3}|8\d{3})$/
const maxInitials = 5
const word = /[\p{L}\p{M}'’]+/gu

/** True if the counterparty's name is a merchant's: a card purchase in a category that only merchants have. */
export function isMerchant({ source, merchant_category }: ProviderActivityItem): boolean {
  return (
    source === 'card' &&
    merchant_category !== null &&
    /^\d{4}$/.test(merchant_category) &&
    !notSurelyTrade.test(merchant_category)
  )
}

/** `Rui Prado` → `R. P.`; null if no letter is left. */
export function initialsOf(name: string): string | null {
  const words = sanitised(name).match(word) ?? []
  return words.length === 0 ? null : words.slice(0, maxInitials).map(initialOf).join(' ')
}

/** Replaces the words of `name` in a text by initials, regardless of case and accents. Lower-case particles stay. */
export function hideName(name: string): (text: string) => string {
  const words = (name.normalize('NFC').match(word) ?? []).filter((part) => !/^\p{Ll}{1,3}$/u.test(part))
  const folded = new Set(words.map(fold))
  folded.add(fold(words.join('')))
  return (text) => text.replace(word, (found) => (folded.has(fold(found)) ? initialOf(found) : found))
}

function initialOf(text: string): string {
  const [first = ''] = text.match(/\p{L}\p{M}*/u) ?? []
  return `${first.toUpperCase()}.`
}

function fold(text: string): string {
  return text
    .normalize('NFD')
    .replace(/[^\p{L}]/gu, '')
    .toLowerCase()
}
