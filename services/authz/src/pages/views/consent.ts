/**
 * The consent page: the client, the owner, the permissions that the application gets and those it does not get, the
 * ceilings and the duration. Everything that the owner allows is on this page, in words.
 */

import type { OwnerMandate } from '@financial-agents/bus/messages/resources'
import type { GrantPolicy } from '@financial-agents/contract/schemas/authorization'
import { tickField } from '@financial-agents/pages/fields'
import { foreignName, foreignValue } from '@financial-agents/pages/foreign-name'
import { type Html, html } from '@financial-agents/pages/html'
import { button, day, facts, form, notice } from '@financial-agents/pages/parts'
import type { CeilingErrors, Ceilings } from '../ceilings.ts'
import type { WorksAgain } from '../connecting.ts'
import { ceilingFields, wrongCeilings } from './ceiling-fields.ts'
import { kindOf, party, returnsTo } from './client.ts'
import { bounds } from './mandates.ts'
import { limits, powers } from './powers.ts'
import type { View } from './view.ts'
import { worksAgain } from './works-again.ts'

export type ConsentPage = {
  clientName: string
  profile: Parameters<typeof kindOf>[0]
  redirectUri: string | undefined
  device: boolean
  ownerName: string | null
  /** The owner's IANA time zone. */
  timezone: string | undefined
  /** All scopes that the application will have. */
  scopes: readonly string[]
  /** The scopes that are new, if the application already has some. */
  added: ReadonlySet<string>
  policy: GrantPolicy
  registered: Ceilings
  /** Undefined if the owner chooses the currency. */
  currency: string | undefined
  /**
   * The mandates that the application can pay under only if they are ticked. Undefined if they cannot be read now.
   */
  mandates: readonly OwnerMandate[] | undefined
  until: Date
  /** The provider that the answer connects to, and the access that works again; undefined if there is a connection. */
  connecting: { providerName: string; worksAgain: WorksAgain } | undefined
  /** The last connection is still ending, and the owner cannot connect now. */
  isEnding: boolean
  /** The amount that is filled in for the day where the owner has chosen none yet. */
  proposedDay: string | undefined
  /** The owner's entries, if any of them was refused. */
  written: Readonly<Record<string, string>>
  errors: CeilingErrors
  /** The address that the form posts to. */
  action: string
  hidden: Readonly<Record<string, string>>
}

export function consentPage(data: ConsentPage): View {
  const { clientName, profile, redirectUri, device, ownerName, scopes, added, until, errors, hidden } = data
  const wrong = wrongCeilings(errors)
  const withdraws = scopes.includes('spending:withdraw')
  return {
    rights: { forms: true, formRedirects: redirectUri === undefined ? [] : [redirectUri] },
    page: {
      title: added.size > 0 ? 'Allow this application more?' : 'Allow this application to act for you?',
      refused: wrong !== undefined,
      notice: wrong,
      main: html`<div class="card stack">${party(clientName, kindOf(profile))}
${facts([
  ['Whose money', html`<strong>${ownerName ?? 'Yours'}</strong>`],
  ['When you decide', returnsTo({ redirectUri, device })],
])}</div>
<h2>What it can do</h2>
${powers(scopes, added)}
<h2>What it cannot do</h2>
${limits(scopes)}
${form({
  action: data.action,
  hidden,
  body: html`${withdraws ? ceilingFields(data) : ''}${mandateFields(data)}
${connection(data)}
<h2>For how long</h2>
<p>Until ${day(until, data.timezone)}, and longer each time the application sends you here and you go on. After 30 days without use, the application needs you to sign in again. It ends at once when you end it on your account page.</p>
<div class="actions">${data.connecting ? button('primary', 'Connect and allow', 'connect') : button('primary', 'Allow', 'allow')}${button('secondary', 'Do not allow', 'decline')}</div>`,
})}`,
    },
  }
}

function connection({ connecting, isEnding, timezone }: ConsentPage): Html | string {
  if (isEnding)
    return notice(
      'warning',
      'Your connection to your provider is being ended. The application can do nothing there until you connect again on your account page.',
    )
  if (!connecting) return ''
  return html`<h2>Connection to your provider</h2>
<p>You are not connected to ${connecting.providerName}. When you allow this application, you connect.</p>
${worksAgain(connecting.worksAgain, timezone)}`
}

/** The name of the box that lets a mandate continue. */
export function mandateField(id: string): string {
  return `mandate.${id}`
}

function mandateFields({ mandates, written, timezone }: ConsentPage): Html | string {
  if (mandates?.length === 0) return ''
  const title = html`
<h2>Repeated payments that name this application</h2>`
  if (!mandates)
    return html`${title}
${notice('warning', html`<p>Those that it cannot pay any more cannot be shown now. What you allow here lets none of them go on.</p>`)}`
  return html`${title}
<p class="soft">You confirmed these before. With what you allow here, it can pay those that you tick, without asking you each time, and none of the others.</p>
<fieldset class="card"><legend class="hidden">To whom it may go on paying</legend>
${mandates.map((mandate) => {
  const name = mandateField(mandate.id)
  const about = facts([['To', foreignValue(mandate.beneficiary_name)], ...bounds(mandate, timezone)])
  return tickField({ name, label: foreignName(mandate.beneficiary_name), checked: written[name] === 'on', about })
})}
</fieldset>`
}
