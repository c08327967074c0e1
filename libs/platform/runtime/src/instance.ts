/**
 * The state of a running service that its modules share: its metrics, its date, the figures of its reads. In production a
 * process has one service, and the state is the process's own. In development one process runs all services, and each has
 * its own: timers, sockets and promises keep the instance in which they began.
 *
 * The process's own state is a property of `globalThis`, because the preloaded telemetry and the service are separate
 * bundles that each contain this module.
 */

import { AsyncLocalStorage } from 'node:async_hooks'

type State = Map<string, unknown>

const storage = new AsyncLocalStorage<State>()
const key = Symbol.for('financial-agents.instance')
const shared = globalThis as { [key]?: State }
const ofProcess: State = (shared[key] ??= new Map())

/** Runs `work` as a service of its own, with new state. */
export function runInstance<Result>(work: () => Result): Result {
  return storage.run(new Map(), work)
}

/** Returns the function that finds a value of the current instance. The first call in an instance creates the value. */
export function perInstance<Value>(name: string, create: () => Value): () => Value {
  return () => {
    const state = storage.getStore() ?? ofProcess
    const found = state.get(name) as Value | undefined
    if (found !== undefined) return found
    const created = create()
    state.set(name, created)
    return created
  }
}
