/** The view of one mandate: everything about it, and the forms that pause and end it. */

import type { Binding } from '@financial-agents/bus/messages/authority'
import type { OwnerOperation } from '@financial-agents/bus/messages/owner-activity'
import type { OwnerMandate } from '@financial-agents/bus/messages/resources'
import { type Html, html } from '@financial-agents/pages/html'
import { pagePaths, pathTo } from '@financial-agents/pages/page-paths'
import { button, form, notice } from '@financial-agents/pages/parts'
import type { Reader } from '@financial-agents/pages/reader'
import type { GrantOfOwner } from './grant-of-owner.ts'
import { headerEnd } from './header.ts'
import { mandateCard } from './mandates.ts'
import { activeIds, payingIds } from './reach.ts'
import type { View } from './view.ts'

/** The name of the field with the key of the form, which makes a form that is sent twice act once. */
export const keyField = 'key'

export type MandatePage = {
  mandate: OwnerMandate
  /** Null if there is none; undefined if it cannot be read now. */
  binding: Binding | null | undefined
  /** All grants of the owner. */
  grants: readonly GrantOfOwner[]
  /** The names of applications by their ids. */
  names: ReadonlyMap<string, string>
  /** The owner's operations without an outcome. Undefined if not all of them are known now. */
  underWay: readonly OwnerOperation[] | undefined
  now: Date
  key: string
  message: Html | undefined
  reader: Reader
  hidden: Readonly<Record<string, string>>
}

/** The states in which the machine accepts the act of the owner. */
const canPause: ReadonlySet<OwnerMandate['state']> = new Set(['active'])
const canEnd: ReadonlySet<OwnerMandate['state']> = new Set([
  'active',
  'suspending',
  'suspended',
  'exhausted',
  'revocation_failed',
])

export function mandateView(data: MandatePage): View {
  const { mandate, binding, grants, names, underWay, now, key, message, reader, hidden } = data
  const say = reader.say('mandates')
  const { id, state } = mandate
  const fields = { ...hidden, [keyField]: key }
  const list = {
    activeGrants: activeIds(grants),
    payingGrants: payingIds(grants, binding),
    names,
    underWay,
    now,
    reader,
  }
  return {
    rights: { forms: true },
    page: {
      reader,
      title: say('title'),
      notice: message,
      headerEnd: headerEnd(hidden, reader),
      main: html`${mandateCard(mandate, list, 'whole')}
${
  state === 'active'
    ? html`<p><a class="button secondary" href="${pathTo(pagePaths.accountMandateLimits, { mandateId: id })}">${say('lowerTitle')}</a></p>`
    : ''
}
${
  binding === null
    ? notice('neutral', say('notConnected'))
    : html`${
        canPause.has(state)
          ? html`<h2>${say('pauseTitle')}</h2>
<p>${say('pauseAbout')}</p>
${form({ action: pathTo(pagePaths.accountMandatePause, { mandateId: id }), hidden: fields, body: button('danger', say('pause')) })}`
          : ''
      }${
        canEnd.has(state)
          ? html`<h2>${say('endTitle')}</h2>
<p>${say('endAbout')}</p>
${form({ action: pathTo(pagePaths.accountMandateEnd, { mandateId: id }), hidden: fields, body: button('danger', say('end')) })}`
          : ''
      }`
}`,
    },
  }
}
