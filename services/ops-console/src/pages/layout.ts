/** The layout of the console's pages, and their headers. */

import type { Branding } from '@financial-agents/pages/branding'
import { type Environment, environmentNote } from '@financial-agents/pages/environment-note'
import { html } from '@financial-agents/pages/html'
import { type Page, renderMain, renderPage } from '@financial-agents/pages/page'
import { type PageRights, pageHeaders } from '@financial-agents/pages/page-headers'
import { form } from '@financial-agents/pages/parts'
import texts from '../../messages/en.json' with { type: 'json' }
import type { PageSession } from '../http/console-page.ts'
import { ways } from './views/ways.ts'

export type Surroundings = {
  session: PageSession | undefined
  environment: Environment
  branding?: Branding | undefined
}

const area = 'Operators’ console'

export function renderConsolePage(page: Page, { session, environment, branding }: Surroundings): string {
  const shown: Page = {
    ...page,
    area: page.title === area ? undefined : area,
    wide: page.wide ?? true,
    navigation: session && (page.navigation ?? ways()),
    headerEnd: session
      ? whoIsSignedIn(session)
      : (page.headerEnd ?? html`<div class="who"><a href="/ops/sign-in">Sign in</a></div>`),
    footer: html`<p>${texts.layout.footer}</p>`,
    environmentNote: environmentNote(environment),
  }
  return renderPage(shown, branding)
}

/** Renders the main part, which the page's script replaces. A message about the last action stays as it is. */
export function renderFragment({ notice: _said, ...page }: Page): string {
  return renderMain(page)
}

export function consoleHeaders(rights: PageRights, branding?: Branding): Record<string, string> {
  return pageHeaders(rights, undefined, branding)
}

function whoIsSignedIn({ operator, formToken }: PageSession) {
  return html`<div class="who"><span>${operator.name ?? operator.id}</span>${form({
    action: '/ops/sign-out',
    hidden: formToken,
    body: html`<button type="submit" class="quiet">Sign out</button>`,
  })}</div>`
}
