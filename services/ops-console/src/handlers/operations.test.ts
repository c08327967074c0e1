import type { Reply } from '@financial-agents/bus/rpc'
import type { OperatorOperationDetail, operatorOperations } from '@financial-agents/contract/schemas/operator'
import { dataOf, problemOf } from '@financial-agents/testkit/test-service'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import type { z } from 'zod'
import { startStack } from '../console.test-helper.ts'
import { marta } from '../operator-client.test-helper.ts'
import { grantRow, operationRow, reviewOf, stubServices } from '../stub-services.test-helper.ts'

const stack = await startStack()
afterAll(() => stack.stop())
const { known } = stack

type List = z.output<typeof operatorOperations>

const list = async (query: Record<string, string> = {}) =>
  dataOf((await stack.send('listOperatorOperations', { query })) as Reply<List>)
const ids = ({ items }: List) => items.map((item) => item.id)

const rows = Array.from({ length: 7 }, (_, n) => operationRow(n, n % 2 ? { state: 'indeterminate' } : {}))
const newestFirst = rows.toReversed().map((row) => row.operation_id)

beforeEach(() => {
  known.operations = [...rows]
  known.reviews = []
  known.clientNames = new Map([['client-one', 'Client One']])
})

async function walk(query: Record<string, string>): Promise<string[]> {
  const seen: string[] = []
  let cursor: string | null = null
  do {
    const page: List = await list({ ...query, ...(cursor ? { cursor } : {}) })
    seen.push(...ids(page))
    cursor = page.next_cursor
  } while (cursor)
  return seen
}

describe('the list', () => {
  test('shows operations of everybody newest first, with the names of their clients', async () => {
    const earliest = stack.clock.nowMs() - Date.parse(rows[6]?.created_at ?? '')
    const { items } = await list()
    expect(items.map((item) => item.id)).toEqual(newestFirst)
    expect(items[0]).toMatchObject({ client: { id: 'client-one', name: 'Client One' }, subject: 'subject-6' })
    const ageMs = stack.clock.nowMs() - Date.parse(rows[6]?.created_at ?? '')
    expect(items[0]?.age_seconds).toBeGreaterThanOrEqual(Math.floor(earliest / 1000))
    expect(items[0]?.age_seconds).toBeLessThanOrEqual(Math.floor(ageMs / 1000))
  })

  test('says which are under review, and why', async () => {
    known.reviews = rows.slice(3, 4).map(reviewOf)
    const { items } = await list()
    expect(items.filter((item) => item.review).map((item) => [item.id, item.review_reason])).toEqual([
      [rows[3]?.operation_id, 'Ten reads did not find it.'],
    ])
    expect(items.filter((item) => item.submission_uncertain)).toHaveLength(3)
  })

  test.each([
    ['all', {}, 7],
    ['by state', { state: 'indeterminate' }, 3],
    ['not under review', { review: 'false' }, 4],
    ['under review', { review: 'true' }, 3],
    ['under review by state', { review: 'true', state: 'succeeded' }, 2],
  ])('pages %s follow each other and show each operation once', async (_name, query, count) => {
    known.reviews = rows.filter((_, n) => n % 3 === 0).map(reviewOf)
    const whole = ids(await list(query))
    expect(whole).toHaveLength(count)
    expect(await walk({ ...query, limit: '1' })).toEqual(whole)
    expect(await walk({ ...query, limit: '2' })).toEqual(whole)
  })

  test('a filter that leaves nearly everything out still ends, and finds what there is', async () => {
    known.operations = Array.from({ length: 40 }, (_, n) => operationRow(n))
    known.reviews = known.operations.slice(1).map(reviewOf)
    expect(await walk({ review: 'false', limit: '1' })).toEqual([known.operations[0]?.operation_id])
  })

  test.each([
    ['by the provider’s reference of the person', { owner: 'them' }],
    ['by one of the grants', { same_owner_as: rows[1]?.grant_id ?? '' }],
    ['by both', { owner: 'them', same_owner_as: rows[1]?.grant_id ?? '' }],
  ])('one person’s operations come together %s, and the owner’s id is shown nowhere', async (_name, query) => {
    const of = [1, 4, 5].map((n) => rows[n] ?? operationRow(n))
    known.grants = rows.map((row, n) => grantRow(n, { grant_id: row.grant_id }))
    known.owners = new Map([['them', { owner_id: 'internal-owner', grant_ids: of.map((row) => row.grant_id) }]])
    const found = await list(query)
    expect(ids(found)).toEqual(of.toReversed().map((row) => row.operation_id))
    expect(JSON.stringify([found, await stack.audit()])).not.toContain('internal-owner')
    expect(ids(await list({ owner: 'nobody' }))).toEqual([])
    expect(ids(await list({ owner: 'them', same_owner_as: rows[0]?.grant_id ?? '' }))).toEqual([])
  })

  test('filters go to operations as they are, and times take the narrower of two', async () => {
    const query = {
      failure_code: 'provider_refused',
      amount_from: '10',
      amount_to: '20.50',
      trace_id: 'a'.repeat(32),
      ended_from: '2026-03-01T10:00:00.000Z',
    }
    await list({ ...query, created_from: '2026-03-01T10:02:00.000Z', created_until: '2026-03-01T10:04:00.000Z' })
    expect(known.filters).toEqual(query)
    const narrow = { created_from: '2026-03-01T10:02:00.000Z', created_until: '2026-03-01T10:04:00.000Z' }
    expect(ids(await list({ ...narrow, min_age_seconds: '0', max_age_seconds: '315360000' }))).toEqual(
      newestFirst.slice(2, 5),
    )
  })

  test.each([
    ['amount_from', '-1'],
    ['trace_id', 'x'],
    ['created_from', 'yesterday'],
    ['failure_code', 'unlucky'],
    ['same_owner_as', 'x'],
  ])('%s=%s is refused with its path', async (name, value) => {
    expect(problemOf(await stack.send('listOperatorOperations', { query: { [name]: value } }))).toMatchObject({
      code: 'validation_failed',
      fields: [{ path: name }],
    })
  })

  test('the age counts from now', async () => {
    const seconds = Math.ceil((stack.clock.nowMs() - Date.parse(rows[4]?.created_at ?? '')) / 1000) - 30
    expect(ids(await list({ min_age_seconds: String(seconds) }))).toEqual(newestFirst.slice(2))
  })

  test('counts every state, and reads the sums once for many lists', async () => {
    known.overview = { ...known.overview, counts: { indeterminate: 3 } }
    stack.clock.setOffsetMs(10_000)
    known.asked = []
    const [{ counts }] = await Promise.all([list(), list(), list()])
    expect(counts).toMatchObject({ indeterminate: 3, accepted: 0, succeeded: 0 })
    expect(known.asked.filter((subject) => subject === 'overview')).toHaveLength(1)
  })

  test('unknown names are requested once, and an unknown client is shown by its id', async () => {
    known.operations = [
      operationRow(1, { client_id: 'client-two' }),
      operationRow(2, { client_id: 'urn:service:account-page' }),
    ]
    known.asked = []
    const { items } = await list()
    await list()
    expect(items.map((item) => item.client.name)).toEqual(['The owner, on the account page', 'client-two'])
    known.clientNames.set('client-two', 'Client Two')
    expect((await list()).items[1]?.client.name).toBe('Client Two')
    await list()
    const asked = known.asked.filter((subject) => subject.startsWith('client-names'))
    expect(asked).toEqual(Array.from({ length: 3 }, () => 'client-names client-two'))
  })

  test('a cursor of another query, of grants or of nobody is refused with the path cursor', async () => {
    const cursor = (await list({ limit: '2' })).next_cursor ?? ''
    for (const [name, query] of [
      ['listOperatorOperations', { limit: '3', cursor }],
      ['listOperatorOperations', { limit: '2', state: 'failed', cursor }],
      ['listOperatorGrants', { limit: '2', cursor }],
      ['listOperatorOperations', { limit: '2', cursor: `${cursor}A` }],
    ] as const)
      expect(problemOf(await stack.send(name, { query }))).toMatchObject({
        code: 'validation_failed',
        fields: [{ path: 'cursor' }],
      })
  })
})

describe('one operation', () => {
  const move = {
    sequence: 1,
    from: null,
    event: 'accept',
    to: 'accepted',
    by: 'operations',
    at: '2026-03-01T10:00:00.000Z',
    failure_code: null,
    reason: null,
    evidence: null,
  } as const
  const evidence = { read: 'card_by_reference', result: 'absent', observed_at: move.at, digest: 'd' }

  test('comes with every move since its acceptance, what proved each, and who was notified', async () => {
    const row = operationRow(0)
    known.operations = [row]
    known.reviews = [reviewOf(row)]
    known.histories.set(row.operation_id, [
      move,
      { ...move, sequence: 2, from: 'accepted', event: 'claim', to: 'submitting', by: 'submitter' },
      {
        ...move,
        sequence: 3,
        from: 'submitting',
        event: 'lease_expired',
        to: 'indeterminate',
        by: 'reconciler',
        failure_code: 'no_answer',
        evidence,
      } as never,
    ])
    known.deliveries = [
      {
        id: row.resource_id,
        event_type: 'operation.succeeded',
        operation_id: row.operation_id,
        status: 'delivered',
        attempts: 1,
        last_status_code: 200,
        next_attempt_at: null,
        created_at: move.at,
      },
    ]
    const reply = await stack.send('getOperatorOperation', { params: { operation_id: row.operation_id } })
    const shown = dataOf(reply as Reply<OperatorOperationDetail>)
    expect(shown.review).toBe(true)
    expect(shown.history.map(({ from, to, by, reason }) => [from, to, by, reason])).toEqual([
      [null, 'accepted', 'operations', null],
      ['accepted', 'submitting', 'submitter', null],
      ['submitting', 'indeterminate', 'reconciler', 'no_answer'],
    ])
    expect(shown.history[2]?.evidence).toEqual(evidence)
    expect(shown.webhook_deliveries).toEqual(known.deliveries)
    expect(JSON.stringify(shown)).not.toContain('owner_id')
  })

  test('an unknown and a malformed id answer alike', async () => {
    for (const operation_id of ['01990000-0000-7000-8000-000000000000', "no-uuid'; --"])
      expect(problemOf(await stack.send('getOperatorOperation', { params: { operation_id } })).code).toBe(
        'operation_not_found',
      )
  })
})

test('every call is in the audit: who, what was asked for, and how it ended', async () => {
  const before = (await stack.audit()).length
  await list({ state: 'failed', limit: '3' })
  await stack.send('getOperatorOperation', { params: { operation_id: 'nothing' } }, { id: 'jonas.brandt', name: null })
  const entries = (await stack.audit()).slice(before)
  expect(entries).toMatchObject([
    {
      action: 'listOperatorOperations',
      operator_id: marta.id,
      operator_name: marta.name,
      detail: { state: 'failed', limit: 3 },
      outcome: 'answered',
    },
    {
      action: 'getOperatorOperation',
      operator_id: 'jonas.brandt',
      operator_name: null,
      detail: { operation_id: 'nothing' },
      outcome: 'operation_not_found',
    },
  ])
  for (const entry of entries) expect(entry.request_id).toMatch(/^[0-9a-f-]{36}$/)
})

describe('what is out of reach', () => {
  const one = operationRow(1)
  const shownOn = stubServices.filter((name) => name !== 'onboarding' && name !== 'submitter')
  const calls = [
    ['listOperatorOperations', {}, ['operations', 'reconciler', 'authz']],
    ['getOperatorOperation', { params: { operation_id: one.operation_id } }, shownOn],
    ['listOperatorGrants', {}, ['authz']],
    ['listOperatorGrants', { query: { owner: 'them' } }, ['authz', 'onboarding']],
  ] as const

  test.each(stubServices)(
    'if %s does not answer, the routes that need it answer 503, and the audit records that',
    async (silent) => {
      const without = await startStack({ silent: [silent] })
      without.known.operations = [one]
      without.known.owners.set('them', { owner_id: one.grant_id, grant_ids: [] })
      for (const [name, given, needs] of calls) {
        const reply = await without.send(name, given)
        if (!(needs as readonly string[]).includes(silent)) expect(reply.ok).toBe(true)
        else expect(problemOf(reply).code).toBe('service_unavailable')
        expect((await without.audit()).at(-1)?.outcome).toBe(reply.ok ? 'answered' : 'service_unavailable')
      }
      await without.stop()
    },
  )
})
