/** The session of a browser. A sign-in always creates a new id and ends the previous session. */

import { generateKeyPairSync, randomBytes } from 'node:crypto'
import type { Operator } from '@financial-agents/bus/rpc'
import type { OperatorScope } from '@financial-agents/contract/scopes'
import { type CookieJar, cookieJar, hostCookieName } from '@financial-agents/pages/tunnel/cookie-jar'
import type { Clock } from '@financial-agents/runtime/clock'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Session, SessionStore } from '../store/sessions.ts'

export type Sessions = {
  /** Returns undefined if nobody is signed in. A request by the page's own script is not a use. */
  find(request: FastifyRequest, isUse: boolean): Promise<Session | undefined>
  begin(request: FastifyRequest, reply: FastifyReply, who: SignedIn): Promise<void>
  end(request: FastifyRequest, reply: FastifyReply): Promise<void>
}

type SignedIn = { operator: Operator; scopes: readonly OperatorScope[] }

export function createSessions(store: SessionStore, baseUrl: string, clock: Clock): Sessions {
  const cookie: CookieJar = cookieJar(baseUrl, hostCookieName(baseUrl, 'ops_session'))
  const endCurrent = async (request: FastifyRequest) => {
    const id = cookie.read(request)
    if (id !== undefined) await store.end(id)
  }
  return {
    find: async (request, isUse) => {
      const id = cookie.read(request)
      return id === undefined ? undefined : store.find(id, clock.now(), isUse)
    },
    begin: async (request, reply, who) => {
      const id = randomBytes(32).toString('base64url')
      const { privateKey: proofKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
      await store.record(id, { ...who, proofKey }, clock.now())
      await endCurrent(request)
      cookie.write(reply, id)
    },
    end: async (request, reply) => {
      await endCurrent(request)
      cookie.clear(reply)
    },
  }
}

/** A secret of the browser before sign-in, so that a sign-in ends in the browser in which it began. */
export function createBrowserSecret(baseUrl: string) {
  const cookie = cookieJar(baseUrl, hostCookieName(baseUrl, 'ops_browser'))
  return {
    find: (request: FastifyRequest): string | undefined => cookie.read(request),
    findOrMake: (request: FastifyRequest, reply: FastifyReply): string => {
      const known = cookie.read(request)
      if (known !== undefined) return known
      const secret = randomBytes(32).toString('base64url')
      cookie.write(reply, secret)
      return secret
    },
  }
}
