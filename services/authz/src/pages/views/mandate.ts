/** The view of one mandate: everything about it, and the forms that pause and end it. */

import type { Binding } from '@financial-agents/bus/messages/authority'
import type { OwnerMandate } from '@financial-agents/bus/messages/resources'
import { type Html, html } from '@financial-agents/pages/html'
import { pagePaths, pathTo } from '@financial-agents/pages/page-paths'
import { button, form, notice } from '@financial-agents/pages/parts'
import type { GrantOfOwner } from '../../store/owner-grants.ts'
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
  key: string
  message: Html | undefined
  timezone: string
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

export function mandateView({ mandate, binding, grants, names, key, message, timezone, hidden }: MandatePage): View {
  const { id, state } = mandate
  const fields = { ...hidden, [keyField]: key }
  const list = { activeGrants: activeIds(grants), payingGrants: payingIds(grants, binding), names, timezone }
  return {
    rights: { forms: true },
    page: {
      title: 'Repeated payments',
      notice: message,
      headerEnd: headerEnd(hidden),
      main: html`${mandateCard(mandate, list, 'whole')}
${
  state === 'active'
    ? html`<p><a class="button secondary" href="${pathTo(pagePaths.accountMandateLimits, { mandateId: id })}">Lower the limits</a></p>`
    : ''
}
${
  binding === null
    ? notice(
        'neutral',
        'While you are not connected to your provider, nothing is paid, and these payments cannot be paused or ended here.',
      )
    : html`${
        canPause.has(state)
          ? html`<h2>Pause them</h2>
<p>No application can ask for another payment. They cannot go on again; you can still end them.</p>
${form({ action: pathTo(pagePaths.accountMandatePause, { mandateId: id }), hidden: fields, body: button('danger', 'Pause') })}`
          : ''
      }${
        canEnd.has(state)
          ? html`<h2>End them</h2>
<p>No application can ask for another payment, and your provider is asked to end them. Payments already sent are not called back.</p>
${form({ action: pathTo(pagePaths.accountMandateEnd, { mandateId: id }), hidden: fields, body: button('danger', 'End') })}`
          : ''
      }`
}`,
    },
  }
}
