/**
 * A refusal that must not go back to the client by a redirect: a page for browsers, and JSON for all others. It
 * contains the library's message and the OAuth code, and repeats nothing that was sent.
 */

import { errorView } from '@financial-agents/owner-pages/error'
import { currentContext } from '@financial-agents/runtime/context'
import type { KoaContextWithOIDC } from 'oidc-provider'
import { type Frame, show } from './show.ts'

type Refusal = { error: string; error_description?: string | undefined }

/** The refusals of the protocol library that have messages of their own. */
const known = [
  'invalid_client',
  'invalid_redirect_uri',
  'invalid_request_uri',
  'temporarily_unavailable',
  'server_error',
] as const

export async function showError(ctx: KoaContextWithOIDC, refusal: Refusal, frame: Frame): Promise<void> {
  if (ctx.status < 400) ctx.status = 400
  ctx.set('cache-control', 'no-store')
  if (!ctx.accepts('html')) {
    ctx.body = refusal
    return
  }
  const name = known.find((error) => error === refusal.error) ?? 'other'
  const requestId = currentContext()?.requestId
  const reader = await frame.readers.ofSession(ctx)
  show(ctx, errorView({ name, code: refusal.error, requestId, status: ctx.status }, reader), frame)
}
