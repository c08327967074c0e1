/**
 * Who is signed in in a browser. It is the library's own session, so that its endpoints and our pages can never disagree.
 *
 * Invariants: a sign-in always gives the browser a new id; a session that nobody used for an hour is over, and any after
 * twelve; reading one never makes one.
 */

import { type CookieJar, cookieJar } from '@financial-agents/carried-http/cookie-jar'
import type { Clock } from '@financial-agents/runtime/clock'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Provider } from 'oidc-provider'
import { acr } from '../provider/acr.ts'
import { cookieNames } from '../provider/cookies.ts'
import type { SignedIn } from '../provider/interaction.ts'
import { sessionEnd, sessionIdleS } from '../provider/lifetimes.ts'

export type BrowserSession = {
  /** Stays the same while the owner does; what the tokens against forgery are bound to. */
  uid: string
  ownerId: string
  authenticatedAt: Date
  expiresAt: Date
}

export type BrowserSessions = {
  /** Undefined where nobody is signed in. `use`: this is the owner using it, so that its hour starts again. */
  find: (request: FastifyRequest, use?: 'use') => Promise<BrowserSession | undefined>
  /** Signs in, in place of whoever was; what the session is known by, and what its cookie holds. */
  begin: (request: FastifyRequest, reply: FastifyReply, signedIn: SignedIn) => Promise<{ uid: string; cookie: string }>
  end: (request: FastifyRequest, reply: FastifyReply) => Promise<void>
}

type Session = InstanceType<Provider['Session']>

export function createBrowserSessions(provider: () => Provider, baseUrl: string, clock: Clock): BrowserSessions {
  const cookie: CookieJar = cookieJar(baseUrl, cookieNames(baseUrl).session)
  const load = async (request: FastifyRequest): Promise<Session | undefined> => {
    const id = cookie.read(request)
    const session = id === undefined ? undefined : await provider().Session.find(id)
    // The library grants it the tolerance that it has for clients' clocks.
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

/** The type declarations do not say that the class can be made without a payload; the library does it so. */
function makeSession({ Session: Model }: Provider): Session {
  return new (Model as unknown as new () => Session)()
}
