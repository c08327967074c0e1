/**
 * Accepts each proof once, across all replicas. The process that issued a proof's nonce keeps the record of its use.
 * The nonce holds that process's boot id, so every other replica knows which process to ask.
 *
 * Invariant: a proof is `fresh` at most once. The record keeps uses in buckets by the issue time of their nonces. A
 * bucket is forgotten only after its nonces have expired. From then on every nonce of that time is refused, even if the
 * clock is set back. If the record is full or the process does not answer, the proof is refused with a new nonce and
 * never accepted.
 */

import { hash } from 'node:crypto'
import { createFingerprintSet, type FingerprintSet } from './fingerprint-set.ts'

/**
 * `fresh`: the proof was not used before, and its use is now recorded. `replayed`: it was used before (401
 * `invalid_dpop_proof`). `refused`: this record cannot tell, and the client needs a new nonce (401 `use_dpop_nonce`).
 */
export type ReplayResult = 'fresh' | 'replayed' | 'refused'

/** The result of a replay check. A `refused` record becomes `use_dpop_nonce`, the error that the client gets. */
export type ProofUse = 'fresh' | 'replayed' | 'use_dpop_nonce'

export interface ReplayRecordOptions {
  nowMs: () => number
  /** The time for which a bucket is kept after the issue of its nonces: their lifetime and a tolerance for clocks. */
  retainMs: number
  /** The bound over all buckets; an entry takes 24 to 48 bytes. */
  maxEntries: number
  /** The width of a bucket; by default 30 s, the time after which a nonce is renewed. */
  bucketMs?: number
}

/** The record of the proofs that were used with this process's nonces. */
export interface ReplayRecord {
  /** Records the use of a proof by its key. `nonceIssuedAtMs` is the time in the nonce, which this process issued. */
  recordOnce(key: string, nonceIssuedAtMs: number): ReplayResult
  readonly size: number
}

/** A request to another replica: record the use of this proof, and say if it was used before. */
export interface ReplayQuestion {
  bootId: string
  key: string
  nonceIssuedAtMs: number
}

const keyShape = /^[\w-]{43}$/

/** The key of a proof in a record: base64url(SHA-256(jkt "." jti)). Its size does not depend on the length of `jti`. */
export function replayKey(jkt: string, jti: string): string {
  return hash('sha256', `${jkt}.${jti}`, 'base64url')
}

/**
 * Creates an empty record. It belongs to the boot id of its process. A restarted process has a new boot id, and is
 * never asked about the nonces that it issued before.
 */
export function createReplayRecord(options: ReplayRecordOptions): ReplayRecord {
  const { nowMs, retainMs, maxEntries, bucketMs = 30_000 } = options
  const buckets = new Map<number, FingerprintSet>()
  let firstOpen = Number.NEGATIVE_INFINITY
  let size = 0

  function forgetOld(firstLive: number): void {
    for (const [bucket, entries] of buckets) {
      if (bucket >= firstLive) continue
      buckets.delete(bucket)
      size -= entries.size
      // A clock that is set back must not open a forgotten bucket again.
      firstOpen = Math.max(firstOpen, bucket + 1)
    }
  }

  return {
    recordOnce(key, nonceIssuedAtMs) {
      const now = nowMs()
      const firstLive = Math.floor((now - retainMs) / bucketMs)
      const lastLive = Math.floor((now + retainMs) / bucketMs)
      forgetOld(firstLive)
      const bucket = Math.floor(nonceIssuedAtMs / bucketMs)
      const isOpen = bucket >= firstLive && bucket <= lastLive && bucket >= firstOpen
      if (!isOpen || !keyShape.test(key)) return 'refused'
      if (size >= maxEntries) return 'refused'
      const entries = buckets.get(bucket) ?? createFingerprintSet()
      buckets.set(bucket, entries)
      if (!entries.add(Buffer.from(key, 'base64url'))) return 'replayed'
      size += 1
      return 'fresh'
    },
    get size() {
      return size
    },
  }
}

/** The record of this process, and the way to ask other processes. */
export interface ReplayCheckOptions {
  /** The boot id of this process, as its nonces name it. */
  ownBootId: string
  record: ReplayRecord
  /** Asks the process with `question.bootId`. Rejects if no answer comes; the request waits until then. */
  ask: (question: ReplayQuestion) => Promise<ReplayResult>
}

/** The members of a verified proof that a replay check needs. */
export interface UsedProof {
  jkt: string
  jti: string
  nonceBootId: string
  nonceIssuedAtMs: number
}

/**
 * Creates the function that decides if a verified proof is used for the first time. It looks in the own record if this
 * process issued the nonce, and asks the issuing process otherwise. It never throws or rejects.
 */
export function createReplayCheck(options: ReplayCheckOptions): (proof: UsedProof) => ProofUse | Promise<ProofUse> {
  const { ownBootId, record, ask } = options
  return function checkOnce(proof) {
    const { nonceBootId: bootId, nonceIssuedAtMs } = proof
    const key = replayKey(proof.jkt, proof.jti)
    if (bootId === ownBootId) return toUse(record.recordOnce(key, nonceIssuedAtMs))
    return askOrRefuse(ask, { bootId, key, nonceIssuedAtMs }).then(toUse)
  }
}

/** Any unknown answer counts as a refusal. */
function toUse(result: ReplayResult): ProofUse {
  return result === 'fresh' || result === 'replayed' ? result : 'use_dpop_nonce'
}

async function askOrRefuse(ask: ReplayCheckOptions['ask'], question: ReplayQuestion): Promise<ReplayResult> {
  try {
    return await ask(question)
  } catch {
    // Only the issuing process knows the uses. If it is gone or cannot be reached, the proof is refused.
    return 'refused'
  }
}
