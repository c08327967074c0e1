/**
 * The origins of registered browser clients, as authz knows them. They are cached, and read again periodically and
 * after a change of a client. While authz is out of reach, the last answer stays valid. Before the first answer, no
 * origin is registered.
 */

import type { Bus } from '@financial-agents/bus/connect'
import { newContext } from '@financial-agents/bus/headers'
import { call } from '@financial-agents/bus/rpc'
import type { Log } from '@financial-agents/runtime/log'
import { type Repeating, repeat } from '@financial-agents/runtime/repeat'

const refreshMs = 30_000
const retryMs = 1_000

export type Origins = {
  isRegistered(origin: string): boolean
  /** Marks the origins as outdated because a client may have changed. They are read again within a second. */
  doubt(): void
  stop(): Promise<void>
}

export function startOrigins(dependencies: { bus: Bus; log: Log }): Origins {
  let registered: ReadonlySet<string> = new Set()
  let readAt = Number.NEGATIVE_INFINITY

  const refresh = async () => {
    const context = newContext(2_000)
    // Set before the answer: a change that is heard during the read makes the answer outdated.
    readAt = performance.now()
    try {
      const { origins } = await call(dependencies.bus, 'rpc.authz.origins', null, context)
      registered = new Set(origins)
    } catch (error) {
      readAt = Number.NEGATIVE_INFINITY
      dependencies.log.debug({ err: error }, 'the registered origins could not be read')
    }
  }
  const repeating: Repeating = repeat({
    name: 'origins',
    pauseMs: retryMs,
    log: dependencies.log,
    work: async () => {
      if (performance.now() - readAt >= refreshMs) await refresh()
    },
  })
  return {
    isRegistered: (origin) => registered.has(origin),
    doubt: () => {
      readAt = Number.NEGATIVE_INFINITY
    },
    stop: () => repeating.stop(),
  }
}
