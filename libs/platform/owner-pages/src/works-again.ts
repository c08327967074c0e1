/**
 * The choice of the applications whose access works again with a connection: an unticked box for each application that
 * was allowed before, with the repeated payments that it can then make.
 */

import type { OwnerMandate } from '@financial-agents/bus/messages/resources'
import { amountWords } from '@financial-agents/contract/amount-words'
import { foreignName } from '@financial-agents/pages/foreign-name'
import { type Html, html } from '@financial-agents/pages/html'
import { checkbox } from '@financial-agents/pages/parts'
import type { Reader } from '@financial-agents/pages/reader'
import { mayWords } from './grant.ts'
import type { GrantOfOwner } from './grant-of-owner.ts'

/** Access that works again over a new connection: each application with the mandates it can pay under. */
export type WorksAgain = {
  choices: { grant: GrantOfOwner; mandates: OwnerMandate[] }[]
  /** The owner's service accounts. A new connection does not make them work again. */
  serviceNames: string[]
}

/** The name of the form field that chooses an application's access. */
export function choiceOf({ grant_id }: Pick<GrantOfOwner, 'grant_id'>): string {
  return `again-${grant_id}`
}

/** The fields of the form that connects. */
export function worksAgain({ choices, serviceNames }: WorksAgain, reader: Reader): Html {
  const say = reader.say('worksAgain')
  return html`${
    choices.length === 0
      ? html`<p>${say('nothing')}</p>`
      : html`<p>${say('tick')}</p>
<fieldset class="card"><legend class="hidden">${say('legend')}</legend>
${choices.map(({ grant, mandates }) =>
  checkbox({
    name: choiceOf(grant),
    label: foreignName(grant.client_name),
    below: html`<p>${mayWords(grant, reader)}</p>${mandates.length === 0 ? '' : payments(mandates, reader)}`,
  }),
)}
</fieldset>`
  }
${
  serviceNames.length === 0
    ? ''
    : html`<p>${say('services')}</p>
<ul>${serviceNames.map((name) => html`<li>${foreignName(name)}</li>`)}</ul>`
}`
}

function payments(mandates: readonly OwnerMandate[], reader: Reader): Html {
  const say = reader.say('worksAgain')
  return html`<p>${say('payments')}</p>
<ul>${mandates.map(
    ({ beneficiary_name, currency, per_payment_max, remaining, expires_at }) =>
      html`<li>${foreignName(beneficiary_name)}<br>${say.rich('payment', {
        each: amountWords(per_payment_max, currency, reader.locale),
        total: amountWords(remaining.total, currency, reader.locale),
        day: reader.day(new Date(expires_at)),
      })}</li>`,
  )}</ul>`
}
