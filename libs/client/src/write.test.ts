/** The errors of a write say if it may have been accepted. A caller that is told "no" pays again with a new intent. */

import { describe, expect, test } from 'vitest'
import { answered, fakeApi, lost, operation, proxied, refused, tokenOf, unsent } from './fake-api.test-helper.ts'
import type { Store } from './store.ts'
import { memoryStore } from './stores/memory.ts'

const route = 'POST /v1/mandates/m-1/transfers'
const body = { amount: '9.90', currency: 'EUR' }
const accepted = answered(operation(), 202)
const none = answered({ items: [] })
const found = answered({ items: [operation('op-2')] })
const foundTransfer = answered({ items: [operation('op-2', 'accepted', { kind: 'transfer' })] })
const unknown = refused('acceptance_unknown', 503, { submission_uncertain: true })
const busy = refused('rate_limited', 429, { retryable: true })
const invalid = refused('validation_failed', 422)

type Api = ReturnType<typeof fakeApi>
const write = (api: Api, store: Store, more: { body?: typeof body; signal?: AbortSignal } = {}) =>
  api
    .agent({ store })
    .mandates.transfer('m-1', more.body ?? body, { intent: 'rent', ...(more.signal && { signal: more.signal }) })
const other = { ...body, amount: '1.00' }

/** A store in which the write was sent once without an answer. */
async function storeAfterLoss(): Promise<Store> {
  const store = memoryStore()
  await expect(write(fakeApi(lost), store)).rejects.toMatchObject({ code: 'unreachable', submissionUncertain: true })
  return store
}
const lookUp = (api: Api) => `GET /v1/operations?idempotency_key=${[...api.keys][0]}`

describe('after the answer "acceptance unknown"', () => {
  test.each([
    ['503', refused('service_unavailable', 503, { retryable: true })],
    ['403', refused('insufficient_scope', 403)],
    ['409', refused('provider_connection_unavailable', 409)],
    ['no answer', lost],
    ['no connection', unsent],
    ['an answer of a proxy', proxied(404)],
  ])(
    'a look-up that ends with %s leaves the write uncertain, and the same intent finds the one operation',
    async (_, answer) => {
      const store = memoryStore()
      const api = fakeApi(unknown, answer, accepted)
      await expect(write(api, store)).rejects.toMatchObject({ code: 'acceptance_unknown', submissionUncertain: true })
      expect(api.asked).toEqual([route, lookUp(api)])
      expect((await write(api, store)).id).toBe('op-1')
      expect(api.keys.size).toBe(1)
    },
  )

  test('a failed look-up after an internal error leaves the write uncertain, with the cause', async () => {
    const api = fakeApi(refused('internal_error', 500), refused('insufficient_scope', 403))
    await expect(write(api, memoryStore())).rejects.toMatchObject({
      code: 'internal_error',
      submissionUncertain: true,
      message: expect.stringContaining('call again with the same intent'),
      cause: expect.objectContaining({ code: 'insufficient_scope' }),
    })
  })
})

describe('after an attempt without an answer', () => {
  test.each([
    ['a limit', busy],
    ['a busy service', refused('service_unavailable', 503, { retryable: true })],
    ['no connection', unsent],
    ['the page of a proxy', proxied(502)],
  ])('%s until the time is over leaves the write uncertain', async (_, answer) => {
    const store = await storeAfterLoss()
    await expect(write(fakeApi(answer), store)).rejects.toMatchObject({ submissionUncertain: true })
    await expect(write(fakeApi(), store, { body: other })).rejects.toMatchObject({
      code: 'intent_conflict',
      submissionUncertain: false,
    })
  })

  test('the loss and the limit can be of one call', async () => {
    const agent = fakeApi(lost, busy).agent({ retryForMs: 300 })
    const writing = agent.mandates.transfer('m-1', body, { intent: 'rent' })
    await expect(writing).rejects.toMatchObject({ submissionUncertain: true })
  })

  test('a refusal proves nothing about it, although no operation has the key yet: it may still arrive', async () => {
    const store = await storeAfterLoss()
    const api = fakeApi(invalid, none, invalid, found)
    await expect(write(api, store)).rejects.toMatchObject({
      code: 'validation_failed',
      submissionUncertain: true,
      message: expect.stringContaining('call again with the same intent'),
    })
    expect(api.asked).toEqual([route, lookUp(api)])
    await expect(write(fakeApi(), store, { body: other })).rejects.toMatchObject({ code: 'intent_conflict' })
    // The lost attempt has arrived meanwhile.
    expect((await write(api, store)).id).toBe('op-2')
    expect(api.keys.size).toBe(1)
  })

  test('a refusal is none if an operation has the key', async () => {
    const store = await storeAfterLoss()
    const api = fakeApi(invalid, found, answered(operation('op-2', 'succeeded')))
    expect((await write(api, store)).id).toBe('op-2')
    expect((await write(api, store)).id).toBe('op-2')
    expect(api.asked.at(-1)).toBe('GET /v1/operations/op-2')
  })

  test.each([
    ['is refused', refused('insufficient_scope', 403)],
    ['gets no answer', lost],
  ])('a refusal is uncertain if the look-up %s, and the intent is not free', async (_, answer) => {
    const store = await storeAfterLoss()
    await expect(write(fakeApi(invalid, answer), store)).rejects.toMatchObject({
      code: 'validation_failed',
      submissionUncertain: true,
    })
    await expect(write(fakeApi(), store, { body: other })).rejects.toMatchObject({ code: 'intent_conflict' })
  })

  test('the operation of a conflict is another write, and the error is uncertain', async () => {
    const api = fakeApi(refused('idempotency_key_conflict', 409))
    await expect(write(api, await storeAfterLoss())).rejects.toMatchObject({
      code: 'idempotency_key_conflict',
      submissionUncertain: true,
    })
    expect(api.asked).toEqual([route])
  })

  test('the end of the access leaves the write uncertain', async () => {
    const store = memoryStore()
    const api = fakeApi(lost)
    api.token = () =>
      api.tokens === 1 ? tokenOf('short', 1) : Response.json({ error: 'invalid_grant' }, { status: 400 })
    const agent = api.agent({ store, retryForMs: 60_000 })
    await expect(agent.mandates.transfer('m-1', body, { intent: 'rent' })).rejects.toMatchObject({
      code: 'access_ended',
      submissionUncertain: true,
      message: expect.stringContaining('agent.signIn()'),
    })
  })

  test('an error of the confirmation leaves the write uncertain', async () => {
    const withdrawal = { beneficiary_id: 'b', amount: '1', currency: 'EUR' }
    const withdraw = (store: Store, ...answers: Parameters<typeof fakeApi>) =>
      fakeApi(...answers)
        .agent({ store })
        .spending.withdraw(withdrawal, { intent: 'rent' })
    const required = refused('confirmation_required', 403)
    const asked = answered({ id: 'ci-1', status: 'pending', expires_at: '2026-11-23T08:00:00Z' }, 201)
    for (const answers of [
      [required, busy],
      [required, asked, busy],
      [required, asked, lost],
      [required, refused('insufficient_scope', 403), lost],
    ]) {
      const store = memoryStore()
      await expect(withdraw(store, lost)).rejects.toMatchObject({ submissionUncertain: true })
      await expect(withdraw(store, ...answers)).rejects.toMatchObject({ submissionUncertain: true })
    }
    const store = memoryStore()
    await expect(withdraw(store, lost)).rejects.toMatchObject({ submissionUncertain: true })
    expect((await withdraw(store, required, refused('insufficient_scope', 403), foundTransfer)).id).toBe('op-2')
  })
})

describe('what is certain stays certain', () => {
  test.each([
    ['a refusal', [invalid]],
    ['a limit', [busy]],
    ['no connection', [unsent]],
    ['an internal error without an operation', [refused('internal_error', 500), none]],
  ])('%s of a first attempt', async (_, answers) => {
    await expect(write(fakeApi(...answers), memoryStore())).rejects.toMatchObject({ submissionUncertain: false })
  })
})

describe('a write that is known', () => {
  test('to be accepted is uncertain as long as its operation cannot be read', async () => {
    const store = memoryStore()
    const api = fakeApi(accepted, busy, refused('operation_not_found', 404), lost, answered(operation()))
    await write(api, store)
    for (const code of ['rate_limited', 'operation_not_found', 'unreachable'])
      await expect(write(api, store)).rejects.toMatchObject({
        code,
        submissionUncertain: true,
        message: expect.stringContaining('op-1'),
      })
    expect((await write(api, store)).id).toBe('op-1')
  })

  test('to be older than a day is uncertain as long as it cannot be looked for', async () => {
    const store = await storeAfterLoss()
    const get = store.get.bind(store)
    store.get = async (name) => {
      const value = (await get(name)) as { at?: number } | undefined
      return value?.at === undefined ? value : { ...value, at: value.at - 86_400_000 }
    }
    const api = fakeApi(busy, lost, none)
    for (const code of ['rate_limited', 'unreachable'])
      await expect(write(api, store)).rejects.toMatchObject({ code, submissionUncertain: true })
    await expect(write(api, store)).rejects.toMatchObject({ code: 'intent_expired' })
    expect(api.asked.every((path) => path.startsWith('GET '))).toBe(true)
  })

  test('by an expired key is uncertain if its operation is not found', async () => {
    const api = fakeApi(refused('idempotency_key_expired', 409), none)
    await expect(write(api, memoryStore())).rejects.toMatchObject({ submissionUncertain: true })
  })
})

test('the reason of the signal stays as it is', async () => {
  const store = await storeAfterLoss()
  const abort = new AbortController()
  const enough = new Error('enough')
  const api = fakeApi(invalid, () => {
    abort.abort(enough)
    return new TypeError('aborted')
  })
  await expect(write(api, store, { signal: abort.signal })).rejects.toBe(enough)
})

describe('an error of the application after the request was sent is told with its uncertainty', () => {
  const broken = new Error('the disk is full')
  const uncertain = { code: 'outcome_unknown', submissionUncertain: true, cause: broken }

  test('of the store', async () => {
    const store = memoryStore()
    const set = store.set.bind(store)
    store.set = (name, ...more) => (name.includes('/accepted/') ? Promise.reject(broken) : set(name, ...more))
    const api = fakeApi(accepted)
    await expect(write(api, store)).rejects.toMatchObject(uncertain)
    store.set = set
    api.answers.push(accepted)
    expect((await write(api, store)).id).toBe('op-1')
    expect(api.keys.size).toBe(1)
  })

  test('of `onResponse`: nothing is repeated', async () => {
    const api = fakeApi(accepted, accepted, accepted)
    const agent = api.agent({ retryForMs: 60_000 })
    const onResponse = () => {
      throw broken
    }
    const writing = { intent: 'rent', onResponse }
    await expect(agent.mandates.transfer('m-1', body, writing)).rejects.toMatchObject(uncertain)
    await expect(agent.webhooks.delete('w', { onResponse })).rejects.toMatchObject(uncertain)
    await expect(agent.operations.get('op-1', { onResponse })).rejects.toBe(broken)
    expect(api.asked).toHaveLength(3)
  })

  test('of the callback for the owner, after an earlier attempt was lost', async () => {
    const asked = answered({ id: 'ci-1', status: 'pending', expires_at: '2026-11-23T08:00:00Z' }, 201)
    const pending = answered({ id: 'ci-1', status: 'pending', expires_at: '2026-11-23T08:00:00Z' })
    const store = memoryStore()
    const withdraw = (...answers: Parameters<typeof fakeApi>) =>
      fakeApi(...answers)
        .agent({ store, onOwnerNeeded: () => Promise.reject(broken) })
        .spending.withdraw({ beneficiary_id: 'b', amount: '1', currency: 'EUR' }, { intent: 'rent' })
    await expect(withdraw(lost)).rejects.toMatchObject({ code: 'unreachable', submissionUncertain: true })
    await expect(withdraw(refused('confirmation_required', 403), asked, pending)).rejects.toMatchObject(uncertain)
  })
})

describe('a write of which nothing was sent', () => {
  const withdrawal = { beneficiary_id: 'b', amount: '1', currency: 'EUR' }
  const withdraw = (store: Store, ...answers: Parameters<typeof fakeApi>) =>
    fakeApi(...answers)
      .agent({ store })
      .spending.withdraw(withdrawal, { intent: 'rent' })

  test.each([
    ['the connection was refused', unsent],
    ['the API was busy', busy],
  ])('stays certain in later calls: %s', async (_, answer) => {
    const store = memoryStore()
    await expect(write(fakeApi(answer), store)).rejects.toMatchObject({ submissionUncertain: false })
    await expect(write(fakeApi(invalid), store)).rejects.toMatchObject({ submissionUncertain: false })
    expect((await write(fakeApi(accepted), store, { body: other })).id).toBe('op-1')
  })

  test('keeps its confirmation, and what the owner decides is certain', async () => {
    const store = memoryStore()
    const intent = {
      id: 'ci-1',
      status: 'pending',
      confirmation_url: 'https://api.example/c',
      expires_at: '2026-11-23T08:00:00Z',
    }
    const required = refused('confirmation_required', 403)
    await expect(withdraw(store, required, answered(intent, 201), answered(intent))).rejects.toMatchObject({
      code: 'owner_needed',
      submissionUncertain: false,
    })
    const declined = refused('confirmation_declined', 403)
    await expect(withdraw(store, declined)).rejects.toMatchObject({
      code: 'confirmation_declined',
      submissionUncertain: false,
    })
    await expect(withdraw(store, refused('validation_failed', 422))).rejects.toMatchObject({
      submissionUncertain: false,
    })
  })

  test('counts as sent from the moment at which it is sent with its confirmation', async () => {
    const store = memoryStore()
    const intent = {
      id: 'ci-1',
      status: 'confirmed',
      confirmation_url: 'https://api.example/c',
      expires_at: '2026-11-23T08:00:00Z',
    }
    await expect(
      withdraw(store, refused('confirmation_required', 403), answered(intent, 201), answered(intent), lost),
    ).rejects.toMatchObject({ code: 'unreachable', submissionUncertain: true })
    await expect(withdraw(store, refused('confirmation_declined', 403), none)).rejects.toMatchObject({
      submissionUncertain: true,
    })
  })
})

test('a call without a key stays uncertain, whatever answers its repetition', async () => {
  for (const answer of [refused('webhook_subscription_not_found', 404), refused('internal_error', 500)])
    await expect(fakeApi(lost, answer).agent({ retryForMs: 60_000 }).webhooks.delete('w')).rejects.toMatchObject({
      submissionUncertain: true,
      message: expect.stringContaining('look before you call again'),
    })
  const reading = fakeApi(lost, refused('operation_not_found', 404)).agent({ retryForMs: 60_000 }).operations.get('op')
  await expect(reading).rejects.toMatchObject({ submissionUncertain: false })
})
