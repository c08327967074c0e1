/**
 * A proof is good once, across all replicas: the record of used proofs lives with the process that issued the proof's nonce
 * (its boot id is in the nonce), and every other replica asks there.
 *
 * Invariant: a proof is `fresh` at most once. A record is kept in buckets by the time at which its nonce was issued; a bucket
 * is forgotten only when its nonces are old, and from then on every nonce of that time is refused, however the clock moves.
 * Full, asked in vain, or unsure: refused with a new nonce, never accepted.
 */

import { hash } from 'node:crypto'
import { createFingerprintSet, type FingerprintSet } from './fingerprint-set.ts'

/**
 * `fresh`: never seen, and recorded now. `replayed`: seen before (401 `invalid_dpop_proof`). `refused`: this record cannot
 * tell; the client needs a new nonce (401 `use_dpop_nonce`).
 */
export type ReplayVerdict = 'fresh' | 'replayed' | 'refused'

/** What a check answers: as `ReplayVerdict`, with the refusal named as the error it becomes. */
export type ProofUse = 'fresh' | 'replayed' | 'use_dpop_nonce'

/** Size and times of a record. */
export interface ReplayRecordOptions {
  nowMs: () => number
  /** How long a bucket is kept after its last nonce was issued; the nonce lifetime, and a little for other clocks. */
  retainMs: number
  /** The bound over all buckets; 24 to 48 bytes each. */
  maxEntries: number
  /** The width of a bucket: 30 s, as often as a nonce is renewed. */
  bucketMs?: number
}

/** The proofs that one process has seen. */
export interface ReplayRecord {
  /** Records a proof's key once. `nonceIssuedAtMs` is the time in the nonce, which this process issued. */
  recordOnce(key: string, nonceIssuedAtMs: number): ReplayVerdict
  readonly size: number
}

/** The question to another replica: does your record know this key, and if not, note it. */
export interface ReplayQuestion {
  bootId: string
  key: string
  nonceIssuedAtMs: number
}

const keyShape = /^[\w-]{43}$/

/** The name of a proof in a record: base64url(SHA-256(jkt "." jti)), so that its size says nothing of the jti's. */
export function replayKey(jkt: string, jti: string): string {
  return hash('sha256', `${jkt}.${jti}`, 'base64url')
}

/**
 * Makes an empty record. It belongs to the boot id of its process: a restarted process has a new one and is never asked about
 * nonces of its former life.
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
      // A clock that is set back must not reopen what was forgotten.
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

/** The record here, and how the others are asked. */
export interface ReplayCheckOptions {
  /** The boot id of this process, as its nonces name it. */
  ownBootId: string
  record: ReplayRecord
  /** Asks the process of `question.bootId`; may reject, may never settle. */
  ask: (question: ReplayQuestion) => Promise<ReplayVerdict>
  /** How long an answer is waited for: 250 ms. */
  askWithinMs?: number
}

/** What a check needs to know of a verified proof; the verifier's success has these members. */
export interface UsedProof {
  jkt: string
  jti: string
  nonceBootId: string
  nonceIssuedAtMs: number
}

/**
 * Makes the function that decides whether a verified proof is used for the first time: in the own record where this process
 * issued the nonce, else by asking the process that did. It never throws or rejects.
 */
export function createReplayCheck(options: ReplayCheckOptions): (proof: UsedProof) => ProofUse | Promise<ProofUse> {
  const { ownBootId, record, ask, askWithinMs = 250 } = options
  return function checkOnce(proof) {
    const { nonceBootId: bootId, nonceIssuedAtMs } = proof
    const key = replayKey(proof.jkt, proof.jti)
    if (bootId === ownBootId) return toUse(record.recordOnce(key, nonceIssuedAtMs))
    return answerWithin(ask, { bootId, key, nonceIssuedAtMs }, askWithinMs).then(toUse)
  }
}

/** Whatever is no verdict is none to accept. */
function toUse(verdict: ReplayVerdict): ProofUse {
  return verdict === 'fresh' || verdict === 'replayed' ? verdict : 'use_dpop_nonce'
}

async function answerWithin(
  ask: ReplayCheckOptions['ask'],
  question: ReplayQuestion,
  withinMs: number,
): Promise<ReplayVerdict> {
  let timer: NodeJS.Timeout | undefined
  const tooLate = new Promise<ReplayVerdict>((resolve) => {
    timer = setTimeout(() => resolve('refused'), withinMs)
  })
  try {
    return await Promise.race([ask(question), tooLate])
  } catch {
    // The process is gone or cannot be reached: only it knows, so nobody says yes.
    return 'refused'
  } finally {
    clearTimeout(timer)
  }
}
