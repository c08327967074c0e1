/**
 * Sends events of owners to the operator's endpoint, signed like every webhook. The endpoint is the operator's own, so it may
 * lie in a private network. No redirect is followed.
 *
 * Invariant: an event is sent at least once, always with the same id and body, and only while its lease holds.
 */

import { randomUUID } from 'node:crypto'
import { lookup } from 'node:dns/promises'
import type { Database } from '@financial-agents/postgres/database'
import type { Clock } from '@financial-agents/runtime/clock'
import type { Log } from '@financial-agents/runtime/log'
import { repeat, type Wakeable } from '@financial-agents/runtime/repeat'
import { type Answer, reasonOf, unlessAborted } from '../attempt.ts'
import { noteOwnerEvent } from '../measure.ts'
import { post } from '../post.ts'
import { failedResult, isSuccess } from '../record-answer.ts'
import { signatureHeaders } from '../sign.ts'
import type { SigningKeys } from '../signing-keys.ts'
import { type LeasedEvent, leaseEvents, recordAttempt } from './event-store.ts'

const leaseMs = 60_000
/** Time to record the result. */
const marginMs = 10_000
const atOnce = 16

export type SendDependencies = {
  db: Database
  clock: Clock
  log: Log
  url: URL
  secret: Buffer
  signingKeys: SigningKeys
  timeoutMs: number
  pauseMs: number
}

export function startSending(dependencies: SendDependencies): Wakeable {
  const { db, clock, log, pauseMs } = dependencies
  return repeat({
    name: 'owner events',
    pauseMs,
    log,
    work: async () => {
      const now = clock.now()
      const sendBeforeMs = performance.now() + leaseMs - dependencies.timeoutMs - marginMs
      const lease = { id: randomUUID(), until: new Date(now.getTime() + leaseMs) }
      const events = await leaseEvents(db, now, lease, atOnce)
      const sent = await Promise.allSettled(events.map((event) => sendOne(dependencies, lease.id, event, sendBeforeMs)))
      const failed = sent.find(({ status }) => status === 'rejected')
      if (failed) throw (failed as PromiseRejectedResult).reason
      return events.length === atOnce
    },
  })
}

async function sendOne(
  dependencies: SendDependencies,
  leaseId: string,
  event: LeasedEvent,
  sendBeforeMs: number,
): Promise<void> {
  const { db, clock, log } = dependencies
  if (performance.now() >= sendBeforeMs) return
  const answer = await attemptEvent(dependencies, event)
  const { id, attempts } = event
  const result = isSuccess(answer)
    ? ({ id, status: 'delivered', attempt: answer, nextAttemptAt: null } as const)
    : failedResult(id, attempts + 1, answer, clock.now())
  await recordAttempt(db, leaseId, result)
  noteOwnerEvent(answer)
  if (result.status === 'failed') log.error({ event_id: id }, 'an event of an owner did not reach the platform')
}

async function attemptEvent(dependencies: SendDependencies, { id, body }: LeasedEvent): Promise<Answer> {
  const { url, secret, signingKeys, clock, log } = dependencies
  const headers = signatureHeaders(
    { id, body, at: clock.now() },
    { secrets: [secret], signingKey: signingKeys.current },
  )
  const signal = AbortSignal.timeout(dependencies.timeoutMs)
  try {
    const host = url.hostname.replace(/^\[(.*)\]$/, '$1')
    const addresses = await unlessAborted(signal, lookup(host, { all: true }))
    return { statusCode: await post({ url, addresses, headers: { ...headers }, body, signal }) }
  } catch (error) {
    log.warn({ event_id: id, reason: reasonOf(error) }, 'the operator’s platform gave no answer')
    return { statusCode: null }
  }
}
