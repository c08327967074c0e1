/** The page before an owner connects to the provider: the access that will work again. */

import { html } from '@financial-agents/pages/html'
import { pagePaths } from '@financial-agents/pages/page-paths'
import { button, form } from '@financial-agents/pages/parts'
import type { Reader } from '@financial-agents/pages/reader'
import { headerEnd } from './header.ts'
import type { View } from './view.ts'
import type { WorksAgain } from './works-again.ts'
import { worksAgain as fields } from './works-again.ts'

export type ConnectPage = {
  providerName: string
  worksAgain: WorksAgain
  reader: Reader
  hidden: Readonly<Record<string, string>>
}

export function connectView({ providerName, worksAgain, reader, hidden }: ConnectPage): View {
  const say = reader.say('connect')
  return {
    rights: { forms: true },
    page: {
      reader,
      title: say('title', { provider: providerName }),
      lead: say.rich('lead', { provider: html`<bdi>${providerName}</bdi>` }),
      headerEnd: headerEnd(hidden, reader),
      main: html`<h2>${say('begins')}</h2>
${form({
  action: pagePaths.accountConnect,
  hidden,
  body: html`${fields(worksAgain, reader)}
<div class="actions">${button('primary', say('connect'))}<a class="button secondary" href="${pagePaths.account}">${say('stay')}</a></div>`,
})}`,
    },
  }
}
