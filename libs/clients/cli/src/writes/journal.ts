/**
 * The journal of writes that were begun without `--intent`. An unfinished write is found again, with its intent, by an
 * equal command. A command that is repeated after a crash, a time-out or an uncertain outcome therefore continues the
 * same write, and pays once. Two processes that begin equal writes at the same time share one intent.
 *
 * A write ends when a command has printed its final outcome, or when the API has refused it for certain. The journal
 * also knows the operation of an accepted write, so that `operations wait` ends the write too.
 */

import { createHash, randomBytes } from 'node:crypto'
import type { Store } from '@financial-agents/client'

/** A write that was begun, and has not ended. `operationId` is known once the API has accepted the write. */
export type Begun = { intent: string; atMs: number; operationId?: string }
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
  /** Records the operation of the unfinished write. Does nothing if the unfinished write has another intent. */
  accept(intent: string, operationId: string): Promise<void>
  /**
   * Ends the write: the next equal command is another write. `done` says that it succeeded. Does nothing if the
   * unfinished write has another intent.
   */
  end(intent: string, done?: Omit<Done, 'intent'>): Promise<void>
}

export type Unfinished = { journal: Journal; intent: string }

/** The place of a write in the journal, by its operation. */
type Place = { digest: string; intent: string }

const placeName = (operationId: string) => `operation/${operationId}`

/** The journal of one write. Writes are equal if their commands send the same request with the same profile. */
export function journalOf(store: Store, request: unknown): Journal {
  return journalAt(store, createHash('sha256').update(JSON.stringify(request)).digest('hex'))
}

/** Finds the unfinished write that has this operation. */
export async function unfinishedWith(store: Store, operationId: string): Promise<Unfinished | undefined> {
  const place = (await store.get(placeName(operationId))) as Place | undefined
  return place && { journal: journalAt(store, place.digest), intent: place.intent }
}

function journalAt(store: Store, digest: string): Journal {
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
    accept: async (intent, operationId) => {
      const unfinished = await begun()
      if (unfinished?.intent !== intent || unfinished.operationId === operationId) return
      await store.set(placeName(operationId), { digest, intent } satisfies Place)
      await store.set(begunName, { ...unfinished, operationId } satisfies Begun)
    },
    end: async (intent, done) => {
      const unfinished = await begun()
      if (unfinished?.intent !== intent) return
      if (done) await store.set(doneName, { ...done, intent } satisfies Done)
      await store.delete(begunName)
      if (unfinished.operationId !== undefined) await store.delete(placeName(unfinished.operationId))
    },
  }
}

/** A new intent: `pay-20261123-8f3ka2`. */
function newIntent(kind: string): string {
  const day = new Date().toISOString().slice(0, 10).replaceAll('-', '')
  return `${kind}-${day}-${randomBytes(5).toString('hex')}`
}
