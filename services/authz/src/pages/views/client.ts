/** Words that tell which client asks, so that the owner can check it. */

import { foreignName, visible } from '@financial-agents/pages/foreign-name'
import { type Html, html } from '@financial-agents/pages/html'

/** The place to which the owner returns, and so the receiver of the answer. */
export function returnsTo({
  redirectUri,
  device,
}: {
  redirectUri: string | undefined
  device: boolean
}): Html | string {
  if (device) return 'You go back to your other device'
  const url = redirectUri === undefined ? undefined : URL.parse(redirectUri)
  if (!url) return 'You come back here'
  if (url.protocol === 'https:') return html`You go back to <strong>${url.host}</strong>`
  return 'You go back to the application on this device'
}

const kinds = {
  web: 'Website',
  spa: 'Website',
  native: 'Application on your device',
  device: 'Application on another device',
  service: 'Service set up for you by the operator',
} as const

export function kindOf(profile: keyof typeof kinds): string {
  return kinds[profile]
}

/**
 * Name and kind, with an initial instead of a logo. The client would choose a logo, and its server would be asked for
 * the picture. `label`: the owner's own name for it, which never stands without the registered one.
 */
export function party(name: string, below: Html | string, label: string | null = null): Html {
  const initial = Array.from(visible(label ?? name))[0]?.toLocaleUpperCase('en') ?? '?'
  return html`<div class="party"><span class="initial" aria-hidden="true">${initial}</span><div><strong>${foreignName(label ?? name)}</strong><br><span class="soft">${label === null ? '' : html`${foreignName(name)}<br>`}${below}</span></div></div>`
}
