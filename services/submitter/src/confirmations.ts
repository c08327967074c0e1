/**
 * Remembers the confirmations for the outbox batches that this process holds. A process holds the batches that it
 * claimed or published again. A batch leaves the outbox when every operation in it is settled. Every replica hears
 * every confirmation, and remembers only the confirmations for its own batches.
 *
 * Invariant: a batch counts as confirmed only if each of its rows has an outcome, which never changes. Only
 * confirmations that came after the batch was written count. A process that loses its memory loses nothing else: the
 * batch stays in the outbox, and the replica that takes it next publishes its events again.
 */

import type { Confirmation } from '@financial-agents/bus/messages/events'
import type { WaitingBatch } from './store/outbox.ts'
import { type SettledOperation } from './store/outbox.ts'
import { type Heard, isSettled, nothingHeard, type SubmissionRow } from './submission.ts'

/**
 * A batch that this process has not taken for this time is held by another replica. The time is longer than the longest
 * pause between repetitions.
 */
const forgottenAfterMs = 120_000

/** The limit of operations in memory. The oldest batches are forgotten first. */
const maxOperations = 50_000

export type Confirmations = {
  /** Holds a batch that this process has claimed or taken. */
  hold(batch: WaitingBatch): void
  /** Notes the outcomes of rows. Call it before anything else can run after their events were published. */
  ended(rows: readonly SubmissionRow[]): void
  hear(confirmation: Confirmation): void
  heardOf: (operationId: string) => Heard
  /** The settled operations of batches that were held before this time and still wait for others. */
  settled(heldBeforeMs: number): SettledOperation[]
  /**
   * Returns the batches that may be removed from the outbox, each once. Give back the batches that could not be
   * removed.
   */
  takeConfirmed(): string[]
  giveBack(batchIds: readonly string[]): void
}

type BatchRow = { row: SubmissionRow; heard: Heard; isSettled: boolean; batch: Batch }
type Batch = { id: string; held: Map<string, BatchRow>; open: number; heldAtMs: number }

export function createConfirmations(nowMs: () => number): Confirmations {
  const memory = createMemory()
  const confirmed = new Set<string>()

  function validateBatch(batch: Batch): void {
    if (batch.open > 0 || !memory.batches.has(batch.id)) return
    confirmed.add(batch.id)
    memory.release(batch)
  }

  function validate(held: BatchRow): void {
    if (held.isSettled || !isSettled(held.row, held.heard)) return
    held.isSettled = true
    held.batch.open -= 1
    validateBatch(held.batch)
  }

  return {
    hold: ({ batchId, rows }) => {
      const batch = memory.holdAt(batchId, nowMs())
      const ids = new Set(rows.map((row) => row.operation_id))
      for (const [id, held] of batch.held) if (!ids.has(id)) memory.drop(held)
      for (const row of rows) {
        const held = batch.held.get(row.operation_id)
        if (!held) memory.add(batch, row)
        // A row that was read before its outcome was written does not undo what is known.
        else if (held.row.state === 'submitting') held.row = row
      }
      for (const held of batch.held.values()) validate(held)
      validateBatch(batch)
      memory.forget(nowMs() - forgottenAfterMs)
    },
    ended: (rows) => {
      for (const row of rows)
        for (const held of memory.of(row.operation_id)) {
          held.row = row
          validate(held)
        }
    },
    hear: ({ by, items }) => {
      for (const { operation_id, sequence } of items)
        for (const held of memory.of(operation_id)) {
          held.heard = by === 'operations' ? withSequence(held.heard, sequence) : { ...held.heard, reconciler: true }
          validate(held)
        }
    },
    heardOf: (operationId) => least(memory.of(operationId).map(({ heard }) => heard)),
    settled: (heldBeforeMs) =>
      [...memory.batches.values()]
        .filter(({ heldAtMs }) => heldAtMs < heldBeforeMs)
        .flatMap(({ id, held }) =>
          [...held].filter(([, one]) => one.isSettled).map(([operationId]) => ({ batchId: id, operationId })),
        ),
    takeConfirmed: () => {
      const taken = [...confirmed]
      confirmed.clear()
      return taken
    },
    giveBack: (batchIds) => {
      for (const id of batchIds) confirmed.add(id)
    },
  }
}

/**
 * The held batches and their operations. The batch that was held last is at the end. An operation may be in several
 * batches.
 */
function createMemory() {
  const batches = new Map<string, Batch>()
  const byOperation = new Map<string, BatchRow[]>()
  let operations = 0

  function drop(held: BatchRow): void {
    const id = held.row.operation_id
    held.batch.held.delete(id)
    operations -= 1
    if (!held.isSettled) held.batch.open -= 1
    const others = byOperation.get(id)?.filter((other) => other !== held) ?? []
    if (others.length > 0) byOperation.set(id, others)
    else byOperation.delete(id)
  }

  function release(batch: Batch): void {
    batches.delete(batch.id)
    for (const held of batch.held.values()) drop(held)
  }

  return {
    batches,
    drop,
    release,
    of: (operationId: string): readonly BatchRow[] => byOperation.get(operationId) ?? [],
    holdAt: (id: string, heldAtMs: number): Batch => {
      const batch: Batch = batches.get(id) ?? { id, held: new Map(), open: 0, heldAtMs }
      batch.heldAtMs = heldAtMs
      batches.delete(id)
      batches.set(id, batch)
      return batch
    },
    add: (batch: Batch, row: SubmissionRow): void => {
      const held: BatchRow = { row, heard: nothingHeard, isSettled: false, batch }
      batch.held.set(row.operation_id, held)
      batch.open += 1
      operations += 1
      byOperation.set(row.operation_id, [...(byOperation.get(row.operation_id) ?? []), held])
    },
    /** Forgets batches that were held before this time, and the oldest ones as long as there are too many operations. */
    forget: (heldBeforeMs: number): void => {
      for (const batch of batches.values()) {
        if (operations <= maxOperations && batch.heldAtMs > heldBeforeMs) return
        release(batch)
      }
    },
  }
}

/** The confirmations that hold in every batch of an operation. */
function least(heard: readonly Heard[]): Heard {
  if (heard.length === 0) return nothingHeard
  return {
    operationsSequence: Math.min(...heard.map(({ operationsSequence }) => operationsSequence)),
    reconciler: heard.every(({ reconciler }) => reconciler),
  }
}

function withSequence(heard: Heard, sequence: number): Heard {
  return { ...heard, operationsSequence: Math.max(sequence, heard.operationsSequence) }
}
