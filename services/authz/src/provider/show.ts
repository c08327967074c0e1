/** Sends a page from within the library. */

import type { KoaContextWithOIDC } from 'oidc-provider'
import { type Environment, renderView, type View } from '../pages/views/view.ts'

type Context = Pick<KoaContextWithOIDC, 'status' | 'set' | 'body'>

export function show(ctx: Context, view: View, environment: Environment): void {
  const { status, headers, body } = renderView(view, environment)
  ctx.status = status
  for (const [name, value] of Object.entries(headers)) ctx.set(name, value)
  ctx.body = body
}
