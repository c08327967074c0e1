/**
 * Keeps the answer to an owner's decision when it leaves, and leads a browser that comes back to an interaction which is
 * over to that answer. A second click interrupts the first redirect, and the client would never get it.
 *
 * Invariant: an answer is kept only if it was sent, so after the audit of what it gives.
 */

import type { Log } from '@financial-agents/runtime/log'
import type { KoaContextWithOIDC } from 'oidc-provider'
import type { Middleware } from './middleware.ts'
import type { OwnerDecisions } from './owner-decisions.ts'
import { answerPath } from './paths.ts'

/** The addresses at which the library continues an interaction. */
const resumed = /^\/(?:oauth\/authorize|device)\/([\w-]+)$/

const keptHeaders = ['location', 'content-type', 'content-security-policy', 'referrer-policy', 'x-content-type-options']

/** The requests that were answered to a client, each with the authorization code in the answer, if it has one. */
export type AnsweredRequests = WeakMap<object, { code?: string | undefined }>

export function repeatAnswers(
  { decisions, log }: { decisions: OwnerDecisions; log: Log },
  answered: AnsweredRequests,
): Middleware {
  return async (ctx, next) => {
    await next()
    const uid = ctx.method === 'GET' ? resumed.exec(ctx.path)?.[1] : undefined
    if (uid === undefined) return
    const given = answered.get(ctx)
    const work = given && ctx.status !== 503 ? keep(ctx, uid, given.code) : ctx.status >= 400 && lead(ctx, uid)
    // The answer of this request is good without it.
    await Promise.resolve(work).catch((error: unknown) => log.error({ err: error }, 'an answer cannot be repeated'))
  }

  async function keep(ctx: KoaContextWithOIDC, uid: string, code: string | undefined): Promise<void> {
    const headers = keptHeaders.flatMap((name): [string, string][] => {
      const value = ctx.response.get(name)
      return value === '' ? [] : [[name, value]]
    })
    const body = typeof ctx.body === 'string' ? ctx.body : ''
    await decisions.keepAnswer(uid, { status: ctx.status, headers: Object.fromEntries(headers), body, code })
  }

  async function lead(ctx: KoaContextWithOIDC, uid: string): Promise<void> {
    const decided = await decisions.findDecided(uid)
    if (!decided?.isOver || decided.decision.uid !== uid) return
    ctx.status = 303
    ctx.redirect(answerPath(uid))
  }
}
