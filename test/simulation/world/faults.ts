/**
 * The faults of a seed. Each seed has a temper of its own: some are calm except for one kind of fault, some have every
 * kind at once. All faults end after the random phase.
 */

import type { DatabaseFaults } from '../virtual/database.ts'
import type { NetworkFaults } from '../virtual/network.ts'
import { drawDeadlines, type ProviderFaults } from '../virtual/provider.ts'
import type { Chance } from '../virtual/random.ts'

export type Temper = {
  database: DatabaseFaults
  network: NetworkFaults
  provider: ProviderFaults
  /** Mean intervals between these faults, ms; 0: never. */
  crashEveryMs: number
  pauseEveryMs: number
  /** The probability that a submitter is paused beyond its lease while it waits for the provider. */
  stalls: number
  partitionEveryMs: number
  brokerDownEveryMs: number
  databaseDownEveryMs: number
  /** The largest difference between the clocks of processes, ms. */
  skewMs: number
}

export function drawTemper(chance: Chance): Temper {
  const sometimes = (probability: number, from: number, to: number) =>
    chance.happens(probability) ? chance.between(from, to) : 0
  const slowness = chance.pick([1, 1, 4, 20])
  const hop = () => chance.between(0.1, 1) * slowness
  const stalls = chance.pick([0, 0.01, 0.06])
  const hopWithStalls = () => (chance.happens(stalls) ? chance.between(50, 2_500) : hop())
  return {
    database: {
      ambiguousCommit: sometimes(0.4, 0.01, 0.1),
      broken: sometimes(0.3, 0.005, 0.03),
      crashAfterCommit: sometimes(0.4, 0.01, 0.06),
      latency: hopWithStalls,
    },
    network: {
      lost: sometimes(0.5, 0.02, 0.25),
      repeated: sometimes(0.5, 0.05, 0.4),
      late: sometimes(0.5, 0.05, 0.3),
      latency: hop,
    },
    provider: {
      unreachable: sometimes(0.3, 0.05, 0.3),
      lost: sometimes(0.4, 0.05, 0.4),
      slow: sometimes(0.4, 0.1, 0.5),
      errors: sometimes(0.4, 0.05, 0.3),
      refuses: sometimes(0.5, 0.1, 0.4),
      hides: sometimes(0.5, 0.2, 0.8),
      contradicts: sometimes(0.4, 0.05, 0.3),
      losesSight: sometimes(0.4, 0.1, 0.6),
      asksFor: chance.happens(0.25) ? ['beneficiary_create', 'mandate_create', 'transfer'] : [],
      latency: () => chance.between(5, 60) * slowness,
      deadlines: chance.happens(0.5) ? drawDeadlines(chance) : null,
    },
    crashEveryMs: sometimes(0.5, 1_500, 8_000),
    pauseEveryMs: sometimes(0.4, 2_000, 8_000),
    stalls: sometimes(0.3, 0.05, 0.3),
    partitionEveryMs: sometimes(0.4, 2_000, 8_000),
    brokerDownEveryMs: sometimes(0.25, 4_000, 10_000),
    databaseDownEveryMs: sometimes(0.25, 4_000, 10_000),
    skewMs: sometimes(0.5, 10, 1_500),
  }
}

/** Ends all faults. The objects stay the same, so that every holder sees the change. */
export function calm(temper: Temper): void {
  Object.assign(temper.database, { ambiguousCommit: 0, broken: 0, crashAfterCommit: 0, latency: () => 0.5 })
  Object.assign(temper.network, { lost: 0, repeated: 0, late: 0, latency: () => 0.5 })
  Object.assign(temper.provider, {
    unreachable: 0,
    lost: 0,
    slow: 0,
    errors: 0,
    hides: 0,
    contradicts: 0,
    losesSight: 0,
    latency: () => 10,
  })
  Object.assign(temper, {
    crashEveryMs: 0,
    pauseEveryMs: 0,
    stalls: 0,
    partitionEveryMs: 0,
    brokerDownEveryMs: 0,
    databaseDownEveryMs: 0,
  })
}
