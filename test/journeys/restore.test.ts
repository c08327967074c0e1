/**
 * PostgreSQL is restored to an earlier moment while the provider has executed more since then, and nobody says so to any service.
 * Nothing is sent or accepted until the operator recovers. Operations in the backup are never submitted a second time, in whatever state the backup has them. Operations
 * created after the backup are gone, and requests for them say so. The operations guide follows the same steps.
 */

import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { connectBus } from '@financial-agents/bus/connect'
import type { LostOperations, WitnessReport } from '@financial-agents/bus/messages/witness'
import { call } from '@financial-agents/bus/rpc'
import { createLog } from '@financial-agents/runtime/log'
import type { ApiClient } from '@financial-agents/testkit/client'
import type { ServiceName } from '@financial-agents/testkit/stack-services'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ownerOf } from '../owner.test-helper.ts'
import {
  activeMandate,
  clientOf,
  confirmedWrite,
  create,
  mandateBody,
  pollUntil,
  providerOf,
  settledResource,
  startTestStack,
  type TestStack,
} from '../stack.test-helper.ts'
import { type Application, connectApplication } from './ending.test-helper.ts'
import { recoverAt } from './going-back.test-helper.ts'

const scopes = 'beneficiaries:read beneficiaries:write operations:read authorization:read spending:withdraw'
const settled = ['succeeded', 'failed', 'cancelled']
/** All that a payee and a mandate need. */
const services = [
  'gateway',
  'authz',
  'onboarding',
  'operations',
  'submitter',
  'reconciler',
  'beneficiaries',
] as const satisfies readonly ServiceName[]

let stack: TestStack
let client: ApiClient
let provider: ReturnType<typeof providerOf>
/** The ids of operations in the backup, by the event that each was waiting for. */
const known: Record<string, string> = {}
/** An operation that was accepted and submitted after the backup. */
let lost: string
/** Its grant is revoked in the lost time. */
let application: Application
/** Mandates in the backup: one is paid under in the lost time, the other is suspended in it. */
const mandates = { used: '', ended: '' }
/** The key of a request that is repeated; the backup has a draft of it. */
const draftKey = randomUUID()

beforeAll(async () => {
  stack = await startTestStack({
    processes: true,
    services,
    enabledCapabilities: ['transfers.execute'],
    // The test copies the data folder, so PostgreSQL must come from one of these sources.
    postgresSources: ['path', 'npm'],
    environment: {
      operations: { BACKGROUND_JOB_PAUSE_MS: '200', BACKGROUND_JOB_AFTER_MS: '500' },
      submitter: { PROVIDER_TIMEOUT_MS: '60000', LEASE_MS: '120000', BACKGROUND_JOB_PAUSE_MS: '200' },
      // A draft stays until its request is repeated.
      beneficiaries: { DRAFT_DECIDE_AFTER_MS: '600000', PENDING_PULL_AFTER_MS: '1000' },
    },
  })
  provider = providerOf(stack)
  client = await clientOf(stack, 'ines-agent', scopes)
  const restore = await makeBackup()
  await liveOn()
  await loseEverythingSince(restore)
})
afterAll(() => stack?.close())

/** Creates operations at every stage, then makes the backup; returns the function that restores it. */
async function makeBackup(): Promise<() => Promise<void>> {
  const start = async (name: string) => {
    const { status, body } = await create(client, name)
    expect(status).toBe(202)
    known[name] = body.id
    return body
  }
  application = await connectApplication(stack)
  const { resource_id: beneficiary } = await start('settled')
  await settledResource(client, `/v1/beneficiaries/${beneficiary}`, 'active')
  for (const name of ['used', 'ended'] as const)
    mandates[name] = await activeMandate(client, ownerOf(stack, 'ines'), mandateBody(beneficiary))
  const mandate = await confirmedWrite(client, ownerOf(stack, 'ines'), 'mandate_create', {
    path: '/v1/mandates',
    body: mandateBody(beneficiary),
  })
  known['approval'] = mandate.body['id']
  await pollUntil(client, mandate.body['id'], [], 120_000, (body) => body['action_required'])

  await provider.fault('settle_later', 'pending')
  await start('pending')
  await pollUntil(client, known['pending'] as string, ['submitted'])
  await provider.fault('drop_before_accept', 'never arrived')
  await start('never arrived')
  await pollUntil(client, known['never arrived'] as string, ['indeterminate'])
  await provider.fault('slow', 'under way', { delay_ms: 30_000 })
  await start('under way')
  await pollUntil(client, known['under way'] as string, ['submitting'])

  await stack.kill('submitter')
  await endLeases()
  await provider.fault('drop_before_accept', 'unclaimed, never arrived')
  await start('unclaimed')
  await start('unclaimed, never arrived')
  await stack.stopService('operations')
  expect(await create(client, 'draft', draftKey)).toMatchObject({ status: 503, body: { retryable: true } })
  return (await stack.postgres.backUp()).restore
}

/** After the backup the provider executes every waiting operation and a new one. */
async function liveOn(): Promise<void> {
  await stack.start('operations')
  await stack.start('submitter')
  known['draft'] = await accepted(draftKey)
  const waiting = await client.request('GET', `/v1/operations/${known['approval']}`)
  await ownerOf(stack, 'ines').decideAtProvider(waiting.body['action_required'].url, 'approve')
  await client.request('POST', `/v1/operations/${known['approval']}/approval/poll`)
  await provider.settle(known['pending'] as string, 'succeeded')
  lost = (await create(client, 'lost')).body.id
  const executed = ['settled', 'approval', 'pending', 'under way', 'unclaimed', 'draft'].map((name) => known[name])
  for (const id of [...executed, lost]) await pollUntil(client, id as string, ['succeeded'])
  await pollUntil(client, known['unclaimed, never arrived'] as string, ['indeterminate'])
  expect(await application.revoke()).toMatchObject({ status: 200 })
  const act = (path: string, body?: object) =>
    client.request('POST', path, { key: randomUUID(), ...(body && { body }) })
  const paid = await act(`/v1/mandates/${mandates.used}/transfers`, { amount: '10', currency: 'EUR' })
  await pollUntil(client, paid.body['id'], ['succeeded'])
  await act(`/v1/mandates/${mandates.ended}/suspend`)
  await settledResource(client, `/v1/mandates/${mandates.ended}`, 'suspended')
}

/** The output of `recover`, with the operations of the streams that the database does not know. */
let shown: string[]
const foundLoss = /^submitter: closed since .*\((?:loss|elsewhere)\); lost time from/
/** The same, as the console of the operators gets it. */
let shownByConsole: { report: WitnessReport; lost: LostOperations | null }
/** The answer to a write after the restore, before the recovery. */
let refused: { status: number; body: Record<string, unknown> }

/** Kills everything, restores PostgreSQL, and starts everything as ever. Nothing is set for the restore. The operator then recovers. */
async function loseEverythingSince(restore: () => Promise<void>): Promise<void> {
  await Promise.all(services.map((name) => stack.kill(name)))
  await restore()
  await Promise.all(services.map((name) => stack.start(name, {}, { waitReady: false })))
  const until = Date.now() + 120_000
  do {
    refused = await create(client, 'refused').catch(() => ({ status: 0, body: {} }))
  } while (refused.body['code'] !== 'service_unavailable' && Date.now() < until)
  do shown = await recoverAt(stack)
  while (!shown.some((line) => foundLoss.test(line)) && Date.now() < until)
  shownByConsole = await askAsConsole()
  shown = [...shown, ...(await recoverAt(stack, '--open'))]
  client = await clientOf(stack, 'ines-agent', scopes)
}

async function askAsConsole(): Promise<typeof shownByConsole> {
  const config = { NATS_URL: stack.nats.server.url, NATS_NKEY_SEED: stack.nats.seeds['ops-console'] }
  const bus = await connectBus({ config, name: 'ops-console', log: createLog({ service: 'test', level: 'silent' }) })
  const context = { requestId: randomUUID(), traceparent: '', timeoutMs: 30_000 }
  const report = await call(bus, 'int.submitter.witness', null, context)
  let lost: LostOperations | null
  const until = Date.now() + 120_000
  do lost = await call(bus, 'int.operations.lost', null, context)
  while (lost === null && Date.now() < until)
  await bus.drain()
  return { report, lost }
}

/** Repeats the request until it is accepted; returns the id of its operation. */
async function accepted(key: string): Promise<string> {
  const until = Date.now() + 120_000
  for (;;) {
    const { status, body } = await create(client, 'draft', key)
    if (status === 202) return body.id
    if (Date.now() > until) throw new Error(`the draft is refused: ${status} ${body['code']}`)
    await delay(100)
  }
}

async function query<Row extends pg.QueryResultRow>(sql: string, values: unknown[] = []): Promise<Row[]> {
  const database = new pg.Client({ connectionString: stack.postgres.adminUrl })
  await database.connect()
  try {
    return (await database.query<Row>(sql, values)).rows
  } finally {
    await database.end()
  }
}

/** Lets the watchdog give up open attempts at once: their leases are long. */
async function endLeases(): Promise<void> {
  await query('UPDATE submitter.outbox SET lease_until = now() WHERE lease_until IS NOT NULL')
}

async function movesOf(id: string): Promise<string[]> {
  const moves = 'SELECT to_state FROM operations.moves WHERE operation_id = $1 ORDER BY sequence'
  return (await query<{ to_state: string }>(moves, [id])).map((row) => row.to_state)
}

describe('an operation in the backup', () => {
  test.each(['settled', 'pending', 'under way', 'unclaimed'])('%s: it succeeds, by reads alone', async (name) => {
    const id = known[name] as string
    await pollUntil(client, id, ['succeeded'])
    expect(await provider.ledger(id)).toHaveLength(1)
  })

  test('what was accepted and not claimed is uncertain before it is proved: it is never sent', async () => {
    const moves = await movesOf(known['unclaimed'] as string)
    expect(moves).toEqual(['accepted', 'submitting', 'indeterminate', 'succeeded'])
  })

  test('what waited for an approval that was given and used in the lost time is proved, not sent again', async () => {
    const id = known['approval'] as string
    await client.request('POST', `/v1/operations/${id}/approval/poll`)
    const { body } = await pollUntil(client, id, settled)
    expect(body).toMatchObject({ state: 'succeeded' })
    expect(await provider.ledger(id)).toHaveLength(1)
    expect(await movesOf(id)).toEqual(['requires_action', 'accepted', 'submitting', 'indeterminate', 'succeeded'])
  })

  test('a draft whose request was accepted in the lost time keeps its id: repeated, it is proved and not sent again', async () => {
    const id = await accepted(draftKey)
    expect(id).toBe(known['draft'])
    await pollUntil(client, id, ['succeeded'])
    expect(await provider.ledger(id)).toHaveLength(1)
  })

  test('what the provider never got stays uncertain, and nobody tries again', async () => {
    for (const name of ['never arrived', 'unclaimed, never arrived']) {
      const id = known[name] as string
      const { body } = await pollUntil(client, id, ['indeterminate'])
      expect(body).toMatchObject({ submission_uncertain: true, next_reconcile_at: expect.any(String) })
      expect(await provider.ledger(id)).toMatchObject([{ outcome: 'dropped' }])
    }
  })

  test('resources follow what was proved', async () => {
    for (const name of ['unclaimed', 'draft', 'approval']) {
      const { body } = await client.request('GET', `/v1/operations/${known[name]}`)
      const folder = name === 'approval' ? 'mandates' : 'beneficiaries'
      await settledResource(client, `/v1/${folder}/${body['resource_id']}`, 'active')
    }
  })
})

test('until the operator recovers, writes are refused, and the client is told to try again', () => {
  expect(refused).toMatchObject({ status: 503, body: { code: 'service_unavailable', retryable: true } })
  expect(shown).toContainEqual(expect.stringMatching(foundLoss))
})

test('the console knows the lost time, the number of lost transactions and the operations that events name', () => {
  const time = expect.stringMatching(/^\d{4}-/)
  const { report, lost: named } = shownByConsole
  expect(report).toMatchObject({ from: time, to: time })
  expect(report?.transactions).toBeGreaterThan(0)
  expect(named?.operations.map(({ operation_id }) => operation_id)).toContain(lost)
})

test('an operation made after the backup is unknown, and the recovery names it', async () => {
  expect(await client.request('GET', `/v1/operations/${lost}`)).toMatchObject({ status: 404 })
  expect(await provider.ledger(lost)).toHaveLength(1)
  const named = shown.filter((line) => line.startsWith('{')).map((line) => JSON.parse(line) as object)
  expect(named).toContainEqual(
    expect.objectContaining({ operation_id: lost, client_id: 'ines-agent', state: 'succeeded' }),
  )
})

test('what was paid in the lost time counts against the limits of its mandate and of its day', async () => {
  expect(shown).toContain('payments of the lost time that count against their limits again: 1')
  const { body } = await client.request('GET', `/v1/mandates/${mandates.used}`)
  expect(body).toMatchObject({ state: 'active', remaining: { daily: '190.00', total: '490.00', payments: 99 } })
  expect(await query('SELECT reserved::text AS reserved FROM operations.ceiling_days')).toEqual([{ reserved: '10' }])
})

const endedAgain = (authority: string) => expect.stringMatching(new RegExp(`^${authority} had ended .*: ended again$`))

test('a mandate that was suspended in the lost time is suspended', async () => {
  expect(shown).toContainEqual(endedAgain(`mandate ${mandates.ended}`))
  await settledResource(client, `/v1/mandates/${mandates.ended}`, 'suspended')
})

test('a grant that was revoked in the lost time stays without power', async () => {
  const { grantId } = application
  expect(shown).toContainEqual(endedAgain(`grant ${grantId}`))
  const fenced = "SELECT FROM submitter.fences WHERE target = 'grant' AND target_id = $1"
  expect(await query(fenced, [grantId])).toHaveLength(1)
})

test('a new operation is submitted as usual', async () => {
  const { body } = await create(client, 'new')
  await pollUntil(client, body.id, ['succeeded'])
  expect(await provider.ledger(body.id)).toHaveLength(1)
})

test('a second recovery ends and reserves nothing again', async () => {
  const again = await recoverAt(stack, '--open', '--although-open')
  expect(again.filter((line) => line.includes('ended again'))).toEqual([])
  expect(await query('SELECT reserved::text AS reserved FROM operations.ceiling_days')).toEqual([{ reserved: '10' }])
  const { body } = await client.request('GET', `/v1/mandates/${mandates.used}`)
  expect(body).toMatchObject({ remaining: { total: '490.00', payments: 99 } })
})

test('the provider never saw a reference twice', async () => {
  expect((await provider.summary()).repeated).toEqual([])
})
