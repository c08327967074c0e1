/**
 * Figures of the reads of a service since the last report, and the state of its circuits. The console of operators
 * shows them.
 *
 * Invariant: the memory depends on the number of providers and kinds of read alone. Nothing here names a binding or an
 * answer.
 */

import type { CircuitHealth, ReadFigures } from '@financial-agents/bus/messages/operator'
import { perInstance } from '@financial-agents/runtime/instance'

/** The figures of a stretch of time, and the circuits as they are now. */
export type TakenHealth = { reads: ReadFigures[]; circuits: CircuitHealth[] }

/** Counts reads. `name` is the name of a circuit: the provider and the kind of read, or the kind alone for a public read. */
export type ReadHealth = {
  /** `failed`: the provider as a whole failed the read. */
  sent(name: string, read: { failed: boolean; ms: number }): void
  /** One read that an open circuit turned away. */
  turnedAway(name: string): void
  /** The state of a circuit, at its making and at every change. */
  circuit(name: string, state: CircuitHealth['state']): void
  /** The one listener for circuits that open or close. */
  onChange(listener: () => void): void
  /** The figures since the last time; undefined if the process has read nothing at all. */
  take(): TakenHealth | undefined
}

export function createReadHealth(): ReadHealth {
  const circuits = new Map<string, CircuitHealth>()
  let figures = new Map<string, ReadFigures>()
  let changed = () => {}
  const figuresOf = (name: string) => {
    const found = figures.get(name) ?? {
      ...partsOf(name),
      calls: 0,
      failed: 0,
      turned_away: 0,
      total_ms: 0,
      most_ms: 0,
    }
    figures.set(name, found)
    return found
  }
  return {
    sent: (name, { failed, ms }) => {
      const of = figuresOf(name)
      const took = Math.max(0, Math.round(ms))
      of.calls += 1
      of.failed += failed ? 1 : 0
      of.total_ms += took
      of.most_ms = Math.max(of.most_ms, took)
    },
    turnedAway: (name) => {
      figuresOf(name).turned_away += 1
    },
    circuit: (name, state) => {
      const before = circuits.get(name)
      // A failed trial continues the same outage, which began when the circuit left `closed`.
      const continues = before !== undefined && (before.state === 'closed') === (state === 'closed')
      const since = continues ? before.since : new Date().toISOString()
      circuits.set(name, { ...partsOf(name), state, since })
      if (before !== undefined && !continues) changed()
    },
    onChange: (listener) => {
      changed = listener
    },
    take: () => {
      if (circuits.size === 0) return undefined
      const reads = [...figures.values()]
      figures = new Map()
      return { reads, circuits: [...circuits.values()] }
    },
  }
}

/** The figures of the current service, which its frame reports. */
export const readHealth = perInstance('read-health', createReadHealth)

function partsOf(name: string): { provider: string | null; read: string } {
  const end = name.lastIndexOf(' ')
  return { provider: end < 0 ? null : name.slice(0, end), read: name.slice(end + 1) }
}
