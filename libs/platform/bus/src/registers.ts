/**
 * The registers of the witness: values in JetStream, each under a subject of its own, that only a compare-and-set changes. The
 * compare-and-set is on the sequence of the subject's last message, which every nats-server since 2.10 can do.
 *
 * Invariant: a write that is acknowledged replaced exactly the entry that was expected, on a quorum of the servers.
 */

import { Unavailable } from '@financial-agents/runtime/unavailable'
import { type NatsConnection, NatsError } from 'nats'
import { findStored, NoStream } from './stored-message.ts'
import { streamNames } from './streams.ts'

/** The last message of a subject. `sequence` is its place in the stream. */
export type Entry<Value> = { value: Value; sequence: number }

/** Another entry is there than the one that was expected. */
export class Conflict extends Error {
  override readonly name = 'Conflict'
}

export type Registers = {
  /** @throws NoStream, or Unavailable */
  read<Value>(subject: string): Promise<Entry<Value> | undefined>
  /**
   * Writes if the last entry has the sequence `expected`, 0 for none. Returns the new sequence.
   * @throws Conflict; NoStream; Unavailable if no answer came: it may have been written
   */
  write(subject: string, value: unknown, expected: number): Promise<number>
  /**
   * Adds to a log, whatever was there.
   * @throws NoStream; Unavailable if no answer came: it may have been added
   */
  append(subject: string, value: unknown): Promise<void>
  /** Removes the entries of all subjects that match. */
  clear(subjects: string): Promise<void>
}

const wrongLastSequence = 10_071
const timeoutMs = 2_000

export function openRegisters(connection: NatsConnection): Registers {
  const jetstream = connection.jetstream()
  return {
    read: async (subject) => {
      const message = await findStored(connection, streamNames.witness, { last_by_subj: subject })
      return message && { value: JSON.parse(message.data) as never, sequence: message.sequence }
    },
    write: async (subject, value, expected) => {
      const expect = { lastSubjectSequence: expected, streamName: streamNames.witness }
      const ack = await jetstream.publish(subject, JSON.stringify(value), { expect, timeout: timeoutMs }).catch(rethrow)
      return ack.seq
    },
    append: async (subject, value) => {
      await jetstream.publish(subject, JSON.stringify(value), { timeout: timeoutMs }).catch(rethrow)
    },
    clear: async (subjects) => {
      const request = JSON.stringify({ filter: subjects })
      const answer = await connection
        .request(`$JS.API.STREAM.PURGE.${streamNames.witness}`, request, { timeout: timeoutMs })
        .catch(rethrow)
      const { success } = answer.json<{ success?: boolean }>()
      if (!success) throw new Unavailable('the witness cannot be cleared')
    },
  }
}

function rethrow(error: unknown): never {
  if (error instanceof NatsError) {
    if (error.api_error?.err_code === wrongLastSequence) throw new Conflict('the entry has changed', { cause: error })
    if (error.code === '503') throw new NoStream('the stream of the witness does not exist', { cause: error })
  }
  throw new Unavailable('the witness does not answer', { cause: error })
}
