/** Words that tell which client asks, so that the owner can check it. */

import { foreignName, foreignValue, isCut, visible } from '@financial-agents/pages/foreign-name'
import { type Html, html } from '@financial-agents/pages/html'
import { status } from '@financial-agents/pages/parts'
import type { Reader } from '@financial-agents/pages/reader'

/** The place to which the owner returns, and so the receiver of the answer. */
export function returnsTo(
  { redirectUri, device }: { redirectUri: string | undefined; device: boolean },
  reader: Reader,
): Html | string {
  const say = reader.say('client')
  if (device) return say('otherDevice')
  const url = redirectUri === undefined ? undefined : URL.parse(redirectUri)
  if (!url) return say('here')
  if (url.protocol === 'https:') return say.rich('backTo', { host: html`<strong><bdi>${url.host}</bdi></strong>` })
  return say('thisDevice')
}

export function kindOf(profile: 'web' | 'spa' | 'native' | 'device' | 'service', reader: Reader): string {
  return reader.say('client')(profile)
}

/** The facts about a client that a page shows beside its name. */
export type Face = {
  /** The address of its logo at this origin; undefined if it has none that could be taken. */
  logo: string | undefined
  /** Undefined if the operator declared no publisher. */
  publisher: string | undefined
  /** The operator declared the publisher as verified. */
  isVerified: boolean
  /** The operator set it up and named no other publisher: it is the operator's own. */
  isOperators: boolean
  /** The name of the installation, which has verified it or not. */
  installation: string
}

export function hasPictures(faces: Iterable<Face>): boolean {
  return [...faces].some(({ logo }) => logo !== undefined)
}

/** The publisher of the client, and if the operator has verified it. A service of the operator's own needs no such fact. */
export function publisherFact(face: Face, reader: Reader): [string, Html][] {
  const { publisher, isVerified, isOperators, installation } = face
  if (isOperators) return []
  const say = reader.say('client')
  const by = { installation: html`<bdi>${installation}</bdi>` }
  const word = isVerified
    ? status('good', html`<span>${say.rich('verified', by)}</span>`)
    : status('neutral', html`<span>${say.rich('notVerified', by)}</span>`)
  const name = publisher === undefined ? '' : foreignName(publisher)
  return [[say('publisher'), html`<span class="publisher">${name}${word}</span>`]]
}

/** Returns the name as a fact that opens to the whole name. A name that `party` shows completely needs no fact. */
export function wholeName(name: string, reader: Reader): [string, Html][] {
  return isCut(name) ? [[reader.say('client')('whoAsks'), foreignValue(name, reader)]] : []
}

/**
 * Shows a name, a second line `below` it, and the logo; without a logo, the initial letter. `label`: the owner's own
 * name for the application, under which the registered name is always shown.
 */
export function party(
  name: string,
  below: Html | string,
  { label = null, logo }: { label?: string | null; logo?: string | undefined } = {},
): Html {
  const initial = Array.from(visible(label ?? name))[0]?.toLocaleUpperCase('en') ?? '?'
  const picture = logo === undefined ? initial : html`<img src="${logo}" alt="" loading="lazy">`
  return html`<div class="party"><span class="initial" aria-hidden="true">${picture}</span><div><strong>${foreignName(label ?? name)}</strong><br><span class="soft">${label === null ? '' : html`${foreignName(name)}<br>`}${below}</span></div></div>`
}
