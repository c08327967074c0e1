/** Errors around a write: of the owner's confirmation and of the application's own functions. `test/clients` has those of the API. */

import { describe, expect, test } from 'vitest'
import { answered, fakeApi, lost, operation, refused } from './fake-api.test-helper.ts'
import type { Store } from './store.ts'
import { memoryStore } from './stores/memory.ts'

const body = { amount: '9.90', currency: 'EUR' }
const accepted = answered(operation(), 202)
const none = answered({ items: [] })
const foundTransfer = answered({ items: [operation('op-2', 'accepted', { kind: 'transfer' })] })
const busy = refused('rate_limited', 429, { retryable: true })
const invalid = refused('validation_failed', 422)

type Api = ReturnType<typeof fakeApi>
const write = (api: Api, store: Store, more: { signal?: AbortSignal } = {}) =>
  api.agent({ store }).mandates.pay('m-1', body, { intent: 'rent', ...more })

/** A store in which the write was sent once without an answer. */
async function storeAfterLoss(): Promise<Store> {
  const store = memoryStore()
  await expect(write(fakeApi(lost), store)).rejects.toMatchObject({ code: 'unreachable', submissionUncertain: true })
  return store
}

test('an error of the confirmation leaves a write uncertain that was lost before', async () => {
  const withdrawal = { beneficiary_id: 'b', amount: '1', currency: 'EUR' }
  const withdraw = (store: Store, ...answers: Parameters<typeof fakeApi>) =>
    fakeApi(...answers)
      .agent({ store })
      .spending.pay(withdrawal, { intent: 'rent' })
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

describe('an error of the application after the request was sent is reported with its uncertainty', () => {
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
    await expect(agent.mandates.pay('m-1', body, writing)).rejects.toMatchObject(uncertain)
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
        .spending.pay({ beneficiary_id: 'b', amount: '1', currency: 'EUR' }, { intent: 'rent' })
    await expect(withdraw(lost)).rejects.toMatchObject({ code: 'unreachable', submissionUncertain: true })
    await expect(withdraw(refused('confirmation_required', 403), asked, pending)).rejects.toMatchObject(uncertain)
  })
})

describe('a write of which nothing was sent', () => {
  const withdrawal = { beneficiary_id: 'b', amount: '1', currency: 'EUR' }
  const withdraw = (store: Store, ...answers: Parameters<typeof fakeApi>) =>
    fakeApi(...answers)
      .agent({ store })
      .spending.pay(withdrawal, { intent: 'rent' })

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

describe('metadata of a write', () => {
  const metadata = { order: '17' }

  test('stay in the store, are found by the operation, and may change', async () => {
    const store = memoryStore()
    const bodies: unknown[] = []
    const api = fakeApi(lost, (url, init) => {
      bodies.push(init.body)
      return accepted(url, init)
    })
    const agent = api.agent({ store })
    const transfer = (more: object) => agent.mandates.pay('m-1', body, { intent: 'rent', ...more })
    await expect(transfer({ metadata })).rejects.toMatchObject({ submissionUncertain: true })
    expect(await agent.metadata('op-1')).toBeUndefined()
    // The program that goes on with the write need not know them.
    await transfer({})
    expect(await agent.metadata('op-1')).toEqual({ intent: 'rent', metadata })
    expect(String(bodies)).not.toContain('17')
    api.answers.push(answered(operation()))
    await transfer({ metadata: { order: '18' } })
    expect(await agent.metadata('op-1')).toEqual({ intent: 'rent', metadata: { order: '18' } })
  })

  test('of a write that was refused are forgotten', async () => {
    const store = memoryStore()
    const agent = fakeApi(invalid, accepted).agent({ store })
    const transfer = (more: object) => agent.mandates.pay('m-1', body, { intent: 'rent', ...more })
    await expect(transfer({ metadata })).rejects.toMatchObject({ code: 'validation_failed' })
    await transfer({})
    expect(await agent.metadata('op-1')).toBeUndefined()
  })
})
