/**
 * The world of one seed: its processes with their crashes and restarts, their connections, and the faults that come and
 * go. It does not know which behaviour is right; `invariants.ts` does.
 */

import { hash } from 'node:crypto'
import type { Bus } from '@financial-agents/bus/connect'
import type { Database } from '@financial-agents/postgres/database'
import type { Log } from '@financial-agents/runtime/log'
import { type GuardedSchema, guardedSchemas } from '@financial-agents/witness/subjects'
import { openVirtualBus } from '../virtual/bus.ts'
import { openVirtualDatabase, type VirtualDatabases } from '../virtual/database.ts'
import { useSource } from '../virtual/determinism.ts'
import { createNetwork } from '../virtual/network.ts'
import { createVirtualProvider } from '../virtual/provider.ts'
import { chanceOf, createRandom, uuidFrom } from '../virtual/random.ts'
import { createRegisters } from '../virtual/registers.ts'
import { createScheduler, epochMs, type VirtualProcess } from '../virtual/scheduler.ts'
import { createStore, type Store } from '../virtual/tables.ts'
import { calm, drawTemper } from './faults.ts'
import { createGoingBack, drawGoingBack } from './going-back.ts'
import { createGrants } from './grants.ts'
import { playAuthz, type ServiceName, services } from './services.ts'
import { beginWitness } from './witness.ts'

/** Receives the events at the provider; the invariants check them. */
export type Watch = {
  onSubmission: Parameters<typeof createVirtualProvider>[0]['onSubmission']
  onExecuted: Parameters<typeof createVirtualProvider>[0]['onExecuted']
}

export type World = ReturnType<typeof createWorld>

export function createWorld(
  seed: number,
  options: {
    trace: ((line: string) => void) | null
    record?: VirtualDatabases['record']
    beforeStatement?: VirtualDatabases['beforeStatement']
  },
) {
  const scheduler = createScheduler()
  useSource({ scheduler, random: createRandom(seed, 2) })
  const chance = chanceOf(createRandom(seed, 1))
  // A stream of its own: the other choices of a seed do not depend on these.
  const ends = chanceOf(createRandom(seed, 4))
  const witnessChance = chanceOf(createRandom(seed, 5))
  const temper = drawTemper(chance)
  const history: string[] = []
  const trace = (owner: VirtualProcess | null, what: string) => {
    history.push(String(scheduler.now()), owner?.name ?? '-', what)
    options.trace?.(`${scheduler.now().toFixed(1).padStart(9)} ${(owner?.name ?? '-').padEnd(16)} ${what}`)
  }
  const watch: Watch = { onSubmission: () => {}, onExecuted: () => {} }
  const stores = Object.fromEntries(
    Object.entries(services).map(([name, plan]) => [name, createStore(name, plan.tables)]),
  ) as Record<ServiceName, Store>
  const network = createNetwork({ scheduler, chance, faults: temper.network, trace })
  const registers = createRegisters({ scheduler, chance: witnessChance, faults: temper.network, network, trace })
  let onReceived = () => {}
  const provider = createVirtualProvider({
    scheduler,
    chance,
    faults: temper.provider,
    onSubmission: (submission, owner) => {
      watch.onSubmission(submission, owner)
      onReceived()
      if (chance.happens(temper.stalls)) pauseFor(owner, chance.between(6_500, 12_000))
    },
    onExecuted: (record) => watch.onExecuted(record),
    trace,
  })
  const alive = new Map<string, { process: VirtualProcess; abandon: () => void }>()
  const databases: VirtualDatabases = {
    scheduler,
    chance,
    faults: temper.database,
    down: new Set(),
    crash: (owner) => crash(owner),
    primaryOf: (owner, store) => goingBack.primaryOf(owner, store),
    record: options.record ?? null,
    beforeStatement: options.beforeStatement ?? null,
    trace,
  }

  const goingBack = createGoingBack({
    scheduler,
    chance: witnessChance,
    stores,
    registers,
    submitters: () =>
      [...alive.values()].map(({ process }) => process).filter(({ service }) => service === 'submitter'),
    crashAll: () => {
      for (const { process } of alive.values()) crash(process)
    },
    wipeStreams: () => {
      network.restart()
      network.wipe()
    },
    trace,
  })

  for (const store of Object.values(stores))
    store.onEnd = (tx, type) => {
      if (store.turn === tx && !tx.alone) options.record?.({ service: store.name, type })
    }

  const newProcess = (name: string, service: string): VirtualProcess => ({
    name,
    service,
    alive: true,
    pausedUntil: 0,
    skewMs: Math.round(chance.between(-temper.skewMs, temper.skewMs)),
  })
  const clockOf = (process: VirtualProcess) => {
    const nowMs = () => epochMs + Math.floor(scheduler.now()) + process.skewMs
    return { nowMs, now: () => new Date(nowMs()) }
  }
  const logOf = (process: VirtualProcess) => {
    const say = (level: string) => (given: unknown, text?: unknown) => {
      if (!options.trace) return
      const error = (given as { err?: Error } | null)?.err
      options.trace(
        `${scheduler.now().toFixed(1).padStart(9)} ${process.name.padEnd(16)}   ${level}: ${String(text ?? given)}${error ? ` (${error.message})${error.cause instanceof Error ? `: ${error.cause.message}` : ''}` : ''}`,
      )
    }
    const quiet = () => {}
    const log = { info: quiet, debug: quiet, trace: quiet, warn: say('warn'), error: say('error'), fatal: say('fatal') }
    return log as unknown as Log
  }

  function start(service: ServiceName, replica: number): void {
    const process = newProcess(`${service}-${replica}`, service)
    const { database, abandon } = openVirtualDatabase(databases, stores[service], services[service].models, process)
    alive.set(process.name, { process, abandon })
    const bus = openVirtualBus(network, registers, scheduler, process, service)
    trace(process, 'starts')
    scheduler.after(0, process, () => {
      const opened = {
        bus,
        db: database,
        provider: provider.portOf(process),
        clock: clockOf(process),
        log: logOf(process),
      }
      // A start fails if it needs something that is down. The process then starts again.
      void Promise.resolve(services[service].start(opened)).catch((error: unknown) => {
        trace(process, `could not start: ${String(error)}`)
        crash(process)
      })
    })
  }

  function crash(process: VirtualProcess): void {
    if (!process.alive) return
    process.alive = false
    trace(process, 'crashes')
    alive.get(process.name)?.abandon()
    alive.delete(process.name)
    network.forget(process)
    const [service, replica] = process.name.split('-') as [ServiceName, string]
    // A command that has died is not started again.
    if (!(service in services)) return
    scheduler.after(chance.between(100, 3_000), null, () => start(service, Number(replica)))
  }

  function pauseFor(process: VirtualProcess, ms: number): void {
    process.pausedUntil = scheduler.now() + ms
    trace(process, `is paused until ${process.pausedUntil.toFixed(0)}`)
  }

  /** Creates a process that is never under test: clients, and the services that are played. */
  function outsider(name: string): { process: VirtualProcess; bus: Bus; log: Log } {
    const process = { ...newProcess(name, name), skewMs: 0 }
    return { process, bus: openVirtualBus(network, registers, scheduler, process, name), log: logOf(process) }
  }

  /** The database goes back in time, and the witness is lost, in some seeds. Somebody repairs what that leaves behind. */
  function beginGoingBack(): void {
    const { goesBack, afterSubmission, losesWitnessMs, losesWitness } = drawGoingBack(witnessChance)
    if (goesBack === 0 && !losesWitness) return
    goingBack.watch()
    const goBackIn = (ms: number) => {
      scheduler.after(ms, null, goingBack.goBack)
      if (losesWitnessMs !== null) scheduler.after(ms + losesWitnessMs, null, registers.lose)
    }
    let times = goesBack
    if (afterSubmission)
      onReceived = () => {
        if (times === 0 || witnessChance.happens(0.5)) return
        times -= 1
        goBackIn(witnessChance.pick([0, 5, 50, 500, 2_000]))
      }
    else for (; times > 0; times -= 1) goBackIn(witnessChance.between(500, 8_000))
    if (losesWitness) scheduler.after(witnessChance.between(500, 8_000), null, registers.lose)
    const repair = () => {
      const { process, bus } = outsider('operator')
      const databaseOf = (service: GuardedSchema) =>
        openVirtualDatabase(databases, stores[service], services[service].models, process).database
      const own = { operations: databaseOf('operations'), submitter: databaseOf('submitter') }
      let isDone = false
      scheduler.as(process, () => void goingBack.repair(own, bus, process).then(() => (isDone = true)))
      const wait = () => void scheduler.after(3_000, null, () => (isDone || !process.alive ? repair() : wait()))
      wait()
    }
    scheduler.after(3_000, null, repair)
  }

  /** Repeats `run` after about `everyMs()`, until that is 0. */
  function recurring(everyMs: () => number, run: () => void): void {
    if (everyMs() === 0) return
    scheduler.after(-Math.log(1 - chance.between(0, 1)) * everyMs(), null, () => {
      if (everyMs() === 0) return
      run()
      recurring(everyMs, run)
    })
  }
  const past = new Set<string>()
  const grants = createGrants()
  const anybody = () => chance.pick([...alive.values()]).process

  return {
    seed,
    scheduler,
    chance,
    temper,
    stores,
    network,
    provider,
    grants,
    watch,
    goingBack,
    trace,
    outsider,
    /** The owner's connection as the gateways know it; requests carry it. */
    connectionOf: (ownerId: string): string | null =>
      ([...(stores.onboarding.tables.get('bindings')?.rows.values() ?? [])].find(
        (row) => row.owner_id === ownerId && row.status === 'connected',
      )?.id as string | undefined) ?? null,
    /** Once this is true, clients send nothing more and ignore answers. */
    closed: false,
    /** The end of an authority: usually long after the seed, sometimes during it. */
    drawEnd: () => new Date(epochMs + (ends.happens(0.15) ? ends.between(200, 8_000) : 30 * 86_400_000)),
    /** A time, counted from the start of the seed. */
    date: (ms: number) => new Date(epochMs + ms),
    /** Returns the id of an operation that succeeded before the seed began. Nobody asks about it any more. */
    settledBefore: () => {
      const id = uuidFrom(Math.random, epochMs)
      past.add(id)
      return id
    },
    isPast: (id: unknown) => past.has(id as string),
    clock: { nowMs: () => epochMs + Math.floor(scheduler.now()) },
    /** Opens another connection to a service's database, for a process that no other process knows. */
    open: (service: ServiceName): Database => {
      const process = newProcess(`extra-${service}`, service)
      return openVirtualDatabase(databases, stores[service], services[service].models, process).database
    },
    /** Starts every service, and the faults. */
    begin: () => {
      for (const schema of guardedSchemas) beginWitness(schema, stores[schema], registers)
      for (const [service, { replicas }] of Object.entries(services))
        for (let replica = chance.whole(replicas[0], replicas[1]); replica > 0; replica -= 1)
          start(service as ServiceName, replica)
      if (!options.record) beginGoingBack()
      const authz = outsider('authz')
      scheduler.as(authz.process, () => playAuthz(authz.bus, authz.log, grants))
      recurring(
        () => temper.crashEveryMs,
        () => alive.size > 0 && crash(anybody()),
      )
      recurring(
        () => temper.pauseEveryMs,
        () => {
          if (alive.size === 0) return
          pauseFor(anybody(), chance.between(200, 12_000))
        },
      )
      recurring(
        () => temper.partitionEveryMs,
        () => {
          if (alive.size === 0) return
          const process = anybody()
          network.cutOff(process)
          trace(process, 'is cut off')
          scheduler.after(chance.between(200, 8_000), null, () => network.rejoin(process))
        },
      )
      recurring(
        () => temper.brokerDownEveryMs,
        () => {
          network.setDown(true)
          if (chance.happens(0.5)) network.wipe()
          trace(null, 'the broker is away')
          scheduler.after(chance.between(200, 5_000), null, () => network.setDown(false))
        },
      )
      recurring(
        () => temper.databaseDownEveryMs,
        () => {
          const service = chance.pick(Object.keys(services))
          databases.down.add(service)
          trace(null, `the database of ${service} is away`)
          scheduler.after(chance.between(200, 5_000), null, () => databases.down.delete(service))
        },
      )
    },
    /** Ends all faults. Services that are down start again by themselves. */
    calm: () => calm(temper),
    /** The hash of the whole trace. */
    hash: () => hash('sha256', history.join('\n')),
    end: () => {
      useSource(null)
    },
  }
}
