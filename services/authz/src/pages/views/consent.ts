/**
 * Consent: who asks, whose money it is, what the application can do and what it cannot, up to which amounts, for how long.
 * Everything that the owner allows stands on this page, in words.
 */

import type { GrantPolicy } from '@financial-agents/contract/schemas/authorization'
import { html } from '@financial-agents/pages/html'
import { button, day, facts, form } from '@financial-agents/pages/parts'
import type { CeilingErrors, Ceilings } from '../ceilings.ts'
import { ceilingFields, wrongCeilings } from './ceiling-fields.ts'
import { kindOf, party, returnsTo } from './client.ts'
import { limits, powers } from './powers.ts'
import type { View } from './view.ts'

export type ConsentPage = {
  clientName: string
  profile: Parameters<typeof kindOf>[0]
  redirectUri: string | undefined
  device: boolean
  ownerName: string | null
  /** IANA; where the owner lives. */
  timezone: string | undefined
  /** All that the application will have. */
  scopes: readonly string[]
  /** Those of them that it does not have yet, where it has some. */
  added: ReadonlySet<string>
  policy: GrantPolicy
  registered: Ceilings
  /** Undefined: the owner names it. */
  currency: string | undefined
  until: Date
  /** What the owner wrote, where something of it was refused. */
  written: Readonly<Record<string, string>>
  errors: CeilingErrors
  /** Where the answer goes. */
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
      title: added.size > 0 ? `Allow ${clientName} more?` : `Allow ${clientName} to act for you?`,
      refused: wrong !== undefined,
      notice: wrong,
      main: html`<div class="card stack">${party(clientName, kindOf(profile))}
${facts([
  ['Whose money', html`<strong>${ownerName ?? 'Yours'}</strong>`],
  ['When you decide', returnsTo({ redirectUri, device })],
])}</div>
<h2>What ${clientName} can do</h2>
${powers(scopes, added)}
<h2>What it cannot do</h2>
${limits(scopes)}
${form({
  action: data.action,
  hidden,
  body: html`${withdraws ? ceilingFields(data) : ''}
<h2>For how long</h2>
<p>Until ${day(until, data.timezone)}, and longer each time you allow it again. It ends by itself when ${clientName} does not use it for 30 days, and at once when you end it on your account page.</p>
<div class="actions">${button('primary', 'Allow', 'allow')}${button('secondary', 'Do not allow', 'decline')}</div>`,
})}`,
    },
  }
}
