/** Starts the writes of one area: their consumer of events and their background jobs. */

import type { Area, KindOfArea } from '@financial-agents/contract/kinds'
import { startBackgroundJobs } from './background-job.ts'
import { consumeEvents } from './events.ts'
import type { WriteKind } from './write.ts'
import { createWrites, type Writes, type WritesOptions } from './writes.ts'

export type AreaWritesOptions<A extends Area> = Omit<WritesOptions, 'kinds' | 'durable'> & {
  /** The area is also the name of its durable event consumer. */
  area: A
  /** Every kind that the area writes: a missing one does not compile. */
  // oxlint-disable-next-line typescript/no-explicit-any -- each kind has an input of its own, and only sees its own
  kinds: { readonly [K in KindOfArea<A>]: WriteKind<any, K> }
}

/** Starts the consumer and the background jobs too. `stop` ends both; the caller closes the bus and the database. */
export function startWrites<A extends Area>(area: AreaWritesOptions<A>): Writes & { stop(): Promise<void> } {
  const options: WritesOptions = { ...area, kinds: Object.values(area.kinds), durable: area.area }
  const writes = createWrites(options)
  const consuming = consumeEvents(options, writes)
  const jobs = startBackgroundJobs(options, writes)
  return {
    ...writes,
    stop: async () => {
      await Promise.all([consuming.stop(), ...jobs.map((job) => job.stop())])
    },
  }
}
