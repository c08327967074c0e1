/**
 * A write of an area: one row from its draft on, for every kind of resource. For each kind of operation, an area
 * defines the effect of a draft on its resources, and the effects of the operation's moves. Everything else is the same
 * for all kinds.
 *
 * Invariant: a kind's hooks run in the transaction that moves the writes, in batches, after the writes were locked.
 */

import type { OperationKind } from '@financial-agents/contract/kinds'
import type { Problem } from '@financial-agents/contract/problem'
import type { Queryable } from '@financial-agents/postgres/database'

export type Write = {
  /** The id is generated here, before any other service knows it. */
  operation_id: string
  kind: OperationKind
  resource_id: string
  owner_id: string
  client_id: string
}

/** A write before its draft is inserted, with the input that its kind needs from the request. */
export type Draft<Input> = Write & { route: string; idempotency_key: string; request_hash: string; input: Input }

/**
 * `accepted`: operations has accepted the write. `void`: it was not and never will be accepted. `gone`: the void row
 * was deleted, a day later. The other values are the operation's outcome.
 */
export type MoveTo = 'accepted' | 'void' | 'gone' | 'succeeded' | 'failed' | 'cancelled'

export type Move = Write & {
  to: MoveTo
  was: 'draft' | 'accepted' | 'void'
  /** The time of the operation's move, RFC 3339. */
  at: string
  /** The provider's reference of the created object, once it is known. */
  upstream_reference: string | null
  /** Facts about the resource that only the provider knows (a card's brand, its last four digits). */
  resource: Readonly<Record<string, string>> | null
}

/** A draft with its input, or a move. */
export type LockedWrite = Write & { input?: unknown; to?: MoveTo }

export type WriteKind<Input, Kind extends OperationKind = OperationKind> = {
  kind: Kind
  /** The route, for example `POST /v1/beneficiaries`. It is part of the idempotency key's identity. */
  route: string
  /**
   * Locks the resources of these writes in the order of their ids, before any other hook. Kinds that change the same
   * resources share this function. It is called once for all their writes, so that batches of several kinds cannot
   * deadlock. Absent if no other kind changes the same resources.
   */
  lock?: (tx: Queryable, writes: readonly LockedWrite[]) => Promise<void>
  /**
   * Writes the effects of drafts on resources, invisible to reads. Existing resources are locked in the order of their
   * ids, and drafts are validated one after another. Returns the refusals by operation id. A refused draft has no effect.
   */
  draft(tx: Queryable, drafts: readonly Draft<Input>[], now: Date): Promise<ReadonlyMap<string, Problem>>
  /** Applies moves to resources. Each move is passed once. */
  follow(tx: Queryable, moves: readonly Move[]): Promise<void>
}
