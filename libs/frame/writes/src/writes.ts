/**
 * The life of an area's writes: drafts before operations is asked, the effects of its results and events, and the
 * background jobs that repair lost requests and events. All statements are batched. Each batch is one transaction, together with
 * the kinds' changes to their resources.
 *
 * Invariants (write protocol, rules 1, 2, 11–14): equal requests under one key meet in one row, on every replica. A
 * draft becomes void only after operations has recorded that it is void. No age and no missing answer decides a draft.
 */

import type { Bus } from '@financial-agents/bus/connect'
import type { HandlerContext } from '@financial-agents/bus/rpc'
import type { OperationKind } from '@financial-agents/contract/kinds'
import { Problem } from '@financial-agents/contract/problem'
import { createBatcher } from '@financial-agents/postgres/batcher'
import type { Database, Queryable } from '@financial-agents/postgres/database'
import type { Clock } from '@financial-agents/runtime/clock'
import { failpoint } from '@financial-agents/runtime/failpoint'
import type { Log } from '@financial-agents/runtime/log'
import {
  findEqualWrites,
  type News,
  recordAccepted,
  recordDrafts,
  recordKeyReleased,
  recordNews,
  recordVoid,
  removeDrafts,
  type TakenWrite,
} from './store.ts'
import type { Draft, LockedWrite, Move, WriteKind } from './write.ts'

/** @throws Problem if the provider of the request is not known now */
export type Offers = (kind: OperationKind, context: OffersContext) => Promise<boolean>

/** The request: its binding, and the time that is left. */
export type OffersContext = Pick<HandlerContext, 'principal' | 'traceparent' | 'timeoutMs'>

export type WritesOptions = {
  bus: Bus
  db: Database
  clock: Clock
  log: Log
  // oxlint-disable-next-line typescript/no-explicit-any -- each kind has an input of its own, and only sees its own
  kinds: readonly WriteKind<any>[]
  /** Answers whether the provider of the request's binding offers the kind. Absent: every provider offers all. */
  offers?: Offers | undefined
  /** The name of the area's durable event consumer. */
  durable: string
  /** The age at which a draft is checked with operations. */
  draftDecideAfterMs: number
  /** The time without news after which an accepted write is looked up. Later look-ups become less frequent. */
  pendingPullAfterMs: number
  backgroundJobPauseMs: number
}

export type TakeResult = TakenWrite | { refused: Problem }

export type Writes = {
  /** @throws Problem capability_unavailable if the provider of the binding does not offer the kind */
  checkOffered(kind: OperationKind, context: OffersContext): Promise<void>
  /** Null if the row in the way was gone when it was read; the caller then tries again. */
  take(draft: Draft<unknown>): Promise<TakeResult | null>
  /** Applies a result to a draft. */
  settle(operationId: string, to: 'accepted' | 'void'): Promise<void>
  /** Removes the row's key after operations has pruned the key, so that a new write may use the key. */
  releaseKey(operationId: string): Promise<void>
  /** Applies news from operations, at most one item per operation. */
  advance(news: readonly News[]): Promise<void>
  /** Passes moves to their kinds, within a transaction. */
  follow(tx: Queryable, moves: readonly Move[]): Promise<void>
}

const batch = { maxItems: 128, concurrency: 2 }

/** Creates the writes without the consumer and the background jobs. */
export function createWrites(options: WritesOptions): Writes {
  const { db, clock, log } = options
  const kinds = new Map<string, WriteKind<unknown>>(options.kinds.map((kind) => [kind.kind, kind]))
  const follow: Writes['follow'] = async (tx, moves) => {
    await lockResources(tx, kinds, moves)
    for (const [kind, some] of byKind(moves)) await kinds.get(kind)?.follow(tx, some)
  }
  const takes = createBatcher<Draft<unknown>, { taken: TakeResult | null }>({
    ...batch,
    // Equal requests run in successive batches. If the first is refused, the next is validated by itself.
    target: keyOf,
    run: (drafts) => takeDrafts(options, kinds, drafts),
  })
  const settles = createBatcher<{ operationId: string; to: 'accepted' | 'void' }, true>({
    ...batch,
    target: (item) => item.operationId,
    run: async (items) => {
      const idsTo = (to: string) => items.filter((item) => item.to === to).map((item) => item.operationId)
      const now = clock.now()
      failpoint('settle.before_commit')
      await db.transaction(async (tx) => {
        const accepted = await recordAccepted(tx, idsTo('accepted'))
        const voided = await recordVoid(tx, idsTo('void'), now)
        const move = { was: 'draft', at: now.toISOString(), upstream_reference: null, resource: null } as const
        await follow(tx, [
          ...accepted.map((write): Move => ({ ...write, ...move, to: 'accepted' })),
          ...voided.map((write): Move => ({ ...write, ...move, to: 'void' })),
        ])
      })
      failpoint('settle.after_commit')
      return new Map(items.map((item) => [item.operationId, true]))
    },
  })
  return {
    checkOffered: async (kind, context) => {
      if (options.offers === undefined || (await options.offers(kind, context))) return
      throw new Problem('capability_unavailable', {
        detail: 'The provider of this owner does not offer this kind of operation. Nothing was accepted.',
      })
    },
    follow,
    take: async (draft) => (await takes.submit(draft)).taken,
    settle: async (operationId, to) => {
      await settles.submit({ operationId, to })
    },
    releaseKey: (operationId) => recordKeyReleased(db, operationId),
    advance: async (news) => {
      if (news.length === 0) return
      failpoint('events.before_commit')
      const moves = await db.transaction(async (tx) => {
        const moved = await recordNews(tx, news)
        await follow(tx, moved)
        return moved
      })
      failpoint('events.after_commit')
      for (const { operation_id } of moves.filter((move) => move.was === 'void'))
        log.error({ operation_id }, 'a void draft turned out to be accepted')
    },
  }
}

async function takeDrafts(
  { db, clock, draftDecideAfterMs }: WritesOptions,
  kinds: ReadonlyMap<string, WriteKind<unknown>>,
  drafts: readonly Draft<unknown>[],
): Promise<Map<string, { taken: TakeResult | null }>> {
  const now = clock.now()
  const refused = new Map<string, Problem>()
  failpoint('draft.before_commit')
  const generated = await db.transaction(async (tx) => {
    refused.clear()
    const inserted = await recordDrafts(tx, drafts, now, new Date(now.getTime() + draftDecideAfterMs))
    const own = drafts.filter((draft) => inserted.has(draft.operation_id))
    await lockResources(tx, kinds, own)
    for (const [kind, some] of byKind(own))
      for (const [operationId, problem] of (await kinds.get(kind)?.draft(tx, some, now)) ?? [])
        refused.set(operationId, problem)
    if (refused.size > 0) await removeDrafts(tx, [...refused.keys()])
    return inserted
  })
  failpoint('draft.after_commit')
  const joining = drafts.filter((draft) => !generated.has(draft.operation_id))
  const equal = joining.length === 0 ? new Map<string, TakenWrite>() : await findEqualWrites(db, joining)
  const takenBy = ({ operation_id, resource_id }: Draft<unknown>): TakeResult | null => {
    const problem = refused.get(operation_id)
    if (problem) return { refused: problem }
    return generated.has(operation_id)
      ? { operation_id, resource_id, decided: false }
      : (equal.get(operation_id) ?? null)
  }
  return new Map(drafts.map((draft) => [keyOf(draft), { taken: takenBy(draft) }]))
}

/** The identity that equal requests share. */
function keyOf({ owner_id, client_id, route, idempotency_key, request_hash }: Draft<unknown>): string {
  return JSON.stringify([owner_id, client_id, route, idempotency_key, request_hash])
}

/** Calls each lock function once, for all writes of the kinds that share it. */
async function lockResources(
  tx: Queryable,
  kinds: ReadonlyMap<string, WriteKind<unknown>>,
  writes: readonly LockedWrite[],
): Promise<void> {
  for (const [lock, some] of Map.groupBy(writes, ({ kind }) => kinds.get(kind)?.lock)) await lock?.(tx, some)
}

function byKind<Item extends { kind: string }>(items: readonly Item[]): Map<string, Item[]> {
  return Map.groupBy(items, (item) => item.kind)
}
