/**
 * Runs the statements of one batch of offers, in the order of the write protocol (rule 4). The statements look up the
 * keys, lock the intents that new requests name, and lock the days in which these requests pay. The statements then
 * write the keys of the requests that neither an intent nor a limit refuses. Only an offer that won its key consumes
 * its intent, reserves its amount and becomes an operation.
 *
 * Invariant: every refused id is tombstoned, and its key is looked up again after that. If another replica accepted the
 * equal request meanwhile, perhaps with the same intent, the refusal becomes a replay.
 */

import { findArchivedIds } from '@financial-agents/postgres/archive/horizon'
import type { Queryable } from '@financial-agents/postgres/database'
import type { Mark } from '@financial-agents/witness/witness'
import type { AcceptanceApprovals } from './approvals/at-acceptance.ts'
import { findReserved, utcDayOf, validatePayments } from './ceilings/validate-payments.ts'
import { validateConfirmations } from './intents/validate-confirmations.ts'
import type { Offer } from './offer.ts'
import { consumeIntents } from './store/confirmation-intents.ts'
import { findDecisions, recordDecisions, type WhenTaken, withdrawDecisions } from './store/decisions.ts'
import { type KnownGrants, recordGrants } from './store/grants.ts'
import { findKeys, recordKeys } from './store/keys.ts'
import { type Beginning, begunRow, recordOperations } from './store/operations.ts'
import { recordTransfers } from './store/transfers.ts'
import { type Decision, isOwn, type Refused, validateDecided, validateKey } from './validate.ts'

export type Decisions = Map<Offer, Decision>

/** A prune removed the key between the lost insert and the look-up, so the key reads as new. */
export class KeyVanished extends Error {
  override readonly name = 'KeyVanished'
}

/**
 * An offer yielded its intent or its day to a rival in the same batch, and the rival was not accepted. Each offer is
 * then validated alone.
 */
export class RivalLost extends Error {
  override readonly name = 'RivalLost'
}

export type BatchOptions = {
  keyWindowMs: number
  /** Age at which the background job publishes an unclaimed operation again. */
  backgroundJobAfterMs: number
  /** Without these, no operation starts in `requires_action`. */
  approvals?: Pick<AcceptanceApprovals, 'mayAsk' | 'record'>
  knownGrants: KnownGrants
  whenTaken: WhenTaken
  /** Counts the acceptance for the witness. */
  mark: () => Mark
  /** An operation that was generated before it may have been accepted in a time that the database lost. */
  recoveryPoint: Date | undefined
}

/**
 * @throws KeyVanished, RivalLost, or an error for which `isTakenKey` is true: nothing was accepted, and the batch is
 * validated again
 */
export async function acceptBatch(
  tx: Queryable,
  offered: readonly Offer[],
  now: Date,
  options: BatchOptions,
): Promise<Decisions> {
  const { whenTaken } = options
  const results: Decisions = new Map()
  const offers = await refuseArchived(tx, results, offered, now)
  if (offers.length === 0) return results
  const fresh = await validateKeys(tx, results, offers, now)
  const reserved = await findReserved(tx, fresh, options.recoveryPoint)
  const refusals = await validateFresh(tx, fresh, now, reserved)
  const good = new Set(fresh.filter((offer) => !refusals.has(offer)))
  const open = offers.filter((offer) => !isSettled(results.get(offer), offer))
  const decided = await recordDecisions(tx, open, { accepts: (offer) => good.has(offer), now, whenTaken })
  const deciding = [...good].filter((offer) => decided.has(offer))
  const expiresAt = new Date(now.getTime() + options.keyWindowMs)
  const keyed = await recordKeys(tx, deciding, { now, expiresAt })
  await begin(tx, results, [...keyed], now, { ...options, reserved })
  await settleLosers(tx, results, now, {
    decidedBefore: open.filter((offer) => !decided.has(offer)),
    keyTaken: deciding.filter((offer) => !keyed.has(offer)),
    refused: [...refusals.keys()].filter((offer) => decided.has(offer)),
    refusals,
    keyed,
  })
  return results
}

/**
 * Refuses ids from before the archive's horizon, and returns the other offers. The decision on such an id may be in the
 * archive alone, so the refusal is a problem: the area keeps its draft.
 */
async function refuseArchived(
  tx: Queryable,
  results: Decisions,
  offers: readonly Offer[],
  now: Date,
): Promise<readonly Offer[]> {
  const ids = offers.map(({ request }) => request.operation_id)
  const archived = await findArchivedIds(tx, ids, now)
  if (archived.size === 0) return offers
  const isArchived = ({ request }: Offer) => archived.has(request.operation_id)
  for (const offer of offers.filter(isArchived))
    results.set(offer, { type: 'problem', code: 'internal_error', cause: 'an archived operation id was offered' })
  return offers.filter((offer) => !isArchived(offer))
}

/** Validates each offer by the record of its key. Returns the offers whose key has no record. */
async function validateKeys(
  tx: Queryable,
  results: Decisions,
  offers: readonly Offer[],
  now: Date,
): Promise<readonly Offer[]> {
  const fresh: Offer[] = []
  const found = await findKeys(tx, offers)
  for (const offer of offers) {
    const validated = validateKey(offer.request.request_hash, found.get(offer), now)
    if (isOwn(offer, validated)) {
      // After a commit of unknown fate, this offer finds its own operation.
      const type = validated.operation.offer_id === offer.offer_id ? 'accepted' : 'replayed'
      results.set(offer, { type, operation: validated.operation })
    } else if (validated.type === 'new') fresh.push(offer)
    else results.set(offer, validated)
  }
  return fresh
}

/** Validates offers by their confirmations, and the confirmed ones by the limits. Locks intents first, then days. */
async function validateFresh(
  tx: Queryable,
  fresh: readonly Offer[],
  now: Date,
  reserved: ReadonlySet<string>,
): Promise<Map<Offer, Refused>> {
  const unconfirmed = await validateConfirmations(tx, fresh, now)
  const confirmed = fresh.filter((offer) => !unconfirmed.has(offer) && !reserved.has(offer.request.operation_id))
  return new Map([...unconfirmed, ...(await validatePayments(tx, confirmed, now))])
}

/** True if the offer needs no decision: the operation under its key is the one that it offers. */
function isSettled(result: Decision | undefined, offer: Offer): boolean {
  return result !== undefined && 'operation' in result && result.operation.id === offer.request.operation_id
}

/** Creates the operations of the winners. Consumes their intents and records their transfers. */
async function begin(
  tx: Queryable,
  results: Decisions,
  winners: readonly Offer[],
  now: Date,
  { approvals, backgroundJobAfterMs, knownGrants, mark, reserved }: BatchOptions & { reserved: ReadonlySet<string> },
): Promise<void> {
  const beginningOf = ({ request }: Offer): Beginning =>
    approvals?.mayAsk(request.kind) ? 'requires_action' : 'accepted'
  await consumeIntents(tx, winners)
  if (winners.length > 0)
    await recordOperations(tx, winners, beginningOf, {
      now,
      publishAfter: new Date(now.getTime() + backgroundJobAfterMs),
      mark: mark(),
    })
  const unreserved = winners.filter(({ request }) => !reserved.has(request.operation_id))
  await recordTransfers(tx, unreserved, { now, day: utcDayOf(now) })
  const asking = winners.filter((offer) => beginningOf(offer) === 'requires_action')
  if (asking.length > 0) {
    const ids = asking.map(({ request }) => request.operation_id)
    await approvals?.record(tx, ids.toSorted(), now)
  }
  await recordGrants(tx, winners, knownGrants)
  for (const offer of winners)
    results.set(offer, { type: 'accepted', operation: begunRow(offer, beginningOf(offer), now) })
}

type Losers = {
  decidedBefore: readonly Offer[]
  keyTaken: readonly Offer[]
  /** Offers that were tombstoned because of their confirmation or a limit. */
  refused: readonly Offer[]
  /** The refusal of every offer that its confirmation or a limit does not allow. */
  refusals: ReadonlyMap<Offer, Refused>
  keyed: ReadonlySet<Offer>
}

/** Validates the losing offers from a snapshot taken after they lost. The winner has committed by then. */
async function settleLosers(tx: Queryable, results: Decisions, now: Date, losers: Losers): Promise<void> {
  const { decidedBefore, keyTaken, refused, refusals, keyed } = losers
  const all = [...decidedBefore, ...keyTaken, ...refused]
  if (all.length === 0) return
  await withdrawDecisions(tx, keyTaken)
  const keys = await findKeys(tx, all)
  for (const offer of keyTaken) {
    const validated = validateKey(offer.request.request_hash, keys.get(offer), now)
    if (validated.type === 'new') throw new KeyVanished()
    results.set(offer, validated)
  }
  for (const offer of refused) {
    const { refusal, rivals } = refusals.get(offer) as Refused
    const validated = validateKey(offer.request.request_hash, keys.get(offer), now)
    if (validated.type === 'new' && rivals.some((rival) => !keyed.has(rival))) throw new RivalLost()
    results.set(offer, validated.type === 'new' ? { type: 'refused', ...refusal } : validated)
  }
  const decisions = await findDecisions(tx, decidedBefore)
  for (const offer of decidedBefore) {
    const decision = decisions.get(offer)
    if (!decision) throw new Error('a decision was there and cannot be read')
    const own = refusals.get(offer)
    // Nothing will be accepted under this id. The offer gets its own refusal, like the equal offer that was refused
    // first.
    const refusal = own?.rivals.length === 0 ? own.refusal : undefined
    results.set(offer, validateDecided(offer, { key: keys.get(offer), decision, refusal }, now))
  }
}
