/**
 * Computes when a connected owner's verification is read next, from its state and the age of that state. Every state is
 * followed as long as the connection lasts, even if no client looks at it.
 *
 * Invariant: nothing that a client reads brings a read of the provider nearer. An open visit to the verification page
 * does.
 */

import type { KycStatus } from '@financial-agents/contract/schemas/kyc'
import { isUnderWay } from './kyc-words.ts'

const minuteMs = 60_000
const hourMs = 60 * minuteMs

/** The pause while a visit may lead to a result. */
export const visitPauseMs = 15_000
/** A review takes minutes or days, so the pause grows with its age. */
const underWayPausesMs = { shortest: minuteMs, longest: 15 * minuteMs }
/** A settled state changes only if a verification lapses, or if the provider itself corrects a refused one. */
const settledPauseMs = hourMs
const jitter = 0.2

type Standing = {
  status: KycStatus
  /** The time of the change as the provider states it. */
  changed_at: Date
  /** An opened visit is followed until this time. */
  follow_until: Date | null
}

/** @param random in [0, 1): spreads owners who connected at the same time */
export function nextReadAt(standing: Standing, now: Date, random: number): Date {
  return after(now, pauseMs(standing, now), random)
}

/** After a refused read, the next read waits as long as for a settled state. */
export function nextTryAt(now: Date, random: number): Date {
  return after(now, settledPauseMs, random)
}

function after(now: Date, pauseMs: number, random: number): Date {
  return new Date(now.getTime() + Math.round(pauseMs * (1 - jitter + 2 * jitter * random)))
}

function pauseMs({ status, changed_at, follow_until }: Standing, now: Date): number {
  if (status !== 'verified' && follow_until !== null && follow_until > now) return visitPauseMs
  if (!isUnderWay(status)) return settledPauseMs
  // A provider with a wrong clock is not asked more often.
  const ageMs = Math.abs(now.getTime() - changed_at.getTime())
  const { shortest, longest } = underWayPausesMs
  return Math.min(longest, Math.max(shortest, ageMs / 8))
}
