/** PostgreSQL's own counts: no statement of the service reads a whole table, however large the tables are. */

import type { HandlerContext } from '@financial-agents/bus/rpc'
import type { Principal } from '@financial-agents/contract/principal'
import { operationsRoutes } from '@financial-agents/contract/routes/operations'
import type { Database } from '@financial-agents/postgres/database'
import { createLog } from '@financial-agents/runtime/log'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { findMovesToRepeat } from './approvals/store.ts'
import { announceUnclaimed, eraseQuotedPayloads, pruneEndedIntents, pruneExpiredKeys } from './background-job.ts'
import { createChanged } from './calls/changed.ts'
import { createDecide } from './calls/decide.ts'
import { createDecideIntent, createFindIntent } from './calls/intents.ts'
import {
  createOwnerActivity,
  createOwnerHistory,
  createOwnerOperation,
  createOwnerSpending,
} from './calls/owner-activity.ts'
import { createResult } from './calls/result.ts'
import { getOperation } from './handlers/getOperation.ts'
import { listOperations } from './handlers/listOperations.ts'
import {
  createInstance,
  dayMs,
  moveOf,
  newConfirmed,
  newId,
  newPrincipal,
  newRequest,
  offeredAgain,
  openTestOperations,
  query,
  sealer,
} from './operations.test-helper.ts'
import { createProjector } from './project.ts'
import { type NewIntent, recordIntent } from './store/confirmation-intents.ts'
import { findPayloads, findUnsettledBindings } from './store/operations.ts'
import { findStateViews } from './store/state-views.ts'
import { findTransfer, findTransfers } from './store/transfers.ts'

let tables: Awaited<ReturnType<typeof openTestOperations>>

beforeAll(async () => {
  tables = await openTestOperations()
})
afterAll(() => tables.close())

const grown = [
  'operations',
  'idempotency_keys',
  'decisions',
  'history',
  'in_flight',
  'grants',
  'unsuccessful',
  'confirmation_intents',
  'transfers',
  'ceiling_days',
]

const log = createLog({ service: 'operations', level: 'silent' })
const listed = [
  {},
  { state: 'failed' },
  { kind: 'card_create' },
  { resource_id: newId() },
  { created_after: '2020-01-01T00:00:00.000Z' },
  { idempotency_key: 'a key of no record' },
]

/** Runs every statement of the service more often than PostgreSQL waits before it keeps a plan. */
async function runEverything(): Promise<void> {
  const db = tables.open()
  const instance = createInstance(db)
  const decide = createDecide(db, instance.clock)
  const result = createResult(db, instance.clock)
  const project = createProjector({ db, clock: instance.clock, log, confirm: async () => {} })
  const principal = newPrincipal()
  const context = { principal } as HandlerContext
  for (let round = 0; round < 8; round += 1) {
    const requests = Array.from({ length: 20 }, () => newRequest({ principal }))
    const ids = requests.map((request) => request.operation_id)
    await Promise.all(requests.map((request) => instance.accept(request)))
    await Promise.all(requests.map((request) => instance.accept(offeredAgain(request))))
    await Promise.all(requests.map(result))
    await decide({ operation_ids: [...ids, newId()] })
    await findPayloads(db, ids)
    await readOfOwner(db, principal, String(ids[0]))
    await findUnsettledBindings(db, [principal.binding_id])
    await findStateViews(db, [...ids, newId()])
    await createChanged(db, instance.clock)({ since: instance.clock.now().toISOString(), after: null, limit: 100 })
    const confirmed = await Promise.all(ids.map(() => newConfirmed(db, instance.clock.now())))
    await Promise.all(confirmed.map((request) => instance.accept(request)))
    await Promise.all(confirmed.map((request) => instance.accept({ ...offeredAgain(request), key: `key-${newId()}` })))
    await getOperation(db)({ params: { id: String(ids[0]) }, query: {}, body: undefined }, context)
    for (const given of listed) {
      const parsed = operationsRoutes.listOperations.query.parse(given)
      await listOperations(db)({ params: {}, query: parsed, body: undefined }, context)
    }
    const intents = Array.from({ length: 20 }, () => newIntent(principal, instance.clock.now()))
    for (const intent of intents) await recordIntent(db, intent)
    const found = { intent_id: String(intents[0]?.id), owner_id: principal.owner_id }
    await createFindIntent(db, instance.clock, sealer)(found)
    const authenticated_at = instance.clock.now().toISOString()
    await createDecideIntent(db, instance.clock, sealer)({ ...found, decision: 'confirm', authenticated_at })
    const paying = Array.from({ length: 20 }, (_, index) =>
      newRequest({ principal: index % 2 ? principal : newPrincipal(), kind: 'transfer' }),
    )
    await Promise.all(paying.map((request) => instance.accept(request)))
    await project([{ transitions: paying.map((request) => moveOf(request, failed)) }])
    await listTransfersOf(db, principal, newId())
    instance.clock.setOffsetMs(6_000)
    await announceUnclaimed({
      ...instance,
      announce: async () => {},
      repeatMoves: async (repeated) => void (await findMovesToRepeat(db, repeated)),
      shortestMs: 5_000,
      longestMs: 60_000,
    })
    await project([{ transitions: requests.map((request) => moveOf(request)), reads_planned: ids.map(planOf) }])
    await project([{ transitions: requests.map((request) => moveOf(request)) }])
    instance.clock.setOffsetMs(31 * dayMs)
    await pruneExpiredKeys(instance)
    await pruneEndedIntents(instance)
    await eraseQuotedPayloads(instance)
    instance.clock.setOffsetMs(0)
  }
  // A connection reports its counts when it closes.
  await db.close()
}

function newIntent({ owner_id, client_id, grant_id }: Principal, now: Date): NewIntent {
  return {
    id: newId(),
    owner_id,
    client_id,
    grant_id,
    action: 'service_disconnect',
    request_hash: 'hash',
    binding_id: newId(),
    summary: 'words',
    facts: { client: [], owner: [] },
    created_at: now,
    expires_at: new Date(now.getTime() + 600_000),
  }
}

/** Reads what the owner's pages show. */
async function readOfOwner(db: Database, { owner_id, client_id }: Principal, operation_id: string): Promise<void> {
  const { clock } = createInstance(db)
  await createOwnerActivity(db, clock)({ owner_id })
  await createOwnerOperation(db, { sealer, log })({ owner_id, operation_id })
  await createOwnerSpending(db, clock)({ owner_id })
  const at = new Date().toISOString()
  const all = { owner_id, client_id: null, mandate_id: null, from: null, until: null, after: null, limit: 3 }
  for (const payments_only of [true, false])
    for (const some of [{}, { client_id }, { from: at, until: at }, { after: { created_at: at, id: operation_id } }])
      await createOwnerHistory(db)({ ...all, ...some, payments_only })
  await createOwnerHistory(db)({ ...all, payments_only: true, mandate_id: operation_id })
}

/** Lists transfers with the filters that clients use. */
async function listTransfersOf(db: Database, principal: Principal, id: string): Promise<void> {
  const at = new Date().toISOString()
  for (const filters of [
    {},
    { mandate_id: id },
    { beneficiary_id: id, state: 'failed' as const },
    { created_after: at },
  ])
    for (const after of [undefined, { created_at: at, id }])
      await findTransfers(db, principal, filters, { limit: 3, after })
  await findTransfer(db, principal, id)
}

const failed = { event: 'fail_before_submission', to: 'failed' } as const

function planOf(operation_id: string) {
  return { operation_id, sequence: 2, next_reconcile_at: new Date().toISOString() }
}

type Counts = { read_sequentially: number; index_scans: number }

/**
 * The counts of all statements so far. A connection reports them when it closes, so the other connections must be
 * closed first.
 */
async function countsSoFar(): Promise<Counts> {
  const db = tables.open()
  const others = () =>
    query(db, 'SELECT 1 FROM pg_stat_activity WHERE usename = current_user AND pid <> pg_backend_pid()')
  await expect.poll(others).toEqual([])
  const [counts] = await query<Counts>(
    db,
    `SELECT sum(seq_tup_read)::bigint AS read_sequentially, sum(idx_scan)::bigint AS index_scans
    FROM pg_stat_user_tables
    WHERE schemaname = $1 AND replace(relname, '_rest', '') = ANY ($2)`,
    [tables.schema, grown],
  )
  await db.close()
  if (!counts) throw new Error('PostgreSQL counts nothing')
  return counts
}

async function grow(): Promise<void> {
  const db = tables.open()
  const { accept } = createInstance(db)
  const requests = Array.from({ length: 5_000 }, (_, index) => newRequest(index % 2 ? {} : { kind: 'transfer' }))
  await Promise.all(requests.map((request) => accept(request)))
  const now = new Date()
  await Promise.all(Array.from({ length: 2_000 }, () => recordIntent(db, newIntent(newPrincipal(), now))))
  await db.close()
}

async function takeStatistics(): Promise<void> {
  const db = tables.open()
  for (const table of grown) await query(db, `ANALYZE ${table}`)
  await db.close()
}

test('no statement reads a whole table: not on tables that outgrew their statistics, nor on those with good ones', async () => {
  await runEverything()
  await grow()
  const before = await countsSoFar()
  await runEverything()
  await takeStatistics()
  await runEverything()
  const after = await countsSoFar()
  expect(after.index_scans - before.index_scans).toBeGreaterThan(1_000)
  expect(after.read_sequentially - before.read_sequentially).toBe(0)
})
