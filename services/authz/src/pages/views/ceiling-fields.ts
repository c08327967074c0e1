/** The fields for an application's ceilings, which the consent page and the account page share. */

import { amountWords } from '@financial-agents/contract/amount-words'
import type { GrantPolicy } from '@financial-agents/contract/schemas/authorization'
import { type Html, html } from '@financial-agents/pages/html'
import { notice, textField } from '@financial-agents/pages/parts'
import type { CeilingErrors, CeilingName, Ceilings } from '../ceilings.ts'

const labels = {
  per_payment: 'For each payment',
  per_day: 'For all payments of a day (UTC)',
  currency: 'Currency of these limits',
} as const
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
}

/** A notice that links to the wrong fields; undefined if there is none. */
export function wrongCeilings(errors: CeilingErrors): Html | undefined {
  const wrong = fieldNames.filter((name) => errors[name] !== undefined)
  if (wrong.length === 0) return undefined
  const links = wrong.map((name) => html`<li><a href="#${name}">${labels[name]}</a></li>`)
  return notice(
    'bad',
    html`<p>${wrong.length === 1 ? 'One field needs' : 'Some fields need'} another look:</p><ul>${links}</ul>`,
  )
}

export function ceilingFields(data: CeilingFields): Html {
  const { policy, registered, currency, proposedDay, written, errors } = data
  const above = policy.confirmation.find(({ action }) => action === 'transfer')?.above
  const field = (name: CeilingName) => {
    const most = registered[name]
    const proposed = name === 'per_day' ? proposedDay : undefined
    return textField({
      name,
      label: labels[name],
      hint: most
        ? `At most ${amountWords(most.amount, most.currency)}. You can write less.`
        : proposed === undefined
          ? 'Empty means without such a limit.'
          : 'As much as one payment is filled in. Empty means without such a limit.',
      value: written[name] ?? policy.ceilings[name]?.amount ?? proposed ?? '',
      error: errors[name],
      attributes: { inputmode: 'decimal', autocomplete: 'off', maxlength: '24' },
      ...(currency === undefined ? {} : { suffix: currency }),
    })
  }
  return html`<h2>Up to which amounts</h2>
<p class="soft">Payments beyond these are refused, whatever the application tries: withdrawals and repeated payments together. So are payments in another currency. What it paid today counts, also by an access that has ended.</p>
<fieldset class="card"><legend class="hidden">Limits for payments</legend>
${field('per_payment')}
${field('per_day')}
${
  currency === undefined
    ? textField({
        name: 'currency',
        label: labels.currency,
        hint: 'Three letters, such as EUR.',
        value: written['currency'] ?? 'EUR',
        error: errors.currency,
        attributes: { autocomplete: 'off', maxlength: '3', autocapitalize: 'characters', spellcheck: 'false' },
      })
    : ''
}
${above ? html`<p>Each withdrawal above <strong>${amountWords(above.amount, above.currency)}</strong> also needs your confirmation.</p>` : ''}
</fieldset>`
}
