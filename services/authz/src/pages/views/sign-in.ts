/** The page before the owner goes to the provider: the client, the provider's host, and the way back here. */

import { foreignValue } from '@financial-agents/pages/foreign-name'
import { type Html, html } from '@financial-agents/pages/html'
import { button, facts, form, notice } from '@financial-agents/pages/parts'
import { returnsTo } from './client.ts'
import type { View } from './view.ts'

export type SignInPage = {
  clientName: string
  /** An owner is signed in but must sign in again. */
  again: boolean
  /** The client's access was suspended. */
  suspended: boolean
  /** Consent will also connect the owner, which needs a recent sign-in. */
  toConnect: boolean
  redirectUri: string | undefined
  device: boolean
  providerPagesOrigin: string | undefined
  /** The addresses that the two forms post to. */
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

/** The page after a sign-in from which the browser starts a new navigation, by itself or by the link. */
export function signedInView(next: string): View {
  return {
    page: {
      title: 'You are signed in',
      refreshTo: next,
      main: html`<p><a class="button primary" href="${next}">Continue</a></p>`,
    },
  }
}

/** The sign-in view for our own pages, without an application. */
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
