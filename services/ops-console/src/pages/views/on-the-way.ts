/**
 * On the way to the organisation's own sign-in, which may lead across any number of its hosts: browsers hold every redirect
 * after a form to the page's policy, so this page comes first and goes on by itself.
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
