/**
 * Writes the answers about approvals, many in one statement. After the commit it tells the submitter of accepted
 * operations and the areas of ended ones. Both messages may be lost: the background job repeats the first, and areas ask for the
 * state of their pending writes.
 */

import { hash } from 'node:crypto'
import type { Bus } from '@financial-agents/bus/connect'
import type { Evidence } from '@financial-agents/bus/messages/events'
import { apply, type OperationState } from '@financial-agents/contract/machine'
import { type Batcher, createBatcher } from '@financial-agents/postgres/batcher'
import type { Database } from '@financial-agents/postgres/database'
import type { Clock } from '@financial-agents/runtime/clock'
import { failpoint } from '@financial-agents/runtime/failpoint'
import type { Announce } from '../announce.ts'
import { releaseTransfers } from '../store/transfers.ts'
import type { ViewRow } from '../tables.ts'
import type { AskedBy, OpenApproval } from './item.ts'
import { publishMoves } from './publish.ts'
import {
  type Decided,
  type MovedRow,
  type Postponed,
  type Prepared,
  recordOutcomes,
  recordPostponed,
  recordStarted,
} from './store.ts'
import type { Answer, Result } from './validate.ts'

export type RecordOptions = {
  db: Database
  bus: Pick<Bus, 'publish' | 'check'>
  clock: Clock
  announce: Announce
  /** Age at which the background job publishes an accepted operation again. */
  backgroundJobAfterMs: number
}

/** `lost`: another caller had moved the approval before. */
export type Recorded = { type: 'moved'; row: ViewRow | MovedRow } | { type: 'lost' } | { type: 'unchanged' }

/** `answer`: null if nothing was asked. */
export type Learnt = { item: OpenApproval; by: AskedBy; answer: Answer | null; result: Result; asked: Date }

const maxItems = 128

export function createRecord(options: RecordOptions): (learnt: Learnt) => Promise<Recorded> {
  const outcomes = batcherOf<Decided>((decided) => decideAll(options, decided))
  const started = batcherOf<Prepared>((prepared) => startAll(options, prepared))
  const postponed = batcherOf<Postponed>((items) => postponeAll(options, items))
  return ({ item, by, answer, result, asked }) => {
    switch (result.type) {
      case 'outcome':
        return outcomes.submit({
          item,
          result,
          to: toState(result.event),
          by,
          evidence: answer && toEvidence(item, answer, asked),
        })
      case 'started':
        return started.submit({ item, result })
      default:
        return postponed.submit({ item, result })
    }
  }
}

/** Sorts the entries by id, so that replicas that write the same rows wait for each other in one order. */
function batcherOf<Entry extends { item: OpenApproval }>(
  run: (entries: readonly Entry[]) => Promise<ReadonlyMap<string, Recorded>>,
): Batcher<Entry, Recorded> {
  const idOf = ({ item }: Entry) => item.operation_id
  return createBatcher<Entry, Recorded>({
    maxItems,
    concurrency: 2,
    target: idOf,
    run: (entries) => run(entries.toSorted((a, b) => (idOf(a) < idOf(b) ? -1 : 1))),
  })
}

async function decideAll(options: RecordOptions, decided: readonly Decided[]) {
  const now = options.clock.now()
  const publishAfter = new Date(now.getTime() + options.backgroundJobAfterMs)
  failpoint('approval.before_outcome')
  const moved = await options.db.transaction(async (tx) => {
    const rows = await recordOutcomes(tx, decided, { now, publishAfter })
    await releaseTransfers(tx, rows, now)
    return rows
  })
  failpoint('approval.after_outcome')
  await options.announce(moved.filter((row) => row.state === 'accepted'))
  await publishMoves(
    options.bus,
    moved.filter((row) => row.state !== 'accepted'),
  )
  failpoint('approval.after_publish')
  return toRecorded(decided, moved)
}

async function startAll({ db, clock }: RecordOptions, prepared: readonly Prepared[]) {
  failpoint('approval.before_started')
  const rows = await recordStarted(db, prepared, clock.now())
  failpoint('approval.after_started')
  return toRecorded(prepared, rows)
}

async function postponeAll({ db }: RecordOptions, postponed: readonly Postponed[]) {
  await recordPostponed(db, postponed)
  return new Map(postponed.map(({ item }) => [item.operation_id, { type: 'unchanged' } as const]))
}

function toRecorded(
  entries: readonly { item: OpenApproval }[],
  rows: readonly (ViewRow | MovedRow)[],
): Map<string, Recorded> {
  const byId = new Map(rows.map((row) => [row.id, row]))
  return new Map(
    entries.map(({ item: { operation_id } }) => {
      const row = byId.get(operation_id)
      return [operation_id, row ? { type: 'moved', row } : { type: 'lost' }]
    }),
  )
}

function toState(event: Decided['result']['event']): OperationState {
  const applied = apply('requires_action', event)
  if (!applied.ok || applied.by !== 'operations') throw new Error(`${event} does not leave requires_action`)
  return applied.to
}

/** The evidence of an answer, without the address of the page. Only the owner may see the address. */
function toEvidence(item: OpenApproval, answer: Answer, asked: Date): Evidence {
  const failure = 'failureCode' in answer ? answer.failureCode : null
  const observed = JSON.stringify([item.operation_id, item.approval, answer.type, failure])
  return {
    read: item.state === 'waiting' ? 'approval_by_reference' : 'approval_preparation',
    result: answer.type,
    observed_at: asked.toISOString(),
    digest: hash('sha256', observed, 'base64url'),
  }
}
