/** The page before the connection to the provider ends: everything that will stop. */

import { foreignName } from '@financial-agents/pages/foreign-name'
import { html } from '@financial-agents/pages/html'
import { pagePaths } from '@financial-agents/pages/page-paths'
import { button, form } from '@financial-agents/pages/parts'
import { headerEnd } from './header.ts'
import type { View } from './view.ts'

export type DisconnectPage = {
  providerName: string
  /** The applications that lose the connection. */
  clientNames: readonly string[]
  hidden: Readonly<Record<string, string>>
}

export function disconnectView({ providerName, clientNames, hidden }: DisconnectPage): View {
  return {
    rights: { forms: true },
    page: {
      title: `Disconnect ${providerName}?`,
      lead: `Your money stays where it is. What ends is our connection to ${providerName}, for every application at once.`,
      headerEnd: headerEnd(hidden),
      main: html`<h2>What stops at once</h2>
${
  clientNames.length === 0
    ? html`<p>No application uses the connection now.</p>`
    : html`<p>${clientNames.length === 1 ? 'This application can' : 'These applications can'} no longer see or do anything for you:</p>
<ul>${clientNames.map((name) => html`<li>${foreignName(name)}</li>`)}</ul>`
}
<h2>What your provider is asked</h2>
<p>We ask ${providerName} to end the access that it gave us. Your account page shows how far that is. Whatever the answer, we do not use the access any more.</p>
<h2>What does not stop</h2>
<p>What was already sent to ${providerName} goes on there.</p>
<h2>What happens later</h2>
<p>You stay disconnected until you connect again on your account page. There you choose what begins to work again; what you do not choose ends then. What the operator set up for you stays stopped until the operator sets it up anew.</p>
<div class="actions">
${form({ action: pagePaths.accountDisconnect, hidden, body: button('danger', 'Disconnect') })}
<a class="button secondary" href="${pagePaths.account}">Keep the connection</a>
</div>`,
    },
  }
}
