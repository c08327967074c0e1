/** An error before anything is sent is not a lost answer: it is neither repeated nor reported as one. Nor is the time that an owner takes. */

import { describe, expect, test } from 'vitest'
import { device } from './auth/device.ts'
import type { Auth } from './auth/profile.ts'
import { answered, fakeApi, refused } from './fake-api.test-helper.ts'
import type { Store } from './store.ts'
import { memoryStore } from './stores/memory.ts'

const intent = { intent: 'rent' }
const body = { amount: '9.90', currency: 'EUR' }

/** A store whose reads of this key fail. */
function failing(part: string, error: Error): Store {
  const store = memoryStore()
  const get = store.get.bind(store)
  store.get = (key) => (key.includes(part) ? Promise.reject(error) : get(key))
  return store
}

describe('an error of the application before anything is sent', () => {
  test.each(['/session', '/dpop-key'])('of the store (%s) passes at once as it is', async (part) => {
    // A store over a network fails with the same class as a lost answer.
    const error = new TypeError('fetch failed')
    const api = fakeApi()
    const agent = api.agent({ store: failing(part, error), retryForMs: 60_000 })
    await expect(agent.operations.list()).rejects.toBe(error)
    await expect(agent.mandates.pay('m-1', body, intent)).rejects.toBe(error)
    await expect(agent.fetch('/v1/identity')).rejects.toBe(error)
    expect(api.asked).toEqual([])
  })

  test('of the callback passes at once as it is, and the owner is asked once', async () => {
    const error = new TypeError('fetch failed')
    let asked = 0
    const api = fakeApi()
    const { fetch } = api
    const answer = { device_code: 'd', user_code: 'u', verification_uri: 'https://api.example/d', expires_in: 600 }
    const agent = api.agent({
      auth: device({ scopes: [] }),
      retryForMs: 60_000,
      fetch: async (url, init) => (url.endsWith('/device') ? Response.json(answer) : fetch(url, init)),
      onOwnerNeeded: () => {
        asked += 1
        throw error
      },
    })
    await expect(agent.mandates.pay('m-1', body, intent)).rejects.toBe(error)
    expect(asked).toBe(1)
  })
})

describe('without network to the authorization server', () => {
  const errors: [string, Error][] = [
    ['Node', new TypeError('fetch failed', { cause: { code: 'ECONNREFUSED' } })],
    ['Bun', Object.assign(new Error('Unable to connect'), { code: 'ConnectionRefused' })],
    ['a time-out', new DOMException('The operation timed out', 'TimeoutError')],
  ]
  test.each(errors)('(%s) every function says so, and nothing is uncertain', async (_, error) => {
    const api = fakeApi()
    api.token = () => error
    const agent = api.agent()
    const unreachable = { name: 'ClientError', code: 'unreachable', submissionUncertain: false, cause: error }
    await expect(agent.signIn()).rejects.toMatchObject(unreachable)
    await expect(agent.fetch('/v1/identity')).rejects.toMatchObject(unreachable)
    await expect(agent.operations.list()).rejects.toMatchObject(unreachable)
    await expect(agent.mandates.pay('m-1', body, intent)).rejects.toMatchObject(unreachable)
    expect(api.asked).toEqual([])
  })

  test('a sign-in by redirect cannot be completed, and says so', async () => {
    const { spa } = await import('./auth/spa.ts')
    const api = fakeApi()
    const store = memoryStore()
    const agent = api.agent({ auth: spa({ scopes: [], redirectUri: 'https://app.example/back' }), store })
    await store.set('https://api.example/app/owner/sign-in/s', {
      verifier: 'v'.repeat(43),
      redirectUri: 'https://app.example/back',
    })
    api.token = () => new TypeError('fetch failed')
    const answer = 'https://app.example/back?code=c&state=s&iss=https%3A%2F%2Fapi.example'
    await expect(agent.completeSignIn(answer)).rejects.toMatchObject({ code: 'unreachable' })
  })
})

describe('a call whose time is over', () => {
  test('while the owner signs in says so; the sign-in goes on, and a later call gets its token', async () => {
    let allow = () => {}
    let isFirst = true
    const auth: Auth = {
      ...device({ scopes: [] }),
      obtain: async ({ onOwnerNeeded }) => {
        // The first sign-in makes the key, so that nothing but the owner takes time in the second one.
        if (isFirst) throw new Error('not yet')
        await onOwnerNeeded?.({ kind: 'sign_in', url: 'https://api.example/d', expiresAt: null })
        return new Promise((resolve) => {
          allow = () => resolve({ access_token: 'token', expires_in: 300 })
        })
      },
    }
    const agent = fakeApi(answered({ items: [] })).agent({ auth, onOwnerNeeded: () => {}, retryForMs: 60_000 })
    await expect(agent.signIn()).rejects.toThrow('not yet')
    isFirst = false
    const early = agent.operations.list({}, { timeoutMs: 50 })
    await expect(early).rejects.toMatchObject({ code: 'sign_in_needed', submissionUncertain: false })
    allow()
    expect((await agent.operations.list()).items).toEqual([])
  })

  test('while the owner confirms says so, and keeps the confirmation', async () => {
    const store = memoryStore()
    const asked = {
      id: 'ci-1',
      status: 'pending',
      confirmation_url: 'https://api.example/c',
      expires_at: '2026-11-23T08:00:00Z',
    }
    const pending = answered({ ...asked, poll_after_ms: 60_000 })
    const withdrawal = { beneficiary_id: 'b', amount: '1', currency: 'EUR' }
    let shown = 0
    const onOwnerNeeded = () => {
      shown += 1
    }
    const answers = [refused('confirmation_required', 403), answered(asked, 201), pending]
    for (const timeoutMs of [30_000, 0]) {
      const agent = fakeApi(...answers).agent({ store, onOwnerNeeded })
      const paying = agent.spending.pay(withdrawal, { intent: 'rent', timeoutMs })
      await expect(paying).rejects.toMatchObject({ code: 'owner_needed', submissionUncertain: false })
      answers.splice(0, 3, refused('confirmation_pending', 403), pending)
    }
    expect(shown).toBe(2)
  })
})
