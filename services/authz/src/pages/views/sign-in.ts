/** Before the owner is sent to the provider: who asks, where the way leads, and that the way back leads here. */

import { foreignValue } from '@financial-agents/pages/foreign-name'
import { type Html, html } from '@financial-agents/pages/html'
import { button, facts, form, notice } from '@financial-agents/pages/parts'
import { returnsTo } from './client.ts'
import type { View } from './view.ts'

export type SignInPage = {
  clientName: string
  /** Somebody is signed in, and has to be so anew. */
  again: boolean
  /** The access of the client was suspended. */
  suspended: boolean
  /** To allow it the owner connects, which takes a sign-in of just now. */
  toConnect: boolean
  redirectUri: string | undefined
  device: boolean
  providerPagesOrigin: string | undefined
  /** Where the two forms go. */
  signIn: string
  decline: string
  hidden: Readonly<Record<string, string>>
}

export function signInView(data: SignInPage): View {
  const { clientName, again, suspended, toConnect, redirectUri, device, providerPagesOrigin, signIn, decline, hidden } =
    data
  return {
    rights: { forms: true, formRedirects: [providerPagesOrigin, redirectUri].filter((one) => one !== undefined) },
    page: {
      title: again ? 'Sign in again to continue' : 'Sign in to continue',
      lead: 'An application wants access to your money. Before you decide, show us that it is you.',
      main: html`${
        suspended
          ? notice('warning', 'Its access was suspended. It goes on only after you sign in and allow it again.')
          : ''
      }${toConnect ? notice('neutral', 'You are not connected to your provider. To connect, we need a sign-in of just now.') : ''}
<div class="card">${facts([
        ['Who asks', foreignValue(clientName)],
        ['You sign in at', providerHost(providerPagesOrigin)],
        ['Then', 'You decide here about all that you have not allowed yet'],
        ['At the end', returnsTo({ redirectUri, device })],
      ])}</div>
<p class="soft">Signing in alone allows the application nothing new. What you allowed it before, it can do again after you sign in. It never learns how you sign in.</p>
<div class="actions">
${form({ action: signIn, hidden, body: button('primary', 'Sign in at your provider') })}
${form({ action: decline, hidden, body: button('secondary', 'Cancel') })}
</div>`,
    },
  }
}

/** After the sign-in, where the browser has to begin anew: it goes on by itself, or by the link. */
export function signedInView(next: string): View {
  return {
    page: {
      title: 'You are signed in',
      refreshTo: next,
      main: html`<p><a class="button primary" href="${next}">Continue</a></p>`,
    },
  }
}

/** The same for our own pages, where no application asks. */
export function ownSignIn(data: {
  title: string
  lead: Html | string
  action: string
  hidden: Readonly<Record<string, string>>
  providerPagesOrigin: string | undefined
  message: Html | undefined
}): View {
  const { title, lead, action, hidden, providerPagesOrigin, message } = data
  return {
    rights: { forms: true, formRedirects: providerPagesOrigin === undefined ? [] : [providerPagesOrigin] },
    page: {
      title,
      lead,
      notice: message,
      main: html`<p>You sign in at your provider (${providerHost(providerPagesOrigin)}) and come back here.</p>
<div class="actions">${form({ action, hidden, body: button('primary', 'Sign in at your provider') })}</div>`,
    },
  }
}

function providerHost(origin: string | undefined): Html | string {
  return origin === undefined ? 'your provider' : html`<strong>${new URL(origin).host}</strong>`
}
