/** The page before the connection to the provider ends: everything that will stop. */

import { foreignName } from '@financial-agents/pages/foreign-name'
import { html } from '@financial-agents/pages/html'
import { pagePaths } from '@financial-agents/pages/page-paths'
import { button, form } from '@financial-agents/pages/parts'
import type { Reader } from '@financial-agents/pages/reader'
import { headerEnd } from './header.ts'
import type { View } from './view.ts'

export type DisconnectPage = {
  providerName: string
  /** The applications that lose the connection. */
  clientNames: readonly string[]
  hidden: Readonly<Record<string, string>>
  reader: Reader
}

export function disconnectView({ providerName, clientNames, hidden, reader }: DisconnectPage): View {
  const say = reader.say('disconnect')
  const provider = html`<bdi>${providerName}</bdi>`
  return {
    rights: { forms: true },
    page: {
      reader,
      title: say('title', { provider: providerName }),
      lead: say.rich('lead', { provider }),
      headerEnd: headerEnd(hidden, reader),
      main: html`<h2>${say('stops')}</h2>
${
  clientNames.length === 0
    ? html`<p>${say('noneUses')}</p>`
    : html`<p>${say('noLonger', { count: clientNames.length })}</p>
<ul>${clientNames.map((name) => html`<li>${foreignName(name)}</li>`)}</ul>`
}
<h2>${say('asked')}</h2>
<p>${say.rich('askedMore', { provider })}</p>
<h2>${say('goesOn')}</h2>
<p>${say.rich('goesOnMore', { provider })}</p>
<h2>${say('later')}</h2>
<p>${say('laterMore')}</p>
<div class="actions">
${form({ action: pagePaths.accountDisconnect, hidden, body: button('danger', say('disconnect')) })}
<a class="button secondary" href="${pagePaths.account}">${say('keep')}</a>
</div>`,
    },
  }
}
