/**
 * The consent page: the client, the owner, the permissions that the application gets and those it does not get, the
 * limits and the duration. Everything that the owner allows is on this page, in words.
 */

import type { OwnerMandate } from '@financial-agents/bus/messages/resources'
import type { GrantPolicy } from '@financial-agents/contract/schemas/authorization'
import { tickField } from '@financial-agents/pages/fields'
import { foreignName, foreignValue } from '@financial-agents/pages/foreign-name'
import { type Html, html } from '@financial-agents/pages/html'
import { button, facts, form, notice } from '@financial-agents/pages/parts'
import type { Reader } from '@financial-agents/pages/reader'
import { ceilingFields, wrongCeilings } from './ceiling-fields.ts'
import type { CeilingErrors, Ceilings } from './ceilings.ts'
import { type Face, hasPictures, kindOf, party, publisherFact, returnsTo, wholeName } from './client.ts'
import { bounds } from './mandates.ts'
import { limits, powers } from './powers.ts'
import type { View } from './view.ts'
import type { WorksAgain } from './works-again.ts'
import { worksAgain } from './works-again.ts'

export type ConsentPage = {
  clientName: string
  face: Face
  profile: Parameters<typeof kindOf>[0]
  redirectUri: string | undefined
  device: boolean
  ownerName: string | null
  reader: Reader
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
  const { clientName, face, profile, redirectUri, device, ownerName, scopes, added, until, errors, hidden, reader } =
    data
  const say = reader.say('consent')
  const wrong = wrongCeilings(errors, reader)
  const withdraws = scopes.includes('spending:withdraw')
  return {
    rights: {
      forms: true,
      formRedirects: redirectUri === undefined ? [] : [redirectUri],
      pictures: hasPictures([face]),
    },
    page: {
      reader,
      title: say(added.size > 0 ? 'titleMore' : 'title'),
      refused: wrong !== undefined,
      notice: wrong,
      main: html`<div class="card stack">${party(clientName, kindOf(profile, reader), face)}
${facts([
  ...wholeName(clientName, reader),
  ...publisherFact(face, reader),
  [say('whoseMoney'), html`<strong><bdi>${ownerName ?? say('yours')}</bdi></strong>`],
  [say('whenYouDecide'), returnsTo({ redirectUri, device }, reader)],
])}</div>
<h2>${say('can')}</h2>
${powers(scopes, reader, added)}
<h2>${say('cannot')}</h2>
${limits(scopes, reader)}
${form({
  action: data.action,
  hidden,
  body: html`${withdraws ? ceilingFields(data) : ''}${mandateFields(data)}
${connection(data)}
<h2>${say('howLong')}</h2>
<p>${say.rich('until', { day: reader.day(until) })}</p>
<div class="actions">${data.connecting ? button('primary', say('connectAndAllow'), 'connect') : button('primary', say('allow'), 'allow')}${button('secondary', say('decline'), 'decline')}</div>`,
})}`,
    },
  }
}

function connection({ connecting, isEnding, reader }: ConsentPage): Html | string {
  const say = reader.say('consent')
  if (isEnding) return notice('warning', say('isEnding'))
  if (!connecting) return ''
  return html`<h2>${say('connection')}</h2>
<p>${say.rich('youConnect', { provider: html`<bdi>${connecting.providerName}</bdi>` })}</p>
${worksAgain(connecting.worksAgain, reader)}`
}

/** The name of the box that lets a mandate continue. */
export function mandateField(id: string): string {
  return `mandate.${id}`
}

function mandateFields({ mandates, written, reader }: ConsentPage): Html | string {
  const say = reader.say('consent')
  if (mandates?.length === 0) return ''
  const title = html`
<h2>${say('mandates')}</h2>`
  if (!mandates)
    return html`${title}
${notice('warning', html`<p>${say('mandatesUnknown')}</p>`)}`
  return html`${title}
<p class="soft">${say('mandatesAbout')}</p>
<fieldset class="card"><legend class="hidden">${say('mandatesLegend')}</legend>
${mandates.map((mandate) => {
  const name = mandateField(mandate.id)
  const about = facts([[say('to'), foreignValue(mandate.beneficiary_name, reader)], ...bounds(mandate, reader)])
  return tickField({ name, label: foreignName(mandate.beneficiary_name), checked: written[name] === 'on', about })
})}
</fieldset>`
}
