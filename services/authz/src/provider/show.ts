/** Sends a page from within the library. */

import { renderView, type Site, type View } from '@financial-agents/owner-pages/view'
import type { KoaContextWithOIDC } from 'oidc-provider'
import type { Readers } from '../pages/readers.ts'

/** The parts that every page of the library needs: the site, and its reader. */
export type Frame = Site & { readers: Readers }

type Context = Pick<KoaContextWithOIDC, 'status' | 'set' | 'body'>

export function show(ctx: Context, view: View, site: Site): void {
  const { status, headers, body } = renderView(view, site)
  ctx.status = status
  for (const [name, value] of Object.entries(headers)) ctx.set(name, value)
  ctx.body = body
}
