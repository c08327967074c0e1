/**
 * Cases that a condition decides and no seed brings: two attempts of which one has expired, one id under two targets of
 * a fence, confirmations of other rows' steps, windows of limits on other days. If no recorded case decides a condition,
 * `statements.seeded.test.ts` fails and names that condition.
 */

import type { AcceptedOperation } from '@financial-agents/bus/messages/operations'
import type { MandateCaps } from '@financial-agents/contract/lower-caps'
import type { Database } from '@financial-agents/postgres/database'
import { testMark } from '@financial-agents/witness/testing/witness'
import { recordAccepted, recordDrafts, recordNews, removeDrafts } from '@financial-agents/writes/store'
import { recordFenceConfirmed } from '../../services/beneficiaries/src/mandates/fence-store.ts'
import { largestUndecided, recordLowerCaps } from '../../services/beneficiaries/src/mandates/lower-caps.ts'
import { recordReleased, recordReservations } from '../../services/beneficiaries/src/mandates/reservation-store.ts'
import {
  findMandate,
  listMandates,
  listOver,
  listRunning,
  readMandates,
} from '../../services/beneficiaries/src/mandates/store.ts'
import {
  dropWaitingCredentials,
  findWaitingSignInLocked,
  hashSignInId,
  recordResult,
  recordStarted,
} from '../../services/onboarding/src/sign-ins-store.ts'
import {
  type Decided,
  findMovesToRepeat,
  recordApprovals,
  recordOutcomes as recordApproved,
} from '../../services/operations/src/approvals/store.ts'
import type { Offer } from '../../services/operations/src/offer.ts'
import { findIntent, recordDecision } from '../../services/operations/src/store/confirmation-intents.ts'
import { recordOperations, takeUnclaimedOperations } from '../../services/operations/src/store/operations.ts'
import {
  findHeldHistory,
  findStandings,
  moveViewsTo,
  recordPast,
} from '../../services/operations/src/store/projection.ts'
import { batchIdOf, type ClaimItem, recordClaims } from '../../services/submitter/src/store/claims.ts'
import { listOpenAttempts, listStopped, recordFence, recordUnfence } from '../../services/submitter/src/store/fences.ts'
import { recordForgotten, removeConfirmed, takeUnconfirmed } from '../../services/submitter/src/store/outbox.ts'
import { type Outcome, recordExpiries, recordOutcomes } from '../../services/submitter/src/store/outcomes.ts'
import type { Row } from './virtual/tables.ts'
import { owners } from './world/services.ts'
import type { World } from './world/world.ts'

export async function askLosingCases(world: World): Promise<void> {
  const now = new Date(world.clock.nowMs())
  await loseAtSubmitter(world.open('submitter'), now)
  await loseAtMandates(world, world.open('beneficiaries'), now)
  await loseAtIntents(world, world.open('operations'), now)
  await loseAtHistory(world, world.open('operations'))
  await loseAtApprovals(world.open('operations'), now)
  await loseAtSignIns(world.open('onboarding'), now)
}

const after = (now: Date, ms: number) => new Date(now.getTime() + ms)

/** Ids that no other case of the seed uses. */
const idOf = (kind: number, number: number) => `0000000${kind}-0000-7000-8000-${number.toString(16).padStart(12, '0')}`

/** Makes an item with a time of its own, because due items are taken in the order of their times. */
function itemOf(number: number, now: Date, changes: Partial<AcceptedOperation> = {}): ClaimItem {
  const at = after(now, number)
  const operation: AcceptedOperation = {
    operation_id: idOf(1, number),
    kind: 'beneficiary_create',
    resource_id: idOf(2, number),
    state: 'accepted',
    sequence: 1,
    owner_id: 'owner',
    subject: 'subject',
    client_id: `client-${number}`,
    grant_id: `grant-${number}`,
    binding_id: `binding-${number}`,
    mandate_id: `mandate-${number}`,
    authority_ends_at: null,
    target_reference: null,
    accepted_at: at.toISOString(),
    traceparent: '00-1-1-01',
    payload_sealed: null,
    ...changes,
  }
  const flags = { supported: true, sendable: true, beforeRecovery: false }
  const times = { at, leaseUntil: after(at, number * 1_000), validUntil: after(at, number * 2_000) }
  return { attemptId: idOf(3, number), operation, ...flags, ...times }
}

function outcomeOf({ operation, attemptId, at }: ClaimItem, state: 'submitted' | 'succeeded'): Outcome {
  const nothing = { upstream_reference: null, resource: null, failure_code: null }
  return {
    operationId: operation.operation_id,
    attemptId,
    event: state === 'submitted' ? 'provider_accepted' : 'provider_completed',
    state,
    upstreamReference: null,
    resource: null,
    failureCode: null,
    failureDetail: null,
    at,
    late: { outcome: state, ...nothing, observed_at: at.toISOString() },
  }
}

const targets = ['grant', 'client', 'binding', 'mandate'] as const

async function loseAtSubmitter(db: Database, now: Date): Promise<void> {
  const claim = async (items: readonly ClaimItem[]) => recordClaims(db, items, 300, await testMark(db))
  const items = [1, 2, 3, 4, 5, 6].map((number) => itemOf(number, now))
  const [first, second, third, fourth] = items as [ClaimItem, ClaimItem, ClaimItem, ClaimItem]
  await claim(items)
  const unsupported = { ...itemOf(7, now), supported: false }
  await claim([unsupported, { ...itemOf(8, now), beforeRecovery: true }, { ...itemOf(9, now), sendable: false }])
  // The same id is a grant, a client, a binding and a mandate. The fence applies to one of them only.
  for (const [index, target] of targets.entries()) {
    const target_id = `same-${index}`
    await recordFence(db, { target, target_id, version: 1, reason: 'test' }, now)
    const columns = ['grant_id', 'client_id', 'binding_id', 'mandate_id'] as const
    const claims = columns.map((column, n) => itemOf(16 + index * 4 + n, now, { [column]: target_id }))
    await claim(claims)
    await listStopped(db, { operations: claims.map(({ operation }) => operation) })
    for (const other of targets) await listOpenAttempts(db, { target: other, target_id })
    await recordUnfence(db, { target: target === 'grant' ? 'client' : 'grant', target_id, version: 1 })
    await recordUnfence(db, { target, target_id, version: 2 })
  }
  // Two attempts under one target are open.
  const shared = { grant_id: 'shared', client_id: 'shared', binding_id: 'shared', mandate_id: 'shared' }
  await claim([itemOf(32, now, shared), itemOf(33, now, shared)])
  for (const target of targets) await listOpenAttempts(db, { target, target_id: 'shared' })
  // A fence is raised again.
  for (const number of [40, 41])
    await claim([itemOf(number, now, { kind: 'mandate_suspend', resource_id: idOf(2, 40) })])
  // One attempt has ended, one has an expired lease, and the others continue.
  await recordOutcomes(db, [outcomeOf(first, 'submitted')])
  await recordOutcomes(db, [{ ...outcomeOf(third, 'succeeded'), attemptId: fourth.attemptId }])
  const settled = [
    { batchId: batchIdOf(items), operationId: first.operation.operation_id },
    { batchId: batchIdOf([unsupported]), operationId: second.operation.operation_id },
  ]
  const take = (ms: number, known = settled, changes = {}) =>
    takeUnconfirmed(db, { now: after(now, ms), republishAfterMs: 50, limit: 100, settled: known, ...changes })
  await take(400, [], { limit: 1 })
  await take(400, [])
  await take(900)
  await recordExpiries(db, { now: after(now, 2_500), republishAt: after(now, 2_600), limit: 100 })
  await take(3_000)
  await removeConfirmed(db, [batchIdOf([unsupported])])
  // The second is offered again while it waits, and the unsupported one after it was removed.
  const offered = [second.operation.operation_id, unsupported.operation.operation_id, idOf(9, 9)]
  await recordForgotten(db, offered, { batchId: idOf(9, 1), now: after(now, 3_000) })
  // Every operation of a batch is settled.
  await take(4_000, [{ batchId: idOf(9, 1), operationId: unsupported.operation.operation_id }])
  // More repetitions than are counted.
  for (let times = 0; times <= 21; times += 1) await take(60_000 * (times + 1), [])
  // Some leases have expired, and others not.
  await recordExpiries(db, { now: after(now, 20_000), republishAt: after(now, 20_000), limit: 100 })
  await take(60_000 * 60)
  await recordExpiries(db, { now: after(now, 3_600_000), republishAt: after(now, 3_600_000), limit: 100 })
  for (const item of items) await recordOutcomes(db, [outcomeOf(item, 'succeeded')])
  await removeConfirmed(db, [batchIdOf(items), idOf(9, 1)])
}

const dayMs = 86_400_000

async function loseAtMandates(world: World, db: Database, now: Date): Promise<void> {
  const rows = [...(world.stores.beneficiaries.tables.get('mandates')?.rows.values() ?? [])]
  for (const [index, row] of rows.filter(hasRoom).slice(0, 2).entries())
    await loseAtLimits(db, { row, rows, index }, now)
  for (const ms of [0, 1, 8, 40].map((days) => days * dayMs)) await readAll(db, rows, after(now, ms))
  for (const fence of world.stores.beneficiaries.tables.get('mandate_fences')?.rows.values() ?? [])
    await recordFenceConfirmed(db, fence.mandate_id as string)
}

const hasRoom = (row: Row) =>
  row.state === 'active' &&
  Number(row.reserved_total) + 0.05 < Number(row.total_cap) &&
  (row.reserved_count as number) + 3 < (row.payment_count as number) &&
  Number(row.daily_max) >= 0.03

/** The Monday of the week after the next. A week begins with it, and a day. */
const mondayAfter = (at: Date) => after(at, ((8 - at.getUTCDay()) % 7) * dayMs + 7 * dayMs)

/**
 * Reserves in the windows of other days, one of them after the mandate's end, and lowers the limits: first on such a day,
 * then by a clock that knows none of these windows. The amounts of the windows are then above the limits.
 */
async function loseAtLimits(
  db: Database,
  { row, rows, index }: { row: Row; rows: readonly Row[]; index: number },
  now: Date,
): Promise<void> {
  const mandate_id = row.id as string
  const { owner_id, client_id } = row as { owner_id: string; client_id: string }
  const [operation_id, later, last, unpaid] = [4, 5, 7, 8].map((kind) => idOf(kind, index)) as [
    string,
    string,
    string,
    string,
  ]
  const [monday, ended] = [mondayAfter(now), mondayAfter(row.expires_at as Date)]
  const reserve = (id: string, amount: string, at: Date) =>
    db.transaction((tx) => recordReservations(tx, [{ operation_id: id, mandate_id, amount }], at))
  await reserve(operation_id, '0.02', monday)
  await reserve(later, '0.01', after(monday, dayMs))
  await reserve(last, '0.02', ended)
  // A payment is a draft, then accepted, then settled. Beside it is a draft that reserves nothing.
  const about = { kind: 'mandate_transfer', resource_id: mandate_id, owner_id, client_id, input: null } as const
  const drafts = [operation_id, unpaid].map((id) => ({
    ...about,
    operation_id: id,
    route: 'route',
    idempotency_key: id,
    request_hash: 'hash',
  }))
  await recordDrafts(db, drafts, now, after(now, dayMs))
  const undecided = async () => {
    for (const mandate of [mandate_id, unpaid])
      for (const amount of ['0', '0.02']) await db.rows(largestUndecided, [mandate, amount])
  }
  await undecided()
  await recordAccepted(db, [operation_id])
  await undecided()
  const news = { sequence: 1, at: now.toISOString(), upstream_reference: null, resource: null }
  await recordNews(db, [{ ...news, operation_id, outcome: 'succeeded' }])
  await undecided()
  await removeDrafts(db, [unpaid])
  const asStored = { weekly_max: row.weekly_max, monthly_max: row.monthly_max, total_cap: row.total_cap }
  const onMonday = { ...asStored, per_payment_max: '0.01', daily_max: '0.02' } as MandateCaps
  const longAgo = { ...onMonday, daily_max: '0.01', weekly_max: '0.01', monthly_max: '0.01' }
  if ((row.expires_at as Date) > monday)
    await recordLowerCaps(db, { owner_id, mandate_id, caps: onMonday }, { now: () => monday })
  await recordLowerCaps(db, { owner_id, mandate_id, caps: longAgo }, { now: () => after(now, -400 * dayMs) })
  for (const at of [monday, ended]) {
    await readAll(db, rows, at)
    await listRunning(db, owner_id, null, 50, at)
    await listOver(db, owner_id, 50, at)
  }
  for (const at of [monday, after(monday, 1)])
    await db.transaction((tx) => recordReleased(tx, [operation_id], at.toISOString()))
  await db.transaction((tx) => recordReleased(tx, [later, last], monday.toISOString()))
}

async function readAll(db: Database, rows: readonly Row[], at: Date): Promise<void> {
  await readMandates(
    db,
    rows.map((row) => row.id as string),
    at,
  )
  for (const row of rows.slice(0, 6)) {
    const clients = [null, 'nobody', row.client_id as string, ...(row.authorized_clients as string[])]
    const page = { created_at: after(row.created_at as Date, 1).toISOString(), id: row.id as string }
    for (const client_id of new Set(clients))
      for (const { owner_id } of owners) {
        await findMandate(db, { owner_id, client_id }, row.id as string, at)
        await listMandates(db, { owner_id, client_id }, 50, page, at)
        await listMandates(db, { owner_id, client_id }, 50, undefined, at)
      }
  }
}

async function loseAtIntents(world: World, db: Database, now: Date): Promise<void> {
  for (const row of [...(world.stores.operations.tables.get('confirmation_intents')?.rows.values() ?? [])].slice(
    0,
    6,
  )) {
    const [id, at] = [row.id as string, row.created_at as Date]
    for (const { owner_id } of owners) {
      await findIntent(db, id, owner_id)
      for (const status of ['declined', 'confirmed'] as const)
        if (row.status === 'pending')
          await recordDecision(db, { id, owner_id, status, authenticated_at: now }, after(at, 3_600_000))
    }
    if (row.status !== 'pending') continue
    const decision = { id, owner_id: row.owner_id as string, authenticated_at: now }
    await recordDecision(db, { ...decision, owner_id: 'another', status: 'confirmed' }, at)
    for (const status of ['confirmed', 'confirmed', 'declined', 'declined', 'confirmed'] as const)
      await recordDecision(db, { ...decision, status }, at)
  }
}

/**
 * Looks up a claim at several sequences of some operations, and records the claim twice as a past move if history lacks
 * it. History may have a claim as a row of its own, or as `claimed_at` of the next row.
 */
async function loseAtHistory(world: World, db: Database): Promise<void> {
  for (const row of [...(world.stores.operations.tables.get('operations')?.rows.values() ?? [])].slice(0, 8)) {
    const { id: operation_id } = row as { id: string }
    const at = (row.created_at as Date).toISOString()
    const none = { failure_code: null, reason: null, evidence: null }
    for (const sequence of [1, 2, 3, 4]) {
      const move = {
        ...none,
        operation_id,
        sequence,
        from: 'accepted',
        event: 'claim',
        to: 'submitting',
        by: 'submitter',
        at,
      }
      const held = await findHeldHistory(db, [move as never])
      if (held.size > 0) continue
      for (let times = 0; times < 2; times += 1)
        await recordPast(db, [{ ...(move as object), claimed_at: null } as never])
    }
  }
}

/**
 * Operations after their approval: two were accepted, and the turn of the background job has come for the first; for the
 * third no approval was needed, and its history has the evidence of another move; the fourth was declined.
 */
async function loseAtApprovals(db: Database, now: Date): Promise<void> {
  const ids = [1, 2, 3, 4].map((number) => idOf(7, number)) as [string, string, string, string]
  await db.transaction(async (tx) => {
    const stamp = { now, publishAfter: after(now, dayMs), mark: await testMark(tx) }
    await recordOperations(tx, ids.map(offerOf), () => 'requires_action', stamp)
    await recordApprovals(tx, ids, { now, askAfter: now, nextCheckAt: after(now, dayMs) })
  })
  const [, second, third, fourth] = ids
  const asked = { sequence: 1, from: null, event: 'accept_for_approval', to: 'requires_action', by: 'operations' }
  await recordPast(db, [moveOf(third, now, { ...asked, evidence: { result: 'granted' } }) as never])
  const resultOf = (id: string) => (id === third ? 'not_needed' : id === fourth ? 'declined' : 'granted')
  for (const operation_id of ids) {
    const [state, to] = operation_id === fourth ? ['declined', 'cancelled'] : ['granted', 'accepted']
    const decided = {
      item: { operation_id },
      result: { state, event: `approval_${state}`, failure_code: null, failure_detail: null },
      to,
      by: 'poll',
      evidence: { result: resultOf(operation_id) },
    }
    const publishAfter = after(now, operation_id === second ? 3_600_000 : 0)
    await recordApproved(db, [decided as unknown as Decided], { now, publishAfter })
  }
  for (const id of ids) await findMovesToRepeat(db, [id])
  const pauses = { now: after(now, 1_800_000), shortestMs: 1_000, longestMs: dayMs }
  await takeUnclaimedOperations(db, { operations: 10, batches: 10 }, pauses)
  const end = { sequence: 3, from: 'accepted', event: 'cancel_before_submission', to: 'cancelled', by: 'submitter' }
  const ended = ids.slice(0, 3).map((id) => moveOf(id, now, end)) as never[]
  await moveViewsTo(db, ended, await findStandings(db, ids), ended)
}

const offerOf = (operation_id: string) =>
  ({
    owner_id: 'owner',
    client_id: 'client',
    binding_id: 'binding',
    authority_ends_at: null,
    request: {
      operation_id,
      kind: 'card_create',
      resource_id: operation_id,
      mandate_id: null,
      target_reference: null,
      payload_sealed: 'c2VhbGVk',
      traceparent: '00-1-1-01',
      principal: { subject: 'subject', grant_id: 'grant' },
    },
  }) as unknown as Offer

const moveOf = (operation_id: string, now: Date, move: object) => ({
  operation_id,
  at: now.toISOString(),
  failure_code: null,
  failure_detail: null,
  reason: null,
  evidence: null,
  upstream_reference: null,
  next_reconcile_at: null,
  claimed_at: null,
  ...move,
})

async function loseAtSignIns(db: Database, now: Date): Promise<void> {
  const about = { display_name: 'Name', locale: 'pt-PT', timezone: 'Europe/Lisbon' }
  const started = { provider: 'fake', authenticationSealed: Buffer.from('sealed'), now, expiresAt: after(now, 600_000) }
  const [first, second, third] = ['one', 'two', 'three'].map(hashSignInId) as [Buffer, Buffer, Buffer]
  for (const idHash of [first, second, third]) await recordStarted(db, { ...started, idHash })
  const signedIn = (owner_id: string) => ({ type: 'signed_in', owner: { owner_id, ...about } }) as const
  await recordResult(db, first, signedIn(idOf(6, 1)), Buffer.from('credentials'))
  await recordResult(db, first, { type: 'declined' })
  await recordResult(db, second, signedIn(idOf(6, 2)), Buffer.from('credentials'))
  // Some of these owners had a connection that ended after their sign-in began.
  for (const { owner_id } of owners) {
    const idHash = hashSignInId(owner_id)
    await recordStarted(db, { ...started, idHash, now: after(now, -dayMs) })
    await recordResult(db, idHash, signedIn(owner_id), Buffer.from('credentials'))
  }
  for (const owner_id of [idOf(6, 1), idOf(6, 2), idOf(6, 3), ...owners.map((owner) => owner.owner_id)])
    for (const at of [now, after(now, 3_600_000)])
      await db.transaction((tx) => findWaitingSignInLocked(tx, owner_id, at))
  await dropWaitingCredentials(db, idOf(6, 1))
  await db.transaction((tx) => findWaitingSignInLocked(tx, idOf(6, 1), now))
}
