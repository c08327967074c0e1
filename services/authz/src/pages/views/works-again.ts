/**
 * The access that works again with a connection: an unticked box for each application that was allowed before, with the
 * repeated payments that it can then make.
 */

import type { OwnerMandate } from '@financial-agents/bus/messages/resources'
import { amountWords } from '@financial-agents/contract/amount-words'
import { foreignName } from '@financial-agents/pages/foreign-name'
import { type Html, html } from '@financial-agents/pages/html'
import { checkbox, day } from '@financial-agents/pages/parts'
import { choiceOf, type WorksAgain } from '../connecting.ts'
import { mayWords } from './grant.ts'

/** The fields of the form that connects. */
export function worksAgain({ choices, serviceNames }: WorksAgain, timezone: string | undefined): Html {
  return html`${
    choices.length === 0
      ? html`<p>Nothing that you allowed before begins to work by it.</p>`
      : html`<p>Tick what is to work again. What you do not tick ends now: it can do nothing for you until you allow it anew.</p>
<fieldset class="card"><legend class="hidden">What is to work again</legend>
${choices.map(({ grant, mandates }) =>
  checkbox({
    name: choiceOf(grant),
    label: foreignName(grant.client_name),
    below: html`<p>${mayWords(grant)}</p>${mandates.length === 0 ? '' : payments(mandates, timezone)}`,
  }),
)}
</fieldset>`
  }
${
  serviceNames.length === 0
    ? ''
    : html`<p>What the operator set up for you does not begin again by it. It stays stopped until the operator sets it up anew:</p>
<ul>${serviceNames.map((name) => html`<li>${foreignName(name)}</li>`)}</ul>`
}`
}

function payments(mandates: readonly OwnerMandate[], timezone: string | undefined): Html {
  return html`<p>Repeated payments that it can make then, without asking you:</p>
<ul>${mandates.map(
    ({ beneficiary_name, currency, per_payment_max, remaining, expires_at }) =>
      html`<li>${foreignName(beneficiary_name)}<br>At most ${amountWords(per_payment_max, currency)} each time, ${amountWords(remaining.total, currency)} in all, until ${day(new Date(expires_at), timezone)}</li>`,
  )}</ul>`
}
