/** The state of a guarded service's witness, and its recovery by an operator. */

import type { FenceTarget } from '@financial-agents/contract/kinds'

/**
 * Why a service writes nothing, and since when; null if it writes. `from` and `to` are the lost time, as far as it is known: from the
 * last mark that the database has to the last one that the witness has.
 */
export type WitnessReport = { reason: string; since: string; from: string | null; to: string | null } | null

/** Operations that were generated before the recovery point and have no claim are never sent. */
export type Recovered = { recovery_point: string }

/** The end of an authority, or its return, as the submitter fenced it. The greatest version counts. */
export type WitnessedEnd = {
  target: FenceTarget
  target_id: string
  version: number
  /** Null: the fence was lifted. */
  reason: string | null
  at: string
}

/** Ends of authority: asked for, all that the log knows; answered, those that the database had lost. */
export type Ends = { ends: WitnessedEnd[] }
