/** Words that tell which client asks, so that the owner can check it. */

import { foreignName, visible } from '@financial-agents/pages/foreign-name'
import { type Html, html } from '@financial-agents/pages/html'
import type { Reader } from '@financial-agents/pages/reader'
import { clientWords } from '../words/sign-in.ts'

/** The place to which the owner returns, and so the receiver of the answer. */
export function returnsTo(
  { redirectUri, device }: { redirectUri: string | undefined; device: boolean },
  reader: Reader,
): Html | string {
  const say = reader.say(clientWords)
  if (device) return say('otherDevice')
  const url = redirectUri === undefined ? undefined : URL.parse(redirectUri)
  if (!url) return say('here')
  if (url.protocol === 'https:') return say.rich('backTo', { host: html`<strong><bdi>${url.host}</bdi></strong>` })
  return say('thisDevice')
}

export function kindOf(profile: 'web' | 'spa' | 'native' | 'device' | 'service', reader: Reader): string {
  return reader.say(clientWords)(profile)
}

/**
 * Name and kind, with an initial instead of a logo. The client would choose a logo, and its server would be asked for
 * the picture. `label`: the owner's own name for it, which never stands without the registered one.
 */
export function party(name: string, below: Html | string, label: string | null = null): Html {
  const initial = Array.from(visible(label ?? name))[0]?.toLocaleUpperCase('en') ?? '?'
  return html`<div class="party"><span class="initial" aria-hidden="true">${initial}</span><div><strong>${foreignName(label ?? name)}</strong><br><span class="soft">${label === null ? '' : html`${foreignName(name)}<br>`}${below}</span></div></div>`
}
