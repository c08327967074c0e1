/** Reads all that a stream holds, without a consumer of the plan. Services get events by their durable consumers. */

import { DeliverPolicy } from 'nats'
import type { Bus } from './connect.ts'
import type { EventBatch, OperationTransition } from './messages/events.ts'
import type { WitnessedEnd, WitnessedPayment, WitnessedPayments } from './messages/witness.ts'
import { findStored } from './stored-message.ts'
import { streamNames } from './streams.ts'

/** Yields the transitions in the order of the stream, up to its end at this time. Only the provisioner may make the consumer. */
export async function* readEvents(bus: Bus): AsyncGenerator<OperationTransition> {
  for await (const text of readStream(bus, streamNames.event)) yield* transitionsOf(text)
}

/**
 * Yields the same message by message: slower, but without a consumer.
 * @throws NoStream, or Unavailable
 */
export async function* readEventsSingly({ connection }: Pick<Bus, 'connection'>): AsyncGenerator<OperationTransition> {
  for (let seq = 1; ; ) {
    const message = await findStored(connection, streamNames.event, { seq, next_by_subj: 'ops.event.>' })
    if (!message) return
    yield* transitionsOf(message.data)
    seq = message.sequence + 1
  }
}

/** Returns the newest end, or return, of each authority. As `readEvents`. */
export async function readEnds(bus: Bus): Promise<WitnessedEnd[]> {
  const newest = new Map<string, WitnessedEnd>()
  for await (const text of readStream(bus, streamNames.ends)) {
    const end = JSON.parse(text) as WitnessedEnd
    const key = `${end.target} ${end.target_id}`
    if (end.version > (newest.get(key)?.version ?? 0)) newest.set(key, end)
  }
  return [...newest.values()]
}

/** Returns the payments that may have been sent since then, each once. */
export async function readPayments(bus: Bus, since: Date | undefined): Promise<WitnessedPayment[]> {
  const found = new Map<string, WitnessedPayment>()
  for await (const text of readStream(bus, streamNames.payments, since))
    for (const payment of (JSON.parse(text) as WitnessedPayments).payments) found.set(payment.operation_id, payment)
  return [...found.values()]
}

async function* readStream(bus: Bus, stream: string, since?: Date): AsyncGenerator<string> {
  const manager = await bus.connection.jetstreamManager()
  const { last_seq: last, messages: held } = (await manager.streams.info(stream)).state
  if (held === 0) return
  const from = since && { opt_start_time: since.toISOString(), deliver_policy: DeliverPolicy.StartTime }
  const consumer = await bus.connection.jetstream().consumers.get(stream, from)
  if ((await consumer.info()).num_pending === 0) return
  const messages = await consumer.consume({ max_messages: 500 })
  try {
    for await (const message of messages) {
      yield message.string()
      if (message.seq >= last || message.info.pending === 0) return
    }
  } finally {
    await messages.close()
  }
}

/** Returns nothing for a message that is no event, as consumers do. */
function transitionsOf(text: string): readonly OperationTransition[] {
  try {
    return (JSON.parse(text) as Partial<EventBatch>).transitions ?? []
  } catch {
    return []
  }
}
