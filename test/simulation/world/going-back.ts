/**
 * PostgreSQL goes back in time: all services' schemas return to the moment before their last commits, and a new epoch begins. Either a
 * standby is promoted that was behind, and some replicas of the submitter still reach the old primary for a while; or a backup is
 * restored in the old one's place. The witness may be lost too. The operator and the provisioning job then do their part.
 */

import type { Bus } from '@financial-agents/bus/connect'
import type { WitnessedEnd } from '@financial-agents/bus/messages/witness'
import { Conflict } from '@financial-agents/bus/registers'
import type { Database } from '@financial-agents/postgres/database'
import { Unavailable } from '@financial-agents/runtime/unavailable'
import { makeWitness } from '@financial-agents/witness/make'
import { recover } from '@financial-agents/witness/recover'
import { type GuardedSchema, guardedSchemas, type LossEntry, lossOf } from '@financial-agents/witness/subjects'
import { setEnds } from '../../../services/submitter/src/calls/set-ends.ts'
import type { Chance } from '../virtual/random.ts'
import type { VirtualRegisters } from '../virtual/registers.ts'
import type { Scheduler, VirtualProcess } from '../virtual/scheduler.ts'
import { type Commit, copyOf, type Store, undo } from '../virtual/tables.ts'
import { type ServiceName, services } from './services.ts'

/** An old primary is reached by replicas of this service alone. */
const schema = 'submitter'

type Databases = Record<GuardedSchema, Database>

/** Commits that can be lost. */
const longest = 200

/** The faults of a seed, drawn from a stream of their own: most seeds have none. */
export function drawGoingBack(chance: Chance) {
  return {
    goesBack: chance.happens(0.25) ? chance.pick([1, 1, 2, 3]) : 0,
    /** Goes back soon after the provider has received something, which the database then does not know. */
    afterSubmission: chance.happens(0.6),
    /** Loses the witness too, so many milliseconds before or after. */
    losesWitnessMs: chance.happens(0.3) ? chance.pick([-6_000, -200, 0, 200]) : null,
    losesWitness: chance.happens(0.1),
  }
}

export function createGoingBack(parts: {
  scheduler: Scheduler
  chance: Chance
  stores: Record<ServiceName, Store>
  registers: VirtualRegisters
  /** Everybody who is connected to a database of the submitter. */
  submitters: () => VirtualProcess[]
  crashAll: () => void
  wipeStreams: () => void
  trace: (owner: VirtualProcess | null, what: string) => void
}) {
  const { scheduler, chance, stores, registers, trace } = parts
  const journal: Commit[] = []
  const state = { timeline: 1, starts: 0, hasLostEvents: false, isRecovered: false }
  /** The old primary, and who still reaches it. */
  let old: { store: Store; reached: Set<VirtualProcess> } | null = null
  const listeners: (() => void)[] = []

  function watch(): void {
    for (const store of Object.values(stores)) store.journal = journal
  }

  function endTransactions(store: Store): void {
    for (const tx of store.open) tx.rollback()
  }

  function goBack(): void {
    journal.splice(0, journal.length - longest)
    const lost = Math.min(journal.length, chance.pick([1, 2, 4, 8, 16, 64]))
    const isPromotion = chance.happens(0.7)
    trace(null, `PostgreSQL goes back by ${lost} commits${isPromotion ? ', as a standby that was behind' : ''}`)
    endOld()
    for (const store of Object.values(stores)) endTransactions(store)
    if (isPromotion && chance.happens(0.9)) {
      const submitters = parts.submitters()
      const reached = new Set(submitters.length > 0 ? [chance.pick(submitters)] : [])
      const store = copyOf(stores[schema], services[schema].tables)
      store.onCommit = (changes) => onOldCommit(changes)
      old = { store, reached }
      scheduler.after(chance.between(500, 12_000), null, endOld)
    }
    for (const { changes } of journal.splice(journal.length - lost).toReversed()) undo(changes)
    state.starts += 1
    if (isPromotion) state.timeline += 1
    for (const store of Object.values(stores)) store.epoch = `1/${state.timeline}/${state.starts}`
    for (const listener of listeners) listener()
    const isByTheGuide = !isPromotion || chance.happens(0.2)
    if (!isByTheGuide) {
      state.hasLostEvents = true
      return
    }
    parts.crashAll()
    parts.wipeStreams()
  }

  let onOldCommit: Store['onCommit'] = () => {}

  function endOld(): void {
    if (!old) return
    trace(null, 'the old primary ends')
    const { store } = old
    old = null
    endTransactions(store)
  }

  /** The provisioning job, and an operator who recovers what it refuses and what is lost, as the command `recover` does. */
  async function repair(databases: Databases, bus: Bus, log: (what: string) => void): Promise<void> {
    registers.provision()
    let isLost = false
    for (const schema of guardedSchemas) {
      const made = await makeWitness(databases[schema], bus.registers, schema)
      const loss = await bus.registers.read<LossEntry>(lossOf(schema))
      log(`witness of ${schema} ${made}${loss?.value ? ', a loss is reported' : ''}`)
      isLost ||= made === 'refused' || Boolean(loss?.value)
    }
    if (!isLost) return
    state.isRecovered = true
    await setEnds(databases.submitter)({ ends: knownEnds() })
    for (const schema of ['submitter', 'operations'] as const)
      await recover({ db: databases[schema], registers: bus.registers, schema, now: () => new Date() })
    log('recovered')
  }

  /** The ends that the log knows, as `recover` reads them. */
  function knownEnds(): WitnessedEnd[] {
    const newest = new Map<string, WitnessedEnd>()
    for (const end of registers.logged<WitnessedEnd>('witnessed.ends.')) {
      const key = `${end.target} ${end.target_id}`
      if (end.version > (newest.get(key)?.version ?? 0)) newest.set(key, end)
    }
    return [...newest.values()]
  }

  return {
    watch,
    goBack,
    /** True unless the log was lost since the end was reported: then nobody knows of it. */
    isKnownEnd: (target: string, targetId: string) =>
      knownEnds().some((end) => end.target === target && end.target_id === targetId && end.reason !== null),
    /** True if the database has gone back, or an operator has recovered it although it had not. */
    hasGoneBack: () => state.starts > 0 || state.isRecovered,
    /** True if events of the lost time may still arrive. */
    hasLostEvents: () => state.hasLostEvents,
    /** Returns a check that nothing has gone back since. An answer from before is about a time that is lost. */
    sinceNow: () => {
      const { starts } = state
      return () => state.starts === starts
    },
    primaryOf: (owner: VirtualProcess, store: Store): Store =>
      old && store === stores[schema] && old.reached.has(owner) ? old.store : store,
    onGoneBack: (listener: () => void) => listeners.push(listener),
    set onOldCommit(listener: Store['onCommit']) {
      onOldCommit = listener
    },
    /** Repairs, and again after a pause if that was not possible. */
    repair: async (databases: Databases, bus: Bus, owner: VirtualProcess): Promise<void> => {
      for (;;) {
        try {
          return await repair(databases, bus, (what) => trace(owner, what))
        } catch (error) {
          if (!(error instanceof Unavailable || error instanceof Conflict)) throw error
          await new Promise((resolve) => setTimeout(resolve, 1_000))
        }
      }
    },
  }
}
