/** A write that may have been accepted is never reported as refused, whatever fails after it. */

import { describe, expect, test } from 'vitest'
import {
  accessEnded,
  json,
  operation,
  operationId,
  problem,
  type Reply,
  readOperation,
  scriptedApi,
} from './scripted-api.test-helper.ts'

const withdraw = 'POST /v1/spending-account/withdrawals'
const id = '01980000-0000-7000-8000-00000000000c'
const minute = 60_000

const allowed = { 'GET /v1/authorization': json(200, {}) }
const accepted = { ...allowed, [withdraw]: json(202, operation('submitted')) }
const forbidden = problem(403, 'insufficient_scope')

/** The answer about an operation that exists, and could not be read. */
const unread = {
  status: 'unknown',
  do_not_repeat: true,
  isError: false,
  next: { tool: 'get_operation', arguments: { operation_id: operationId } },
}

describe('a payment that was accepted', () => {
  test('is unknown if the wait for its outcome is refused, and the refusal is named', async () => {
    const api = await scriptedApi()
    api.replies({ ...accepted, [readOperation]: forbidden })
    const { handle } = await api.prepare()
    const answer = await api.call('submit_payment', { handle })
    expect(answer).toMatchObject({ ...unread, problem: { code: 'insufficient_scope' } })
    expect(answer.message).toContain('do not start it anew')
  })

  test('is unknown if the access ends while the call waits, and the message says so', async () => {
    const api = await scriptedApi()
    api.replies({ ...accepted, ...accessEnded })
    const { handle } = await api.prepare()
    const answer = await api.call('submit_payment', { handle })
    expect(answer).toMatchObject(unread)
    expect(answer.message).toMatch(/do not start it anew.*has ended the access. Ask the person/s)
    expect(await api.call('submit_payment', { handle })).toMatchObject(unread)
  })

  test('shows the page of the owner that it waits for', async () => {
    const api = await scriptedApi()
    const action = { kind: 'grant_approval', url: 'https://bank.example/approve', poll_after_ms: 10 }
    const waiting = operation('requires_action', {
      action_required: { ...action, expires_at: new Date(Date.now() + minute).toISOString() },
    })
    api.replies({ ...accepted, [readOperation]: json(200, waiting) })
    const { handle } = await api.prepare()
    expect(await api.call('submit_payment', { handle })).toMatchObject({
      ...unread,
      status: 'needs_owner',
      owner_action: { kind: 'approval', url: action.url },
    })
  })
})

describe('a payment that may have been accepted', () => {
  test('is unknown if its operation cannot be looked up, and its draft never ends as one that was not sent', async () => {
    const api = await scriptedApi()
    api.replies({
      ...allowed,
      [withdraw]: problem(503, 'acceptance_unknown', { submission_uncertain: true }),
      'GET /v1/operations': forbidden,
    })
    const { handle } = await api.prepare()
    expect(await api.call('submit_payment', { handle })).toMatchObject({
      status: 'unknown',
      do_not_repeat: true,
      isError: false,
      next: { tool: 'submit_payment', arguments: { handle } },
      // The refusal of the look-up says what to mend.
      problem: { code: 'insufficient_scope' },
    })
    api.later(20 * minute)
    api.replies({ [withdraw]: json(202, operation('succeeded')) })
    expect(await api.call('submit_payment', { handle })).toMatchObject({ status: 'succeeded' })
    expect(new Set(api.keys).size).toBe(1)
  })

  test('is unknown if a proxy refuses it', async () => {
    const api = await scriptedApi()
    api.replies({ ...allowed, [withdraw]: json(403, {}) })
    const { handle } = await api.prepare()
    expect(await api.call('submit_payment', { handle })).toMatchObject({ status: 'unknown', do_not_repeat: true })
    api.later(24 * 60 * minute)
    expect(await api.call('submit_payment', { handle })).toMatchObject({
      status: 'unknown',
      next: { tool: 'list_payments' },
    })
  })

  test('is looked up if a proxy answers it; if that is blocked too, the answers do not go round', async () => {
    const api = await scriptedApi()
    api.replies({ ...allowed, [withdraw]: json(403, {}), 'GET /v1/operations': json(403, {}) })
    const { handle } = await api.prepare()
    const submit = () => api.call('submit_payment', { handle })
    const open = { status: 'unknown', do_not_repeat: true, isError: false }
    expect(await submit()).toMatchObject({ ...open, next: { tool: 'submit_payment', arguments: { handle } } })
    for (let call = 0; call < 2; call += 1) {
      const answer = await submit()
      expect(answer).toMatchObject({ ...open, next: { tool: 'list_payments', arguments: {} } })
      expect(answer.message).toContain('Tell the person')
    }
    api.replies({ 'GET /v1/operations': json(200, { items: [operation('succeeded')] }) })
    expect(await submit()).toMatchObject({ status: 'succeeded' })
    expect(new Set(api.keys).size).toBe(1)
  })

  test('is unknown if the API knows its key with other terms', async () => {
    const api = await scriptedApi()
    api.replies({ ...allowed, [withdraw]: problem(409, 'idempotency_key_conflict') })
    const { handle } = await api.prepare()
    expect(await api.call('submit_payment', { handle })).toMatchObject({
      status: 'unknown',
      do_not_repeat: true,
      next: { tool: 'list_payments' },
    })
  })
})

test('a payment that was refused can be submitted again for 15 minutes; then the list comes before another draft', async () => {
  const api = await scriptedApi()
  api.replies({ ...allowed, [withdraw]: problem(409, 'grant_ceiling_exceeded') })
  const { handle } = await api.prepare()
  const refusal = { status: 'refused', do_not_repeat: false, problem: { code: 'grant_ceiling_exceeded' } }
  expect(await api.call('submit_payment', { handle })).toMatchObject(refusal)
  expect(await api.call('submit_payment', { handle })).toMatchObject(refusal)
  api.later(15 * minute)
  const answer = await api.call('submit_payment', { handle })
  expect(answer).toMatchObject({
    status: 'draft_expired',
    next: { tool: 'list_payments', arguments: { beneficiary_id: 'payee' } },
  })
  expect(answer.message).not.toContain('Nothing was sent')
  expect(api.keys).toHaveLength(2)
})

test('an operation that cannot be read does not go round', async () => {
  const api = await scriptedApi()
  api.replies({ [readOperation]: json(403, {}) })
  const read = () => api.call('get_operation', { operation_id: operationId })
  expect(await read()).toMatchObject(unread)
  for (let call = 0; call < 2; call += 1)
    expect(await read()).toMatchObject({ status: 'unknown', next: { tool: 'list_operations', arguments: {} } })
  api.replies({ [readOperation]: json(200, operation('succeeded')) })
  expect(await read()).toMatchObject({ status: 'succeeded' })
})

test('an operation that the API does not know leads to the list of writes, and proves nothing', async () => {
  const api = await scriptedApi()
  api.replies({ [readOperation]: problem(404, 'operation_not_found') })
  expect(await api.call('get_operation', { operation_id: operationId })).toMatchObject({
    status: 'unknown',
    do_not_repeat: true,
    next: { tool: 'list_operations', arguments: {} },
  })
})

const proposal = {
  beneficiary_id: id,
  per_payment_max: '1',
  daily_max: '1',
  weekly_max: '1',
  monthly_max: '1',
  total_cap: '1',
  payment_count: 1,
  last_day: '2027-03-31',
}
const active = json(200, { id, state: 'active', updated_at: '2026-11-23T10:00:00Z' })
const confirmation = { id, status: 'confirmed', confirmation_url: 'https://api.example/confirm' }
const resource = operation('succeeded', { kind: 'mandate_create', resource_id: id })

test.each<[string, Record<string, unknown>, Record<string, Reply>]>([
  [
    'freeze_card',
    { card_id: id },
    {
      [`GET /v1/cards/${id}`]: active,
      [`POST /v1/cards/${id}/freeze`]: json(202, operation('submitted', { kind: 'card_freeze' })),
    },
  ],
  [
    'stop_mandate',
    { mandate_id: id },
    {
      [`GET /v1/mandates/${id}`]: active,
      [`POST /v1/mandates/${id}/suspend`]: json(202, operation('submitted', { kind: 'mandate_suspend' })),
    },
  ],
  [
    'propose_mandate',
    proposal,
    {
      'POST /v1/confirmation-intents': json(201, confirmation),
      [`GET /v1/confirmation-intents/${id}`]: json(200, confirmation),
      'POST /v1/mandates': json(202, resource),
      [`GET /v1/mandates/${id}`]: forbidden,
    },
  ],
])('%s: a read that fails after the acceptance is unknown', async (tool, args, script) => {
  const api = await scriptedApi()
  api.replies({ ...script, [readOperation]: forbidden })
  expect(await api.call(tool, args)).toMatchObject({ ...unread, problem: { code: 'insufficient_scope' } })
})
