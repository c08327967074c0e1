/** The view on which an owner lowers the caps of one mandate: a field for each cap, filled in with the present one. */

import type { OwnerMandate } from '@financial-agents/bus/messages/resources'
import type { MandateCaps } from '@financial-agents/contract/lower-caps'
import { mandateCaps } from '@financial-agents/contract/schemas/mandate'
import { foreignName } from '@financial-agents/pages/foreign-name'
import { html } from '@financial-agents/pages/html'
import { pagePaths, pathTo } from '@financial-agents/pages/page-paths'
import { button, form, notice, textField } from '@financial-agents/pages/parts'
import { headerEnd } from './header.ts'
import type { View } from './view.ts'

const labels: { readonly [Cap in keyof MandateCaps]: string } = {
  per_payment_max: 'Each time',
  daily_max: 'In a day (UTC)',
  weekly_max: 'In a week (from Monday, UTC)',
  monthly_max: 'In a month (UTC)',
  total_cap: 'In all',
}

/** What is wrong with the owner's entries, by field. */
export type CapErrors = { readonly [Cap in keyof MandateCaps]?: string }

export type MandateLimitsPage = {
  mandate: OwnerMandate
  /** The owner's entries, if any of them was refused. */
  written: Readonly<Record<string, string>>
  errors: CapErrors
  hidden: Readonly<Record<string, string>>
}

export function mandateLimitsView({ mandate, written, errors, hidden }: MandateLimitsPage): View {
  const { id, currency, beneficiary_name } = mandate
  const wrong = mandateCaps.filter((cap) => errors[cap] !== undefined)
  const fields = mandateCaps.map((name) =>
    textField({
      name,
      label: labels[name],
      value: written[name] ?? mandate[name],
      error: errors[name],
      suffix: currency,
      attributes: { inputmode: 'decimal', autocomplete: 'off', maxlength: '24' },
    }),
  )
  return {
    ...(wrong.length > 0 ? { status: 422 } : {}),
    rights: { forms: true },
    page: {
      title: 'Lower the limits',
      lead: html`Repeated payments to ${foreignName(beneficiary_name)}`,
      refused: wrong.length > 0,
      notice:
        wrong.length === 0
          ? undefined
          : notice(
              'bad',
              html`<p>${wrong.length === 1 ? 'One field needs' : 'Some fields need'} another look:</p><ul>${wrong.map((name) => html`<li><a href="#${name}">${labels[name]}</a></li>`)}</ul>`,
            ),
      headerEnd: headerEnd(hidden),
      main: form({
        action: pathTo(pagePaths.accountMandateLimits, { mandateId: id }),
        hidden,
        body: html`<p class="soft">Limits that you confirmed are only lowered here. For higher ones, an application asks you to confirm new payments.</p>
<fieldset class="card"><legend class="hidden">At most</legend>
${fields}
</fieldset>
<div class="actions">${button('primary', 'Lower limits')}<a class="button secondary" href="${pathTo(pagePaths.accountMandate, { mandateId: id })}">Keep them as they are</a></div>`,
      }),
    },
  }
}
