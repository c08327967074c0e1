/**
 * The clients' requests and the answers they got. Any contradiction to an earlier answer is a breach: another operation
 * for the same key, one operation for two keys, a terminal state that changed.
 */

import type { Write } from './write.ts'

export type Book = {
  /** Acceptances by operation id. */
  accepted: ReadonlyMap<string, Write>
  /** The number of definitive refusals. */
  refused: number
  /** Sent, without a conclusive answer yet. */
  open: ReadonlySet<Write>
  breaches: string[]
  noteSent(write: Write): void
  noteAccepted(write: Write, operationId: string): void
  noteRefused(write: Write): void
  /** Clears the breaches, so that each is reported only by the test that found it. */
  forget(): void
  /** Notes the state of an operation that was read. */
  noteState(operationId: string, state: string): void
}

const terminal = new Set(['succeeded', 'failed', 'cancelled'])

export function createBook(): Book {
  const accepted = new Map<string, Write>()
  const idOf = new Map<Write, string>()
  const ends = new Map<string, string>()
  const open = new Set<Write>()
  const book: Book = {
    accepted,
    refused: 0,
    open,
    breaches: [],
    noteSent: (write) => {
      open.add(write)
    },
    noteAccepted: (write, operationId) => {
      open.delete(write)
      const before = idOf.get(write)
      if (before !== undefined && before !== operationId)
        book.breaches.push(`one ${write.kind} was accepted as ${before} and as ${operationId}`)
      const other = accepted.get(operationId)
      if (other !== undefined && other !== write) book.breaches.push(`${operationId} answers two requests`)
      idOf.set(write, operationId)
      accepted.set(operationId, write)
    },
    noteRefused: (write) => {
      open.delete(write)
      if (idOf.has(write)) book.breaches.push(`one ${write.kind} was accepted and then refused`)
      book.refused += 1
    },
    forget: () => {
      book.breaches = []
      open.clear()
    },
    noteState: (operationId, state) => {
      const before = ends.get(operationId)
      if (before !== undefined && before !== state) book.breaches.push(`${operationId} left ${before} for ${state}`)
      if (terminal.has(state)) ends.set(operationId, state)
    },
  }
  return book
}
