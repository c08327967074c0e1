/**
 * Names of others, as they may be shown (decisions/0002): initials, unless the card networks say that it is a merchant's.
 */

import type { ProviderActivityItem } from '@financial-agents/provider/activity-reads'
import { sanitised } from './sanitised.ts'

/** Money sent on, cash, finance, rented homes; the professions. There a person may stand behind the name. */
const notSurelyTrade = /^(?:4829|6\d{3}|8\d{3})$/
const maxInitials = 5
const word = /[\p{L}\p{M}'’]+/gu

/** Whether the counterparty's name is that of a trade: a card's purchase, of a category that only merchants have. */
export function isMerchant({ source, merchant_category }: ProviderActivityItem): boolean {
  return (
    source === 'card' &&
    merchant_category !== null &&
    /^\d{4}$/.test(merchant_category) &&
    !notSurelyTrade.test(merchant_category)
  )
}

/** `Rui Prado` → `R. P.`; null where no letter is left. */
export function initialsOf(name: string): string | null {
  const words = sanitised(name).match(word) ?? []
  return words.length === 0 ? null : words.slice(0, maxInitials).map(initialOf).join(' ')
}

/** Takes the words of `name` out of a text, whatever their case and accents; particles in lower case stay. */
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
