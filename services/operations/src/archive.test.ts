/** The archive of operations on real PostgreSQL and real files: nothing is removed before it is written and read back. */

import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { AcceptRequest, Payment } from '@financial-agents/bus/messages/operations'
import type { HandlerContext } from '@financial-agents/bus/rpc'
import { createCursors } from '@financial-agents/contract/cursor'
import { archive } from '@financial-agents/postgres/archive/archive'
import { readArchived, verifyAll } from '@financial-agents/postgres/archive/read-back'
import type { Database } from '@financial-agents/postgres/database'
import { beginMonthsAgo, idAt, monthName, monthStart } from '@financial-agents/postgres/testing/months'
import { createLog } from '@financial-agents/runtime/log'
import { compileCache } from '@financial-agents/testkit/compile-cache'
import { afterAll, afterEach, beforeEach, expect, test } from 'vitest'
import { createDecide } from './calls/decide.ts'
import { createOwnerOperation } from './calls/owner-activity.ts'
import { archivePlan } from './commands/archive.ts'
import { getOperation } from './handlers/getOperation.ts'
import { getTransfer } from './handlers/getTransfer.ts'
import { listOperations } from './handlers/listOperations.ts'
import { listTransfers } from './handlers/listTransfers.ts'
import { pollOperationApproval } from './handlers/pollOperationApproval.ts'
import {
  createInstance,
  moveOf,
  newPayment,
  newPrincipal,
  newRequest,
  openTestOperations,
  query,
  sealer,
} from './operations.test-helper.ts'
import { createProjector } from './project.ts'
import { findOperatorOperation } from './store/operator-history.ts'
import { listOperatorOperations } from './store/operator-list.ts'

const log = createLog({ service: 'operations', level: 'silent' })
const helper = join(import.meta.dirname, 'archive-process.test-helper.ts')
const run = promisify(execFile)
const hourMs = 3_600_000
const cursors = createCursors(randomBytes(32))

type Tables = Awaited<ReturnType<typeof openTestOperations>>
const opened: Tables[] = []
let tables: Tables
let db: Database
let dir: string

async function openTables(): Promise<Tables> {
  const made = await openTestOperations()
  opened.push(made)
  await beginMonthsAgo(made.connectionString, made.schema, 5)
  return made
}

beforeEach(async () => {
  tables = await openTables()
  db = tables.open()
  dir = await mkdtemp(join(tmpdir(), 'archive-'))
})
afterEach(() => rm(dir, { recursive: true }))
afterAll(async () => {
  for (const each of opened) await each.close()
})

const runArchive = (of: Tables = tables) =>
  archive({ connectionString: of.connectionString, schema: of.schema, dir, afterMonths: 2, plan: archivePlan })

/** Runs the archive in a process that is killed at the failpoint. */
async function dieAt(failpoint: string): Promise<void> {
  const given = { DATABASE_URL: tables.connectionString, TEST_SCHEMA: tables.schema, ARCHIVE_DIR: dir }
  const env = { ...process.env, ...compileCache, ...given, FAILPOINT: failpoint }
  await expect(run(process.execPath, [helper], { env })).rejects.toMatchObject({ signal: 'SIGKILL' })
}

const inMonth = (ago: number, hours = 1) => idAt(new Date(monthStart(ago).getTime() + hours * hourMs))
const failed = { event: 'fail_before_submission', to: 'failed' } as const

/** Accepts a payment with each id, and settles it unless it is to stay accepted. */
async function write(ids: readonly string[], { settles = true, at = db }: { settles?: boolean; at?: Database } = {}) {
  const { accept, clock } = createInstance(at)
  const project = createProjector({ db: at, clock, log, confirm: async () => {} })
  const requests = ids.map((operation_id) => newRequest({ operation_id, kind: 'transfer' }))
  await Promise.all(requests.map((request) => accept(request)))
  if (settles) await project([{ transitions: requests.map((request) => moveOf(request, failed)) }])
  return requests
}

/** The operations that are stored whole: an archived one has a narrow row. */
const stored = async (at = db) =>
  (await query<{ id: string }>(at, 'SELECT id FROM operations WHERE accepted_at IS NOT NULL ORDER BY id')).map(
    ({ id }) => id,
  )
const horizon = async () => (await query<{ before: Date }>(db, 'SELECT before FROM archive_horizon'))[0]?.before
const tablesOf = async (id: string) => [...new Set((await readArchived(dir, id)).map(({ table }) => table))]
const everything = ['operations', 'history', 'decisions', 'transfers']
const archived = new RegExp(
  `^${monthName(3)} is archived: operations 2, history \\d, decisions 2, transfers 2, approvals 0`,
)

test('a settled month goes to files with all that belongs to its operations, and younger months stay', async () => {
  const [old, edge] = [inMonth(3), idAt(new Date(monthStart(2).getTime() - 1))]
  const young = [idAt(monthStart(2)), inMonth(1), inMonth(0)]
  await write([old, edge, ...young])
  await query(db, "UPDATE transfers SET reference_sealed = '\\x01'")
  expect(await runArchive()).toEqual([expect.stringMatching(archived)])
  expect(await stored()).toEqual(young.toSorted())
  for (const table of ['history', 'decisions'])
    expect((await query(db, `SELECT FROM ${table} WHERE operation_id < '${young[0]}'`)).length, table).toBe(0)
  for (const id of [old, edge]) expect(await tablesOf(id)).toEqual(expect.arrayContaining(everything))
  expect(await tablesOf(young[0] as string)).toEqual([])
  const rows = await readArchived(dir, old)
  const lastOf = (name: string) => JSON.parse(rows.findLast(({ table }) => table === name)?.line ?? '') as unknown
  expect(lastOf('operations')).toMatchObject({ id: old, state: 'failed', payload_sealed: null })
  expect(lastOf('history')).toMatchObject({ operation_id: old, sequence: 2, to_state: 'failed' })
  expect(lastOf('transfers')).toMatchObject({ operation_id: old, amount: expect.anything() })
  expect(lastOf('transfers')).not.toHaveProperty('reference_sealed')
  expect(await horizon()).toEqual(monthStart(2))
  expect(await verifyAll(dir, 'operations')).toHaveLength(1)
  expect(await runArchive()).toEqual(['no month is due'])
})

test('a month with an unsettled operation stays with all its rows, is named with the id, and does not hold others back', async () => {
  const [open, other, later] = [inMonth(4), inMonth(4), inMonth(3)]
  const [request] = await write([open], { settles: false })
  await write([other, later])
  const { clock } = createInstance(db)
  const project = createProjector({ db, clock, log, confirm: async () => {} })
  if (request) await project([{ transitions: [moveOf(request)] }])
  const lines = await runArchive()
  expect(lines[0]).toBe(`${monthName(4)} stays: ${open} is not settled`)
  expect(lines[1]).toContain(`${monthName(3)} is archived`)
  expect(await stored()).toEqual([open, other].toSorted())
})

test('an operation that may still be claimed stops its month and all later ones, and the horizon does not pass it', async () => {
  const [open, later] = [inMonth(4), inMonth(3)]
  await write([open], { settles: false })
  await write([later])
  expect(await runArchive()).toEqual([`${monthName(4)} and all later months stay: ${open} is not claimed`])
  expect(await stored()).toEqual([open, later])
  expect(await horizon()).toBeUndefined()
})

test('an archived id is never accepted again and never voided', async () => {
  const [id, never, young] = [inMonth(3), inMonth(3, 2), inMonth(1)]
  const [request] = await write([id])
  await runArchive()
  const { accept, clock } = createInstance(db)
  for (const operation_id of [id, never])
    await expect(accept({ ...newRequest({ operation_id }) })).rejects.toMatchObject({ code: 'internal_error' })
  if (request) await expect(accept(request)).rejects.toMatchObject({ code: 'internal_error' })
  const decided = await createDecide(db, clock)({ operation_ids: [id, never, young] })
  expect(decided.map(({ operation_id, state }) => [operation_id, state])).toEqual([[young, 'void']])
  expect(await query(db, 'SELECT FROM decisions WHERE operation_id = ANY ($1)', [[id, never]])).toEqual([])
  expect(await stored()).toEqual([])
})

/** Every answer that names an operation: to its client, to its owner and to operators. */
async function readEverywhere(request: AcceptRequest) {
  const { operation_id, resource_id, principal, key, kind } = request
  const context = { principal } as HandlerContext
  const opening = { sealer, log }
  const of = (params: Record<string, string>, given: object = {}) =>
    ({ params, query: given, body: undefined }) as never
  const list = (given: object) => listOperations(db)(of({}, { limit: 100, ...given }), context)
  const transfers = (given: object) => listTransfers(db, opening, cursors)(of({}, { limit: 100, ...given }), context)
  const ops = async (given: object) =>
    (await listOperatorOperations(db, { limit: 100, after: null, ...given })).operations
  const { beneficiary_id } = request.payment as Payment
  return {
    one: await getOperation(db)(of({ id: operation_id }), context),
    polled: await pollOperationApproval(db, { poll: async () => {} })(of({ operation_id }), context),
    lists: await Promise.all([{}, { state: 'failed' }, { kind }, { resource_id }, { idempotency_key: key }].map(list)),
    transfer: await getTransfer(db, opening)(of({ transfer_id: resource_id }), context),
    transfers: await Promise.all([{}, { state: 'failed' }, { beneficiary_id }].map(transfers)),
    operator: (await findOperatorOperation(db, operation_id))?.operation,
    operators: await Promise.all(
      [
        {},
        { state: 'failed' },
        { grant_id: principal.grant_id },
        { client_id: principal.client_id },
        { resource_id },
      ].map(ops),
    ),
  }
}

test('an archived operation stays readable as it was: to its client, in lists, as a transfer and to operators', async () => {
  const principal = newPrincipal()
  const requests = [3, 1].map((ago) => {
    const [operation_id, resource_id] = [inMonth(ago), inMonth(ago)]
    const reference_sealed = sealer.seal(Buffer.from('Rent'), resource_id).toString('base64')
    return newRequest({
      principal,
      operation_id,
      resource_id,
      kind: 'transfer',
      payment: newPayment({ reference_sealed }),
    })
  })
  const { accept, clock } = createInstance(db)
  for (const request of requests) await accept(request)
  const project = createProjector({ db, clock, log, confirm: async () => {} })
  await project([{ transitions: requests.map((request) => moveOf(request, failed)) }])
  const [old] = requests as [AcceptRequest]
  const before = await readEverywhere(old)
  expect(before.one).toMatchObject({ id: old.operation_id, state: 'failed' })
  expect(before.transfer).toMatchObject({ operation_id: old.operation_id, reference: 'Rent' })
  expect(before.lists.map(({ items }) => items.length)).toEqual([2, 2, 2, 1, 1])
  expect(await runArchive()).toEqual([expect.stringContaining(`${monthName(3)} is archived`)])
  expect(await readEverywhere(old)).toEqual(before)
  expect(await stored()).not.toContain(old.operation_id)
  const asked = { owner_id: principal.owner_id, operation_id: old.operation_id }
  expect((await createOwnerOperation(db, { sealer, log })(asked))?.moves.map(({ to }) => to)).toEqual([
    'accepted',
    'failed',
  ])
  const stranger = { principal: newPrincipal() } as HandlerContext
  for (const id of [old.operation_id, inMonth(3), inMonth(5), 'no id'])
    await expect(getOperation(db)({ params: { id }, query: {}, body: undefined }, stranger)).rejects.toMatchObject({
      code: 'operation_not_found',
    })
})

test('an accept that began before the horizon moved is seen by the archive', async () => {
  const id = inMonth(3)
  await write([inMonth(3, 5)])
  let commit = () => {}
  const held = new Promise<void>((resolve) => {
    commit = resolve
  })
  const request = newRequest({ operation_id: id })
  const slow: Database = {
    ...db,
    transaction: (work) =>
      db.transaction(async (tx) => {
        const result = await work(tx)
        await held
        return result
      }),
  }
  const accepting = createInstance(slow).accept(request)
  await expect
    .poll(() =>
      query(
        db,
        "SELECT FROM pg_locks WHERE locktype = 'advisory' AND mode = 'ShareLock' AND pid IN (SELECT pid FROM pg_stat_activity WHERE usename = current_user)",
      ),
    )
    .toHaveLength(1)
  const archiving = runArchive()
  await expect
    .poll(() =>
      query(
        db,
        "SELECT FROM pg_locks WHERE locktype = 'advisory' AND NOT granted AND pid IN (SELECT pid FROM pg_stat_activity WHERE usename = current_user)",
      ),
    )
    .toHaveLength(1)
  commit()
  await accepting
  expect(await archiving).toEqual([`${monthName(3)} stays: ${id} is not settled`])
  expect(await stored()).toHaveLength(2)
})

const steps = [
  'archive.after_horizon',
  'archive.after_copy',
  'archive.after_detach',
  'archive.after_detach_all',
  'archive.after_file',
  'archive.after_file:2',
  'archive.after_folder',
  'archive.after_written',
  'archive.after_rows',
  'archive.before_removed',
]

test.each(steps)('killed at %s, nothing is lost and the next run finishes', async (step) => {
  const ids = [inMonth(3), inMonth(3, 2)]
  await write([...ids, inMonth(1)])
  await dieAt(step)
  expect(await query(db, 'SELECT FROM operations')).toHaveLength(3)
  expect(await runArchive()).toEqual([expect.stringMatching(archived)])
  for (const id of ids) expect(await tablesOf(id)).toEqual(expect.arrayContaining(everything))
  expect(await stored()).toHaveLength(1)
  expect(await readdir(join(dir, 'operations'))).toEqual([monthName(3)])
  expect(await runArchive()).toEqual(['no month is due'])
})

test('a file that was changed after it was written stops the archive before anything is removed', async () => {
  const id = inMonth(3)
  await write([id])
  await dieAt('archive.after_written')
  const path = join(dir, 'operations', monthName(3), 'history.ndjson.gz')
  const whole = await readFile(path)
  await writeFile(path, whole.subarray(0, -1))
  await expect(runArchive()).rejects.toThrow('is not the file that the manifest describes')
  expect(await query(db, 'SELECT FROM decisions WHERE operation_id = $1', [id])).toHaveLength(1)
  expect(await query(db, `SELECT FROM operations_${monthName(3).replace('-', '_')}`)).toHaveLength(1)
  await writeFile(path, whole)
  expect(await runArchive()).toEqual([expect.stringContaining('is archived')])
})

test('after a restore from before the archive, the month is archived again and both files stay', async () => {
  const id = inMonth(3)
  await write([id])
  await runArchive()
  const restored = await openTables()
  const other = restored.open()
  await write([id, inMonth(3, 2)], { at: other })
  expect(await runArchive(restored)).toEqual([expect.stringContaining('operations 2')])
  expect(await readdir(join(dir, 'operations'))).toHaveLength(2)
  expect((await readArchived(dir, id)).filter(({ table }) => table === 'operations')).toHaveLength(2)
  expect(await verifyAll(dir, 'operations')).toHaveLength(2)
})
