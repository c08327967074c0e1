/**
 * The used part of each limit, in every language. If the payments under way are known, the used part is split into spent
 * and under way. If they are not known, it is one figure, and a note says so.
 */

import { amountWords } from '@financial-agents/contract/amount-words'
import { choiceOfHeader, type Language, languages } from '@financial-agents/pages/language'
import { createReader } from '@financial-agents/pages/reader'
import { expect, test } from 'vitest'
import { mandateCard } from './mandates.ts'
import { mandateOf } from './testing/mandate-of.ts'

const said: { readonly [L in Language]?: readonly [split: string, one: string, note: string] } = {
  en: [
    '{amount} spent, {zero} under way',
    '{amount} spent or under way',
    'The part of this that is still under way is not known right now.',
  ],
  de: [
    '{amount} ausgegeben, {zero} in Bearbeitung',
    '{amount} ausgegeben oder in Bearbeitung',
    'Welcher Teil davon noch in Bearbeitung ist, ist zurzeit nicht bekannt.',
  ],
  pt: [
    'gasto: {amount}, em curso: {zero}',
    'gasto ou em curso: {amount}',
    'De momento não se sabe que parte disto ainda está em curso.',
  ],
  fr: [
    'dépensé : {amount}, en cours : {zero}',
    'dépensé ou en cours : {amount}',
    'On ne sait pas pour l’instant quelle part de ceci est encore en cours.',
  ],
  ar: [
    'المنفق: {amount}، قيد التنفيذ: {zero}',
    'المنفق أو قيد التنفيذ: {amount}',
    'لا يُعرف حاليًا أي جزء من ذلك لا يزال قيد التنفيذ.',
  ],
}

test.each(Object.entries(said))('in %s', (language, texts) => {
  const reader = createReader(choiceOfHeader(language, languages), 'Europe/Lisbon')
  const none: ReadonlySet<string> = new Set()
  const list = { activeGrants: none, payingGrants: none, names: new Map(), now: new Date(), reader }
  const words = (amount: string) => amountWords(amount, 'EUR', reader.locale)
  const [split, one, note] = texts.map((text) =>
    text.replace('{amount}', words('12.5')).replace('{zero}', words('0')),
  ) as [string, string, string]
  const known = String(mandateCard(mandateOf(), { ...list, underWay: [] }))
  expect(known).toContain(`>${split}<`)
  expect(known).not.toContain(one)
  expect(known).not.toContain(note)
  const unknown = String(mandateCard(mandateOf(), { ...list, underWay: undefined }))
  expect(unknown).toContain(`>${one}<`)
  expect(unknown).toContain(note)
  expect(unknown).not.toContain(split)
})
