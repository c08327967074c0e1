/**
 * A page before it is sent: its content, its rights and its status. Views are functions from data to this type. They
 * know neither requests nor the database.
 */

import { type Branding, unbranded } from '@financial-agents/pages/branding'
import { environmentNote } from '@financial-agents/pages/environment-note'
import { type LanguageLink, type Page, renderPage } from '@financial-agents/pages/page'
import { type PageRights, pageHeaders } from '@financial-agents/pages/page-headers'
import type { Reader } from '@financial-agents/pages/reader'

export type View = {
  page: Page & { reader: Reader }
  rights?: PageRights
  /** 200 by default. */
  status?: number
}

export type RenderedView = { status: number; headers: Record<string, string>; body: string }

export type Environment = 'local' | 'test' | 'production'

/** The parts that all pages of the installation share. */
export type Site = { environment: Environment; branding?: Branding | undefined }

/**
 * Renders a view for sending, both by Fastify and by the library. `languages`: the ways to the same page in other
 * languages.
 */
export function renderView(
  { page, rights, status = 200 }: View,
  { environment, branding = unbranded }: Site,
  languages: readonly LanguageLink[] = [],
): RenderedView {
  return {
    status,
    headers: pageHeaders(rights, page.reader, branding),
    body: renderPage({ ...page, languages, environmentNote: environmentNote(environment, page.reader) }, branding),
  }
}
