/** The one call of an attempt: whatever breaks off after it began may have reached the provider. */

import { createClock } from '@financial-agents/runtime/clock'
import { createLog } from '@financial-agents/runtime/log'
import { Unavailable } from '@financial-agents/runtime/unavailable'
import { expect, test } from 'vitest'
import { callProvider } from './call-provider.ts'
import { newItem } from './items.test-helper.ts'

const log = createLog({ service: 'test', level: 'silent' })
const parts = { config: { PROVIDER_TIMEOUT_MS: 1_000 }, clock: createClock(), log }
const claim = newItem(new Date())

/** An adapter that breaks its promise never to throw. */
const throwing = (submit: () => never) => ({
  payload: {},
  credentials: 'c',
  provider: { submit: async () => submit() },
})
const fail = (error: unknown) => () => {
  throw error
}

test.each([
  ['an error', new TypeError('cannot read properties of undefined')],
  ['an error that says that nothing happened', new Unavailable('out of reach')],
  ['no error at all', undefined],
])('an adapter that throws %s may have sent', async (_name, error) => {
  const { provider, ...content } = throwing(fail(error))
  const sync = { ...content, provider: { submit: fail(error) } }
  for (const given of [{ ...content, provider }, sync])
    expect(await callProvider(parts, claim, given, performance.now() + 60_000)).toMatchObject({
      type: 'uncertain',
      failureCode: 'provider_error',
    })
})

test('an attempt that comes too late is not sent, and says so', async () => {
  let calls = 0
  const given = throwing(() => {
    calls += 1
    throw new Error('sent')
  })
  expect(await callProvider(parts, claim, given, performance.now() - 1)).toMatchObject({ type: 'unsent' })
  const over = { ...claim, operation: { ...claim.operation, authority_ends_at: new Date().toISOString() } }
  expect(await callProvider(parts, over, given, performance.now() + 60_000)).toMatchObject({ type: 'unsent' })
  expect(calls).toBe(0)
})
