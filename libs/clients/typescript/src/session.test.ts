/** Several processes can share one store. A process that still holds old tokens must not end the session of another one. */

import { expect, test } from 'vitest'
import { device } from './auth/device.ts'
import { answered, fakeApi, refused, sessionKey, tokenOf } from './fake-api.test-helper.ts'
import { memoryStore } from './stores/memory.ts'

const auth = device({ scopes: ['operations:read'] })
const list = answered({ items: [], next_cursor: null })
const invalidToken = refused('invalid_token', 401, {}, { 'www-authenticate': 'DPoP error="invalid_token"' })
const invalidGrant = () => Response.json({ error: 'invalid_grant' }, { status: 400 })
const session = (name: string, expiresInMs = 300_000) => ({
  accessToken: `access-${name}`,
  refreshToken: `refresh-${name}`,
  expiresAtMs: Date.now() + expiresInMs,
  scope: 'operations:read',
})

test('a refused token does not overwrite the session that another process has stored, and that one is used', async () => {
  const store = memoryStore()
  await store.set(sessionKey, session('old'))
  const api = fakeApi(list, invalidToken, list)
  const agent = api.agent({ auth, store })
  await agent.operations.list()
  const newer = session('new')
  await store.set(sessionKey, newer)
  await agent.operations.list()
  expect(await store.get(sessionKey)).toEqual(newer)
  expect(api.tokens).toBe(0)
})

test('a refused token that is still kept is renewed by its refresh token', async () => {
  const store = memoryStore()
  await store.set(sessionKey, session('old'))
  const api = fakeApi(invalidToken, list)
  await api.agent({ auth, store }).operations.list()
  expect(await store.get(sessionKey)).toMatchObject({ accessToken: 'token-1', refreshToken: 'refresh-old' })
})

test.each([
  ['the end of the old grant does not end the new one of another process: the call goes on with it', invalidGrant],
  ['a renewal of the old grant does not overwrite the new one of another process', () => tokenOf('late')],
])('%s', async (_what, answer) => {
  const store = memoryStore()
  await store.set(sessionKey, session('old', 0))
  const newer = session('new')
  const api = fakeApi(list)
  api.token = async () => {
    await store.set(sessionKey, newer)
    return answer()
  }
  await api.agent({ auth, store }).operations.list()
  expect(await store.get(sessionKey)).toEqual(newer)
})
