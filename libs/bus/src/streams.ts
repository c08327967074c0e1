/**
 * The two streams and their durable consumers, as data; the provisioner creates them, nobody else may.
 * PostgreSQL is the truth and the streams are the wake-up: what they lose is only late.
 */

import {
  AckPolicy,
  type ConsumerConfig,
  DeliverPolicy,
  DiscardPolicy,
  RetentionPolicy,
  StorageType,
  type StreamConfig,
} from 'nats'

const hourNs = 3_600_000_000_000
const secondNs = 1_000_000_000

export const streamNames = { submit: 'OPS_SUBMIT', event: 'OPS_EVENT' } as const

type StreamPlan = { config: Partial<StreamConfig> & { name: string }; consumers: Partial<ConsumerConfig>[] }

const limits: Partial<StreamConfig> = {
  storage: StorageType.File,
  retention: RetentionPolicy.Limits,
  discard: DiscardPolicy.New,
  duplicate_window: 120 * secondNs,
}

/** Durable pull consumer of one service. `maxPending` messages are out at once; each carries a batch. */
function consumer(durable: string, filter: string, ackWaitS: number, maxPending: number): Partial<ConsumerConfig> {
  return {
    durable_name: durable,
    filter_subject: filter,
    ack_policy: AckPolicy.Explicit,
    deliver_policy: DeliverPolicy.All,
    ack_wait: ackWaitS * secondNs,
    max_deliver: -1,
    max_ack_pending: maxPending,
  }
}

/** @param replicas of each stream: 1 in development, 3 in production */
export function streamPlans(replicas: number): StreamPlan[] {
  return [
    {
      config: {
        ...limits,
        name: streamNames.submit,
        subjects: ['ops.submit.>'],
        max_age: 24 * hourNs,
        max_bytes: 1 << 30,
        num_replicas: replicas,
      },
      consumers: [consumer('submitter', 'ops.submit.>', 30, 64)],
    },
    {
      config: {
        ...limits,
        name: streamNames.event,
        subjects: ['ops.event.>'],
        max_age: 24 * hourNs,
        max_bytes: 1 << 30,
        num_replicas: replicas,
      },
      consumers: [
        consumer('operations', 'ops.event.>', 30, 64),
        consumer('reconciler', 'ops.event.>', 30, 64),
        consumer('beneficiaries', 'ops.event.beneficiary_create', 30, 64),
      ],
    },
  ]
}
