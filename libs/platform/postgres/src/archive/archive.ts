/**
 * Archives every month of a schema whose retention has passed, the oldest first. A month with an open row stays, and is
 * reported with the ids. If an operation of a month may still be claimed, no later month is archived either, because
 * the horizon would pass that operation.
 */

import { failpoint } from '@financial-agents/runtime/failpoint'
import pg from 'pg'
import { detach, finish, StillOpen, type Work } from './archive-month.ts'
import { listFolders, type Manifest } from './files.ts'
import { raiseHorizon } from './horizon.ts'
import { findOpen, findUnclaimed, isEmpty, listDueMonths, type Month, type Open } from './months.ts'
import type { ArchivePlan } from './plan.ts'

/** Settings of the owner's connection: statements of an archive take long, and wait for a lock only briefly. */
const settings = '-c statement_timeout=0 -c lock_timeout=2s -c timezone=UTC -c DateStyle=ISO'

/** Runs the archive, and returns a line for each month. */
export async function archive(options: {
  connectionString: string
  schema: string
  afterMonths: number
  dir: string
  plan: ArchivePlan
}): Promise<string[]> {
  const { connectionString, schema, afterMonths, plan, dir } = options
  const client = new pg.Client({
    connectionString,
    application_name: `${plan.service}-archive`,
    options: `-c search_path=${schema} ${settings}`,
  })
  await client.connect()
  try {
    const { rows } = await client.query<{ free: boolean }>('SELECT pg_try_advisory_lock(hashtext($1)) AS free', [
      `archive of ${schema}`,
    ])
    if (!rows[0]?.free) throw new Error('another archive of this schema runs')
    const work = { client, plan, dir }
    const lines = await resume(work)
    for (const month of await listDueMonths(client, plan, afterMonths)) {
      const { line, goesOn } = await archiveMonth(work, month)
      lines.push(...line)
      if (!goesOn) break
    }
    return lines.length > 0 ? lines : ['no month is due']
  } finally {
    await client.end()
  }
}

/** Finishes the months that an earlier run has detached. */
async function resume(work: Work): Promise<string[]> {
  const { rows } = await work.client.query<Month>(
    `SELECT month, from_id::text, until_id::text, '_' || replace(month, '-', '_') AS suffix,
       to_timestamp(month, 'YYYY-MM') + interval '1 month' AS until
     FROM archived_months WHERE stage <> 'removed' ORDER BY until_id`,
  )
  const lines: string[] = []
  for (const month of rows) lines.push(lineOf(await finish(work, month)))
  return lines
}

async function archiveMonth(work: Work, month: Month): Promise<{ line: string[]; goesOn: boolean }> {
  const { client, plan } = work
  if (await isEmpty(client, plan, month)) return { line: [], goesOn: true }
  if (plan.after !== undefined && !(await isArchivedBy(work, plan.after, month)))
    return { line: [`${month.month} waits: ${plan.after} has not archived it yet`], goesOn: false }
  const unclaimed = await findUnclaimed(client, plan.months[0], month)
  if (unclaimed.count > 0)
    return { line: [`${month.month} and all later months stay: ${describe(unclaimed)} not claimed`], goesOn: false }
  const stays = (open: Open) => ({ line: [`${month.month} stays: ${describe(open)} not settled`], goesOn: true })
  const open = await findOpen(client, plan.months[0], month)
  if (open.count > 0) return stays(open)
  await raiseHorizon(client, month.until)
  failpoint('archive.after_horizon')
  try {
    await detach(work, month)
  } catch (error) {
    if (error instanceof StillOpen) return stays(error.open)
    throw error
  }
  return { line: [lineOf(await finish(work, month))], goesOn: true }
}

async function isArchivedBy({ dir }: Work, service: string, { until }: Month): Promise<boolean> {
  return (await listFolders(dir, service)).some(({ manifest }) => Date.parse(manifest.until) >= until.getTime())
}

function describe({ count, ids }: Open): string {
  return `${ids.join(', ')}${count > ids.length ? ` and ${count - ids.length} more` : ''} ${count === 1 ? 'is' : 'are'}`
}

function lineOf({ month, tables }: Manifest): string {
  const counts = Object.entries(tables).map(([table, { rows }]) => `${table} ${rows}`)
  return `${month} is archived: ${counts.join(', ')}`
}
