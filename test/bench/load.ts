/**
 * `pnpm bench --load`: a steady load at half the saturation, minute by minute. It compares the last minutes with the first
 * ones: latency, the memory of each process, and the rows and pages that PostgreSQL reads of each table for one operation.
 * A new plan of a statement shows as a change of these rows and pages.
 */

import { readFileSync } from 'node:fs'
import type { Stack } from '@financial-agents/testkit/stack'
import type { LoadTask } from './load-client.ts'
import { client, load, query, say, settled } from './measure.ts'

/** Requests that saturate the system, to find its rate. */
const saturating = 8_000
/** The largest number of first minutes, and of last minutes, that are compared. */
const mostCompared = 10

type Minute = { p50: number; p99: number; memoryMb: Record<string, number>; touched: Record<string, number> }

/** Sends the load for this many minutes, and prints how the figures changed. */
export async function benchLoad(running: Stack, minutes: number): Promise<void> {
  const task: LoadTask = { ...client(running), kind: 'create', concurrency: 256, requests: saturating, warmUp: 1_000 }
  await load(task)
  const { counted, elapsedMs } = await load(task)
  await settled(running)
  const perS = Math.round((counted * 1_000) / elapsedMs / 2)
  say(`creations at half the saturation: ${perS}/s, for ${minutes} minutes`)
  const found: Minute[] = []
  for (let minute = 1; minute <= minutes; minute += 1) {
    const before = await touchedOf(running)
    const { latencyMs } = await load({ ...task, requests: perS * 60, warmUp: 0, perS })
    const after = await touchedOf(running)
    const touched = Object.fromEntries(
      Object.entries(after).map(([name, count]) => [name, (count - (before[name] ?? 0)) / (perS * 60)]),
    )
    const memoryMb = memoryOf(running)
    found.push({ ...latencyMs, memoryMb, touched })
    const largest = Math.max(...Object.values(memoryMb))
    say(
      `  minute ${String(minute).padStart(3)}: p50 ${latencyMs.p50.toFixed(1)} ms, p99 ${latencyMs.p99.toFixed(1)} ms, the largest service ${largest.toFixed(0)} MB`,
    )
  }
  // The first minute warms up caches and compiled code.
  const compared = Math.min(mostCompared, Math.floor((minutes - 1) / 2))
  if (compared < 1) return
  tell(found, found.slice(1, 1 + compared), found.slice(-compared))
}

function tell(all: Minute[], first: Minute[], last: Minute[]): void {
  const ratio = (valueOf: (minute: Minute) => number) => mean(last.map(valueOf)) / mean(first.map(valueOf))
  say(`the last ${last.length} minutes as a multiple of the first ${first.length} after the start:`)
  say(`  p99 ${ratio(({ p99 }) => p99).toFixed(2)}, p50 ${ratio(({ p50 }) => p50).toFixed(2)}`)
  for (const name of Object.keys(first[0]?.memoryMb ?? {})) {
    const memory = ({ memoryMb }: Minute) => memoryMb[name] ?? 0
    say(
      `  memory of ${name.padEnd(14)} ${mean(first.map(memory)).toFixed(0).padStart(5)} → ${mean(last.map(memory)).toFixed(0).padStart(5)} MB`,
    )
  }
  say('touched for one operation, where it is more than one and changed by a fifth, with every minute:')
  for (const name of Object.keys(last[0]?.touched ?? {})) {
    const count = ({ touched }: Minute) => touched[name] ?? 0
    const [before, after] = [mean(first.map(count)), mean(last.map(count))]
    if (after > 1 && (after > before * 1.2 || after < before / 1.2))
      say(
        `  ${name}: ${before.toFixed(1)} → ${after.toFixed(1)} (${all.map((minute) => count(minute).toFixed(1)).join(' ')})`,
      )
  }
}

const mean = (values: number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length

/** Rows that scans have read, and pages of rows and of indexes that were looked at, so far, by table. */
async function touchedOf(running: Stack): Promise<Record<string, number>> {
  const tables = await query<{ name: string; rows: number; pages: number; index_pages: number }>(
    running,
    `SELECT t.schemaname || '.' || t.relname AS name, (seq_tup_read + coalesce(idx_tup_fetch, 0))::float8 AS rows,
       (heap_blks_hit + heap_blks_read)::float8 AS pages,
       coalesce(idx_blks_hit + idx_blks_read, 0)::float8 AS index_pages
     FROM pg_stat_user_tables t JOIN pg_statio_user_tables USING (relid)`,
  )
  return Object.fromEntries(
    tables.flatMap(({ name, rows, pages, index_pages }) => [
      [`rows of ${name}`, rows],
      [`pages of ${name}`, pages],
      [`index pages of ${name}`, index_pages],
    ]),
  )
}

/** The resident memory of each process, in MB. */
function memoryOf(running: Stack): Record<string, number> {
  const services = [...running.processes].map(([name, entries]) => [
    name,
    Math.max(...entries.map(({ child }) => residentMb(child.pid))),
  ])
  return {
    ...(Object.fromEntries(services) as Record<string, number>),
    'nats-server': residentMb(running.nats.server.pid ?? 0),
  }
}

function residentMb(pid: number): number {
  const [, kb = '0'] = /^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
  return Number(kb) / 1_024
}
