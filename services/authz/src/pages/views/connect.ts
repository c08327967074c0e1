/** The page before an owner connects to the provider: the access that will work again. */

import { html } from '@financial-agents/pages/html'
import { pagePaths } from '@financial-agents/pages/page-paths'
import { button, form } from '@financial-agents/pages/parts'
import type { WorksAgain } from '../connecting.ts'
import { headerEnd } from './header.ts'
import type { View } from './view.ts'
import { worksAgain as fields } from './works-again.ts'

export type ConnectPage = {
  providerName: string
  worksAgain: WorksAgain
  /** The owner's IANA time zone. */
  timezone: string | undefined
  hidden: Readonly<Record<string, string>>
}

export function connectView({ providerName, worksAgain, timezone, hidden }: ConnectPage): View {
  return {
    rights: { forms: true },
    page: {
      title: `Connect to ${providerName}?`,
      lead: `You are not connected to ${providerName} through us. Signing in alone has changed nothing.`,
      headerEnd: headerEnd(hidden),
      main: html`<h2>What begins to work</h2>
${form({
  action: pagePaths.accountConnect,
  hidden,
  body: html`${fields(worksAgain, timezone)}
<div class="actions">${button('primary', 'Connect')}<a class="button secondary" href="${pagePaths.account}">Stay disconnected</a></div>`,
})}`,
    },
  }
}
