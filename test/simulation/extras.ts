/**
 * Calls the real store functions with values that a seed uses too rarely or never. The comparison of the in-memory models with
 * PostgreSQL needs these calls.
 */

import type { Database } from '@financial-agents/postgres/database'
import { isUuid } from '@financial-agents/postgres/is-uuid'
import {
  findKnown,
  findLastMarkTime,
  findMarks,
  recordMade,
  recordRecovered,
  recordRecovery,
  recordSeen,
  recordVerified,
} from '@financial-agents/witness/store'
import { testMark } from '@financial-agents/witness/testing/witness'
import { recordParked as parkOfArea, recordKeyReleased, removeDrafts } from '@financial-agents/writes/store'
import { findBeneficiary, listBeneficiaries } from '../../services/beneficiaries/src/beneficiary-store.ts'
import { areDrafted, recordConsented } from '../../services/beneficiaries/src/mandates/authority-store.ts'
import { mandateCreate } from '../../services/beneficiaries/src/mandates/create.ts'
import { recordFencesWanted, recordFenceUnanswered } from '../../services/beneficiaries/src/mandates/fence-store.ts'
import { listMandates, listOver, listRunning } from '../../services/beneficiaries/src/mandates/store.ts'
import { findCard, findNamedCard, listCards } from '../../services/cards/src/card-store.ts'
import { cardCreate, changeWrites } from '../../services/cards/src/card-writes.ts'
import { pruneReveals, recordReveal, recordRevealOpened } from '../../services/cards/src/reveal-store.ts'
import { listToAnnounceOf, listToFenceOf } from '../../services/onboarding/src/announcements-store.ts'
import { replaceBinding } from '../../services/onboarding/src/binding-changes.ts'
import { recordKycWish, takeDue } from '../../services/onboarding/src/kyc-store.ts'
import { endingOfOwner } from '../../services/onboarding/src/left-behind.ts'
import {
  dropWaitingCredentials,
  findWaitingSignInLocked,
  hashSignInId,
  recordResult,
  recordStarted,
} from '../../services/onboarding/src/sign-ins-store.ts'
import { findOperationRow, hastenApproval, takeApproval } from '../../services/operations/src/approvals/store.ts'
import { type CeilingDay, readReserved } from '../../services/operations/src/store/ceiling-days.ts'
import { recordIntent } from '../../services/operations/src/store/confirmation-intents.ts'
import { withdrawDecisions } from '../../services/operations/src/store/decisions.ts'
import { findIdsOfKey, recordKeys } from '../../services/operations/src/store/keys.ts'
import { findOperations, findUnsettledBindings } from '../../services/operations/src/store/operations.ts'
import { recordParked } from '../../services/operations/src/store/projection.ts'
import { findTransfer, findTransfers, releaseTransfers } from '../../services/operations/src/store/transfers.ts'
import { recordLateAnswer } from '../../services/reconciler/src/store/handoff.ts'
import { recordFence, recordUnfence } from '../../services/submitter/src/store/fences.ts'
import { recordForgotten, recordLateDelivered } from '../../services/submitter/src/store/outbox.ts'
import { recordOutcomes } from '../../services/submitter/src/store/outcomes.ts'
import { askLosingCases } from './losing-cases.ts'
import type { Row } from './virtual/tables.ts'
import { credentialSealer, credentials, owners } from './world/services.ts'
import type { World } from './world/world.ts'

export async function askTheRest(world: World): Promise<void> {
  const now = new Date(world.clock.nowMs())
  await askOperations(world, world.open('operations'), now)
  await askSubmitter(world, world.open('submitter'), now)
  await askReconciler(world, world.open('reconciler'), now)
  await askBeneficiaries(world, world.open('beneficiaries'), now)
  await askCards(world, world.open('cards'), now)
  await askOnboarding(world, world.open('onboarding'), now)
  for (const area of ['beneficiaries', 'cards', 'spending', 'onboarding'] as const) await askWrites(world, area, now)
  await askLosingCases(world)
}

const rowsOf = (world: World, service: keyof World['stores'], table: string): Row[] => [
  ...(world.stores[service].tables.get(table)?.rows.values() ?? []),
]

async function askWrites(
  world: World,
  area: 'beneficiaries' | 'cards' | 'spending' | 'onboarding',
  now: Date,
): Promise<void> {
  const db = world.open(area)
  await parkOfArea(db, now, 'a reason', { any: 'event' })
  const ids = rowsOf(world, area, 'writes').map((row) => row.operation_id as string)
  await removeDrafts(db, ids.slice(1))
  for (const id of ids.slice(0, 2)) await recordKeyReleased(db, id)
}

async function askOperations(world: World, db: Database, now: Date): Promise<void> {
  const parked = { reason: 'malformed', transition: { operation_id: 'none', at: 1 } } as const
  await recordParked(db, [parked], now)
  await recordParked(db, [parked, { ...parked, reason: 'broken_chain', transition: null }], now)
  for (const row of rowsOf(world, 'operations', 'operations').slice(0, 3)) {
    const { id, owner_id, client_id, subject } = row as Record<string, string>
    if (!id || !isUuid(id) || !owner_id || !client_id || !subject) continue
    await findOperations(db, [
      { id, owner_id, client_id, subject },
      { id, owner_id, client_id, subject: 'another' },
      { id, owner_id, client_id: 'another', subject },
      { id, owner_id: 'another', client_id, subject },
    ])
    await findOperationRow(db, id)
  }
  for (const row of rowsOf(world, 'operations', 'approvals')) {
    const id = row.operation_id as string
    await hastenApproval(db, id, new Date(now.getTime() - 3_600_000 * 24 * 40))
    await takeApproval(db, id, { now, until: new Date(now.getTime() + 5_000) })
  }
  for (const row of rowsOf(world, 'operations', 'idempotency_keys'))
    await findIdsOfKey(db, row as { owner_id: string; client_id: string }, row.key as string)
  const [kept] = rowsOf(world, 'operations', 'idempotency_keys')
  if (kept) {
    const offers = ['key', 'another'].map((key) => ({ ...kept, key: key === 'key' ? kept.key : key, request: kept }))
    const expiresAt = new Date(now.getTime() + 1_000)
    await recordKeys(db, offers as unknown as Parameters<typeof recordKeys>[1], { now, expiresAt })
  }
  for (const { operation_id } of rowsOf(world, 'operations', 'transfers').slice(0, 2)) {
    const moved = [{ id: operation_id as string, state: 'failed' } as const]
    // On the second call there is nothing left to release.
    await releaseTransfers(db, moved, now)
    await releaseTransfers(db, moved, new Date(now.getTime() + 1_000))
  }
  await askTransfers(world, db)
  await findUnsettledBindings(db, [...owners.map(({ binding_id }) => binding_id), 'another'])
  const [decision] = rowsOf(world, 'operations', 'decisions')
  if (decision)
    await withdrawDecisions(db, [{ request: decision } as unknown as Parameters<typeof withdrawDecisions>[1][number]])
  const [owner_id] = owners.map((owner) => owner.owner_id)
  await recordIntent(db, {
    id: world.settledBefore(),
    owner_id: owner_id ?? '',
    client_id: 'client-1',
    grant_id: 'grant',
    action: 'mandate_create',
    request_hash: 'hash',
    binding_id: 'binding',
    summary: 'Words.',
    facts: { client: [], owner: [] },
    quoted_sealed: Buffer.from('quoted'),
    created_at: now,
    expires_at: new Date(now.getTime() + 1_000),
  })
  await askWitness(db, now)
}

async function askTransfers(world: World, db: Database): Promise<void> {
  for (const row of rowsOf(world, 'operations', 'transfers').slice(0, 3)) {
    const { id, owner_id, client_id, mandate_id, beneficiary_id } = row as Record<string, string>
    if (!id || !owner_id || !client_id) continue
    const owner = { owner_id, client_id, subject: `subject-${owner_id}` }
    const created_at = (row.created_at as Date).toISOString()
    await findTransfer(db, owner, id)
    await readReserved(db, row as CeilingDay)
    await readReserved(db, { ...(row as CeilingDay), currency: 'GBP' })
    for (const other of [{ subject: 'another' }, { owner_id: 'another' }, { client_id: 'another' }])
      await findTransfer(db, { ...owner, ...other }, id)
    for (const filters of [
      {},
      { mandate_id, beneficiary_id, state: 'succeeded' as const },
      { created_after: created_at },
      { created_before: created_at },
    ])
      await findTransfers(db, owner, filters, { limit: 2, after: undefined })
    await findTransfers(db, owner, {}, { limit: 2, after: { created_at, id } })
  }
}

async function askSubmitter(world: World, db: Database, now: Date): Promise<void> {
  for (const row of rowsOf(world, 'submitter', 'submissions').slice(0, 4)) {
    const { operation_id: operationId, attempt_id: attemptId } = row as Record<string, string>
    if (!operationId || !attemptId) continue
    const late = {
      outcome: 'uncertain',
      upstream_reference: null,
      resource: null,
      failure_code: null,
      observed_at: now.toISOString(),
    }
    const outcome = {
      operationId,
      attemptId,
      event: 'outcome_unknown',
      state: 'indeterminate',
      upstreamReference: null,
      resource: null,
      failureCode: null,
      failureDetail: null,
      at: now,
      late,
    } as const
    await recordOutcomes(db, [outcome as unknown as Parameters<typeof recordOutcomes>[1][number]])
    await recordLateDelivered(db, operationId)
    await recordForgotten(db, [operationId], { batchId: attemptId, now })
  }
  const about = { target: 'mandate', target_id: 'one' } as const
  await recordFence(db, { ...about, reason: 'test', version: 3 }, now)
  await recordFence(db, { ...about, reason: 'test', version: 2 }, now)
  await recordUnfence(db, { ...about, version: 3 })
  await recordUnfence(db, { ...about, version: 4 })
  await askWitness(db, now)
}

/** A database loses nothing here, so that only its first witness is ever found. */
async function askWitness(db: Database, now: Date): Promise<void> {
  const { epoch, made, epoch_sequence: sequence } = await findKnown(db)
  const [writer] = await testMark(db)
  await findMarks(db, [writer])
  await findMarks(db, ['nobody'])
  await findLastMarkTime(db)
  for (const [of, seen] of [
    [made ?? '', sequence + 1],
    [made ?? '', sequence],
    ['another', sequence + 9],
  ] as const)
    await recordSeen(db, of, seen)
  const verified = { epoch, made: made ?? '', epochSequence: sequence + 2, writers: ['one'] }
  for (const another of [{ made: 'another' }, { epoch: '1/1/1' }, {}])
    await recordVerified(db, { ...verified, ...another }, () => Promise.resolve())
  await recordMade(db, epoch, 'second', 'another')
  await recordMade(db, '1/1/1', 'second', made)
  await recordMade(db, epoch, 'second', made)
  for (const ms of [2_000, 1_000, 3_000])
    await recordRecovery(db, epoch, new Date(now.getTime() + ms), `recovered-${ms}`)
  await recordRecovery(db, '1/1/1', new Date(now.getTime() + 9_000), 'never')
  await recordRecovered(db, epoch, 'another')
  await recordRecovered(db, '1/1/1', 'recovered-3000')
  await recordRecovered(db, epoch, 'recovered-3000')
}

async function askReconciler(world: World, db: Database, now: Date): Promise<void> {
  for (const row of rowsOf(world, 'reconciler', 'reconciliations').slice(0, 4)) {
    const answer = {
      operation_id: row.operation_id as string,
      outcome: 'failed',
      upstream_reference: null,
      resource: null,
    } as const
    const reported = { ...answer, failure_code: 'provider_refused', observed_at: now.toISOString() } as const
    await recordLateAnswer(db, reported, now)
    await recordLateAnswer(db, reported, now)
  }
}

/** Replaces the credentials of the first connection and leaves the others as they are. */
async function askOnboarding(world: World, db: Database, now: Date): Promise<void> {
  const row = rowsOf(world, 'onboarding', 'bindings').find(({ status }) => status !== 'disconnected')
  const to = { display_name: 'Anew', source: 'sign_in', credentials } as const
  const living = row as unknown as Parameters<typeof replaceBinding>[1] | undefined
  if (living) await replaceBinding({ tx: db, sealer: credentialSealer, now }, living, to)
  for (const { owner_id } of owners) await db.rows(endingOfOwner, [owner_id, now])
  const ids = rowsOf(world, 'onboarding', 'bindings').map(({ id }) => id as string)
  for (const id of [...ids, world.settledBefore()]) {
    await listToFenceOf(db, id)
    await listToAnnounceOf(db, id)
  }
  await askConnecting(db, now)
}

/** The earliest of several wishes counts. A wish that was taken is removed. */
async function askKycWishes(db: Database, ownerId: string, now: Date): Promise<void> {
  for (const ms of [0, 60_000, -60_000]) await recordKycWish(db, ownerId, new Date(now.getTime() + ms))
  await takeDue(db, now, 10)
  await recordKycWish(db, ownerId, now)
}

/**
 * Gives one owner each reason for being unable to connect: an expired sign-in, no credentials left, a connection that
 * ended after the sign-in began.
 */
async function askConnecting(db: Database, now: Date): Promise<void> {
  const at = (ms: number) => new Date(now.getTime() + ms)
  const owner = { display_name: null, locale: 'pt-PT', timezone: 'Europe/Lisbon' }
  const cases = [
    { owner_id: '018f0000-0000-7000-8000-00000000000a', began: at(-1_000), expiresAt: at(600_000) },
    { owner_id: '018f0000-0000-7000-8000-00000000000b', began: at(-1_000), expiresAt: at(-500) },
    ...owners.map(({ owner_id }) => ({ owner_id, began: at(-86_400_000), expiresAt: at(600_000) })),
  ]
  for (const [index, { owner_id, began, expiresAt }] of cases.entries()) {
    const idHash = hashSignInId(`sign-in ${index}`)
    const authenticationSealed = Buffer.from('asked')
    await recordStarted(db, { idHash, provider: 'fake', authenticationSealed, now: began, expiresAt })
    const result = { type: 'signed_in', owner: { ...owner, owner_id } } as const
    await recordResult(db, idHash, result, Buffer.from('sealed'))
  }
  await askKycWishes(db, cases[0]?.owner_id ?? '', now)
  const asked = cases.map(({ owner_id }) => owner_id)
  for (const owner_id of asked) await findWaitingSignInLocked(db, owner_id, now)
  for (const owner_id of asked.slice(0, 1)) {
    await dropWaitingCredentials(db, owner_id)
    await findWaitingSignInLocked(db, owner_id, now)
  }
}

/** Calls that tell the in-memory models of reads apart: another owner, pages, a reveal, a creation that was never accepted. */
async function askCards(world: World, db: Database, now: Date): Promise<void> {
  const [owner_id = '', stranger = ''] = owners.map((owner) => owner.owner_id)
  const card = { id: world.settledBefore(), operation_id: world.settledBefore() }
  const write = { operation_id: card.operation_id, resource_id: card.id, owner_id, client_id: 'client-1' }
  const keyed = { route: 'route', idempotency_key: 'key', request_hash: 'hash' }
  const input = { label: null, type: 'virtual', currency: 'EUR' } as const
  const news = { was: 'draft', at: now.toISOString(), upstream_reference: 'up-card', resource: null } as const
  const made = { ...write, ...news, kind: 'card_create', to: 'succeeded' } as const
  const drafts = [{ ...write, ...keyed, kind: 'card_create', input }] as const
  await db.transaction((tx) => cardCreate.draft(tx, drafts, now))
  await db.transaction((tx) => cardCreate.follow(tx, [made]))
  const freeze = { ...write, ...keyed, operation_id: world.settledBefore(), kind: 'card_freeze', input: null } as const
  await db.transaction(async (tx) => {
    await changeWrites.card_freeze.lock?.(tx, [freeze])
    await changeWrites.card_freeze.draft(tx, [freeze], now)
  })
  for (const asking of [owner_id, stranger]) {
    await findCard(db, asking, card.id)
    await findNamedCard(db, asking, card.id)
    await listCards(db, asking, 2, undefined)
    await listCards(db, asking, 2, { created_at: new Date(now.getTime() + 1).toISOString(), id: card.id })
  }
  const old = { id: world.settledBefore(), card_id: card.id, owner_id, client_id: 'client-1' }
  await recordReveal(db, old, new Date(now.getTime() - 3_600_000))
  const session = { id: world.settledBefore(), card_id: card.id, owner_id, client_id: 'client-1' }
  await recordReveal(db, session, now)
  await recordRevealOpened(db, session.id, new Date(now.getTime() + 120_000))
  await pruneReveals(db, now, 10)
  const gone = { id: world.settledBefore(), operation_id: world.settledBefore() }
  const voided = { ...made, operation_id: gone.operation_id, resource_id: gone.id } as const
  await db.transaction(async (tx) => {
    await cardCreate.draft(tx, [{ ...drafts[0], operation_id: gone.operation_id, resource_id: gone.id }], now)
    await cardCreate.follow(tx, [{ ...voided, to: 'void' }])
  })
  await findCard(db, owner_id, gone.id)
  await findNamedCard(db, owner_id, gone.id)
  await listCards(db, owner_id, 2, undefined)
  await listCards(db, owner_id, 2, { created_at: new Date(now.getTime() + 1).toISOString(), id: gone.id })
  // The card that was created stays.
  const bothGone = [voided, made].map((move) => ({ ...move, to: 'gone', was: 'void' }) as const)
  await db.transaction((tx) => cardCreate.follow(tx, bothGone))
}

async function askBeneficiaries(world: World, db: Database, now: Date): Promise<void> {
  for (const { owner_id } of owners) {
    for (const row of rowsOf(world, 'beneficiaries', 'beneficiaries').slice(0, 3)) {
      const after = { created_at: (row.created_at as Date).toISOString(), id: row.id as string }
      await findBeneficiary(db, owner_id, row.id as string)
      await listBeneficiaries(db, owner_id, 2, after)
    }
    for (const row of rowsOf(world, 'beneficiaries', 'mandates').slice(0, 3)) {
      const after = { created_at: (row.created_at as Date).toISOString(), id: row.id as string }
      await listMandates(db, { owner_id, client_id: 'client-1' }, 2, after, now)
      await listMandates(db, { owner_id, client_id: null }, 2, undefined, now)
      await listRunning(db, owner_id, null, 2, now)
      await listRunning(db, owner_id, after, 2, now)
      await listOver(db, owner_id, 2, now)
    }
  }
  const gone = { kind: 'mandate_create', to: 'gone', was: 'void', upstream_reference: null, resource: null } as const
  const ids = { operation_id: world.settledBefore(), resource_id: world.settledBefore() }
  await db.transaction((tx) =>
    mandateCreate.follow(tx, [{ ...gone, ...ids, owner_id: '', client_id: '', at: now.toISOString() }]),
  )
  await askAuthorities(world, db, now)
  // The second wish changes nothing.
  const ended = rowsOf(world, 'beneficiaries', 'mandates').slice(0, 2)
  for (const reason of ['first', 'second'])
    await recordFencesWanted(
      db,
      ended.map(({ id }) => id as string),
      reason,
    )
  for (const row of rowsOf(world, 'beneficiaries', 'mandate_fences'))
    await recordFenceUnanswered(db, row.mandate_id as string)
}

/**
 * Records a consent beside calls that must change nothing: another owner, a client that is not named, too late, or a
 * second time.
 */
async function askAuthorities(world: World, db: Database, now: Date): Promise<void> {
  const mandate_ids = rowsOf(world, 'beneficiaries', 'mandates').map((row) => row.id as string)
  const grant_id = 'grant of a consent'
  const tooLate = new Date(now.getTime() + 400 * 86_400_000)
  for (const { owner_id } of owners)
    for (const client_id of ['client-1', 'client-9'])
      for (const at of [tooLate, now, now])
        await recordConsented(db, { owner_id, client_id, grant_id, mandate_ids }, at)
  for (const id of mandate_ids) await areDrafted(db, id, [])
}
