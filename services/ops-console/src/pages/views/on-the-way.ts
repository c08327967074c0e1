/**
 * The page before the organisation's own sign-in. Browsers apply the page's policy to every redirect after a form, and
 * the sign-in may redirect through any number of hosts. So this page comes first and continues by itself.
 */

import { html } from '@financial-agents/pages/html'
import type { Page } from '@financial-agents/pages/page'

export function onTheWayView(url: string): Page {
  return {
    title: 'On the way to your organisation’s sign-in',
    wide: false,
    headerEnd: html``,
    refreshTo: url,
    main: html`<div class="actions"><a class="button primary" href="${url}">Go on</a></div>`,
  }
}
