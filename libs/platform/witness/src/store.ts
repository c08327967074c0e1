/** The rows of a guarded schema that the witness is compared with. */

import { type Database, type Queryable, statement } from '@financial-agents/postgres/database'
import type { Epoch } from './epoch.ts'

/** The SQLSTATE of the function `mark`: the database was not compared with the witness since it started. */
export const notVerified = 'FA001'

/** Without a row, all but the epoch is null: the schema was never compared with a witness. */
export type Known = {
  epoch: Epoch
  verified_epoch: Epoch | null
  made: string | null
  epoch_sequence: number
}

const find = statement(
  'witness_find',
  `SELECT database_epoch() AS epoch, verified_epoch, made, epoch_sequence
   FROM (SELECT) one LEFT JOIN witness ON true`,
)

export async function findKnown(db: Queryable): Promise<Known> {
  const [row] = await db.rows<Known>(find)
  return row as Known
}

export type KnownMark = { writer: string; number: number; sequence: number }

const findMarked = statement(
  'witness_find_marks',
  'SELECT writer, number, sequence FROM witness_marks WHERE writer = ANY($1)',
)
const last = statement('witness_last_mark', 'SELECT max(marked_at) AS marked_at FROM witness_marks')

export async function findMarks(db: Queryable, writers: readonly string[]): Promise<Map<string, KnownMark>> {
  const rows = await db.rows<KnownMark>(findMarked, [writers])
  return new Map(rows.map((row) => [row.writer, row]))
}

export async function findLastMarkTime(db: Queryable): Promise<Date | null> {
  return (await db.rows<{ marked_at: Date | null }>(last))[0]?.marked_at ?? null
}

const durable = statement('witness_durable', "SELECT set_config('synchronous_commit', 'on', true)")

const addWriters = statement(
  'witness_add_writers',
  `INSERT INTO witness_marks (writer, epoch, number, sequence, marked_at)
   SELECT writer, $2, 1, 0, clock_timestamp() FROM unnest($1::text[]) AS w(writer)`,
)

const setVerified = statement(
  'witness_set_verified',
  `UPDATE witness SET verified_epoch = $1, epoch_sequence = GREATEST(epoch_sequence, $2)
   WHERE database_epoch() = $1 AND made = $3 RETURNING recovery_point`,
)

export type Verified = { epoch: Epoch; made: string; epochSequence: number; writers: readonly string[] }

/**
 * Calls `compare` and records that the epoch was verified, in one transaction. Returns undefined, and records nothing, if
 * the database has another epoch or another witness by now.
 * @throws what `compare` throws
 */
export async function recordVerified(
  db: Database,
  { epoch, made, epochSequence, writers }: Verified,
  compare: (tx: Queryable) => Promise<void>,
): Promise<{ recoveryPoint: Date | null } | undefined> {
  return db.transaction(async (tx) => {
    await tx.rows(durable)
    await compare(tx)
    const [row] = await tx.rows<{ recovery_point: Date | null }>(setVerified, [epoch, epochSequence, made])
    if (!row) return undefined
    await tx.rows(addWriters, [writers, epoch])
    return { recoveryPoint: row.recovery_point }
  })
}

const setSeen = statement(
  'witness_set_seen',
  'UPDATE witness SET epoch_sequence = GREATEST(epoch_sequence, $2) WHERE made = $1',
)

/** Records that this witness once had this sequence. An older copy of it is recognised by that. */
export async function recordSeen(db: Queryable, made: string, sequence: number): Promise<void> {
  await db.rows(setSeen, [made, sequence])
}

const setMade = statement(
  'witness_set_made',
  `INSERT INTO witness (made, verified_epoch) SELECT $2, $1 WHERE database_epoch() = $1
   ON CONFLICT (singleton) DO UPDATE SET made = excluded.made, epoch_sequence = 0
     WHERE witness.made IS NOT DISTINCT FROM $3
   RETURNING made`,
)

/**
 * Records the id of a witness that is about to be made. The first one has nothing to be compared with, so its epoch is verified: if the
 * job ends before the witness is made, it makes it when it runs again. False if the database is another by now.
 */
export async function recordMade(db: Queryable, epoch: Epoch, made: string, before: string | null): Promise<boolean> {
  return (await db.rows(setMade, [epoch, made, before])).length > 0
}

const setRecoveryPoint = statement(
  'witness_set_recovery_point',
  `INSERT INTO witness (recovery_point, made) SELECT $2, $3 WHERE database_epoch() = $1
   ON CONFLICT (singleton) DO UPDATE SET recovery_point = GREATEST(witness.recovery_point, excluded.recovery_point),
     made = excluded.made, epoch_sequence = 0, verified_epoch = NULL
   RETURNING made`,
)

/** Sets the recovery point, which never goes back, and the id of the witness that is made with it. False if the database is another by now. */
export async function recordRecovery(db: Queryable, epoch: Epoch, point: Date, made: string): Promise<boolean> {
  return (await db.rows(setRecoveryPoint, [epoch, point, made])).length > 0
}

const setRecovered = statement(
  'witness_set_recovered',
  'UPDATE witness SET verified_epoch = $1 WHERE database_epoch() = $1 AND made = $2',
)

/** Records that the witness of this id is in place. */
export async function recordRecovered(db: Queryable, epoch: Epoch, made: string): Promise<void> {
  await db.rows(setRecovered, [epoch, made])
}
