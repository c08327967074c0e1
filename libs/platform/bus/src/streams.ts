/**
 * The streams and their durable consumers, as data. Only the provisioner may create them. PostgreSQL holds the truth. Two streams
 * only wake consumers up: a lost message delays work and never loses it. The others are the witness: how far the guarded schemas
 * have come, which authority has ended, and which payments may have been sent. They show that PostgreSQL has gone back in time, and what
 * it has lost.
 */

import { kindFacts, type OperationKind, operationKinds } from '@financial-agents/contract/kinds'
import {
  AckPolicy,
  type ConsumerConfig,
  DeliverPolicy,
  DiscardPolicy,
  RetentionPolicy,
  StorageType,
  type StreamConfig,
} from 'nats'
import type { ServiceName } from './calls/row.ts'

const secondNs = 1_000_000_000
const mib = 1 << 20

/**
 * The time for which a stream keeps a message. The background jobs deliver missed messages to a consumer that is away for longer.
 */
const maxAgeS = 15 * 60

export const streamNames = {
  submit: 'OPS_SUBMIT',
  event: 'OPS_EVENT',
  witness: 'WITNESS',
  ends: 'WITNESS_ENDS',
  payments: 'WITNESS_PAYMENTS',
} as const

/** The stream that captures a subject, by the subject's prefix. */
export const streamSubjects = [
  [streamNames.submit, 'ops.submit.'],
  [streamNames.event, 'ops.event.'],
] as const

/** The subject of the payments that may have been sent. */
export const witnessedPayments = 'witnessed.payments'

type StreamPlan = { config: Partial<StreamConfig> & { name: string }; consumers: Partial<ConsumerConfig>[] }

const limits: Partial<StreamConfig> = {
  storage: StorageType.File,
  retention: RetentionPolicy.Limits,
  discard: DiscardPolicy.New,
  max_age: maxAgeS * secondNs,
  duplicate_window: 120 * secondNs,
}

const kept: Partial<StreamConfig> = {
  storage: StorageType.File,
  retention: RetentionPolicy.Limits,
  discard: DiscardPolicy.New,
  max_bytes: 256 * mib,
}

/**
 * The configuration of a service's durable pull consumer. At most `maxPending` messages are unacknowledged; each
 * carries a batch.
 */
function consumer(
  durable: string,
  filters: readonly string[],
  ackWaitS: number,
  maxPending: number,
): Partial<ConsumerConfig> {
  return {
    durable_name: durable,
    ...(filters.length === 1 ? { filter_subject: filters[0] as string } : { filter_subjects: [...filters] }),
    ack_policy: AckPolicy.Explicit,
    deliver_policy: DeliverPolicy.All,
    ack_wait: ackWaitS * secondNs,
    max_deliver: -1,
    max_ack_pending: maxPending,
  }
}

function eventSubjects(kinds: readonly OperationKind[]): string[] {
  return kinds.map((kind) => `ops.event.${kind}`)
}

/** The settings that differ between environments. */
export type StreamOptions = {
  /** The number of replicas of each stream: 1 in development, 3 in production. */
  replicas: number
  /** The maximum size of each stream. The README relates it to a rate of operations. */
  maxBytes?: { submit: number; event: number }
}

/** Enough for 900 operations a second while messages are kept, or for bursts of 3,000 a second for five minutes. */
const developmentBytes = { submit: 128 * mib, event: 2_048 * mib }

export function streamPlans({ replicas, maxBytes = developmentBytes }: StreamOptions): StreamPlan[] {
  return [
    {
      config: {
        ...limits,
        name: streamNames.submit,
        subjects: ['ops.submit.>'],
        max_bytes: maxBytes.submit,
        num_replicas: replicas,
      },
      consumers: [consumer('submitter', ['ops.submit.>'], 30, 64)],
    },
    {
      config: {
        ...limits,
        name: streamNames.event,
        subjects: ['ops.event.>'],
        max_bytes: maxBytes.event,
        num_replicas: replicas,
      },
      consumers: [
        consumer('operations', ['ops.event.>'], 30, 64),
        consumer('reconciler', ['ops.event.>'], 30, 64),
        consumer('notifier', ['ops.event.>'], 30, 64),
        ...Array.from(
          Map.groupBy(operationKinds, (kind) => kindFacts[kind].area),
          ([service, kinds]) => consumer(service satisfies ServiceName, eventSubjects(kinds), 30, 64),
        ),
      ],
    },
    // One entry a subject, which only its successor removes.
    {
      config: {
        ...kept,
        name: streamNames.witness,
        subjects: ['witness.>'],
        max_msgs_per_subject: 1,
        num_replicas: replicas,
      },
      consumers: [],
    },
    // As far back as a database may be restored. Copies of several replicas may arrive in any order.
    {
      config: {
        ...kept,
        name: streamNames.ends,
        subjects: ['witnessed.ends.>'],
        discard: DiscardPolicy.Old,
        max_msgs_per_subject: 4,
        max_age: 400 * 24 * 3_600 * secondNs,
        num_replicas: replicas,
      },
      consumers: [],
    },
    // No month is archived sooner, so a payment that operations does not know is one that it has lost.
    {
      config: {
        ...kept,
        name: streamNames.payments,
        subjects: [witnessedPayments],
        discard: DiscardPolicy.Old,
        max_bytes: 1_024 * mib,
        max_age: 28 * 24 * 3_600 * secondNs,
        num_replicas: replicas,
      },
      consumers: [],
    },
  ]
}
