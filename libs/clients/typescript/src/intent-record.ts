/**
 * The record that the client keeps of a durable write. It makes sure that the write stays one write, even if the client
 * crashes.
 *
 * The key is a digest of environment, client, account, route and intent: two processes, and a process that lost its
 * store, send the same key. The record is in the store before the first byte is sent. An accepted write is kept for
 * good: its intent finds the operation long after the API has forgotten the key.
 */

import type { Metadata } from './call-options.ts'
import { ClientError } from './client-error.ts'
import type { Core } from './core.ts'
import type { ApiProblem } from './problem.ts'
import type { Row } from './row.ts'

/** A write that may have been sent. */
export type SendingRecord = {
  key: string
  /** The digest of path and body. */
  hash: string
  /** The server's time of the first attempt, in milliseconds. */
  at: number
  /** The confirmation that the owner was asked for. */
  confirmation?: string
  /** True while it is known that no attempt is open: the record is kept for its confirmation alone. */
  unsent?: boolean
}

/** A write that was accepted. */
export type AcceptedRecord = { hash: string; operationId: string }

/** The application's own note about an accepted write. */
export type Note = { intent: string; metadata: Metadata }

/** A write as its caller asks for it. */
export type Intended = { row: Row; path: string; body: string | undefined; hash: string; intent: string }

const encode = (text: string) => new TextEncoder().encode(text)

async function digest(text: string): Promise<string> {
  const bytes = new Uint8Array(await crypto.subtle.digest('SHA-256', encode(text)))
  return btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replace(/=+$/, '')
}

/** The records of one intent of one route. */
export type IntentRecords = {
  key: string
  /** The accepted write. @throws ClientError `intent_conflict` if the intent was used with another request */
  accepted(): Promise<AcceptedRecord | undefined>
  /** The record of this write, and true if no attempt is open. @throws ClientError `intent_conflict` */
  claim(): Promise<{ record: SendingRecord; fresh: boolean }>
  save(record: SendingRecord): Promise<void>
  accept(operationId: string): Promise<void>
  /** Keeps the metadata of the write, once it was accepted with its operation. */
  note(metadata: Metadata | undefined, operationId?: string): Promise<void>
  /** Keeps that no attempt is open. Without a confirmation, the intent is free again. */
  unsent(record: SendingRecord): Promise<void>
}

/** The error about an intent of another request: one of this store, or one that the API knows from elsewhere, the `cause`. */
export function intentConflict(intent: string, cause?: ApiProblem): ClientError {
  const where = cause ? ', by a program with another store' : ''
  const message = `The intent "${intent}" was used with another request${where}. Repeat that one exactly, or use a new intent.`
  return new ClientError('intent_conflict', message, { cause })
}

/** Finds the records of a write. */
export async function intentRecords(core: Core, { row, hash, intent }: Intended): Promise<IntentRecords> {
  const { store, scope, clock } = core
  const route = `${row.method} ${row.path}`
  const key = await digest(`${scope}${route}\n${intent}`)
  const accepted = `accepted/${route}/${intent}`
  const sending = `sending/${route}/${intent}`
  const noted = `metadata/${route}/${intent}`
  return {
    key,
    accepted: async () => {
      const record = (await store.get(accepted)) as AcceptedRecord | undefined
      if (record && record.hash !== hash) throw intentConflict(intent)
      return record
    },
    claim: async () => {
      const made: SendingRecord = { key, hash, at: clock.now() }
      if (await store.set(sending, made, { ifAbsent: true })) return { record: made, fresh: true }
      const record = ((await store.get(sending)) as SendingRecord | undefined) ?? made
      if (record.hash !== hash) throw intentConflict(intent)
      return { record, fresh: record.unsent === true }
    },
    save: async (record) => void (await store.set(sending, record)),
    note: async (metadata, operationId) => {
      if (!metadata) return
      if (operationId === undefined) await store.set(noted, metadata)
      else await store.set(noteOf(operationId), { intent, metadata } satisfies Note)
    },
    accept: async (operationId) => {
      const metadata = (await store.get(noted)) as Metadata | undefined
      if (metadata) await store.set(noteOf(operationId), { intent, metadata } satisfies Note)
      await store.set(accepted, { hash, operationId } satisfies AcceptedRecord)
      await store.delete(sending)
      if (metadata) await store.delete(noted)
    },
    unsent: async (record) => {
      if (record.confirmation === undefined) {
        await store.delete(sending)
        await store.delete(noted)
      } else await store.set(sending, { ...record, unsent: true })
    },
  }
}

/** The place of a note in the store. */
export const noteOf = (operationId: string) => `operation/${operationId}`

/**
 * The digest by which two requests are equal: of the path, and of the JSON that is sent in its canonical form (RFC 8785). So
 * it is of the results of every `toJSON`.
 */
export function requestHash(path: string, body: string | undefined): Promise<string> {
  return digest(`${path}\n${body === undefined ? '' : canonical(JSON.parse(body))}`)
}

function canonical(value: unknown): string {
  if (value === null || typeof value !== 'object') return JSON.stringify(value)
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`
  const members = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1))
  return `{${members.map(([name, member]) => `${JSON.stringify(name)}:${canonical(member)}`).join(',')}}`
}
