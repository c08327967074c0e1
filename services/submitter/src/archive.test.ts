/** The archive of submissions: an archived operation is never submitted again, whoever offers it. */

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { archive } from '@financial-agents/postgres/archive/archive'
import { readArchived } from '@financial-agents/postgres/archive/read-back'
import { type Database, statement } from '@financial-agents/postgres/database'
import { createTestDatabase, type TestDatabase } from '@financial-agents/postgres/testing/database'
import { beginMonthsAgo, idAt, monthName, monthStart } from '@financial-agents/postgres/testing/months'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { archivePlan } from './commands/archive.ts'
import { claimMarked, newItem, outcomeOf } from './items.test-helper.ts'
import { migrations } from './migrations.ts'
import { batchIdOf, type ClaimItem } from './store/claims.ts'
import { removeConfirmed } from './store/outbox.ts'
import { recordOutcomes } from './store/outcomes.ts'

const hourMs = 3_600_000

let tables: TestDatabase
let db: Database
let dir: string

beforeEach(async () => {
  tables = await createTestDatabase({ service: 'submitter', migrations })
  await beginMonthsAgo(tables.connectionString, tables.schema, 5)
  db = tables.open()
  dir = await mkdtemp(join(tmpdir(), 'archive-'))
})
afterEach(async () => {
  await tables.close()
  await rm(dir, { recursive: true })
})

const { after: _, ...alone } = archivePlan
const runArchive = (plan = alone) =>
  archive({ connectionString: tables.connectionString, schema: tables.schema, dir, afterMonths: 2, plan })

function itemAt(time: Date, id = idAt(time)): ClaimItem {
  const item = newItem(new Date())
  return { ...item, operation: { ...item.operation, operation_id: id } }
}
const inMonth = (ago: number) => new Date(monthStart(ago).getTime() + hourMs)

/** Claims, and records an outcome that operations and the reconciler have taken. */
async function submit(items: readonly ClaimItem[]): Promise<void> {
  expect(await claimMarked(db, items, 2_000)).toHaveLength(items.length)
  await recordOutcomes(db, items.map(outcomeOf))
  await removeConfirmed(db, [batchIdOf(items)])
}

const stored = async () =>
  (await db.rows<{ id: string }>(statement('', 'SELECT operation_id AS id FROM submissions ORDER BY 1'))).map(
    ({ id }) => id,
  )

test('a settled month is archived, and its operations are never submitted again', async () => {
  const [old, young] = [itemAt(inMonth(3)), itemAt(inMonth(1))]
  await submit([old, young])
  expect(await runArchive()).toEqual([`${monthName(3)} is archived: submissions 1`])
  const id = old.operation.operation_id
  expect(await stored()).toEqual([young.operation.operation_id])
  const [row] = await readArchived(dir, id)
  expect(JSON.parse(row?.line ?? '')).toMatchObject({
    operation_id: id,
    state: 'indeterminate',
    attempt_id: old.attemptId,
  })
  const again = [itemAt(inMonth(3), id), itemAt(inMonth(4)), itemAt(inMonth(1))]
  const states = (await claimMarked(db, again, 2_000)).map((claimed) => [claimed.operation_id, claimed.state])
  expect(Object.fromEntries(states)).toEqual({
    [id]: 'indeterminate',
    [again[1]?.operation.operation_id ?? '']: 'indeterminate',
    [again[2]?.operation.operation_id ?? '']: 'submitting',
  })
})

test('a month stays while an attempt, a confirmation or a late answer in it is open', async () => {
  const [unconfirmed, settled] = [itemAt(inMonth(3)), itemAt(inMonth(3))]
  await submit([settled])
  await claimMarked(db, [unconfirmed], 2_000)
  const stays = [`${monthName(3)} stays: ${unconfirmed.operation.operation_id} is not settled`]
  expect(await runArchive()).toEqual(stays)
  await recordOutcomes(db, [outcomeOf(unconfirmed)])
  expect(await runArchive()).toEqual(stays)
  await removeConfirmed(db, [batchIdOf([unconfirmed])])
  const late = { ...outcomeOf(settled), event: 'provider_refused', state: 'failed' } as const
  await recordOutcomes(db, [late])
  expect(await runArchive()).toEqual([`${monthName(3)} stays: ${settled.operation.operation_id} is not settled`])
  expect(await stored()).toHaveLength(2)
})

test('a claim that began before the horizon moved is seen by the archive', async () => {
  await submit([itemAt(inMonth(3))])
  let commit = () => {}
  const held = new Promise<void>((resolve) => {
    commit = resolve
  })
  const slow: Database = {
    ...db,
    transaction: (work) =>
      db.transaction(async (tx) => {
        const result = await work(tx)
        await held
        return result
      }),
  }
  const item = itemAt(inMonth(3))
  const claiming = claimMarked(slow, [item], 2_000)
  const waiting = statement(
    '',
    "SELECT FROM pg_locks WHERE locktype = 'advisory' AND NOT granted AND pid IN (SELECT pid FROM pg_stat_activity WHERE usename = current_user)",
  )
  const holding = statement(
    '',
    "SELECT FROM pg_locks WHERE locktype = 'advisory' AND mode = 'ShareLock' AND pid IN (SELECT pid FROM pg_stat_activity WHERE usename = current_user)",
  )
  await expect.poll(() => db.rows(holding)).not.toEqual([])
  const archiving = runArchive()
  await expect.poll(() => db.rows(waiting)).toHaveLength(1)
  commit()
  expect((await claiming)[0]?.state).toBe('submitting')
  expect(await archiving).toEqual([`${monthName(3)} stays: ${item.operation.operation_id} is not settled`])
})

test('submissions wait until operations has archived the month', async () => {
  await submit([itemAt(inMonth(3))])
  expect(await runArchive(archivePlan)).toEqual([`${monthName(3)} waits: operations has not archived it yet`])
  expect(await stored()).toHaveLength(1)
  // The archive of another schema, as that of operations: only its manifest is read.
  const other = await createTestDatabase({ service: 'operations', migrations })
  await beginMonthsAgo(other.connectionString, other.schema, 5)
  const theirs = other.open()
  const item = itemAt(inMonth(3))
  await claimMarked(theirs, [item], 2_000)
  await recordOutcomes(theirs, [outcomeOf(item)])
  await removeConfirmed(theirs, [batchIdOf([item])])
  const plan = { ...alone, service: 'operations' }
  await archive({ connectionString: other.connectionString, schema: other.schema, dir, afterMonths: 2, plan })
  expect(await runArchive(archivePlan)).toEqual([`${monthName(3)} is archived: submissions 1`])
  await other.close()
})

test('restored to before the archive, alone or together with operations, the submitter sends nothing again', async () => {
  const item = itemAt(inMonth(3))
  await submit([item])
  await runArchive()
  // The backup: the same rows, without a horizon.
  const backup = await createTestDatabase({ service: 'submitter', migrations })
  await beginMonthsAgo(backup.connectionString, backup.schema, 5)
  const restored = backup.open()
  await claimMarked(restored, [item], 2_000)
  await recordOutcomes(restored, [outcomeOf(item)])
  const offered = itemAt(inMonth(3), item.operation.operation_id)
  expect(await claimMarked(restored, [offered], 2_000)).toEqual([])
  await removeConfirmed(restored, [batchIdOf([item])])
  await archive({ connectionString: backup.connectionString, schema: backup.schema, dir, afterMonths: 2, plan: alone })
  expect((await claimMarked(restored, [offered], 2_000)).map(({ state }) => state)).toEqual(['indeterminate'])
  expect(await readArchived(dir, item.operation.operation_id)).not.toEqual([])
  await backup.close()
})
