/**
 * The owner's way to the provider's hosted page and back. A return counts only in the browser that started, and for the
 * same start. The next address was stored at the start.
 *
 * Invariants: nothing in a request decides where a browser is sent. One return signs in once.
 */

import { randomBytes } from 'node:crypto'
import type { Bus } from '@financial-agents/bus/connect'
import type { FinishSignInAnswer } from '@financial-agents/bus/messages/sign-in'
import { call } from '@financial-agents/bus/rpc'
import { callContext } from '@financial-agents/pages/tunnel/call-context'
import { cookieJar, hostCookieName } from '@financial-agents/pages/tunnel/cookie-jar'
import type { Database } from '@financial-agents/postgres/database'
import type { Log } from '@financial-agents/runtime/log'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { recordOwner } from '../store/owners.ts'
import type { SignInKeys, SignInStore } from '../store/sign-ins.ts'
import type { SignedIn } from './browser-session.ts'
import { isOutOfReach } from './out-of-reach.ts'
import { type AuditTools, auditOwner } from './owner-audit.ts'

const lifetimeMs = 600_000

export type SignInStart = { type: 'started'; url: string } | { type: 'not_available' } | { type: 'unreachable' }

export type SignInReturn =
  | { type: 'signed_in'; next: string; signedIn: SignedIn }
  | { type: 'declined' | 'expired'; next: string; state: string }
  | { type: 'pending' }
  | { type: 'unreachable' }
  /** The browser brought back something else than the provider's response to this sign-in. */
  | { type: 'refused' }
  /** The sign-in belongs to another browser, is over, or never began. */
  | { type: 'unknown' }

export type SignIns = {
  /**
   * Returns the secret of this browser, and creates it if there is none. Forms of people who are not signed in are
   * bound to it.
   */
  browserOf: (request: FastifyRequest, reply: FastifyReply) => string
  start: (request: FastifyRequest, reply: FastifyReply, next: string) => Promise<SignInStart>
  /** @param response the query of the return address, if the provider added parameters to it */
  finish: (request: FastifyRequest, state: string, response?: string) => Promise<SignInReturn>
  /** Returns the person who signed in in this browser for `next`, once. */
  consume: (request: FastifyRequest, next: string) => Promise<SignedIn | undefined>
}

export type SignInDependencies = AuditTools & {
  bus: Bus
  db: Database
  store: SignInStore
  log: Log
  baseUrl: string
  /** The origin at which owners sign in; undefined if nobody can sign in. */
  signInOrigin: string | undefined
}

export function createSignIns(dependencies: SignInDependencies): SignIns {
  const { bus, store, clock, log, baseUrl, signInOrigin } = dependencies
  const cookie = cookieJar(baseUrl, hostCookieName(baseUrl, 'sign_in'))
  const browserOf = (request: FastifyRequest, reply: FastifyReply) => {
    const browser = cookie.read(request) ?? randomBytes(32).toString('base64url')
    cookie.write(reply, browser, lifetimeMs / 1_000)
    return browser
  }
  return {
    browserOf,
    start: async (request, reply, next) => {
      const keys: SignInKeys = { state: randomBytes(32).toString('base64url'), browser: browserOf(request, reply) }
      const return_url = `${baseUrl}/sign-in/return?state=${keys.state}`
      const answer = await unlessUnavailable(call(bus, 'int.onboarding.start-sign-in', { return_url }, callContext()))
      if (answer.type !== 'started') return answer
      if (URL.parse(answer.url)?.origin !== signInOrigin) {
        log.error('the page for signing in is not where SIGN_IN_ORIGIN or PROVIDER_PAGES_ORIGIN says')
        return { type: 'unreachable' }
      }
      const now = clock.now()
      const expires_at = new Date(Math.min(now.getTime() + lifetimeMs, Date.parse(answer.expires_at)))
      await store.record(keys, { sign_in_id: answer.sign_in_id, next, expires_at }, now)
      return { type: 'started', url: answer.url }
    },
    finish: async (request, state, response) => {
      const browser = cookie.read(request)
      const signIn = browser && (await store.find({ state, browser }, clock.now()))
      if (!browser || !signIn) return { type: 'unknown' }
      const { sign_in_id, next } = signIn
      const answer: FinishSignInAnswer = await unlessUnavailable(
        call(
          bus,
          'int.onboarding.finish-sign-in',
          { sign_in_id, ...(response === undefined ? {} : { response }) },
          callContext(),
        ),
      )
      if (answer.type === 'declined' || answer.type === 'expired') return { type: answer.type, next, state }
      if (answer.type !== 'signed_in') return answer
      const now = clock.now()
      const { owner_id, display_name, locale, timezone } = answer.owner
      await recordOwner(dependencies.db, { owner_id, display_name, locale, timezone }, now)
      if (await store.recordSignedIn({ state, browser }, owner_id, now))
        await auditOwner(dependencies, request, 'signed_in', { owner_id })
      else if (signIn.owner_id !== owner_id) return { type: 'unknown' }
      return {
        type: 'signed_in',
        next,
        signedIn: { ownerId: owner_id, authenticatedAt: signIn.authenticated_at ?? now },
      }
    },
    consume: async (request, next) => {
      const browser = cookie.read(request)
      const row = browser === undefined ? undefined : await store.consume(browser, next, clock.now())
      return row && { ownerId: row.owner_id, authenticatedAt: row.authenticated_at }
    },
  }
}

async function unlessUnavailable<Answer>(asked: Promise<Answer>): Promise<Answer | { type: 'unreachable' }> {
  try {
    return await asked
  } catch (error) {
    if (isOutOfReach(error)) return { type: 'unreachable' }
    throw error
  }
}
