/**
 * The public keys that verify webhooks, as notifier publishes them. They are read on demand and cached, and concurrent
 * requests share one read. While notifier is out of reach, the known keys stay valid.
 */

import { createHash } from 'node:crypto'
import type { Bus } from '@financial-agents/bus/connect'
import { newContext } from '@financial-agents/bus/headers'
import { call } from '@financial-agents/bus/rpc'
import { Problem } from '@financial-agents/contract/problem'
import type { Log } from '@financial-agents/runtime/log'
import type { Forward } from './forward.ts'
import type { Answer } from './respond.ts'

/** The address at which receivers find the keys. It takes precedence over the paths that authz answers. */
export const webhookKeysPath = '/.well-known/webhooks-jwks.json'

const timeoutMs = 2_000
/** The pause between two failed reads. */
const minRefreshMs = 1_000
const maxAgeS = 300

/** Answers the JWK Set. `pauseMs` is the time for which the keys are cached. @throws Problem service_unavailable */
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
