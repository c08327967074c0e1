/**
 * The kinds of operations with the provider's faults, through all services. A definitive answer counts, the
 * read that proves the kind settles a missing one, and nothing is ever sent twice. In `test` every kind loses its reply, and
 * one kind of each area meets the other faults; in a deep run every kind meets all of them.
 */

import { kindFacts, type OperationKind } from '@financial-agents/contract/kinds'
import { isDeep, seed } from '@financial-agents/testkit/deep'
import { kindsOracle, oracleKinds } from '@financial-agents/testkit/kinds-oracle'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { randomOf } from '../chaos/random.ts'
import { ownerOf } from '../owner.test-helper.ts'
import { clientOf, providerOf, settledResource, startTestStack, type TestStack } from '../stack.test-helper.ts'
import { type Act, prepare, type World } from './kinds.test-helper.ts'

const scopes =
  'beneficiaries:read beneficiaries:write operations:read cards:read cards:manage spending:withdraw authorization:read'
const patiently = { timeout: 120_000, interval: 50 }

let stack: TestStack
let database: pg.Pool
let provider: ReturnType<typeof providerOf>
let world: World

beforeAll(async () => {
  stack = await startTestStack({ enabledCapabilities: ['transfers.execute', 'cards.reveal'] })
  provider = providerOf(stack)
  database = new pg.Pool({ connectionString: stack.postgres.adminUrl })
  const client = await clientOf(stack, 'amara-agent', scopes)
  const payee = {
    name: 'Rui Prado',
    country: 'GB',
    currency: 'GBP',
    payout_schema_id: 'fps_gb_gbp',
    details: { sort_code: '601613', account_number: '31926819' },
  }
  const about = {
    payee,
    currency: 'GBP',
    memo: 'Rent',
    beneficiary_id: '',
    person: 'daniel',
  } as const
  world = { ...about, stack, database, client, owner: ownerOf(stack, 'amara') }
  await (await prepare(world, 'beneficiary_create'))()
  world.beneficiary_id = (await client.request('GET', '/v1/beneficiaries')).body['items'][0].id
  await settledResource(client, `/v1/beneficiaries/${world.beneficiary_id}`, 'active')
})
afterAll(async () => {
  await database?.end()
  await stack.close()
})

async function read(id: string): Promise<Record<string, unknown>> {
  const { rows } = await database.query(
    `SELECT kind, state, failure_code, next_reconcile_at IS NOT NULL AS scheduled, payload_sealed IS NOT NULL AS holds_payload
     FROM operations.operations WHERE id = $1`,
    [id],
  )
  return rows[0] ?? {}
}

/** Makes the next read due now instead of hours later; returns the results of earlier reads. */
async function hurryRead(id: string): Promise<{ reads: number; review_reason: string | null }> {
  const { rows } = await database.query(
    `UPDATE reconciler.reconciliations SET next_read_at = now() WHERE operation_id = $1 RETURNING reads, review_reason`,
    [id],
  )
  return rows[0] ?? { reads: 0, review_reason: null }
}

async function readsOf(id: string): Promise<string[]> {
  const { rows } = await database.query(
    `SELECT evidence ->> 'read' AS read FROM operations.history WHERE operation_id = $1 AND evidence IS NOT NULL ORDER BY sequence`,
    [id],
  )
  return rows.map((row) => row.read as string)
}

async function expectSentOnce(id: string, kind: OperationKind, outcome: string): Promise<void> {
  expect(await provider.ledger(id)).toMatchObject([{ kind, outcome }])
}

/** Every kind in a deep run; otherwise one of each area, drawn by the seed. */
const drawnKinds: readonly OperationKind[] = isDeep
  ? oracleKinds
  : [...Map.groupBy(randomOf(seed).shuffled(oracleKinds), (kind) => kindFacts[kind].area).values()].flatMap((alike) =>
      alike.slice(0, 1),
    )

type Script = { script: string; kinds?: readonly OperationKind[]; person?: World['person'] }

/** Prepares these kinds, then sets the fault `script` for the next operation of each. */
function afterwards({ script, kinds = drawnKinds, person = 'daniel' }: Script): Record<string, Act> {
  const acts: Record<string, Act> = {}
  beforeAll(async () => {
    for (const kind of kinds) acts[kind] = await prepare({ ...world, person }, kind)
    for (const kind of kinds) await provider.faultOf({ kind }, script, { times: 1 })
    return () => provider.clearFaults()
  })
  return acts
}

const act = (acts: Record<string, Act>, kind: OperationKind) => (acts[kind] as Act)()

describe('where the provider refuses it, it fails', () => {
  const acts = afterwards({ script: 'refuse' })
  test.concurrent.for(drawnKinds)('%s', async (kind, { expect }) => {
    const id = await act(acts, kind)
    await expect
      .poll(() => read(id), patiently)
      .toEqual({ kind, state: 'failed', failure_code: 'provider_refused', scheduled: false, holds_payload: false })
    await expectSentOnce(id, kind, 'refused')
  })
})

describe('where the reply is lost, the read of its kind proves that it was executed', () => {
  const acts = afterwards({ script: 'accept_drop_reply', kinds: oracleKinds })
  test.concurrent.for(oracleKinds)('%s', async (kind, { expect }) => {
    const id = await act(acts, kind)
    await expect.poll(() => read(id), patiently).toMatchObject({ state: 'succeeded', scheduled: false })
    expect((await readsOf(id)).at(-1)).toBe(kindsOracle[kind].provedBy)
    await expectSentOnce(id, kind, 'executed_reply_dropped')
  })
})

describe('what the provider never settles stays submitted, however often it is read', () => {
  const acts = afterwards({ script: 'never_settle', person: 'tomasz' })
  test.concurrent.for(drawnKinds)('%s', async (kind, { expect }) => {
    const id = await act(acts, kind)
    await expect.poll(async () => (await hurryRead(id)).reads, patiently).toBeGreaterThan(10)
    expect(await read(id)).toMatchObject({ state: 'submitted', scheduled: true, holds_payload: false })
    await expectSentOnce(id, kind, 'executed')
  })
})

describe('what is never found stays indeterminate and goes under review', () => {
  const acts = afterwards({ script: 'drop_before_accept' })
  test.concurrent.for(drawnKinds)('%s', async (kind, { expect }) => {
    const id = await act(acts, kind)
    await expect.poll(async () => (await hurryRead(id)).review_reason, patiently).toMatch(/^not found by \d+ reads$/)
    expect(await read(id)).toEqual({
      kind,
      state: 'indeterminate',
      failure_code: 'provider_connection_lost',
      scheduled: true,
      holds_payload: false,
    })
    await expectSentOnce(id, kind, 'dropped')
  })
})

test('the provider never saw a reference twice', async () => {
  expect((await provider.summary()).repeated).toEqual([])
})
