/**
 * The feed in which authz publishes every change of a grant, and a heartbeat each second. Messages are numbered per
 * publisher. While no message is missing, a cached grant without a reported change is up to date.
 *
 * Invariant: cached grants are dropped after a gap in a publisher's numbers, and when a publisher appears or vanishes.
 * They are also dropped after a lost connection, and after this process stood still. A feed that is silent for too long
 * counts as absent.
 *
 * After a standstill, feed messages and requests wait in separate queues, and either may be read first. The timer, the
 * next message or the next request therefore detects the standstill, whichever comes first.
 */

import type { Bus } from '@financial-agents/bus/connect'
import type { GrantFeedMessage } from '@financial-agents/bus/messages/authority'
import type { Log } from '@financial-agents/runtime/log'
import { observe } from '@financial-agents/runtime/metrics/metrics'

export type GrantChange = NonNullable<GrantFeedMessage['change']>

export type GrantFeed = {
  /** True if the feed was silent for too long, so that no known grant may be trusted. Checks for a standstill first. */
  isSilent(): boolean
  /** True if the feed was ever heard. */
  isHeard(): boolean
  stop(): void
}

export type GrantFeedOptions = {
  bus: Bus
  log: Log
  silenceMs: number
  onChange: (change: GrantChange) => void
  /** Called when anything may have changed. */
  onUnsure: () => void
}

/** Measured by the monotonic clock, which continues while a process stands still. */
const leastStandstillMs = 500
const tickMs = 100

type Publisher = { sequence: number; heardAt: number }

export function startGrantFeed(options: GrantFeedOptions): GrantFeed {
  const { bus, log, silenceMs, onChange, onUnsure } = options
  const publishers = new Map<string, Publisher>()
  const standstillMs = Math.max(leastStandstillMs, silenceMs / 10)
  const startedAt = performance.now()
  let heardAt = Number.NEGATIVE_INFINITY

  const unsure = (why: string) => {
    log.info({ why }, 'everything known of grants is forgotten')
    onUnsure()
  }
  let lookedAt = startedAt
  const look = () => {
    const now = performance.now()
    const stoodStill = now - lookedAt >= standstillMs
    lookedAt = now
    if (stoodStill) unsure('stood still')
  }
  const hear = ({ publisher, sequence, change }: GrantFeedMessage) => {
    look()
    const now = performance.now()
    const known = publishers.get(publisher)
    publishers.set(publisher, { sequence, heardAt: now })
    heardAt = now
    if (known === undefined) unsure('new publisher')
    else if (sequence !== known.sequence + 1) unsure('gap')
    if (change !== null) onChange(change)
  }
  const dropVanished = () => {
    const now = performance.now()
    for (const [id, publisher] of publishers) {
      if (now - publisher.heardAt < silenceMs) continue
      publishers.delete(id)
      unsure('vanished publisher')
    }
  }
  bus.hear('evt.grants', (data) => {
    const message = readMessage(data)
    if (message) hear(message)
    else unsure('unreadable message')
  })
  bus.watch((status) => {
    if (status === 'disconnect' || status === 'reconnect') unsure(status)
  })
  const timer = setInterval(dropVanished, Math.min(1_000, silenceMs / 4))
  const ticking = setInterval(look, tickMs)
  const unobserve = observe(() => {
    const silenceS = (performance.now() - Math.max(heardAt, startedAt)) / 1_000
    return [['financial_agents.gateway.grant_feed_silence', silenceS, {}]]
  })
  return {
    isSilent: () => {
      look()
      return performance.now() - heardAt >= silenceMs
    },
    isHeard: () => heardAt !== Number.NEGATIVE_INFINITY,
    stop: () => {
      clearInterval(timer)
      clearInterval(ticking)
      unobserve()
    },
  }
}

function readMessage(data: Uint8Array): GrantFeedMessage | undefined {
  try {
    const message = JSON.parse(Buffer.from(data).toString()) as GrantFeedMessage
    return typeof message.publisher === 'string' && Number.isInteger(message.sequence) ? message : undefined
  } catch {
    return undefined
  }
}
