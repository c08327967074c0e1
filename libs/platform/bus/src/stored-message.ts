/** Reads single messages of a stream, without a consumer. */

import { Unavailable } from '@financial-agents/runtime/unavailable'
import type { NatsConnection } from 'nats'

/** There is no stream: it was lost, or never made. */
export class NoStream extends Unavailable {
  override readonly name = 'NoStream'
}

export type StoredMessage = { data: string; sequence: number }

/** The last message of a subject, or the first one from a sequence on. */
export type Wanted = { last_by_subj: string } | { seq: number; next_by_subj: string }

const noMessageFound = 10_037
const streamNotFound = 10_059
const timeoutMs = 2_000

/**
 * Returns undefined if the stream has no such message.
 * @throws NoStream, or Unavailable
 */
export async function findStored(
  connection: NatsConnection,
  stream: string,
  wanted: Wanted,
): Promise<StoredMessage | undefined> {
  const answer = await connection
    .request(`$JS.API.STREAM.MSG.GET.${stream}`, JSON.stringify(wanted), { timeout: timeoutMs })
    .catch((cause: unknown) => {
      throw new Unavailable(`the stream ${stream} does not answer`, { cause })
    })
  const { message, error } = answer.json<{
    message?: { seq: number; data: string }
    error?: { err_code: number; description: string }
  }>()
  if (error?.err_code === noMessageFound) return undefined
  if (error?.err_code === streamNotFound) throw new NoStream(`the stream ${stream} does not exist`)
  if (!message) throw new Unavailable(`the stream ${stream} cannot be read: ${error?.description ?? 'no message'}`)
  return { data: Buffer.from(message.data, 'base64').toString('utf8'), sequence: message.seq }
}
