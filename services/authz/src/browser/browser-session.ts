/**
 * The session of a browser. It is the library's own session, so its endpoints and our pages never disagree.
 *
 * Invariants: a sign-in always gives the browser a new id. A session ends after an hour without use, and after twelve
 * hours in any case. Reading a session never creates one.
 */

import { type CookieJar, cookieJar } from '@financial-agents/pages/tunnel/cookie-jar'
import type { Clock } from '@financial-agents/runtime/clock'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Provider } from 'oidc-provider'
import { acr } from '../provider/acr.ts'
import { cookieNames } from '../provider/cookies.ts'
import { sessionEnd, sessionIdleS } from '../provider/lifetimes.ts'

export type SignedIn = { ownerId: string; authenticatedAt: Date }

export type BrowserSession = {
  /** Stays the same as long as the owner does. Form tokens are bound to it. */
  uid: string
  ownerId: string
  authenticatedAt: Date
  expiresAt: Date
}

export type BrowserSessions = {
  /** Returns undefined if nobody is signed in. `use`: the owner uses the session, so its hour starts again. */
  find: (request: Pick<FastifyRequest, 'headers'>, use?: 'use') => Promise<BrowserSession | undefined>
  /** Signs in and replaces any other owner. Returns the session's uid and the value of its cookie. */
  begin: (request: FastifyRequest, reply: FastifyReply, signedIn: SignedIn) => Promise<{ uid: string; cookie: string }>
  end: (request: FastifyRequest, reply: FastifyReply) => Promise<void>
}

type Session = InstanceType<Provider['Session']>

export function createBrowserSessions(provider: () => Provider, baseUrl: string, clock: Clock): BrowserSessions {
  const cookie: CookieJar = cookieJar(baseUrl, cookieNames(baseUrl).session)
  const load = async (request: Pick<FastifyRequest, 'headers'>): Promise<Session | undefined> => {
    const id = cookie.read(request)
    const session = id === undefined ? undefined : await provider().Session.find(id)
    // The library would accept an expired session for as long as its tolerance for clients' clocks.
    return session && session.exp * 1_000 > clock.nowMs() ? session : undefined
  }
  return {
    find: async (request, use) => {
      const session = await load(request)
      if (!session?.accountId || session.loginTs === undefined) return undefined
      if (use) await session.save(sessionIdleS)
      return {
        uid: session.uid,
        ownerId: session.accountId,
        authenticatedAt: new Date(session.loginTs * 1_000),
        expiresAt: use ? sessionEnd(clock, session.loginTs) : new Date(session.exp * 1_000),
      }
    },
    begin: async (request, reply, { ownerId, authenticatedAt }) => {
      const before = await load(request)
      const same = before?.accountId === ownerId
      if (before && !same) await before.destroy()
      const session = before && same ? before : makeSession(provider())
      if (same) session.resetIdentifier()
      session.loginAccount({
        accountId: ownerId,
        acr,
        loginTs: Math.floor(authenticatedAt.getTime() / 1_000),
        transient: true,
      })
      await session.save(sessionIdleS)
      cookie.write(reply, session.jti)
      return { uid: session.uid, cookie: session.jti }
    },
    end: async (request, reply) => {
      await (await load(request))?.destroy()
      cookie.clear(reply)
    },
  }
}

/** The type declarations do not know a constructor without a payload, but the library itself uses it. */
function makeSession({ Session: Model }: Provider): Session {
  return new (Model as unknown as new () => Session)()
}
