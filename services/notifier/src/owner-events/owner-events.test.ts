/** The events that the operator's platform gets: once each, signed, and kept while the platform or a service is away. */

import { randomBytes, randomUUID, randomUUIDv7 } from 'node:crypto'
import type { AccessGiven, CapUse, OwnerPayment } from '@financial-agents/bus/messages/owner-events'
import { serveCall } from '@financial-agents/bus/rpc'
import { type OwnerEvent, ownerEvent } from '@financial-agents/contract/schemas/owner-event'
import { type Queryable, statement } from '@financial-agents/postgres/database'
import { explain } from '@financial-agents/postgres/testing/explain'
import { newPrincipal, transition } from '@financial-agents/testkit/test-service'
import { Webhook } from 'standardwebhooks'
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { type Received, type Receiver, startReceiver } from '../receiver.test-helper.ts'
import { eventually, type Stack, startStack } from '../started.test-helper.ts'
import { noteCandidates, takeCandidates } from './candidates.ts'
import { claimEvents, eraseBodies, forgetBodies, insertEvents } from './event-store.ts'
import { nearlyUsed } from './make-events.ts'

const secret = randomBytes(32)
const owner_id = randomUUIDv7()
const beneficiary_id = randomUUIDv7()
const mandate_id = randomUUIDv7()

let stack: Stack
let platform: Receiver
let facts: Awaited<ReturnType<typeof playFacts>>

beforeAll(async () => {
  platform = await startReceiver()
  stack = await startStack({ replicas: 2, platform: { url: `${platform.url}/owners?token=hidden`, secret } })
  facts = await playFacts(stack)
})
afterAll(async () => {
  await stack.stop()
  await platform.stop()
})
beforeEach(() => {
  platform.received.length = 0
  platform.answer(204)
})

/** Plays the services that hold the facts. */
async function playFacts({ nats, log }: Stack) {
  const payments = new Map<string, OwnerPayment>()
  const given: AccessGiven[] = []
  const state = { caps: [] as CapUse[], away: false }
  const answer = async <Answer>(value: () => Answer): Promise<Answer> => {
    if (state.away) throw new Error('away')
    return value()
  }
  const [operations, beneficiaries, onboarding, authz] = await Promise.all(
    (['operations', 'beneficiaries', 'onboarding', 'authz'] as const).map((user) => nats.connect(user)),
  )
  if (!operations || !beneficiaries || !onboarding || !authz) throw new Error('a service is not played')
  serveCall(
    operations,
    'int.operations.owner-payments',
    ({ operation_ids }) => answer(() => operation_ids.flatMap((id) => payments.get(id) ?? [])),
    { log },
  )
  serveCall(beneficiaries, 'int.beneficiaries.cap-use', () => answer(() => state.caps), { log })
  serveCall(
    onboarding,
    'int.onboarding.owner-references',
    ({ owner_ids }) =>
      answer(() =>
        owner_ids
          .filter((id) => id === owner_id)
          .map((id) => ({ owner_id: id, provider: 'bank', reference: 'cust-1' })),
      ),
    { log },
  )
  serveCall(
    authz,
    'int.authz.access-given',
    ({ since, after }) =>
      answer(() =>
        given.filter(({ at, grant_id }) => (after ? [at, grant_id] > [after.at, after.grant_id] : at > since)),
      ),
    { log },
  )
  await Promise.all([operations, beneficiaries, onboarding, authz].map((bus) => bus.check()))
  return { payments, given, state }
}

const reported = (type?: OwnerEvent['type']) =>
  platform.received
    .map(({ body }) => ownerEvent.parse(JSON.parse(body)))
    .filter((event) => type === undefined || event.type === type)

/** A payment moves. The same transition is published twice, so that both replicas may take it. */
function pay(to: 'submitting' | 'indeterminate' | 'succeeded', changes: Partial<OwnerPayment> = {}): OwnerPayment {
  const operation_id = changes.operation_id ?? randomUUIDv7()
  const payment: OwnerPayment = {
    operation_id,
    kind: 'transfer',
    owner_id,
    client_id: 'shop',
    mandate_id: null,
    beneficiary_id,
    amount: '12.50',
    currency: 'EUR',
    accepted_at: new Date().toISOString(),
    is_first: false,
    ...changes,
  }
  facts.payments.set(operation_id, payment)
  const { client_id } = newPrincipal()
  const moved = transition({
    owner_id,
    client_id,
    kind: payment.kind,
    to,
    operation_id,
    sequence: to === 'submitting' ? 2 : 3,
  })
  stack.publish(payment.kind, [moved])
  stack.publish(payment.kind, [moved])
  return payment
}

const cap = (changes: Partial<CapUse>): CapUse => ({
  mandate_id,
  owner_id,
  beneficiary_id,
  cap: 'total_cap',
  period_start: null,
  limit: '100',
  used: '80',
  used_percent: 80,
  currency: 'EUR',
  ...changes,
})

test('the first payment to a payee is reported once, signed by both signatures, without a name or a reference of the payment', async () => {
  const payment = pay('submitting', { is_first: true })
  pay('succeeded', payment)
  pay('submitting')
  await vi.waitFor(() => expect(reported('owner.first_payment')).toHaveLength(1), eventually)
  const { headers, body, path } = platform.received[0] as Received
  expect(path).toBe('/owners?token=hidden')
  expect(headers['webhook-signature']).toMatch(/^v1,\S+ v1a,\S+$/)
  const { is_first: _first, accepted_at, owner_id: _owner, ...rest } = payment
  expect(new Webhook(`whsec_${secret.toString('base64')}`).verify(body, headers)).toEqual({
    type: 'owner.first_payment',
    timestamp: accepted_at,
    data: { owner: { id: owner_id, provider: 'bank', reference: 'cust-1' }, ...rest },
  })
})

test('an uncertain payment is reported once; an uncertain operation that pays nothing is not', async () => {
  const { operation_id } = pay('indeterminate')
  stack.publish('card_create', [
    transition({ owner_id, client_id: 'shop', kind: 'card_create', to: 'indeterminate', sequence: 3 }),
  ])
  pay('indeterminate', { operation_id })
  await vi.waitFor(
    () => expect(reported('owner.payment_uncertain')).toMatchObject([{ data: { operation_id } }]),
    eventually,
  )
})

test('a cap is reported when it is nearly used, once for each period; a cap that equals the next wider one is not', async () => {
  facts.state.caps = [
    cap({ cap: 'daily_max', period_start: '2026-11-23' }),
    cap({ cap: 'weekly_max', period_start: '2026-11-23' }),
    cap({ limit: '120', used: '95', used_percent: 79 }),
  ]
  pay('submitting', { mandate_id, kind: 'mandate_transfer' })
  pay('submitting', { mandate_id, kind: 'mandate_transfer' })
  await vi.waitFor(
    () => expect(reported('owner.cap_nearly_used')).toMatchObject([{ data: { cap: 'weekly_max', used: '80.00' } }]),
    eventually,
  )
  facts.state.caps = [cap({ cap: 'weekly_max', period_start: '2026-11-30' })]
  pay('submitting', { mandate_id, kind: 'mandate_transfer' })
  await vi.waitFor(() => expect(reported('owner.cap_nearly_used')).toHaveLength(2), eventually)
  facts.state.caps = []
  expect(
    nearlyUsed([cap({ cap: 'total_cap', limit: '5' }), cap({ cap: 'payment_count', limit: '5', currency: null })], 80),
  ).toHaveLength(2)
})

test('new access is reported once, for each grant; an owner who never signed in has no reference', async () => {
  const other = randomUUIDv7()
  const at = new Date(Date.now() + 60_000).toISOString()
  for (const [owner, given_by] of [
    [owner_id, 'owner'],
    [other, 'operator'],
  ] as const)
    facts.given.push({ grant_id: randomUUID(), client_id: 'shop', owner_id: owner, given_by, at })
  await vi.waitFor(() => expect(reported('owner.access_given')).toHaveLength(2), eventually)
  expect(new Set(reported().map(({ data }) => data.owner.reference))).toEqual(new Set(['cust-1', null]))
})

test('while a service or the platform is away nothing is lost, and every attempt has the same id and body', async () => {
  facts.state.away = true
  const { operation_id } = pay('indeterminate')
  platform.answer(503)
  await vi.waitFor(async () => {
    const rows = await stack.db.rows(statement('', 'SELECT FROM owner_candidates WHERE operation_id = $1'), [
      operation_id,
    ])
    expect(rows).toHaveLength(2)
  }, eventually)
  facts.state.away = false
  await stack.db.rows(statement('', 'UPDATE owner_candidates SET next_check_at = now()'))
  await vi.waitFor(() => expect(reported('owner.payment_uncertain')).toHaveLength(1), eventually)
  platform.answer(204)
  await vi.waitFor(async () => {
    await stack.db.rows(
      statement('', "UPDATE owner_events SET next_attempt_at = now() WHERE status = 'pending' AND lease_id IS NULL"),
    )
    expect(reported('owner.payment_uncertain')).toHaveLength(2)
  }, eventually)
  const [first, second] = platform.received
  expect(second?.headers['webhook-id']).toBe(first?.headers['webhook-id'])
  expect(second?.body).toBe(first?.body)
  await vi.waitFor(async () => {
    const rows = await stack.db.rows(statement('', "SELECT FROM owner_events WHERE status = 'pending'"))
    expect(rows).toHaveLength(0)
  }, eventually)
})

test('the address and the secret are in no line of the log', () => {
  const lines = stack.logLines.join('\n')
  expect(lines).not.toContain('hidden')
  expect(lines).not.toContain(secret.toString('base64'))
})

test('the body of an event that is over is erased, and its key stays', async () => {
  const { db } = stack
  expect(await eraseBodies(db, new Date(Date.now() + 3_600_000), 500)).toBeGreaterThan(0)
  const rows = await db.rows<{ body: string | null; key: string }>(statement('', 'SELECT key, body FROM owner_events'))
  expect(rows.filter(({ body }) => body !== null)).toEqual([])
  expect(rows.map(({ key }) => key)).toContain(`first ${owner_id} ${beneficiary_id}`)
})

test('every statement on a growing table reads its index', async () => {
  const { db } = stack
  await fill(db)
  const now = new Date()
  const lease = [now, now, randomUUID(), 16]
  const event = [[randomUUIDv7()], ['key'], ['owner.first_payment'], ['{}'], now]
  expect(await explain(db, takeCandidates, [now, now, 200])).toContain('owner_candidates_due')
  expect(await explain(db, noteCandidates, [[randomUUIDv7()], ['payment'], [now], now])).not.toContain('Seq Scan')
  expect(await explain(db, claimEvents, lease)).toContain('owner_events_due')
  expect(await explain(db, insertEvents, event)).not.toContain('Seq Scan')
  expect(await explain(db, forgetBodies, [now, 500])).toContain('owner_events_with_body')
})

async function fill(db: Queryable): Promise<void> {
  const rows = `SELECT gen_random_uuid() AS id, n, now() + n * interval '1 day' AS t FROM generate_series(1, 20000) n`
  await db.rows(
    statement(
      '',
      `INSERT INTO owner_candidates (operation_id, about, next_check_at, at) SELECT id, 'payment', t, t FROM (${rows}) filled`,
    ),
  )
  await db.rows(
    statement(
      '',
      `INSERT INTO owner_events (id, key, type, body, status, attempts, next_attempt_at, created_at)
       SELECT id, n, 'owner.first_payment', CASE WHEN n % 10 < 2 THEN '{}' END, CASE n % 10 WHEN 0 THEN 'pending' ELSE 'delivered' END, 1,
         CASE n % 10 WHEN 0 THEN t END, t FROM (${rows}) filled`,
    ),
  )
  for (const table of ['owner_candidates', 'owner_events']) await db.rows(statement('', `ANALYZE ${table}`))
}
