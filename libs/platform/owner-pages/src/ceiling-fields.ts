/** The fields for an application's limits, which the consent page and the account page share. */

import { amountWords } from '@financial-agents/contract/amount-words'
import type { GrantPolicy } from '@financial-agents/contract/schemas/authorization'
import { type Html, html } from '@financial-agents/pages/html'
import { notice, textField } from '@financial-agents/pages/parts'
import type { Reader } from '@financial-agents/pages/reader'
import type { CeilingErrors, CeilingName, Ceilings } from './ceilings.ts'

const labels = { per_payment: 'perPayment', per_day: 'perDay', currency: 'currency' } as const
const fieldNames = ['per_payment', 'per_day', 'currency'] as const

export type CeilingFields = {
  policy: GrantPolicy
  registered: Ceilings
  /** Undefined if the owner chooses the currency. */
  currency: string | undefined
  /** The amount that is filled in for the day where the owner has chosen none yet. */
  proposedDay?: string | undefined
  /** The owner's entries, if any of them was refused. */
  written: Readonly<Record<string, string>>
  errors: CeilingErrors
  reader: Reader
}

/** A notice that links to the wrong fields; undefined if there is none. */
export function wrongCeilings(errors: CeilingErrors, reader: Reader): Html | undefined {
  const say = reader.say('limitFields')
  const wrong = fieldNames.filter((name) => errors[name] !== undefined)
  if (wrong.length === 0) return undefined
  const links = wrong.map((name) => html`<li><a href="#${name}">${say(labels[name])}</a></li>`)
  return notice('bad', html`<p>${say('wrong', { count: wrong.length })}</p><ul>${links}</ul>`)
}

export function ceilingFields(data: CeilingFields): Html {
  const { policy, registered, currency, proposedDay, written, errors, reader } = data
  const say = reader.say('limitFields')
  const shown = (amount: string | undefined) => amount && reader.written(amount)
  const above = policy.confirmation.find(({ action }) => action === 'transfer')?.above
  const field = (name: CeilingName) => {
    const most = registered[name]
    const proposed = name === 'per_day' ? proposedDay : undefined
    return textField({
      name,
      label: say(labels[name]),
      hint: most
        ? say('atMost', { amount: amountWords(most.amount, most.currency, reader.locale) })
        : proposed === undefined
          ? say('empty')
          : say('proposed'),
      value: written[name] ?? shown(policy.ceilings[name]?.amount ?? proposed) ?? '',
      error: errors[name],
      attributes: { inputmode: 'decimal', autocomplete: 'off', maxlength: '24' },
      ...(currency === undefined ? {} : { suffix: currency }),
    })
  }
  return html`<h2>${say('title')}</h2>
<p class="soft">${say('about')}</p>
<fieldset class="card"><legend class="hidden">${say('legend')}</legend>
${field('per_payment')}
${field('per_day')}
${
  currency === undefined
    ? textField({
        name: 'currency',
        label: say('currency'),
        hint: say('currencyHint'),
        value: written['currency'] ?? 'EUR',
        error: errors.currency,
        attributes: { autocomplete: 'off', maxlength: '3', autocapitalize: 'characters', spellcheck: 'false' },
      })
    : ''
}
${above ? html`<p>${say.rich('above', { amount: amountWords(above.amount, above.currency, reader.locale) })}</p>` : ''}
</fieldset>`
}
