import type { Reply } from '@financial-agents/bus/rpc'
import type { OperatorGrant } from '@financial-agents/contract/schemas/operator'
import { dataOf, problemOf } from '@financial-agents/testkit/test-service'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { breakAudit, startStack } from '../console.test-helper.ts'
import { marta } from '../operator-client.test-helper.ts'
import { grantRow } from '../stub-services.test-helper.ts'

// One test leaves the console's question to authz without an answer.
const stack = await startStack({ connection: { graceMs: 0 } })
afterAll(() => stack.stop())
const { known } = stack

type List = { items: OperatorGrant[]; next_cursor: string | null }

const list = async (query: Record<string, string> = {}) =>
  dataOf((await stack.send('listOperatorGrants', { query })) as Reply<List>)
const suspend = (grant_id: string, reason = 'It drains accounts.', timeoutMs = 60_000) =>
  stack.send('suspendOperatorGrant', { params: { grant_id }, body: { reason }, timeoutMs }) as Promise<
    Reply<OperatorGrant>
  >

const grants = Array.from({ length: 5 }, (_, n) => grantRow(n))
const one = grants[0] ?? grantRow(0)
let suspensions: unknown[] = []

beforeEach(() => {
  known.grants = [...grants]
  known.activity = [{ grant_id: one.grant_id, operations_in_flight: 3, last: null }]
  suspensions = []
  known.suspend = async (request) => {
    suspensions.push(request)
    const { operator: by, reason, reason_for_owner = null } = request
    const suspended = { at: '2026-03-01T11:00:00.000Z', by, reason, reason_for_owner }
    return { outcome: 'suspended', grant: { ...one, status: 'suspended', suspended } }
  }
})

describe('the list', () => {
  test('shows grants newest first, with what each has under way', async () => {
    const { items } = await list()
    expect(items.map((item) => item.id)).toEqual(grants.toReversed().map((row) => row.grant_id))
    expect(items.map((item) => item.operations_in_flight)).toEqual([0, 0, 0, 0, 3])
  })

  test('pages follow each other and show each grant once', async () => {
    const seen: string[] = []
    let cursor: string | null = null
    do {
      const page: List = await list({ limit: '2', ...(cursor ? { cursor } : {}) })
      seen.push(...page.items.map((item) => item.id))
      cursor = page.next_cursor
    } while (cursor)
    expect(seen).toEqual(grants.toReversed().map((row) => row.grant_id))
  })

  test('a grant is found by its id alone', async () => {
    expect((await list({ grant_id: one.grant_id })).items.map((item) => item.id)).toEqual([one.grant_id])
  })
})

describe('suspending', () => {
  test('passes the reason for the owner beside the one of operators, and the audit has both', async () => {
    const body = { reason: 'A suspicion of laundering.', reason_for_owner: 'We look into an error.' }
    const reply = await stack.send('suspendOperatorGrant', { params: { grant_id: one.grant_id }, body })
    expect(reply.ok).toBe(true)
    expect(suspensions).toEqual([{ grant_id: one.grant_id, ...body, operator: marta.id }])
    expect((await stack.audit()).at(-1)?.detail).toEqual({ grant_id: one.grant_id, ...body })
  })

  test('answers the grant, and is in the audit before and after', async () => {
    const before = (await stack.audit()).length
    known.suspend = async (request) => {
      expect((await stack.audit()).slice(before)).toMatchObject([{ outcome: 'attempted' }])
      suspensions.push(request)
      return { outcome: 'suspended', grant: { ...one, status: 'suspended' } }
    }
    expect(dataOf(await suspend(one.grant_id))).toMatchObject({ status: 'suspended', operations_in_flight: 3 })
    const detail = { grant_id: one.grant_id, reason: 'It drains accounts.' }
    expect(suspensions).toEqual([{ ...detail, operator: marta.id }])
    const entry = { action: 'suspendOperatorGrant', operator_id: marta.id, detail }
    expect((await stack.audit()).slice(before)).toMatchObject([
      { ...entry, outcome: 'attempted' },
      { ...entry, outcome: 'suspended' },
    ])
  })

  test.each([
    ['already_suspended', undefined],
    ['not_active', 'grant_not_active'],
    ['not_found', 'grant_not_found'],
  ] as const)('where it is %s, says so and keeps it in the audit', async (outcome, code) => {
    known.suspend = async () => (outcome === 'already_suspended' ? { outcome, grant: one } : { outcome })
    const reply = await suspend(one.grant_id)
    if (code === undefined) expect(reply.ok).toBe(true)
    else expect(problemOf(reply).code).toBe(code)
    expect((await stack.audit()).at(-1)?.outcome).toBe(code ?? outcome)
  })

  test('a malformed id is no grant, and nobody is asked', async () => {
    expect(problemOf(await suspend('nothing')).code).toBe('grant_not_found')
    expect(suspensions).toEqual([])
    expect((await stack.audit()).at(-1)).toMatchObject({ outcome: 'grant_not_found', detail: { grant_id: 'nothing' } })
  })

  test('a suspension that the audit cannot record is not carried out', async () => {
    const mend = await breakAudit(stack.db)
    expect(problemOf(await suspend(one.grant_id)).code).toBe('service_unavailable')
    expect(problemOf(await stack.send('listOperatorGrants')).code).toBe('service_unavailable')
    await mend()
    expect(suspensions).toEqual([])
  })

  test('if only its outcome could not be written, the answer says that it may have happened', async () => {
    const before = (await stack.audit()).length
    let mend = async () => {}
    known.suspend = async () => {
      mend = await breakAudit(stack.db)
      return { outcome: 'suspended', grant: one }
    }
    expect(problemOf(await suspend(one.grant_id)).code).toBe('acceptance_unknown')
    await mend()
    expect((await stack.audit()).slice(before)).toMatchObject([{ outcome: 'attempted' }])
  })

  test('if authz answers too late, the answer and the audit say that it may have happened', async () => {
    const never = Promise.withResolvers<never>()
    known.suspend = () => never.promise
    expect(problemOf(await suspend(one.grant_id, 'Too late.', 1_000)).code).toBe('acceptance_unknown')
    never.reject(new Error('over'))
    expect((await stack.audit()).at(-1)).toMatchObject({
      outcome: 'acceptance_unknown',
      detail: { reason: 'Too late.' },
    })
  })

  test('without authz, nothing happens', async () => {
    const without = await startStack({ silent: ['authz'] })
    const given = { params: { grant_id: one.grant_id }, body: { reason: 'Nobody there.' } }
    expect(problemOf(await without.send('suspendOperatorGrant', given)).code).toBe('service_unavailable')
    expect((await without.audit()).map((entry) => entry.outcome)).toEqual(['attempted', 'service_unavailable'])
    await without.stop()
  })
})
