/**
 * When a connected owner's verification is read next: by what it is, and for how long it has been so. Every state is followed
 * for as long as the connection lasts, whether anybody looks at it or not.
 *
 * Invariant: nothing that a client reads brings a read of the provider nearer; an open visit to the page that verifies does.
 */

import type { KycStatus } from '@financial-agents/contract/schemas/kyc'
import { isUnderWay } from './kyc-words.ts'

const minuteMs = 60_000
const hourMs = 60 * minuteMs

/** While a visit may lead to something. */
export const visitPauseMs = 15_000
/** Reviews take minutes or days: the pause grows with them. */
const underWayPausesMs = { shortest: minuteMs, longest: 15 * minuteMs }
/** A verification lapses, or one that was refused is mended at the provider itself. */
const settledPauseMs = hourMs
const jitter = 0.2

type Standing = {
  status: KycStatus
  /** As the provider says. */
  changed_at: Date
  /** A visit that was opened is followed until then. */
  follow_until: Date | null
}

/** @param random in [0, 1): spreads owners who connected at the same time */
export function nextReadAt(standing: Standing, now: Date, random: number): Date {
  return after(now, pauseMs(standing, now), random)
}

/** What could not be read is read again as seldom as what does not change. */
export function nextTryAt(now: Date, random: number): Date {
  return after(now, settledPauseMs, random)
}

function after(now: Date, pauseMs: number, random: number): Date {
  return new Date(now.getTime() + Math.round(pauseMs * (1 - jitter + 2 * jitter * random)))
}

function pauseMs({ status, changed_at, follow_until }: Standing, now: Date): number {
  if (status !== 'verified' && follow_until !== null && follow_until > now) return visitPauseMs
  if (!isUnderWay(status)) return settledPauseMs
  // A provider whose clock is wrong is not asked more often for it.
  const ageMs = Math.abs(now.getTime() - changed_at.getTime())
  const { shortest, longest } = underWayPausesMs
  return Math.min(longest, Math.max(shortest, ageMs / 8))
}
