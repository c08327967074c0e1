/**
 * Short visits to a hosted page that decide nothing about an instruction: a look at a card, a check of identity. One for
 * each client reference; time is judged when one is looked at.
 */

import { randomBytes } from 'node:crypto'
import type { Clock } from '@financial-agents/runtime/clock'

export type HostedSession<Content> = {
  readonly ref: string
  readonly token: string
  readonly persona: string
  readonly clientReference: string
  readonly content: Content
  readonly expiresAtMs: number
}

export type HostedSessions<Content> = {
  /** The same reference gives the same one. @param expired over before anybody sees it */
  start(persona: string, clientReference: string, content: Content, expired?: boolean): HostedSession<Content>
  findByToken(token: string): HostedSession<Content> | undefined
  isOpen(session: HostedSession<Content>): boolean
  /** From then on it shows nothing any more. */
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
    start(persona, clientReference, content, expired = false) {
      const key = `${persona} ${clientReference}`
      const known = byReference.get(key)
      if (known !== undefined) return known
      const session: HostedSession<Content> = {
        ref: `${prefix}_${randomBytes(24).toString('base64url')}`,
        token: randomBytes(32).toString('base64url'),
        persona,
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
