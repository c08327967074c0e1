/**
 * The content of an intent: one line of our own without names, and facts. Text from anybody else is always the whole
 * value of a fact, never a part of a sentence.
 *
 * Invariant: no value has a line end or an invisible character, so the text shows each value on the line of its label.
 */

import type { FactData, FactLabel, OwnerFact } from '@financial-agents/bus/messages/intents'
import { amountWords } from '@financial-agents/contract/amount-words'
import type { ConfirmationFact } from '@financial-agents/contract/schemas/confirmation-intent'

/** A fact whose value is our own text. */
export function fact(label: FactLabel, value: string): ConfirmationFact {
  return { label, value, foreign: false }
}

/** A fact whose value is our own text, made from data that the owner's page can say in another language. */
export function translatable(label: FactLabel, data: FactData): OwnerFact {
  return { ...fact(label, english(data)), data }
}

/** The fact as a client reads it: the words alone. */
export function forClient({ label, value, foreign: isForeign }: OwnerFact): ConfirmationFact {
  return { label, value, foreign: isForeign }
}

function english(data: FactData): string {
  switch (data.type) {
    case 'amount':
      return amountWords(data.amount, data.currency)
    case 'at_most':
      return `At most ${amountWords(data.amount, data.currency)}`
    case 'at_most_in':
      return `At most ${amountWords(data.amount, data.currency)}, in at most ${countOf(data.payments, 'payment')}`
    case 'left_of':
      return `${amountWords(data.amount, data.currency)} of ${amountWords(data.whole, data.currency)}`
    case 'count':
      return String(data.count)
    case 'none':
      return 'None'
    case 'unchecked':
      return 'By nobody that we know of. The account may belong to somebody else.'
    case 'account':
      return [...data.details.map(([name, last]) => `${name} ending in ${last}`), data.country].join(', ')
  }
}

/** Formats a count, for example `12 payments`. */
export function countOf(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`
}

/** A fact whose value somebody else wrote. */
export function foreign(label: FactLabel, value: string): ConfirmationFact {
  return { label, value: visible(value), foreign: true }
}

export function linesOf(facts: readonly ConfirmationFact[]): string[] {
  return facts.map(({ label, value, foreign: isForeign }) => `${label}: ${isForeign ? quote(value) : value}`)
}

/**
 * Puts foreign text between quotation marks. Quotation marks inside the text become plain ones, so none looks like
 * ours.
 */
function quote(text: string): string {
  return `“${text.replaceAll(/[“”„‟❝❞❠〝〞〟＂🙶🙷🙸]/gu, '"')}”`
}

/**
 * Puts text on one line and replaces each invisible character with a mark. A character that changes the text direction
 * would also change the amounts after it.
 */
export function visible(text: string): string {
  return text
    .toWellFormed()
    .replaceAll(/\s+/gu, ' ')
    .trim()
    .replaceAll(/[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]/gu, '\uFFFD')
}
