/**
 * A refusal that must not go back to the client by a redirect: a page for browsers, and JSON for all others. It
 * contains the library's message and the OAuth code, and repeats nothing that was sent.
 */

import { currentContext } from '@financial-agents/runtime/context'
import type { KoaContextWithOIDC } from 'oidc-provider'
import { errorView } from '../pages/views/error.ts'
import { protocolErrorWords } from '../pages/words/errors.ts'
import { type Frame, show } from './show.ts'

type Refusal = { error: string; error_description?: string | undefined }

function isKnown(error: string): error is keyof typeof protocolErrorWords {
  return Object.hasOwn(protocolErrorWords, error)
}

export async function showError(ctx: KoaContextWithOIDC, refusal: Refusal, frame: Frame): Promise<void> {
  if (ctx.status < 400) ctx.status = 400
  ctx.set('cache-control', 'no-store')
  if (!ctx.accepts('html')) {
    ctx.body = refusal
    return
  }
  const texts = isKnown(refusal.error) ? protocolErrorWords[refusal.error] : protocolErrorWords.other
  const requestId = currentContext()?.requestId
  const facts = { texts, code: refusal.error, requestId, status: ctx.status }
  show(ctx, errorView(facts, await frame.readers.ofSession(ctx)), frame)
}
