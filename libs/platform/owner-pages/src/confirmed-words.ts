/**
 * The words that an owner confirms, in the owner's language. The intent binds the English words, which are also those that
 * the application received.
 *
 * Invariant: a translation is shown only where the English message that it translates, with the same data, is exactly
 * the text that is bound. Anything else is shown as it is bound, marked as English.
 */

import type { FactData, OwnerFact, OwnerIntent } from '@financial-agents/bus/messages/intents'
import { amountWords } from '@financial-agents/contract/amount-words'
import { foreignValue } from '@financial-agents/pages/foreign-name'
import { type Html, html } from '@financial-agents/pages/html'
import { hasMessage } from '@financial-agents/pages/messages'
import { englishReader, type Reader } from '@financial-agents/pages/reader'

/** The effect of the request. */
export function openingOf({ action, opening }: OwnerIntent, reader: Reader): Html {
  const isTranslated = opening === englishReader.say('confirmOpenings')(action)
  return isTranslated ? html`${reader.say('confirmOpenings')(action)}` : asBound(opening, reader)
}

/** Returns one row for all facts with the same label. */
export function rowsOf({ facts }: OwnerIntent, reader: Reader): [Html, Html][] {
  const byLabel = Map.groupBy(facts, ({ label }) => label)
  return [...byLabel].map(([label, same]) => [
    labelOf(label, reader),
    html`${same.map((one) => html`<div>${valueOf(one, reader)}</div>`)}`,
  ])
}

function labelOf(label: string, reader: Reader): Html {
  if (!hasMessage('factLabels', label)) return asBound(label, reader)
  return html`${reader.say('factLabels')(label)}`
}

function valueOf({ value, foreign, at, data }: OwnerFact, reader: Reader): Html {
  if (at !== undefined) return reader.timestamp(new Date(at))
  if (foreign) return foreignValue(value, reader)
  const isTranslated = data !== undefined && wordsOf(data, englishReader) === value
  return isTranslated ? html`<bdi dir="${reader.direction}">${shownOf(data, reader)}</bdi>` : asBound(value, reader)
}

/** Each part of an account is isolated: in a text from right to left, an IBAN would otherwise trade places with its words. */
function shownOf(data: FactData, reader: Reader): Html {
  if (data.type !== 'account') return html`${wordsOf(data, reader)}`
  const say = reader.say('factData')
  const parts = [
    ...data.details.map(([name, last]) =>
      say.rich('account', { name: html`<bdi dir="ltr">${name}</bdi>`, last: html`<bdi dir="ltr">${last}</bdi>` }),
    ),
    html`<bdi dir="ltr">${data.country}</bdi>`,
  ]
  return parts.reduce((before, next) => say.rich('list', { before, next }))
}

function wordsOf(data: FactData, reader: Reader): string {
  const say = reader.say('factData')
  const words = (amount: string) =>
    'currency' in data ? amountWords(amount, data.currency, reader === englishReader ? undefined : reader.locale) : ''
  switch (data.type) {
    case 'amount':
    case 'at_most':
      return say(data.type, { amount: words(data.amount) })
    case 'at_most_in':
      return say('at_most_in', { amount: words(data.amount), payments: data.payments })
    case 'left_of':
      return say('left_of', { amount: words(data.amount), whole: words(data.whole) })
    case 'count':
      return say('count', { count: String(data.count) })
    case 'none':
    case 'unchecked':
      return say(data.type)
    case 'account':
      return [...data.details.map(([name, last]) => say('account', { name, last })), data.country].reduce(
        (before, next) => say('list', { before, next }),
      )
  }
}

function asBound(text: string, { language }: Reader): Html {
  return language === 'en' ? html`${text}` : html`<span lang="en" dir="ltr">${text}</span>`
}
