/** The view on which an owner lowers the limits of one mandate: a field for each limit, filled in with the present one. */

import type { OwnerMandate } from '@financial-agents/bus/messages/resources'
import type { MandateCaps } from '@financial-agents/contract/lower-caps'
import { mandateCaps } from '@financial-agents/contract/schemas/mandate'
import { foreignName } from '@financial-agents/pages/foreign-name'
import { html } from '@financial-agents/pages/html'
import { pagePaths, pathTo } from '@financial-agents/pages/page-paths'
import { button, form, notice, textField } from '@financial-agents/pages/parts'
import type { Reader } from '@financial-agents/pages/reader'
import { headerEnd } from './header.ts'
import type { View } from './view.ts'

/** The errors in the owner's entries, by field. */
export type CapErrors = { readonly [Cap in keyof MandateCaps]?: string }

export type MandateLimitsPage = {
  mandate: OwnerMandate
  /** The owner's entries, if any of them was refused. */
  written: Readonly<Record<string, string>>
  errors: CapErrors
  hidden: Readonly<Record<string, string>>
  reader: Reader
}

export function mandateLimitsView({ mandate, written, errors, hidden, reader }: MandateLimitsPage): View {
  const say = reader.say('mandates')
  const { id, currency, beneficiary_name } = mandate
  const wrong = mandateCaps.filter((cap) => errors[cap] !== undefined)
  const fields = mandateCaps.map((name) =>
    textField({
      name,
      label: say(name),
      value: written[name] ?? reader.written(mandate[name]),
      error: errors[name],
      suffix: currency,
      attributes: { inputmode: 'decimal', autocomplete: 'off', maxlength: '24' },
    }),
  )
  return {
    ...(wrong.length > 0 ? { status: 422 } : {}),
    rights: { forms: true },
    page: {
      reader,
      title: say('lowerTitle'),
      lead: say.rich('lowerLead', { payee: foreignName(beneficiary_name) }),
      refused: wrong.length > 0,
      notice:
        wrong.length === 0
          ? undefined
          : notice(
              'bad',
              html`<p>${reader.say('limitFields')('wrong', { count: wrong.length })}</p><ul>${wrong.map((name) => html`<li><a href="#${name}">${say(name)}</a></li>`)}</ul>`,
            ),
      headerEnd: headerEnd(hidden, reader),
      main: form({
        action: pathTo(pagePaths.accountMandateLimits, { mandateId: id }),
        hidden,
        body: html`<p class="soft">${say('onlyLowered')}</p>
<fieldset class="card"><legend class="hidden">${say('lowerLegend')}</legend>
${fields}
</fieldset>
<div class="actions">${button('primary', say('lower'))}<a class="button secondary" href="${pathTo(pagePaths.accountMandate, { mandateId: id })}">${say('keep')}</a></div>`,
      }),
    },
  }
}
