/** How the console's pages look around what they say, and the headers that go with it. */

import { html } from '@financial-agents/pages/html'
import { type Page, renderPage } from '@financial-agents/pages/page'
import { type PageRights, pageHeaders } from '@financial-agents/pages/page-headers'
import { button, form } from '@financial-agents/pages/parts'
import type { PageSession } from '../http/console-page.ts'

export type Surroundings = { session: PageSession | undefined; environment: string }

export function renderConsolePage(page: Page, { session, environment }: Surroundings): string {
  return renderPage({
    ...page,
    wide: page.wide ?? true,
    headerEnd: session && whoIsSignedIn(session),
    environmentNote: environment === 'production' ? undefined : 'Test environment. No real money moves here.',
  })
}

/** What the page's own script puts in place of the main part. */
export function renderFragment(page: Page): string {
  return page.main.toString()
}

export function consoleHeaders(rights: PageRights): Record<string, string> {
  return pageHeaders(rights)
}

function whoIsSignedIn({ operator, formToken }: PageSession) {
  return html`<div class="who"><span>${operator.name ?? operator.id}</span>
${form({ action: '/ops/sign-out', hidden: formToken, body: button('secondary', 'Sign out') })}</div>`
}
