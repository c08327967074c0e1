/**
 * Short visits to a hosted page that decide no instruction: a card's number, an identity check. Each client reference
 * has one visit. Expiry is validated when a visit is read.
 */

import { randomBytes } from 'node:crypto'
import type { Clock } from '@financial-agents/runtime/clock'

export type HostedSession<Content> = {
  readonly ref: string
  readonly token: string
  readonly testUser: string
  readonly clientReference: string
  readonly content: Content
  readonly expiresAtMs: number
}

export type HostedSessions<Content> = {
  /** An equal reference returns the same visit. @param expired true for a visit that has expired from the start */
  start(testUser: string, clientReference: string, content: Content, expired?: boolean): HostedSession<Content>
  findByToken(token: string): HostedSession<Content> | undefined
  isOpen(session: HostedSession<Content>): boolean
  /** Marks the visit as used. It shows nothing from then on. */
  use(session: HostedSession<Content>): void
  isUsed(session: HostedSession<Content>): boolean
}

export function createHostedSessions<Content>(
  clock: Clock,
  prefix: string,
  lifetimeMs: number,
): HostedSessions<Content> {
  const byReference = new Map<string, HostedSession<Content>>()
  const byToken = new Map<string, HostedSession<Content>>()
  const used = new Set<string>()
  return {
    start(testUser, clientReference, content, expired = false) {
      const key = `${testUser} ${clientReference}`
      const known = byReference.get(key)
      if (known !== undefined) return known
      const session: HostedSession<Content> = {
        ref: `${prefix}_${randomBytes(24).toString('base64url')}`,
        token: randomBytes(32).toString('base64url'),
        testUser,
        clientReference,
        content,
        expiresAtMs: clock.nowMs() + (expired ? 0 : lifetimeMs),
      }
      byReference.set(key, session)
      byToken.set(session.token, session)
      return session
    },
    findByToken: (token) => byToken.get(token),
    isOpen: ({ expiresAtMs }) => clock.nowMs() < expiresAtMs,
    use: ({ token }) => void used.add(token),
    isUsed: ({ token }) => used.has(token),
  }
}
