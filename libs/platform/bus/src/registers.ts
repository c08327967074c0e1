/**
 * The registers of the witness: values in JetStream, each under a subject of its own, that only a compare-and-set changes. The
 * compare-and-set is on the sequence of the subject's last message, which every nats-server since 2.10 can do.
 *
 * Invariant: a write that is acknowledged replaced exactly the entry that was expected, on a quorum of the servers.
 */

import { Unavailable } from '@financial-agents/runtime/unavailable'
import { type NatsConnection, NatsError } from 'nats'
import { streamNames } from './streams.ts'

/** The last message of a subject. `sequence` is its place in the stream. */
export type Entry<Value> = { value: Value; sequence: number }

/** Another entry is there than the one that was expected. */
export class Conflict extends Error {
  override readonly name = 'Conflict'
}

/** There is no stream: it was lost, or never made. */
export class NoWitness extends Unavailable {
  override readonly name = 'NoWitness'
}

export type Registers = {
  /** @throws NoWitness, or Unavailable */
  read<Value>(subject: string): Promise<Entry<Value> | undefined>
  /**
   * Writes if the last entry has the sequence `expected`, 0 for none. Returns the new sequence.
   * @throws Conflict; NoWitness; Unavailable if no answer came: it may have been written
   */
  write(subject: string, value: unknown, expected: number): Promise<number>
  /**
   * Adds to a log, whatever was there.
   * @throws NoWitness; Unavailable if no answer came: it may have been added
   */
  append(subject: string, value: unknown): Promise<void>
  /** Removes the entries of all subjects that match. */
  clear(subjects: string): Promise<void>
}

const wrongLastSequence = 10_071
const noMessageFound = 10_037
const streamNotFound = 10_059
const timeoutMs = 2_000

export function openRegisters(connection: NatsConnection): Registers {
  const jetstream = connection.jetstream()
  return {
    read: async (subject) => {
      const request = JSON.stringify({ last_by_subj: subject })
      const answer = await connection
        .request(`$JS.API.STREAM.MSG.GET.${streamNames.witness}`, request, { timeout: timeoutMs })
        .catch(rethrow)
      const { message, error } = answer.json<{
        message?: { seq: number; data: string }
        error?: { err_code: number; description: string }
      }>()
      if (error?.err_code === noMessageFound) return undefined
      if (error?.err_code === streamNotFound) throw new NoWitness('the stream of the witness does not exist')
      if (!message) throw new Unavailable(`the witness cannot be read: ${error?.description ?? 'no message'}`)
      const text = Buffer.from(message.data, 'base64').toString('utf8')
      return { value: JSON.parse(text) as never, sequence: message.seq }
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
    if (error.code === '503') throw new NoWitness('the stream of the witness does not exist', { cause: error })
  }
  throw new Unavailable('the witness does not answer', { cause: error })
}
