/**
 * The virtual witness: registers that only a compare-and-set changes, as the stream WITNESS holds them. A request or its answer
 * may be lost. The stream itself may be lost too, and is then missing until it is provisioned again.
 *
 * Invariant: an acknowledged write replaced exactly the entry that was expected.
 */

import { Conflict, type Entry, type Registers } from '@financial-agents/bus/registers'
import { NoStream } from '@financial-agents/bus/stored-message'
import { Unavailable } from '@financial-agents/runtime/unavailable'
import type { Network, NetworkFaults } from './network.ts'
import type { Chance } from './random.ts'
import type { Scheduler, VirtualProcess } from './scheduler.ts'

const timeoutMs = 2_000

type Hearing = { owner: VirtualProcess; filter: RegExp; listener: (data: Uint8Array, subject: string) => void }

export type VirtualRegisters = ReturnType<typeof createRegisters>

export function createRegisters(parts: {
  scheduler: Scheduler
  chance: Chance
  faults: NetworkFaults
  network: Network
  trace: (owner: VirtualProcess | null, what: string) => void
}) {
  const { scheduler, chance, faults, network, trace } = parts
  const entries = new Map<string, { text: string; sequence: number }>()
  const state = { exists: true, last: 0 }
  const log: { subject: string; text: string }[] = []
  const hearings: Hearing[] = []

  /** Carries a request there and its answer back. Both may get lost, and then no answer comes. */
  function ask<Result>(owner: VirtualProcess, atServer: () => Result): Promise<Result> {
    return new Promise((resolve, reject) => {
      const arrives = () => network.reaches(owner) && !chance.happens(faults.lost / 4)
      const patience = scheduler.after(timeoutMs, owner, () => reject(new Unavailable('the witness does not answer')))
      const answer = (run: () => void) => {
        if (!arrives()) return
        scheduler.after(faults.latency(), owner, () => {
          scheduler.cancel(patience)
          run()
        })
      }
      if (!arrives()) return
      scheduler.after(faults.latency(), null, () => {
        try {
          if (!state.exists) throw new NoStream('the stream of the witness does not exist')
          const result = atServer()
          answer(() => resolve(result))
        } catch (error) {
          answer(() => reject(error))
        }
      })
    })
  }

  function put(subject: string, value: unknown, expected: number): number {
    if ((entries.get(subject)?.sequence ?? 0) !== expected) throw new Conflict('the entry has changed')
    state.last += 1
    entries.set(subject, { text: JSON.stringify(value), sequence: state.last })
    trace(null, `witness ${state.last}: ${subject} ${JSON.stringify(value)}`)
    for (const { owner, filter, listener } of hearings)
      if (filter.test(subject) && network.reaches(owner))
        scheduler.after(faults.latency(), owner, () => listener(Buffer.from(JSON.stringify(value)), subject))
    return state.last
  }

  return {
    registersOf: (owner: VirtualProcess): Registers => ({
      read: <Value>(subject: string) =>
        ask(owner, (): Entry<Value> | undefined => {
          const entry = entries.get(subject)
          return entry && { value: JSON.parse(entry.text) as Value, sequence: entry.sequence }
        }),
      write: (subject, value, expected) => ask(owner, () => put(subject, value, expected)),
      append: (subject, value) => ask(owner, () => append(subject, value)),
      clear: (subjects) => ask(owner, () => clear(subjects)),
    }),
    hear: (owner: VirtualProcess, subject: string, listener: Hearing['listener']) => {
      hearings.push({ owner, listener, filter: patternOf(subject) })
    },
    /** Writes as the provisioner did before the seed began. */
    put,
    /** The stream is gone until it is provisioned. */
    lose: () => {
      entries.clear()
      log.length = 0
      Object.assign(state, { exists: false, last: 0 })
      trace(null, 'the witness is lost')
    },
    provision: () => {
      state.exists = true
    },
    exists: () => state.exists,
    /** What the log has under these subjects, oldest first. */
    logged: <Value>(prefix: string): Value[] =>
      log.filter(({ subject }) => subject.startsWith(prefix)).map(({ text }) => JSON.parse(text) as Value),
  }

  function append(subject: string, value: unknown): void {
    const text = JSON.stringify(value)
    log.push({ subject, text })
    trace(null, `witness: ${subject} ${text}`)
  }

  function clear(subjects: string): void {
    const pattern = patternOf(subjects)
    for (const subject of entries.keys()) if (pattern.test(subject)) entries.delete(subject)
  }
}

const patternOf = (subject: string) =>
  new RegExp(`^${subject.replaceAll('.', '\\.').replaceAll('*', '[^.]+').replace(/>$/, '.+')}$`)
