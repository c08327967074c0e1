/**
 * The guard between a process and the provider. A call passes the circuit of its kind of read, the concurrency bound of its
 * binding, and the time that is left.
 *
 * Invariant: a call that is turned away here has sent nothing, and becomes `provider_unavailable`.
 */

import { Problem } from '@financial-agents/contract/problem'
import type { Log } from '@financial-agents/runtime/log'
import { counter } from '@financial-agents/runtime/metrics/metrics'
import { createBulkheads, NotBegun } from './bulkheads.ts'
import { type Caller, CircuitOpen, createCircuits } from './circuits.ts'
import { DeadlinePassed } from './deadlines.ts'
import { type ReadHealth, readHealth } from './read-health.ts'

/** One call: its kind of read, its binding, and the time for all of it. */
export type Guarded = { name: string; caller: Caller; leftMs: number }

/** Lets calls through. */
export type Guard = {
  /** @throws Problem provider_unavailable if a call of the kind would be refused now */
  check(name: string, caller: Caller): void
  /** @throws Problem provider_unavailable */
  run<Answer extends { readonly type: string }>(
    call: Guarded,
    send: (timeoutMs: number) => Promise<Answer>,
  ): Promise<Answer>
}

/** The bulkhead of all public reads together. */
const nobody = 'nobody'
/** Bounds for each binding, so that none delays another. */
const places = { running: 4, waiting: 32 }

/** The guard of a process. @param options.readTimeoutMs the provider's time for a read without a shorter deadline */
export function createGuard(options: { log: Log; readTimeoutMs: number; health?: ReadHealth | undefined }): Guard {
  const { health = readHealth() } = options
  const circuitOf = createCircuits(options.log, health)
  const bulkheads = createBulkheads(places)
  return {
    check: (name, caller) => {
      try {
        circuitOf(name).check(caller)
      } catch (error) {
        throw toProblem(error)
      }
    },
    run: async ({ name, caller, leftMs }, send) => {
      const endMs = performance.now() + leftMs
      const begin = async () => {
        const timeoutMs = Math.floor(endMs - performance.now())
        if (timeoutMs < 1) throw new NotBegun('no time was left for the provider')
        return circuitOf(name).run(() => send(timeoutMs), { caller, enough: timeoutMs >= options.readTimeoutMs / 2 })
      }
      try {
        circuitOf(name).check(caller)
        return await bulkheads.run(caller ?? nobody, leftMs, begin)
      } catch (error) {
        if (error instanceof CircuitOpen) health.turnedAway(name)
        throw toProblem(error)
      }
    },
  }
}

const turnedAway = counter('financial_agents.provider.turned_away')

/** Turns a refusal of the guard into its problem, and counts it; any other error is returned unchanged. */
export function toProblem(error: unknown): unknown {
  const reason = reasonOf(error)
  if (reason === undefined) return error
  turnedAway.add({ reason })
  return new Problem('provider_unavailable', { cause: error })
}

function reasonOf(error: unknown): string | undefined {
  if (error instanceof CircuitOpen) return 'circuit_open'
  if (error instanceof NotBegun) return 'no_place'
  return error instanceof DeadlinePassed ? 'no_time' : undefined
}
