/**
 * The process is killed at each of its failpoints and started again. Areas repeat their calls and the submitter repeats
 * its events, as in production. In the end, everything accepted has been announced, projected and confirmed, and
 * nothing twice.
 */

import type { Bus } from '@financial-agents/bus/connect'
import { type Consuming, consume } from '@financial-agents/bus/consume'
import type { Confirmation, SubmitBatch } from '@financial-agents/bus/messages/events'
import type { AcceptRequest, AcceptResult } from '@financial-agents/bus/messages/operations'
import { call, serveNotice } from '@financial-agents/bus/rpc'
import { startTestNats } from '@financial-agents/bus/testing/nats'
import type { Database } from '@financial-agents/postgres/database'
import { createLog } from '@financial-agents/runtime/log'
import { makeTestWitness } from '@financial-agents/witness/testing/witness'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createInsistence } from './insistence.test-helper.ts'
import {
  moveOf,
  newConfirmed,
  newId,
  newRequest,
  openTestOperations,
  query,
  requestVariables,
} from './operations.test-helper.ts'

const log = createLog({ service: 'test', level: 'silent' })
const claimAfterMs = 700

let tables: Awaited<ReturnType<typeof openTestOperations>>
let nats: Awaited<ReturnType<typeof startTestNats>>
let db: Database
let area: Bus
let submitter: Bus
let consuming: Consuming
let sending: NodeJS.Timeout
const requests = new Map<string, AcceptRequest>()
const announcedAt = new Map<string, number>()
const confirmed = new Set<string>()

async function confirm({ items }: Confirmation): Promise<void> {
  for (const { operation_id } of items) confirmed.add(operation_id)
}

beforeAll(async () => {
  ;[tables, nats] = await Promise.all([openTestOperations({ months: true }), startTestNats()])
  await nats.provision((bus) => makeTestWitness(tables.open(), bus, 'operations'))
  db = tables.open()
  ;[area, submitter] = await Promise.all([nats.connect('beneficiaries', { graceMs: 0 }), nats.connect('submitter')])
  consuming = consume<SubmitBatch>(submitter, {
    stream: 'OPS_SUBMIT',
    durable: 'submitter',
    maxMessages: 16,
    concurrency: 1,
    handle: async (messages) => {
      for (const { operation_id } of messages.flatMap((message) => message.operations))
        if (!announcedAt.has(operation_id)) announcedAt.set(operation_id, Date.now())
    },
    retryAfterMs: 100,
    onError: () => {},
  })
  serveNotice(submitter, 'int.submitter.confirm', confirm, { log })
  sending = setInterval(sendUnconfirmed, 100)
})
afterAll(async () => {
  clearInterval(sending)
  await stop()
  await consuming.stop()
  await nats.stop()
  await tables.close()
})

/** The submitter's outbox: it repeats events until they are confirmed. It claims slowly, so that the background job has work. */
function sendUnconfirmed(): void {
  const due = Array.from(announcedAt).filter(([id, at]) => !confirmed.has(id) && at < Date.now() - claimAfterMs)
  if (due.length > 0) {
    const transitions = due.map(([id]) => moveOf(requests.get(id) as AcceptRequest))
    submitter.publish('ops.event.beneficiary_create', JSON.stringify({ transitions }))
  }
}

const context = { requestId: 'request-of-a-test', traceparent: '', timeoutMs: 5_000 }

const { insist, doom, killed, stop } = createInsistence(() => ({
  NATS_URL: nats.server.url,
  NATS_NKEY_SEED: nats.seeds.operations,
  ...requestVariables,
  DATABASE_URL: tables.connectionString,
  TEST_SCHEMA: tables.schema,
}))

const accept = (request: AcceptRequest): Promise<AcceptResult> =>
  insist(() => call(area, 'int.operations.accept', request, context))

const steps = [
  'accept.before_commit',
  'accept.after_commit',
  'accept.after_publish',
  'decide.before_commit',
  'decide.after_commit',
  'project.before_commit',
  'project.after_commit',
  'project.after_confirm',
  'job.before_publish',
  'job.after_publish',
]

test.each(steps)('killed at %s: nothing accepted is lost, nothing happens twice', async (step) => {
  await doom(step)
  const plain = Array.from({ length: 8 }, () => newRequest())
  const confirmedOnes = await Promise.all(Array.from({ length: 4 }, () => newConfirmed(db, new Date())))
  const offered = [...plain, ...confirmedOnes]
  for (const request of offered) requests.set(request.operation_id, request)
  const undecided = newRequest({ operation_id: newId() })
  const decide = () => call(area, 'int.operations.decide', { operation_ids: [undecided.operation_id] }, context)
  const answers = Promise.all([insist(decide), ...offered.map(accept)])
  await killed()
  const [decision, ...results] = await answers
  expect(decision).toEqual([
    { operation_id: undecided.operation_id, state: 'void', sequence: 0, upstream_reference: null, resource: null },
  ])
  expect(await accept(undecided)).toEqual({ type: 'void' })
  for (const [index, result] of results.entries())
    expect(result).toMatchObject({ operation: { id: offered[index]?.operation_id } })
  const ids = offered.map((request) => request.operation_id)
  await expect.poll(() => ids.filter((id) => !confirmed.has(id)), { timeout: 120_000 }).toEqual([])
  const rows = await query(
    db,
    `SELECT o.state, o.sequence, count(DISTINCT k.key)::int AS keys, count(DISTINCT h.sequence)::int AS moves
    FROM operations o JOIN moves h ON h.operation_id = o.id JOIN idempotency_keys k ON k.operation_id = o.id
    WHERE o.id = ANY ($1::uuid[]) GROUP BY o.id`,
    [ids],
  )
  expect(rows).toEqual(ids.map(() => ({ state: 'submitting', sequence: 2, keys: 1, moves: 2 })))
  const spent = await query(
    db,
    `SELECT status, consumed_operation_id FROM confirmation_intents WHERE id = ANY ($1::uuid[])
    ORDER BY array_position($1::uuid[], id)`,
    [confirmedOnes.map(({ confirmation }) => confirmation.intent_id)],
  )
  expect(spent).toEqual(
    confirmedOnes.map(({ operation_id }) => ({ status: 'consumed', consumed_operation_id: operation_id })),
  )
})
