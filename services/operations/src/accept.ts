/**
 * Acceptance: the only way to create an operation (write protocol, rules 4, 11 and 12). Waiting offers share one
 * transaction of separate statements, because each statement sees the commits of others before it.
 *
 * Invariants: one operation for a live key; no key without an operation; exactly one of the offers of one operation id
 * is answered `accepted`; a result that refuses has tombstoned the offered id.
 */

import type { AcceptRequest, AcceptResult } from '@financial-agents/bus/messages/operations'
import { Problem } from '@financial-agents/contract/problem'
import { createBatcher } from '@financial-agents/postgres/batcher'
import type { Database } from '@financial-agents/postgres/database'
import { CommitUnknown, isRowFault, isTakenKey } from '@financial-agents/postgres/errors'
import type { Clock } from '@financial-agents/runtime/clock'
import { failpoint } from '@financial-agents/runtime/failpoint'
import type { Witness } from '@financial-agents/witness/witness'
import { acceptBatch, type BatchOptions, type Decisions, KeyVanished } from './accept-batch.ts'
import type { Announce } from './announce.ts'
import { type AcceptanceApprovals } from './approvals/at-acceptance.ts'
import { noteResult } from './measure.ts'
import { makeOffer, type Offer } from './offer.ts'
import { toOperation } from './operation-view.ts'
import { noteGrants } from './store/grants.ts'
import type { Decision } from './validate.ts'

export type AcceptorOptions = {
  db: Database
  witness: Pick<Witness, 'record'>
  clock: Clock
  announce: Announce
  maxItems: number
  concurrency: number
  keyWindowMs: number
  /** Age at which the background job publishes an unclaimed operation again. */
  backgroundJobAfterMs: number
  /** Without these, no operation starts in `requires_action`. */
  approvals?: AcceptanceApprovals
}

const attempts = 3

type DecidingOptions = AcceptorOptions & Omit<BatchOptions, 'mark' | 'recoveryPoint'>

/** Answers one offer after its batch has committed. */
export function createAcceptor(given: AcceptorOptions) {
  const options: DecidingOptions = { ...given, knownGrants: new Set(), whenTaken: 'fail' }
  /** Offers that a transaction of unknown fate may have accepted. */
  const uncertain = new WeakSet<Offer>()
  const batcher = createBatcher<Offer, Decision>({
    maxItems: options.maxItems,
    concurrency: options.concurrency,
    target: (offer) => offer.target,
    run: async (offers) => {
      const decisions = await decideBatch(options, offers, uncertain)
      return new Map(Array.from(decisions, ([offer, decision]) => [offer.target, decision]))
    },
  })
  return async (request: AcceptRequest, timeoutMs: number): Promise<AcceptResult> => {
    const offer = makeOffer(request, timeoutMs)
    const decision = await batcher.submit(offer).catch((error: unknown): never => {
      throw new Problem(isRowFault(error) ? 'internal_error' : whenNotDone(offer, uncertain), { cause: error })
    })
    noteResult(request.kind, 'code' in decision ? decision.code : decision.type)
    return toResult(await withApproval(options, offer, decision))
  }
}

/** Asks the provider for the owner's approval, if the operation needs one. The operation is already committed. */
async function withApproval({ approvals }: AcceptorOptions, offer: Offer, decision: Decision): Promise<Decision> {
  const begun = decision.type === 'accepted' && decision.operation.state === 'requires_action'
  if (!begun || !approvals) return decision
  const { operation_id, kind, target_reference, traceparent, payload_sealed } = offer.request
  const { owner_id, client_id, binding_id } = offer
  const { subject, grant_id } = offer.request.principal
  const asked = { operation_id, kind, target_reference, traceparent, payload_sealed }
  const started = { ...asked, owner_id, subject, client_id, grant_id, binding_id }
  const leftMs = offer.deadlineMs - performance.now()
  return { ...decision, operation: await approvals.begin(decision.operation, started, leftMs) }
}

async function decideBatch(
  options: DecidingOptions,
  batch: readonly Offer[],
  uncertain: WeakSet<Offer>,
): Promise<Decisions> {
  const late = batch.filter((offer) => offer.deadlineMs <= performance.now())
  const offers = batch.filter((offer) => !late.includes(offer))
  const decisions = offers.length > 0 ? await decideWithRetries(options, offers, uncertain) : new Map()
  for (const offer of late) decisions.set(offer, { type: 'problem', code: whenNotDone(offer, uncertain) })
  return decisions
}

function whenNotDone(offer: Offer, uncertain: WeakSet<Offer>) {
  return uncertain.has(offer) ? 'acceptance_unknown' : 'service_unavailable'
}

/**
 * Decides a batch again after a commit of unknown fate, an id that was decided already, or a vanished key. Each offer
 * recognises its own row by its token, so a repetition accepts nothing twice.
 */
async function decideWithRetries(
  options: DecidingOptions,
  offers: readonly Offer[],
  uncertain: WeakSet<Offer>,
): Promise<Decisions> {
  let { whenTaken } = options
  for (let attempt = 1; ; attempt++) {
    try {
      const decisions = await decideOnce({ ...options, whenTaken }, offers)
      await announceAccepted(options.announce, decisions)
      failpoint('accept.after_publish')
      return decisions
    } catch (error) {
      if (error instanceof CommitUnknown) for (const offer of offers) uncertain.add(offer)
      else if (whenTaken === 'fail' && isTakenKey(error)) whenTaken = 'skip'
      else if (!(error instanceof KeyVanished)) throw error
      if (attempt === attempts) throw error
    }
  }
}

async function decideOnce(options: DecidingOptions, offers: readonly Offer[]): Promise<Decisions> {
  const now = options.clock.now()
  const { result: decisions } = await options.witness.record(
    (mark, recoveryPoint) =>
      options.db.transaction(async (tx) => {
        const decided = await acceptBatch(tx, offers, now, { ...options, mark, recoveryPoint })
        failpoint('accept.before_commit')
        return decided
      }),
    0,
  )
  failpoint('accept.after_commit')
  noteGrants(options.knownGrants, acceptedOf(decisions))
  return decisions
}

function acceptedOf(decisions: Decisions): Offer[] {
  return Array.from(decisions).flatMap(([offer, { type }]) => (type === 'accepted' ? [offer] : []))
}

async function announceAccepted(announce: Announce, decisions: Decisions): Promise<void> {
  const accepted = Array.from(decisions).filter(
    ([, decision]) => decision.type === 'accepted' && decision.operation.state === 'accepted',
  )
  await announce(
    accepted.map(([{ request }]) => ({
      id: request.operation_id,
      kind: request.kind,
      traceparent: request.traceparent,
    })),
  )
}

function toResult(decision: Decision): AcceptResult {
  switch (decision.type) {
    case 'accepted':
    case 'replayed':
      return { type: decision.type, operation: toOperation(decision.operation) }
    case 'problem':
      throw new Problem(decision.code, decision.cause ? { cause: new Error(decision.cause) } : {})
    default:
      return decision
  }
}
