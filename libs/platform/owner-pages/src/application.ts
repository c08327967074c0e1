/** The view of one application: everything that the owner's overview does not have room for. */

import type { Binding } from '@financial-agents/bus/messages/authority'
import type { OwnerOperation, OwnerSpending } from '@financial-agents/bus/messages/owner-activity'
import type { OwnerMandate } from '@financial-agents/bus/messages/resources'
import { foreignName } from '@financial-agents/pages/foreign-name'
import { type Html, html } from '@financial-agents/pages/html'
import { pagePaths, pathTo } from '@financial-agents/pages/page-paths'
import { button, facts, form, notice, textField } from '@financial-agents/pages/parts'
import type { Reader } from '@financial-agents/pages/reader'
import { operationTable } from './activity.ts'
import { type Face, hasPictures, kindOf, party, publisherFact } from './client.ts'
import { endForms, grantFacts, hiddenElement, limitsLink, mayPause, standing } from './grant.ts'
import type { GrantOfOwner } from './grant-of-owner.ts'
import { headerEnd } from './header.ts'
import { mandateCards } from './mandates.ts'
import type { Payees } from './payees.ts'
import { activeIds, payingIds, reachOf } from './reach.ts'
import { dayLimit, sums, sumsNote } from './spending.ts'
import type { View } from './view.ts'

/** The largest number of characters of the owner's own name for an application. */
export const labelCharacters = 60

/** The name of the field with the owner's own name for the application. */
export const labelField = 'label'

export type ApplicationPage = {
  grant: GrantOfOwner
  face: Face
  /** All grants of the owner. They determine the applications that can pay under a mandate. */
  grants: readonly GrantOfOwner[]
  /** Null if there is none; undefined if it cannot be read now. */
  binding: Binding | null | undefined
  last: OwnerOperation | undefined
  /** True if an undefined `last` means that the grant never did anything. */
  knowsLast: boolean
  /** The mandates that name the application. Undefined if they cannot be read now. */
  mandates: readonly OwnerMandate[] | undefined
  /** Undefined if it cannot be read now. */
  spending: readonly OwnerSpending[] | undefined
  /** The last operations. Undefined if they cannot be read now. */
  history: readonly OwnerOperation[] | undefined
  payees: Payees
  /** The names of applications by their ids. */
  names: ReadonlyMap<string, string>
  /** The owner's operations without an outcome. Undefined if not all of them are known now. */
  underWay: readonly OwnerOperation[] | undefined
  now: Date
  message: Html | undefined
  reader: Reader
  hidden: Readonly<Record<string, string>>
}

export function applicationView(data: ApplicationPage): View {
  const {
    grant,
    face,
    grants,
    binding,
    last,
    knowsLast,
    mandates,
    spending,
    history,
    payees,
    message,
    reader,
    hidden,
  } = data
  const say = reader.say('application')
  const reach = reachOf(grant, binding)
  const isLive = grant.status === 'active' || grant.status === 'suspended'
  const list = {
    activeGrants: activeIds(grants),
    payingGrants: payingIds(grants, binding),
    names: data.names,
    underWay: data.underWay,
    now: data.now,
    reader,
  }
  return {
    rights: { forms: true, pictures: hasPictures([face]) },
    page: {
      reader,
      title: say('title'),
      wide: true,
      notice: message,
      headerEnd: headerEnd(hidden, reader),
      main: html`<div class="card"><div class="head">${party(grant.client_name, kindOf(grant.profile, reader), { label: grant.label, logo: face.logo })}${standing(grant, reach, reader)}</div>
${facts([...publisherFact(face, reader), ...grantFacts({ grant, last, payees, knowsLast, reach, hidden, reader }, 'whole')])}
<div class="acts">${limitsLink(grant, reader)}</div></div>
<h2>${say('paid')}</h2>
${
  spending
    ? html`${sums(spending, reader)}${dayLimit(grant, spending, reader)}
<p class="soft small">${sumsNote(reader)}</p>`
    : notice('warning', say('sumsUnknown'))
}
<h2>${say('mandates')}</h2>
${mandates ? mandateCards(mandates, list) : notice('warning', say('mandatesUnknown'))}
<h2>${say('didLast')}</h2>
${history ? operationTable(history, data) : notice('warning', reader.say('activity')('unknown'))}
<p><a href="${pagePaths.accountActivity}?application=${encodeURIComponent(grant.client_id)}">${say.rich('allActivity', { client: foreignName(grant.client_name) }, hiddenElement)}</a></p>
<h2>${say('yourName')}</h2>
${nameForm(grant, hidden, reader)}
${
  isLive
    ? html`<h2>${say('endTitle')}</h2>
${mayPause(grant) ? html`<p class="soft">${say('pauseAbout')}</p>` : ''}
<div class="actions">${endForms(grant, hidden, reader)}</div>`
    : ''
}`,
    },
  }
}

function nameForm(grant: GrantOfOwner, hidden: Readonly<Record<string, string>>, reader: Reader): Html {
  const say = reader.say('application')
  return form({
    action: pathTo(pagePaths.accountName, { grantId: grant.grant_id }),
    hidden,
    body: html`${textField({
      name: labelField,
      label: say('name'),
      hint: say('nameHint'),
      value: grant.label ?? '',
      attributes: { maxlength: String(labelCharacters), autocomplete: 'off' },
    })}
<div class="actions">${button('secondary', say('saveName'))}</div>`,
  })
}
