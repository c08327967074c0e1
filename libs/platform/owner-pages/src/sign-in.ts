/** The page before the owner goes to the provider: the client, the provider's host, and the way back here. */

import { type Html, html } from '@financial-agents/pages/html'
import { button, facts, form, notice } from '@financial-agents/pages/parts'
import type { Reader } from '@financial-agents/pages/reader'
import { type Face, hasPictures, kindOf, party, publisherFact, returnsTo, wholeName } from './client.ts'
import type { View } from './view.ts'

export type SignInPage = {
  clientName: string
  face: Face
  profile: Parameters<typeof kindOf>[0]
  /** An owner is signed in but must sign in again. */
  again: boolean
  /** The client's access was suspended. */
  suspended: boolean
  /** Consent will also connect the owner, which needs a recent sign-in. */
  toConnect: boolean
  redirectUri: string | undefined
  device: boolean
  signInOrigin: string | undefined
  /** The addresses that the two forms post to. */
  signIn: string
  decline: string
  hidden: Readonly<Record<string, string>>
  reader: Reader
}

export function signInView(data: SignInPage): View {
  const { clientName, face, profile, again, suspended, toConnect, redirectUri, device, signInOrigin, hidden, reader } =
    data
  const say = reader.say('signIn')
  return {
    rights: {
      forms: true,
      formRedirects: [signInOrigin, redirectUri].filter((one) => one !== undefined),
      pictures: hasPictures([face]),
    },
    page: {
      reader,
      title: say(again ? 'again' : 'title'),
      lead: say('lead'),
      main: html`${
        suspended ? notice('warning', say('suspended')) : ''
      }${toConnect ? notice('neutral', say('toConnect')) : ''}
<div class="card stack">${party(clientName, kindOf(profile, reader), face)}${facts([
        ...wholeName(clientName, reader),
        ...publisherFact(face, reader),
        [say('youSignInAt'), providerHost(signInOrigin, reader)],
        [say('afterwards'), say('youDecide')],
        [say('atTheEnd'), returnsTo({ redirectUri, device }, reader)],
      ])}</div>
<p class="soft">${say('about')}</p>
<div class="actions">
${form({ action: data.signIn, hidden, body: button('primary', say('signIn')) })}
${form({ action: data.decline, hidden, body: button('secondary', say('cancel')) })}
</div>`,
    },
  }
}

/** The page after a sign-in from which the browser starts a new navigation, by itself or by the link. */
export function signedInView(next: string, reader: Reader): View {
  const say = reader.say('signIn')
  return {
    page: {
      reader,
      title: say('signedIn'),
      refreshTo: next,
      main: html`<p><a class="button primary" href="${next}">${say('continue')}</a></p>`,
    },
  }
}

/** The sign-in view for our own pages, without an application. */
export function ownSignIn(data: {
  title: string
  lead: Html | string
  action: string
  hidden: Readonly<Record<string, string>>
  signInOrigin: string | undefined
  message: Html | undefined
  reader: Reader
}): View {
  const { title, lead, action, hidden, signInOrigin, message, reader } = data
  const say = reader.say('signIn')
  return {
    rights: { forms: true, formRedirects: signInOrigin === undefined ? [] : [signInOrigin] },
    page: {
      reader,
      title,
      lead,
      notice: message,
      main: html`<p>${say.rich('comeBack', { host: providerHost(signInOrigin, reader) })}</p>
<div class="actions">${form({ action, hidden, body: button('primary', say('signIn')) })}</div>`,
    },
  }
}

function providerHost(origin: string | undefined, reader: Reader): Html | string {
  if (origin === undefined) return reader.say('signIn')('yourProvider')
  return html`<strong><bdi>${new URL(origin).host}</bdi></strong>`
}
