/**
 * Drafts: written before operations is asked to accept, invisible until the answer is known. Every statement is batched.
 *
 * Invariants (write protocol, rules 1, 11, 12): equal requests under one key meet in one row, whichever replica they
 * reach; a verdict is found by the operation id that the request minted; only a draft can become pending or void here.
 */

import { type Batcher, createBatcher } from '@financial-agents/postgres/batcher'
import { type Database, statement } from '@financial-agents/postgres/database'
import type { Clock } from '@financial-agents/runtime/clock'
import { failpoint } from '@financial-agents/runtime/failpoint'

export type DraftCandidate = {
  id: string
  operation_id: string
  owner_id: string
  client_id: string
  route: string
  idempotency_key: string
  request_hash: string
  name: string
  nickname: string | null
  country: string
  currency: string
  payout_schema_id: string
  is_external: boolean
  purpose_code: string | null
  masked_details: Readonly<Record<string, string>>
}

/** The row in which the request found itself, the candidate or an equal one. `decided`: acceptance is known. */
export type TakenDraft = { id: string; operation_id: string; decided: boolean }

export type DraftStore = {
  /** Null where the row that stood in the way was gone when it was looked at: take again. */
  take(candidate: DraftCandidate): Promise<TakenDraft | null>
  /** Acceptance is known. */
  recordPending(operationId: string): Promise<void>
  /** Nothing was accepted under this id and nothing ever will be. */
  recordVoid(operationId: string): Promise<void>
  /** Its key was pruned by operations and reads as new: the row makes room for another. */
  recordKeyReleased(operationId: string): Promise<void>
}

type Options = { db: Database; clock: Clock; draftDecideAfterMs: number }

const batch = { maxItems: 128, concurrency: 2 }

export function createDraftStore(options: Options): DraftStore {
  const { db, clock } = options
  const takes = createBatcher<DraftCandidate, { taken: TakenDraft | null }>({
    ...batch,
    target: (candidate) => candidate.operation_id,
    run: (candidates) => takeDrafts(options, candidates),
  })
  const pendings = createSettingBatcher('pending', async (ids) => {
    await db.rows(toPending, [ids])
  })
  const voids = createSettingBatcher('void', async (ids) => {
    await db.rows(toVoid, [ids, clock.now()])
  })
  return {
    take: async (candidate) => (await takes.submit(candidate)).taken,
    recordPending: pendings,
    recordVoid: voids,
    recordKeyReleased: async (operationId) => {
      await db.rows(releaseKey, [operationId])
    },
  }
}

const insertDrafts = statement(
  'beneficiaries_insert_drafts',
  // In the order of the keys: two replicas that wait for each other's rows must wait in one order.
  `INSERT INTO beneficiaries (id, operation_id, owner_id, client_id, route, idempotency_key, request_hash, name, nickname,
     country, currency, payout_schema_id, is_external, purpose_code, masked_details, state, operation_sequence,
     next_check_at, created_at, updated_at)
   SELECT id, operation_id, owner_id, client_id, route, idempotency_key, request_hash, name, nickname,
     country, currency, payout_schema_id, is_external, purpose_code, masked_details, 'draft', 0, $2, $3, $3
   FROM jsonb_to_recordset($1::jsonb) AS d(id uuid, operation_id uuid, owner_id text, client_id text, route text,
     idempotency_key text, request_hash text, name text, nickname text, country text, currency text,
     payout_schema_id text, is_external boolean, purpose_code text, masked_details jsonb)
   ORDER BY owner_id, client_id, route, idempotency_key, request_hash
   ON CONFLICT (owner_id, client_id, route, idempotency_key, request_hash) DO NOTHING
   RETURNING operation_id`,
)

const findDrafts = statement(
  'beneficiaries_find_drafts',
  `SELECT d.operation_id AS token, b.id, b.operation_id, b.state <> 'draft' AS decided
   FROM jsonb_to_recordset($1::jsonb) AS d(operation_id uuid, owner_id text, client_id text, route text,
     idempotency_key text, request_hash text)
   JOIN beneficiaries b USING (owner_id, client_id, route, idempotency_key, request_hash)`,
)

type Found = TakenDraft & { token: string }

async function takeDrafts({ db, clock, draftDecideAfterMs }: Options, candidates: DraftCandidate[]) {
  const now = clock.now()
  failpoint('draft.before_commit')
  const inserted = await db.rows<{ operation_id: string }>(insertDrafts, [
    JSON.stringify(candidates),
    new Date(now.getTime() + draftDecideAfterMs),
    now,
  ])
  failpoint('draft.after_commit')
  const minted = new Set(inserted.map((row) => row.operation_id))
  const joining = candidates.filter((candidate) => !minted.has(candidate.operation_id))
  const found = joining.length === 0 ? [] : await db.rows<Found>(findDrafts, [JSON.stringify(joining)])
  return new Map<string, { taken: TakenDraft | null }>([
    ...candidates.map(({ id, operation_id }): [string, { taken: TakenDraft | null }] => [
      operation_id,
      { taken: minted.has(operation_id) ? { id, operation_id, decided: false } : null },
    ]),
    ...found.map(({ token, ...taken }): [string, { taken: TakenDraft }] => [token, { taken }]),
  ])
}

const toPending = statement(
  'beneficiaries_to_pending',
  `WITH drafts AS (SELECT id FROM beneficiaries WHERE operation_id = ANY($1::uuid[]) AND state = 'draft' ORDER BY id FOR UPDATE)
   UPDATE beneficiaries b SET state = 'pending' FROM drafts WHERE b.id = drafts.id`,
)

const toVoid = statement(
  'beneficiaries_to_void',
  `WITH drafts AS (SELECT id FROM beneficiaries WHERE operation_id = ANY($1::uuid[]) AND state = 'draft' ORDER BY id FOR UPDATE)
   UPDATE beneficiaries b SET state = 'void', idempotency_key = NULL, request_hash = NULL, updated_at = $2, voided_at = $2
   FROM drafts WHERE b.id = drafts.id`,
)

const releaseKey = statement(
  'beneficiaries_release_key',
  `UPDATE beneficiaries SET idempotency_key = NULL, request_hash = NULL WHERE operation_id = $1 AND state <> 'draft'`,
)

/** The statement is a set and every item wants the same of it, so equal ids may share a batch: each item is its own token. */
function createSettingBatcher(name: string, set: (ids: string[]) => Promise<void>) {
  type Item = { token: number; operationId: string }
  let tokens = 0
  const batcher: Batcher<Item, true> = createBatcher<Item, true>({
    ...batch,
    target: (item) => String(item.token),
    run: async (items) => {
      failpoint(`${name}.before_commit`)
      await set([...new Set(items.map((item) => item.operationId))])
      failpoint(`${name}.after_commit`)
      return new Map(items.map((item) => [String(item.token), true]))
    },
  })
  return async (operationId: string): Promise<void> => {
    tokens += 1
    await batcher.submit({ token: tokens, operationId })
  }
}
