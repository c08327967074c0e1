/**
 * The public keys that verify webhooks, as notifier publishes them: read when they are asked for, kept for a while, and one read
 * at a time for all who ask. While notifier is out of reach the keys that are known hold.
 */

import { createHash } from 'node:crypto'
import type { Bus } from '@financial-agents/bus/connect'
import { newContext } from '@financial-agents/bus/headers'
import { call } from '@financial-agents/bus/rpc'
import { Problem } from '@financial-agents/contract/problem'
import type { Log } from '@financial-agents/runtime/log'
import type { Forward } from './forward.ts'
import type { Answer } from './respond.ts'

/** Where receivers of webhooks find them. Before the paths that authz answers. */
export const webhookKeysPath = '/.well-known/webhooks-jwks.json'

const timeoutMs = 2_000
/** Between two reads in vain. */
const minRefreshMs = 1_000
const maxAgeS = 300

/** Answers the JWK Set. `pauseMs`: for how long what was read is good. @throws Problem service_unavailable */
export function createWebhookKeys({ bus, log, pauseMs }: { bus: Bus; log: Log; pauseMs: number }): Forward {
  let known: Answer | undefined
  let askAgainAt = Number.NEGATIVE_INFINITY
  let reading: Promise<void> | undefined

  const read = async () => {
    askAgainAt = performance.now() + minRefreshMs
    try {
      const json = JSON.stringify(await call(bus, 'rpc.notifier.keys', null, newContext(timeoutMs)))
      const etag = `"${createHash('sha256').update(json).digest('base64url').slice(0, 22)}"`
      known = { status: 200, json, kept: { etag, maxAgeS } }
      askAgainAt = performance.now() + pauseMs
    } catch (error) {
      log.warn({ err: error }, 'the keys of webhooks could not be read')
    } finally {
      reading = undefined
    }
  }
  return async () => {
    if (performance.now() >= askAgainAt) reading ??= read()
    await reading
    if (!known) throw new Problem('service_unavailable')
    return known
  }
}
