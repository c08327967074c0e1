/** The subjects of the witness, and the values under them. */

import type { Epoch } from './epoch.ts'

/** The schemas that are guarded. */
export const guardedSchemas = ['operations', 'submitter'] as const
export type GuardedSchema = (typeof guardedSchemas)[number]

/** The one entry of a schema that orders its epochs. */
export type EpochEntry = {
  /** The id of this witness: another one, or an older copy, is recognised by it. */
  made: string
  epoch: Epoch
  /** The writers that mark under this epoch. */
  writers: readonly string[]
  /** The writers of earlier epochs whose marks were not yet found in the database of this one. */
  before: readonly string[]
}

/**
 * The number of a writer's last transaction. 0 proves nothing: its writer may not be in the database yet. `sealed` is the sequence of the writer's own
 * last mark, which this entry has replaced: the writer can make none any more.
 */
export type MarkEntry = { number: number; at: string; sealed?: number }

/** A loss that was found, until it is recovered. Null once it is. */
export type LossEntry = {
  since: string
  /** The lost time: from the last mark that the database has to the last one that the witness has. */
  from: string | null
  to: string | null
  transactions: number
} | null

export const epochOf = (schema: GuardedSchema) => `witness.${schema}.epoch`
export const markOf = (schema: GuardedSchema, writer: string) => `witness.${schema}.mark.${writer}`
export const lossOf = (schema: GuardedSchema) => `witness.${schema}.loss`
