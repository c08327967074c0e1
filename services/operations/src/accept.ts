/**
 * Acceptance: the only way an operation comes into being (write protocol, rules 4, 11 and 12). Offers that wait together
 * share one transaction of separate statements, because each statement sees what others committed before it.
 *
 * Invariants: one operation for a live key; no key without an operation; exactly one of the offers of one operation id is
 * told `accepted`; a verdict that refuses has tombstoned the offered id.
 */

import type { AcceptRequest, AcceptVerdict } from '@financial-agents/bus/messages/operations'
import { Problem } from '@financial-agents/contract/problem'
import { createBatcher } from '@financial-agents/postgres/batcher'
import type { Database, Queryable } from '@financial-agents/postgres/database'
import { CommitUnknown, isRowFault } from '@financial-agents/postgres/errors'
import type { Clock } from '@financial-agents/runtime/clock'
import { failpoint } from '@financial-agents/runtime/failpoint'
import type { Announce } from './announce.ts'
import { isOwn, type Judgement, judgeDecided, judgeKey } from './judge.ts'
import { makeOffer, type Offer } from './offer.ts'
import { toOperation } from './operation-view.ts'
import { findDecisions, recordDecisions, withdrawDecisions } from './store/decisions.ts'
import { findKeys, recordKeys } from './store/keys.ts'
import { acceptedRow, recordOperations } from './store/operations.ts'

export type AcceptorOptions = {
  db: Database
  clock: Clock
  announce: Announce
  maxItems: number
  concurrency: number
  keyWindowMs: number
  /** Age at which the sweep publishes an unclaimed operation again. */
  sweepAfterMs: number
}

type Judgements = Map<Offer, Judgement>

const attempts = 3

/** Answers one offer, once the batch it went into has committed. */
export function createAcceptor(options: AcceptorOptions) {
  /** Offers that a transaction of unknown fate may have accepted. */
  const uncertain = new WeakSet<Offer>()
  const batcher = createBatcher<Offer, Judgement>({
    maxItems: options.maxItems,
    concurrency: options.concurrency,
    target: (offer) => offer.target,
    run: async (offers) => {
      const judgements = await decideBatch(options, offers, uncertain)
      return new Map(Array.from(judgements, ([offer, judgement]) => [offer.target, judgement]))
    },
  })
  return async (request: AcceptRequest, timeoutMs: number): Promise<AcceptVerdict> => {
    const offer = makeOffer(request, timeoutMs)
    const judgement = await batcher.submit(offer).catch((error: unknown): never => {
      throw new Problem(isRowFault(error) ? 'internal_error' : whenNotDone(offer, uncertain), { cause: error })
    })
    return toVerdict(judgement)
  }
}

async function decideBatch(
  options: AcceptorOptions,
  batch: readonly Offer[],
  uncertain: WeakSet<Offer>,
): Promise<Judgements> {
  const late = batch.filter((offer) => offer.deadlineMs <= performance.now())
  const offers = batch.filter((offer) => !late.includes(offer))
  const judgements = offers.length > 0 ? await decideWithRetries(options, offers, uncertain) : new Map()
  for (const offer of late) judgements.set(offer, { type: 'problem', code: whenNotDone(offer, uncertain) })
  return judgements
}

function whenNotDone(offer: Offer, uncertain: WeakSet<Offer>) {
  return uncertain.has(offer) ? 'acceptance_unknown' : 'service_unavailable'
}

/** Decides again where that tells more: each offer knows its own row by its token, so a repetition accepts nothing twice. */
async function decideWithRetries(
  options: AcceptorOptions,
  offers: readonly Offer[],
  uncertain: WeakSet<Offer>,
): Promise<Judgements> {
  for (let attempt = 1; ; attempt++) {
    try {
      const judgements = await decideOnce(options, offers)
      await announceAccepted(options.announce, judgements)
      failpoint('accept.after_publish')
      return judgements
    } catch (error) {
      if (error instanceof CommitUnknown) for (const offer of offers) uncertain.add(offer)
      else if (!(error instanceof KeyVanished)) throw error
      if (attempt === attempts) throw error
    }
  }
}

async function decideOnce(options: AcceptorOptions, offers: readonly Offer[]): Promise<Judgements> {
  const now = options.clock.now()
  const judgements = await options.db.transaction(async (tx) => {
    const decided = await decide(tx, offers, now, options)
    failpoint('accept.before_commit')
    return decided
  })
  failpoint('accept.after_commit')
  return judgements
}

/** A prune removed the key between the lost insert and the look-up: it reads as new. */
class KeyVanished extends Error {
  override readonly name = 'KeyVanished'
}

/** The statements of one batch, in the order that the write protocol asks for. */
async function decide(tx: Queryable, offers: readonly Offer[], now: Date, options: AcceptorOptions) {
  const judgements: Judgements = new Map()
  const fresh = new Set<Offer>()
  const found = await findKeys(tx, offers)
  for (const offer of offers) {
    const judged = judgeKey(offer.request.request_hash, found.get(offer), now)
    if (isOwn(offer, judged)) {
      // After a commit of unknown fate this very offer meets its own operation.
      const type = judged.operation.offer_id === offer.offer_id ? 'accepted' : 'replayed'
      judgements.set(offer, { type, operation: judged.operation })
    } else if (judged.type === 'new') fresh.add(offer)
    else judgements.set(offer, judged)
  }
  const open = offers.filter((offer) => !isSettled(judgements.get(offer), offer))
  const decided = await recordDecisions(tx, open, (offer) => fresh.has(offer), now)
  const deciding = [...fresh].filter((offer) => decided.has(offer))
  const expiresAt = new Date(now.getTime() + options.keyWindowMs)
  const keyed = await recordKeys(tx, deciding, { now, expiresAt })
  const publishAfter = new Date(now.getTime() + options.sweepAfterMs)
  await recordOperations(tx, [...keyed], { now, publishAfter })
  for (const offer of keyed) judgements.set(offer, { type: 'accepted', operation: acceptedRow(offer, now) })
  await settleLosers(tx, judgements, now, {
    decidedBefore: open.filter((offer) => !decided.has(offer)),
    keyTaken: deciding.filter((offer) => !keyed.has(offer)),
  })
  return judgements
}

/** An offer that needs no decision: the operation under its key is the one it offers. */
function isSettled(judgement: Judgement | undefined, offer: Offer): boolean {
  return judgement !== undefined && 'operation' in judgement && judgement.operation.id === offer.request.operation_id
}

/** Judges what lost, from a snapshot taken after it lost: the winner has committed by then. */
async function settleLosers(
  tx: Queryable,
  judgements: Judgements,
  now: Date,
  losers: { decidedBefore: readonly Offer[]; keyTaken: readonly Offer[] },
): Promise<void> {
  const all = [...losers.decidedBefore, ...losers.keyTaken]
  if (all.length === 0) return
  await withdrawDecisions(tx, losers.keyTaken)
  const keys = await findKeys(tx, all)
  for (const offer of losers.keyTaken) {
    const judged = judgeKey(offer.request.request_hash, keys.get(offer), now)
    if (judged.type === 'new') throw new KeyVanished()
    judgements.set(offer, judged)
  }
  const decisions = await findDecisions(tx, losers.decidedBefore)
  for (const offer of losers.decidedBefore) {
    const decision = decisions.get(offer)
    if (!decision) throw new Error('a decision was there and cannot be read')
    judgements.set(offer, judgeDecided(offer, keys.get(offer), decision, now))
  }
}

async function announceAccepted(announce: Announce, judgements: Judgements): Promise<void> {
  const accepted = Array.from(judgements).filter(([, judgement]) => judgement.type === 'accepted')
  await announce(
    accepted.map(([{ request }]) => ({
      id: request.operation_id,
      kind: request.kind,
      traceparent: request.traceparent,
    })),
  )
}

function toVerdict(judgement: Judgement): AcceptVerdict {
  switch (judgement.type) {
    case 'accepted':
    case 'replayed':
      return { type: judgement.type, operation: toOperation(judgement.operation) }
    case 'problem':
      throw new Problem(judgement.code, judgement.cause ? { cause: new Error(judgement.cause) } : {})
    default:
      return judgement
  }
}
