/**
 * Cases that a condition decides and no seed brings: two attempts of which one has expired, one id under two targets of
 * a fence, confirmations of other rows' steps, windows of limits on other days. If no recorded case decides a condition,
 * `statements.seeded.test.ts` fails and names that condition.
 */

import type { AcceptedOperation } from '@financial-agents/bus/messages/operations'
import type { Database } from '@financial-agents/postgres/database'
import { recordFenceConfirmed } from '../../services/beneficiaries/src/mandates/fence-store.ts'
import { recordReleased, recordReservations } from '../../services/beneficiaries/src/mandates/reservation-store.ts'
import { findMandate, listMandates, readMandates } from '../../services/beneficiaries/src/mandates/store.ts'
import {
  dropWaitingCredentials,
  findWaitingSignInLocked,
  hashSignInId,
  recordResult,
  recordStarted,
} from '../../services/onboarding/src/sign-ins-store.ts'
import { findIntent, recordDecision } from '../../services/operations/src/store/confirmation-intents.ts'
import { findHeldHistory, recordPast } from '../../services/operations/src/store/projection.ts'
import { batchIdOf, type ClaimItem, recordClaims } from '../../services/submitter/src/store/claims.ts'
import { listOpenAttempts, recordFence, recordUnfence } from '../../services/submitter/src/store/fences.ts'
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

async function loseAtSubmitter(db: Database, now: Date): Promise<void> {
  const items = [1, 2, 3, 4, 5, 6].map((number) => itemOf(number, now))
  const [first, second, third, fourth] = items as [ClaimItem, ClaimItem, ClaimItem, ClaimItem]
  await recordClaims(db, items, 300)
  const unsupported = { ...itemOf(7, now), supported: false }
  await recordClaims(
    db,
    [unsupported, { ...itemOf(8, now), beforeRecovery: true }, { ...itemOf(9, now), sendable: false }],
    300,
  )
  // The same id is a grant, a client, a binding and a mandate. The fence applies to one of them only.
  for (const [index, target] of (['grant', 'client', 'binding', 'mandate'] as const).entries()) {
    const target_id = `same-${index}`
    await recordFence(db, { target, target_id, version: 1, reason: 'test' }, now)
    const columns = ['grant_id', 'client_id', 'binding_id', 'mandate_id'] as const
    const claims = columns.map((column, n) => itemOf(16 + index * 4 + n, now, { [column]: target_id }))
    await recordClaims(db, claims, 300)
    for (const other of ['grant', 'client', 'binding', 'mandate'] as const)
      await listOpenAttempts(db, { target: other, target_id })
    await recordUnfence(db, { target: target === 'grant' ? 'client' : 'grant', target_id, version: 1 })
    await recordUnfence(db, { target, target_id, version: 2 })
  }
  // A fence is raised again.
  for (const number of [40, 41])
    await recordClaims(db, [itemOf(number, now, { kind: 'mandate_suspend', resource_id: idOf(2, 40) })], 300)
  // One attempt has ended, one has an expired lease, and the others continue.
  await recordOutcomes(db, [outcomeOf(first, 'submitted')])
  await recordOutcomes(db, [{ ...outcomeOf(third, 'succeeded'), attemptId: fourth.attemptId }])
  const settled = [
    { batchId: batchIdOf(items), operationId: first.operation.operation_id },
    { batchId: batchIdOf([unsupported]), operationId: second.operation.operation_id },
  ]
  const take = (ms: number, known = settled) =>
    takeUnconfirmed(db, { now: after(now, ms), republishAfterMs: 50, limit: 100, settled: known })
  await take(400, [])
  await take(900)
  await recordExpiries(db, { now: after(now, 2_500), republishAt: after(now, 2_600), limit: 100 })
  await take(3_000)
  await removeConfirmed(db, [batchIdOf([unsupported])])
  // The first is offered again while it waits, and the unsupported one after it was removed.
  const offered = [first.operation.operation_id, unsupported.operation.operation_id, idOf(9, 9)]
  await recordForgotten(db, offered, { batchId: idOf(9, 1), now: after(now, 3_000) })
  await take(60_000)
  await recordExpiries(db, { now: after(now, 3_600_000), republishAt: after(now, 3_600_000), limit: 100 })
  for (const item of items) await recordOutcomes(db, [outcomeOf(item, 'succeeded')])
  await removeConfirmed(db, [batchIdOf(items), idOf(9, 1)])
}

const dayMs = 86_400_000

async function loseAtMandates(world: World, db: Database, now: Date): Promise<void> {
  const rows = [...(world.stores.beneficiaries.tables.get('mandates')?.rows.values() ?? [])]
  const monday = after(now, ((8 - now.getUTCDay()) % 7) * dayMs + 7 * dayMs)
  for (const [index, row] of rows.filter(hasRoom).slice(0, 2).entries()) {
    const [operation_id, later] = [idOf(4, index), idOf(5, index)]
    const reservation = { mandate_id: row.id as string, amount: '0.01' }
    await db.transaction(async (tx) => {
      await recordReservations(tx, [{ operation_id, ...reservation }], monday)
      await recordReservations(tx, [{ operation_id: later, ...reservation }], after(monday, dayMs))
    })
    await readAll(db, rows, monday)
    for (const at of [monday, after(monday, 1)])
      await db.transaction((tx) => recordReleased(tx, [operation_id], at.toISOString()))
    await db.transaction((tx) => recordReleased(tx, [later], monday.toISOString()))
  }
  for (const ms of [0, 1, 8, 40].map((days) => days * dayMs)) await readAll(db, rows, after(now, ms))
  for (const fence of world.stores.beneficiaries.tables.get('mandate_fences')?.rows.values() ?? [])
    await recordFenceConfirmed(db, fence.mandate_id as string)
}

const hasRoom = (row: Row) =>
  Number(row.reserved_total) + 0.02 <= Number(row.total_cap) &&
  (row.reserved_count as number) + 2 <= (row.payment_count as number) &&
  Number(row.daily_max) >= 0.02

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
    await recordDecision(db, { ...decision, status: 'declined' }, at)
    await recordDecision(db, { ...decision, status: 'confirmed' }, at)
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
