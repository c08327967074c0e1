/** The mandate writes of two replicas on one real PostgreSQL, without a bus. A test supplies results and outcomes. */

import { randomUUID, randomUUIDv7 } from 'node:crypto'
import type { Bus } from '@financial-agents/bus/connect'
import { type Queryable, statement } from '@financial-agents/postgres/database'
import { createTestDatabase } from '@financial-agents/postgres/testing/database'
import { createClock } from '@financial-agents/runtime/clock'
import { createLog } from '@financial-agents/runtime/log'
import type { Draft } from '@financial-agents/writes/write'
import { createWrites, type TakeResult } from '@financial-agents/writes/writes'
import { migrations } from '../migrations.ts'
import { type MandateInput, mandateCreate } from './create.ts'
import { mandateRevoke } from './revoke.ts'
import { findMandate, toMandate } from './store.ts'
import { mandateSuspend } from './suspend.ts'
import { mandateTransfer } from './transfer.ts'

export const owner = 'owner-one'
export const client = 'client-one'
export const grant = 'grant-one'

const kinds = [mandateCreate, mandateSuspend, mandateRevoke, mandateTransfer]

export async function startMandateWrites() {
  const database = await createTestDatabase({ service: 'beneficiaries', migrations })
  const clock = createClock()
  const log = createLog({ service: 'beneficiaries', level: 'silent' })
  const dbs = [database.open(), database.open()] as const
  const [db] = dbs
  const replicas = dbs.map((each) =>
    createWrites({
      bus: undefined as unknown as Bus,
      db: each,
      clock,
      log,
      kinds,
      durable: 'beneficiaries',
      draftDecideAfterMs: 10_000,
      pendingPullAfterMs: 30_000,
      backgroundJobPauseMs: 1_000,
    }),
  )
  const beneficiaryId = await insertBeneficiary(db)
  let turn = 0
  const next = () => replicas[turn++ % replicas.length] as (typeof replicas)[number]

  async function move(operation_id: string, to: 'accepted' | 'void' | 'succeeded' | 'failed' | 'cancelled') {
    if (to === 'accepted' || to === 'void') return next().settle(operation_id, to)
    const at = clock.now().toISOString()
    return next().advance([
      { operation_id, sequence: 3, outcome: to, at, upstream_reference: `grant-${operation_id}`, resource: null },
    ])
  }
  const take = (kind: Draft<unknown>['kind'], resource_id: string, input: unknown): Promise<TakeResult | null> =>
    next().take(draftOf(kind, resource_id, input))

  return {
    db,
    clock,
    replicas,
    take,
    move,
    beneficiaryId,
    /** Drafts one action or transfer. Returns its operation id. */
    draft: async (kind: Draft<unknown>['kind'], resource_id: string, input: unknown = null) =>
      idOf(await take(kind, resource_id, input)),
    transfer: (mandate_id: string, amount: string, grant_id = grant) =>
      take('mandate_transfer', randomUUIDv7(), { mandate_id, amount, grant_id }),
    /** An active mandate. */
    mandate: async (changes: Partial<MandateInput> = {}) => {
      const id = randomUUIDv7()
      const operation = idOf(await take('mandate_create', id, inputOf(beneficiaryId, clock.nowMs(), changes)))
      await move(operation, 'succeeded')
      return id
    },
    read: async (id: string) => {
      const now = clock.now()
      const row = await findMandate(db, { owner_id: owner, client_id: client }, id, now)
      return row && toMandate(row, now)
    },
    close: () => database.close(),
  }
}

export function inputOf(beneficiary_id: string, nowMs: number, changes: Partial<MandateInput> = {}): MandateInput {
  return {
    grant_id: grant,
    beneficiary_id,
    currency: 'EUR',
    authorized_clients: [client],
    authorized_rules: [],
    per_payment_max: '100',
    daily_max: '100',
    weekly_max: '100',
    monthly_max: '100',
    total_cap: '100',
    payment_count: 10_000,
    expires_at: new Date(nowMs + 30 * 86_400_000).toISOString(),
    authorities: [{ client_id: client, grant_id: grant }],
    ...changes,
  }
}

export function idOf(taken: TakeResult | null): string {
  if (!taken) throw new Error('the draft was lost')
  if ('refused' in taken) throw taken.refused
  return taken.operation_id
}

export function refusalOf(taken: TakeResult | null): { code: string; detail: string } | undefined {
  return taken && 'refused' in taken ? taken.refused.data : undefined
}

function draftOf(kind: Draft<unknown>['kind'], resource_id: string, input: unknown): Draft<unknown> {
  const operation_id = randomUUIDv7()
  const route = `POST ${kind}`
  const key = { route, idempotency_key: randomUUID(), request_hash: 'hash' }
  return { operation_id, kind, resource_id, owner_id: owner, client_id: client, ...key, input }
}

async function insertBeneficiary(db: Queryable): Promise<string> {
  const id = randomUUIDv7()
  await db.rows(
    statement(
      'test_beneficiary',
      `INSERT INTO beneficiaries (id, operation_id, owner_id, name, country, currency, payout_schema_id, is_external, masked_details,
         state, upstream_reference, created_at, updated_at)
       VALUES ($1, $1, $2, 'Rui Prado', 'PT', 'EUR', 'sepa_pt_eur', false, '{}', 'active', 'payee-one', now(), now())`,
    ),
    [id, owner],
  )
  return id
}
