/** The page on which an owner changes the limits of one application. */

import { html } from '@financial-agents/pages/html'
import { pagePaths } from '@financial-agents/pages/page-paths'
import { button, form, notice } from '@financial-agents/pages/parts'
import { type CeilingFields, ceilingFields, wrongCeilings } from './ceiling-fields.ts'
import { party } from './client.ts'
import { headerEnd } from './header.ts'
import type { View } from './view.ts'

export type LimitsPage = CeilingFields & {
  clientName: string
  /** The sign-in is too old to raise a limit. */
  mayOnlyLower: boolean
  /** The addresses that the forms post to. */
  action: string
  signIn: string
  providerPagesOrigin: string | undefined
  hidden: Readonly<Record<string, string>>
  /** For the sign-in form, whose token is bound to the browser and not to the session. */
  hiddenOfBrowser: Readonly<Record<string, string>>
}

export function limitsView(data: LimitsPage): View {
  const { clientName, mayOnlyLower, action, signIn, hidden, hiddenOfBrowser, errors, providerPagesOrigin } = data
  const wrong = wrongCeilings(errors)
  return {
    ...(wrong ? { status: 422 } : {}),
    rights: { forms: true, formRedirects: providerPagesOrigin === undefined ? [] : [providerPagesOrigin] },
    page: {
      title: 'Change limits',
      refused: wrong !== undefined,
      notice: wrong,
      headerEnd: headerEnd(hidden),
      main: html`<div class="card">${party(clientName, 'may move your money up to these limits')}</div>
${
  mayOnlyLower
    ? html`${notice('neutral', 'A limit can be lowered at once. To raise or add one, show us first that it is you, right now.')}
${form({ action: signIn, hidden: hiddenOfBrowser, body: html`<div class="actions">${button('secondary', 'Sign in at your provider')}</div>` })}`
    : ''
}
${form({
  action,
  hidden,
  body: html`${ceilingFields(data)}
<p class="soft">New limits hold within a few seconds. What was accepted before goes on.</p>
<div class="actions">${button('primary', 'Save limits')}<a class="button secondary" href="${pagePaths.account}">Keep them as they are</a></div>`,
})}`,
    },
  }
}
