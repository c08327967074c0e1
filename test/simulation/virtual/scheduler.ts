/**
 * Virtual time. Everything that happens is an event of one virtual process (or of none). Between two events every
 * promise that can continue has continued. So only one process's code runs at any moment, and its timers belong to it.
 *
 * Invariant: the seed alone determines the order of events. An event of a crashed process does not happen.
 */

/** A replica of a service, from its start to its crash. */
export type VirtualProcess = {
  readonly name: string
  readonly service: string
  alive: boolean
  /** None of its events happens before this time: the host has paused the process. */
  pausedUntil: number
  /** The difference between the process's own clock and virtual time. */
  readonly skewMs: number
}

/** A future event; also the return value of `setTimeout`. */
export class VirtualEvent {
  at: number
  readonly order: number
  readonly owner: VirtualProcess | null
  run: (() => void) | null
  constructor(at: number, order: number, owner: VirtualProcess | null, run: () => void) {
    this.at = at
    this.order = order
    this.owner = owner
    this.run = run
  }
  ref(): this {
    return this
  }
  unref(): this {
    return this
  }
  hasRef(): boolean {
    return true
  }
}

export type Scheduler = ReturnType<typeof createScheduler>

/** Virtual time begins at this fixed moment. */
export const epochMs = Date.UTC(2030, 0, 1)

export function createScheduler() {
  const heap: VirtualEvent[] = []
  const state = { now: 0, order: 0, current: null as VirtualProcess | null, events: 0, stopped: false }
  let failure: unknown

  const before = (a: VirtualEvent, b: VirtualEvent) => a.at < b.at || (a.at === b.at && a.order < b.order)

  function push(event: VirtualEvent): void {
    let index = heap.length
    heap.push(event)
    while (index > 0) {
      const parent = (index - 1) >> 1
      const above = heap[parent] as VirtualEvent
      if (!before(event, above)) break
      heap[index] = above
      index = parent
    }
    heap[index] = event
  }

  function pop(): VirtualEvent | undefined {
    const top = heap[0]
    const last = heap.pop()
    if (top === undefined || last === undefined || heap.length === 0) return top
    let index = 0
    for (;;) {
      let child = 2 * index + 1
      if (child >= heap.length) break
      if (child + 1 < heap.length && before(heap[child + 1] as VirtualEvent, heap[child] as VirtualEvent)) child += 1
      const below = heap[child] as VirtualEvent
      if (!before(below, last)) break
      heap[index] = below
      index = child
    }
    heap[index] = last
    return top
  }

  function after(delayMs: number, owner: VirtualProcess | null, run: () => void): VirtualEvent {
    state.order += 1
    const event = new VirtualEvent(state.now + (delayMs > 0 ? delayMs : 0), state.order, owner, run)
    push(event)
    return event
  }

  /** Runs the next event that can happen before `until`; false if there is none. */
  function step(until: number): boolean {
    for (;;) {
      const next = heap[0]
      if (next === undefined || next.at > until) return false
      pop()
      const { run, owner } = next
      if (run === null || (owner !== null && !owner.alive)) continue
      if (owner !== null && owner.pausedUntil > next.at) {
        state.order += 1
        push(Object.assign(next, { at: owner.pausedUntil, order: state.order }))
        continue
      }
      if (next.at > state.now) state.now = next.at
      state.current = owner
      state.events += 1
      next.run = null
      run()
      return true
    }
  }

  return {
    state,
    now: () => state.now,
    /** Schedules a timer of the current process. */
    own: (delayMs: number, run: () => void) => after(delayMs, state.current, run),
    after,
    cancel: (event: unknown) => {
      if (event instanceof VirtualEvent) event.run = null
    },
    /** Runs code as a process, outside of any event. */
    as: <Result>(owner: VirtualProcess | null, run: () => Result): Result => {
      const outer = state.current
      state.current = owner
      try {
        return run()
      } finally {
        state.current = outer
      }
    },
    /** Ends the run with this error. */
    fail: (error: unknown) => {
      failure ??= error
      state.stopped = true
    },
    /** All processes sleep for this time. Events that fall into it happen late. */
    sleepAll: (ms: number) => {
      state.now += ms
    },
    /**
     * Lets time run until `until`. Between events, promises are drained without leaving the tick queue: all
     * continuations of an event run before the microtask that asks for the next event.
     */
    run: (until: number) =>
      new Promise<void>((resolve, reject) => {
        const pump = () => {
          if (state.stopped) return failure === undefined ? resolve() : reject(failure)
          let went: boolean
          try {
            went = step(until)
          } catch (error) {
            return reject(error)
          }
          if (!went) {
            state.now = Math.max(state.now, until)
            return resolve()
          }
          queueMicrotask(next)
        }
        const next = () => process.nextTick(pump)
        next()
      }),
  }
}
