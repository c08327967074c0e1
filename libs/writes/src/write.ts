/**
 * A write of an area: one row from its draft on, whatever the resource. An area says, for each kind of operation, what a
 * draft does to its resources and what follows from what becomes of the operation; everything else is the same for all.
 *
 * Invariant: a kind's hooks run in the transaction that moves the writes, a batch at a time, the writes locked before.
 */

import type { Problem } from '@financial-agents/contract/problem'
import type { OperationKind } from '@financial-agents/operation-machine/kinds'
import type { Queryable } from '@financial-agents/postgres/database'

export type Write = {
  /** Minted here, before anything else knows of it. */
  operation_id: string
  kind: OperationKind
  resource_id: string
  owner_id: string
  client_id: string
}

/** A write that is about to be drafted, with what its kind needs to know of the request. */
export type Draft<Input> = Write & { route: string; idempotency_key: string; request_hash: string; input: Input }

/**
 * `accepted`: operations has accepted it. `void`: it never was and never will be; `gone`: a day later, for good.
 * The others are the operation's outcome.
 */
export type MoveTo = 'accepted' | 'void' | 'gone' | 'succeeded' | 'failed' | 'cancelled'

export type Move = Write & {
  to: MoveTo
  was: 'draft' | 'accepted' | 'void'
  /** When the operation moved, RFC 3339. */
  at: string
  /** The provider's own reference of what was made, once it is known. */
  upstream_reference: string | null
  /** What only the provider knows of the resource (a card's brand, its last four digits). */
  resource: Readonly<Record<string, string>> | null
}

/** A draft, with its input, or a move. */
export type LockedWrite = Write & { input?: unknown; to?: MoveTo }

export type WriteKind<Input, Kind extends OperationKind = OperationKind> = {
  kind: Kind
  /** `POST /v1/beneficiaries`: keys idempotency records. */
  route: string
  /**
   * Locks the resources of these writes in the order of their ids, before any hook. Kinds that change the same resources
   * share this function: it is called once for all of their writes, so that no two batches of several kinds wait for each
   * other. Left out where no other kind changes what this one does.
   */
  lock?: (tx: Queryable, writes: readonly LockedWrite[]) => Promise<void>
  /**
   * Writes what the drafts do to resources, invisible to reads. Resources that exist are locked in the order of their ids and
   * judged one after another. Answers the refusals, by operation id; a refused draft has done nothing.
   */
  draft(tx: Queryable, drafts: readonly Draft<Input>[], now: Date): Promise<ReadonlyMap<string, Problem>>
  /** Follows the writes; each move comes once. */
  follow(tx: Queryable, moves: readonly Move[]): Promise<void>
}
