/**
 * The operations that events name and the database has lost. The stream keeps an event for a quarter of an hour, so their names are
 * recorded in the witness as soon as a loss is found. Operators see them from there.
 */

import type { Bus } from '@financial-agents/bus/connect'
import type { OperationTransition } from '@financial-agents/bus/messages/events'
import type { LostOperation, LostOperations } from '@financial-agents/bus/messages/witness'
import { readEventsSingly } from '@financial-agents/bus/read-events'
import { Conflict } from '@financial-agents/bus/registers'
import type { Database } from '@financial-agents/postgres/database'
import { findLosses } from '@financial-agents/witness/losses'
import type { Witness } from '@financial-agents/witness/witness'
import { findStateViews } from './store/state-views.ts'

/** What is named of the loss that was found at this moment. */
type Entry = LostOperations & { since: string }

const subject = 'witness.operations.lost-operations'
/** An entry is one message. */
const mostNamed = 500
const perQuery = 200

type Options = {
  db: Database
  bus: Pick<Bus, 'registers' | 'connection'>
  witness: Pick<Witness, 'closed'>
}

export function createLostOperations({ db, bus, witness }: Options) {
  const { registers } = bus

  /** The moment at which the first loss was found that is not recovered. */
  async function lossSince(): Promise<string | undefined> {
    const reason = witness.closed()?.reason
    if (reason !== 'loss' && reason !== 'elsewhere') return undefined
    const found = (await findLosses(registers)).map(({ since }) => since.toISOString())
    return found.toSorted()[0]
  }

  let recorded: string | undefined
  return {
    /** A background job. Replicas may do it at once: the first entry stays. */
    record: async (): Promise<void> => {
      const since = await lossSince()
      if (since === undefined || since === recorded) return
      const found = await registers.read<Entry>(subject)
      if (found?.value.since !== since)
        await registers
          .write(subject, { since, ...(await findLost(db, bus)) } satisfies Entry, found?.sequence ?? 0)
          .catch((error: unknown) => {
            if (!(error instanceof Conflict)) throw error
          })
      recorded = since
    },
    find: async (): Promise<LostOperations | null> => {
      const since = await lossSince()
      const entry = since === undefined ? undefined : (await registers.read<Entry>(subject))?.value
      return entry?.since === since && entry ? { count: entry.count, operations: entry.operations } : null
    },
  }
}

export function lostOperation(transition: OperationTransition): LostOperation {
  const { operation_id, kind, owner_id, client_id, to: state, at, upstream_reference = null } = transition
  return { operation_id, kind, owner_id, client_id, state, at, upstream_reference }
}

async function findLost(db: Database, bus: Options['bus']): Promise<LostOperations> {
  const lost = new Map<string, LostOperation>()
  let unchecked = new Map<string, LostOperation>()
  const check = async () => {
    for (const { operation_id } of await findStateViews(db, [...unchecked.keys()])) unchecked.delete(operation_id)
    for (const [id, operation] of unchecked) lost.set(id, operation)
    unchecked = new Map()
  }
  for await (const transition of readEventsSingly(bus)) {
    unchecked.set(transition.operation_id, lostOperation(transition))
    if (unchecked.size === perQuery) await check()
  }
  await check()
  return { count: lost.size, operations: [...lost.values()].slice(0, mostNamed) }
}
