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
  /** The address of the application's logo. */
  logo: string | undefined
  /** The sign-in is too old to raise a limit. */
  mayOnlyLower: boolean
  /** The addresses that the forms post to. */
  action: string
  signIn: string
  signInOrigin: string | undefined
  hidden: Readonly<Record<string, string>>
  /** The hidden fields of the sign-in form, whose token is bound to the browser and not to the session. */
  hiddenOfBrowser: Readonly<Record<string, string>>
}

export function limitsView(data: LimitsPage): View {
  const { clientName, logo, mayOnlyLower, action, signIn, hidden, hiddenOfBrowser, errors, signInOrigin, reader } = data
  const say = reader.say('limits')
  const wrong = wrongCeilings(errors, reader)
  return {
    ...(wrong ? { status: 422 } : {}),
    rights: {
      forms: true,
      formRedirects: signInOrigin === undefined ? [] : [signInOrigin],
      pictures: logo !== undefined,
    },
    page: {
      reader,
      title: say('title'),
      refused: wrong !== undefined,
      notice: wrong,
      headerEnd: headerEnd(hidden, reader),
      main: html`<div class="card">${party(clientName, say('mayMove'), { logo })}</div>
${
  mayOnlyLower
    ? html`${notice('neutral', say('onlyLower'))}
${form({ action: signIn, hidden: hiddenOfBrowser, body: html`<div class="actions">${button('secondary', reader.say('signIn')('signIn'))}</div>` })}`
    : ''
}
${form({
  action,
  hidden,
  body: html`${ceilingFields(data)}
<p class="soft">${say('hold')}</p>
<div class="actions">${button('primary', say('save'))}<a class="button secondary" href="${pagePaths.account}">${say('keep')}</a></div>`,
})}`,
    },
  }
}
