/**
 * The journal of writes that were begun without `--intent`. An unfinished write is found again, with its intent, by an
 * equal command. A command that is repeated after a crash, a time-out or an uncertain outcome therefore continues the
 * same write, and pays once. Two processes that begin equal writes at the same time share one intent.
 */

import { createHash, randomBytes } from 'node:crypto'
import type { Store } from '@financial-agents/client'

/** A write that was begun, and has not ended. */
export type Begun = { intent: string; atMs: number }
/** The last equal write that succeeded. */
export type Done = { intent: string; operationId: string; atMs: number }

export type Journal = {
  begun(): Promise<Begun | undefined>
  done(): Promise<Done | undefined>
  /**
   * Records a write before anything is sent. If another process has recorded an equal one meanwhile, returns that one
   * with `isMine` false.
   */
  begin(kind: string): Promise<Begun & { isMine: boolean }>
  /** Ends the write: the next equal command is another write. */
  end(done?: Omit<Done, 'atMs'>): Promise<void>
}

/** The journal of one write. Writes are equal if their commands send the same request with the same profile. */
export function journalOf(store: Store, request: unknown): Journal {
  const digest = createHash('sha256').update(JSON.stringify(request)).digest('hex')
  const [begunName, doneName] = [`begun/${digest}`, `done/${digest}`]
  const begun = async () => (await store.get(begunName)) as Begun | undefined
  return {
    begun,
    done: async () => (await store.get(doneName)) as Done | undefined,
    begin: async (kind) => {
      const made: Begun = { intent: newIntent(kind), atMs: Date.now() }
      if (await store.set(begunName, made, { ifAbsent: true })) return { ...made, isMine: true }
      return { ...((await begun()) ?? made), isMine: false }
    },
    end: async (done) => {
      if (done) await store.set(doneName, { ...done, atMs: Date.now() } satisfies Done)
      await store.delete(begunName)
    },
  }
}

/** A new intent: `pay-20261123-8f3ka2`. */
function newIntent(kind: string): string {
  const day = new Date().toISOString().slice(0, 10).replaceAll('-', '')
  return `${kind}-${day}-${randomBytes(5).toString('hex')}`
}
