/**
 * A page before it is sent: its content, its rights and its status. Views are functions from data to this type. They
 * know neither requests nor the database.
 */

import { environmentNote } from '@financial-agents/pages/environment-note'
import { type Page, renderPage } from '@financial-agents/pages/page'
import { type PageRights, pageHeaders } from '@financial-agents/pages/page-headers'

export type View = {
  page: Page
  rights?: PageRights
  /** 200 by default. */
  status?: number
}

export type RenderedView = { status: number; headers: Record<string, string>; body: string }

export type Environment = 'local' | 'test' | 'production'

/** Renders a view for sending, both by Fastify and by the library. */
export function renderView({ page, rights, status = 200 }: View, environment: Environment): RenderedView {
  return {
    status,
    headers: pageHeaders(rights),
    body: renderPage({ ...page, environmentNote: environmentNote(environment) }),
  }
}
