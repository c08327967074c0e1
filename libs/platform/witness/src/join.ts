/**
 * A replica joins the writers of its database's epoch. The order of its steps is what keeps money safe: the epoch is registered, then
 * the marks of earlier epochs are sealed, then they are compared with the database, and the database records the result together with
 * the new writers. Only after the witness holds the first mark of each of them does the replica write.
 *
 * Invariant: a mark of at least 1 that the witness holds is in the database whose writer made it, committed before. A database that
 * lacks one has lost it.
 */

import { randomBytes } from 'node:crypto'
import { Conflict, type Entry, type Registers } from '@financial-agents/bus/registers'
import type { Database, Queryable } from '@financial-agents/postgres/database'
import { type Epoch, isLater } from './epoch.ts'
import { findKnown, findLastMarkTime, findMarks, type Known, recordVerified } from './store.ts'
import { type EpochEntry, epochOf, type GuardedSchema, type MarkEntry, markOf } from './subjects.ts'

/** The reasons for which nothing is written although both PostgreSQL and the witness answer. */
export type Refusal =
  /** The provisioning job has to make the witness. */
  | { reason: 'no_witness' }
  /** The witness is another one, or an older copy of itself: the provisioning job has to make it anew. */
  | { reason: 'other_witness' }
  /** A later epoch is in use: this is an older primary. */
  | { reason: 'superseded' }
  /** Something that was committed is missing, from the last known moment to the last witnessed one. */
  | { reason: 'loss'; from: Date | null; to: Date; transactions: number }

/** Joining is refused. */
export class Refused extends Error {
  override readonly name = 'Refused'
  readonly refusal: Refusal
  constructor(refusal: Refusal) {
    super(refusal.reason)
    this.refusal = refusal
  }
}

/** A writer with its last number and the sequence of its last mark in the witness. */
export type Writer = { id: string; number: number; sequence: number }

export type Joined = { writers: Writer[]; epoch: Epoch; made: string; recoveryPoint: Date | null }

type Options = { db: Database; registers: Registers; schema: GuardedSchema; lanes: number; now: () => Date }

/**
 * Joins with one writer a lane.
 * @throws Refused; Conflict or Unavailable if it should be tried again
 */
export async function join({ db, registers, schema, lanes, now }: Options): Promise<Joined> {
  const known = await findKnown(db)
  const found = await registers.read<EpochEntry>(epochOf(schema))
  const current = usable(known, found)
  const read = (writer: string) => readMark(registers, schema, writer)
  // A database that lacks a mark ends here each time. It adds no writers to the list, and does not disturb the primary that has the mark.
  await compare(db, await Promise.all(withWriters(current.value, known.epoch, []).before.map(read)))
  const ids = Array.from({ length: lanes }, () => randomBytes(9).toString('hex'))
  const mark = (id: string, number: number, expected: number) =>
    registers.write(markOf(schema, id), { number, at: now().toISOString() } satisfies MarkEntry, expected)
  const first = await Promise.all(ids.map((id) => mark(id, 0, 0)))
  const entry = withWriters(current.value, known.epoch, ids)
  const epochSequence = await registers.write(epochOf(schema), entry, current.sequence)
  const sealed = await Promise.all(entry.before.map((writer) => seal(registers, schema, writer)))
  const verified = { epoch: known.epoch, made: entry.made, epochSequence, writers: ids }
  const recorded = await recordVerified(db, verified, (tx) => compare(tx, sealed))
  if (!recorded) throw new Conflict('the database has begun another epoch')
  const sequences = await Promise.all(ids.map((id, index) => mark(id, 1, first[index] as number)))
  await clear(registers, schema, entry)
  const writers = ids.map((id, index) => ({ id, number: 1, sequence: sequences[index] as number }))
  return { writers, epoch: known.epoch, made: entry.made, recoveryPoint: recorded.recoveryPoint }
}

function usable(known: Known, found: Entry<EpochEntry> | undefined): Entry<EpochEntry> {
  if (!found) throw new Refused({ reason: 'no_witness' })
  if (!isOwn(known, found)) throw new Refused({ reason: 'other_witness' })
  const { epoch } = found.value
  if (known.verified_epoch !== epoch && isLater(epoch, known.epoch)) throw new Refused({ reason: 'superseded' })
  return found
}

/** True if the witness is the one that the database knows, and not an older copy. */
export function isOwn(known: Known, found: Entry<EpochEntry>): boolean {
  return found.value.made === known.made && found.sequence >= known.epoch_sequence
}

function withWriters({ made, ...current }: EpochEntry, epoch: string, ids: readonly string[]): EpochEntry {
  if (current.epoch === epoch) return { made, epoch, writers: [...current.writers, ...ids], before: current.before }
  return { made, epoch, writers: ids, before: [...current.before, ...current.writers] }
}

/** The last mark of a writer, with the sequence at which its writer wrote it; undefined if it is missing. */
type LastMark = { writer: string; mark: Entry<MarkEntry> | undefined }

async function readMark(registers: Registers, schema: GuardedSchema, writer: string): Promise<LastMark> {
  const mark = await registers.read<MarkEntry>(markOf(schema, writer))
  return { writer, mark: mark && { ...mark, sequence: mark.value.sealed ?? mark.sequence } }
}

/** Ends the marks of a writer: its next one is refused. Returns its last one, as its writer wrote it. */
async function seal(registers: Registers, schema: GuardedSchema, writer: string): Promise<LastMark> {
  for (;;) {
    const { mark } = await readMark(registers, schema, writer)
    if (mark?.value.sealed !== undefined || !mark) return { writer, mark }
    try {
      const value: MarkEntry = { ...mark.value, sealed: mark.sequence }
      await registers.write(markOf(schema, writer), value, mark.sequence)
      return { writer, mark }
    } catch (error) {
      // Its writer has marked meanwhile.
      if (!(error instanceof Conflict)) throw error
    }
  }
}

/** @throws Refused if the database lacks a mark, or the witness is older than the database knows */
async function compare(tx: Queryable, sealed: readonly LastMark[]): Promise<void> {
  const rows = await findMarks(
    tx,
    sealed.map(({ writer }) => writer),
  )
  for (const { writer, mark } of sealed)
    if (!mark || mark.sequence < (rows.get(writer)?.sequence ?? 0)) throw new Refused({ reason: 'other_witness' })
  const lost = sealed
    .map(({ writer, mark }) => ({ at: mark?.value.at, missing: numberOf(mark) - (rows.get(writer)?.number ?? 0) }))
    .filter(({ missing }) => missing > 0)
  if (lost.length === 0) return
  const to = new Date(Math.max(...lost.map(({ at }) => Date.parse(at as string))))
  const transactions = lost.reduce((sum, { missing }) => sum + missing, 0)
  throw new Refused({ reason: 'loss', from: await findLastMarkTime(tx), to, transactions })
}

const numberOf = (mark: Entry<MarkEntry> | undefined) => mark?.value.number ?? 0

/** Takes the writers that were compared off the list, unless a later epoch is registered: then joining starts again. */
async function clear(registers: Registers, schema: GuardedSchema, compared: EpochEntry): Promise<void> {
  if (compared.before.length === 0) return
  for (;;) {
    const found = await registers.read<EpochEntry>(epochOf(schema))
    if (found?.value.epoch !== compared.epoch || found.value.made !== compared.made)
      throw new Conflict('another epoch is registered')
    const before = found.value.before.filter((writer) => !compared.before.includes(writer))
    if (before.length === found.value.before.length) return
    try {
      await registers.write(epochOf(schema), { ...found.value, before } satisfies EpochEntry, found.sequence)
      return
    } catch (error) {
      if (!(error instanceof Conflict)) throw error
    }
  }
}
