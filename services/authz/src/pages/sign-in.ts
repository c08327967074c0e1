/** The return from the provider's hosted page, and sign-out. */

import { type PageRefusal, refusals } from '@financial-agents/owner-pages/refusal'
import { pagePaths } from '@financial-agents/pages/page-paths'
import { getAlone } from '@financial-agents/pages/tunnel/route-table'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { auditOwner } from '../browser/owner-audit.ts'
import type { SignInReturn, SignInStart } from '../browser/sign-ins.ts'
import { setFlash } from './flash.ts'
import { checkForm, getSession, redirect } from './page-request.ts'
import type { PageTools } from './page-tools.ts'

export function addSignInPages(app: FastifyInstance, tools: PageTools): void {
  const { signIns, sessions } = tools

  app.get<{ Querystring: { state?: unknown } }>(pagePaths.signInReturn, getAlone, async (request, reply) => {
    const { state } = request.query
    const response = responseIn(request.url)
    const isOne = typeof state === 'string' && (response?.length ?? 0) <= maxResponseChars
    const back = isOne ? await signIns.finish(request, state, response) : ({ type: 'unknown' } as const)
    // A page at this address would keep the response, with its code, in the address of the browser.
    if (back.type !== 'signed_in' && response !== undefined) {
      const known = isOne && back.type !== 'unknown' ? `?state=${encodeURIComponent(state)}` : ''
      return redirect(reply, pagePaths.signInReturn + known)
    }
    if (back.type === 'declined') await auditOwner(tools, request, 'sign_in_declined')
    if (back.type === 'declined' && back.next.startsWith('/interaction/'))
      return redirect(reply, back.next.replace(/signed-in$/, `declined?state=${back.state}`))
    if (back.type !== 'signed_in') throw returns[back.type]()
    // An authorization consumes the sign-in itself, below its own path.
    if (!back.next.startsWith('/interaction/')) await beginSession(request, reply, back.next)
    return redirect(reply, back.next)
  })

  async function beginSession(request: FastifyRequest, reply: FastifyReply, next: string): Promise<void> {
    const signedIn = await signIns.consume(request, next)
    if (!signedIn) throw refusals.unknownSignIn()
    await sessions.begin(request, reply, signedIn)
  }

  app.post(pagePaths.signOut, async (request, reply) => {
    const session = await getSession(tools, request)
    checkForm(request, tools, ['session', session.uid])
    await sessions.end(request, reply)
    await auditOwner(tools, request, 'signed_out', { owner_id: session.ownerId })
    setFlash(reply, tools, 'signed_out')
    return redirect(reply, pagePaths.account)
  })
}

/** A response of an OpenID provider is a code, a state and an issuer. */
const maxResponseChars = 8_192

/** The query of a return, where it has more than the state: the response of an OpenID provider. */
function responseIn(url: string): string | undefined {
  const query = url.split('?', 2)[1] ?? ''
  return [...new URLSearchParams(query).keys()].some((name) => name !== 'state') ? query : undefined
}

export function refuseStart({ type }: Exclude<SignInStart, { type: 'started' }>): PageRefusal {
  return type === 'not_available' ? refusals.signInNotAvailable() : refusals.providerUnreachable()
}

const returns = {
  declined: refusals.signInDeclined,
  expired: refusals.signInExpired,
  pending: refusals.signInPending,
  unreachable: refusals.providerUnreachable,
  refused: refusals.signInRefused,
  unknown: refusals.unknownSignIn,
} as const satisfies { [T in Exclude<SignInReturn['type'], 'signed_in'>]: () => PageRefusal }
