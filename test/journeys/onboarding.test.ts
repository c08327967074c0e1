/**
 * The missing steps of an owner's onboarding follow the provider's knowledge, through all services, even if nobody asks
 * for them.
 */

import type { ApiClient } from '@financial-agents/testkit/client'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { clientOf, create, pollUntil, providerOf, startTestStack, type TestStack } from '../stack.test-helper.ts'

const hourMs = 3_600_000
const patiently = { timeout: 120_000, interval: 50 }

let stack: TestStack
let client: ApiClient
let provider: ReturnType<typeof providerOf>

beforeAll(async () => {
  stack = await startTestStack({ environment: { onboarding: { FOLLOW_PAUSE_MS: '100' } } })
  client = await clientOf(stack, 'ines-agent', 'kyc:read beneficiaries:write operations:read')
  provider = providerOf(stack)
})
afterAll(() => stack.close())

/** Reads GET /v1/onboarding only, which does not ask the provider. */
const see = (expected: object) =>
  expect.poll(async () => (await client.request('GET', '/v1/onboarding')).body, patiently).toMatchObject(expected)

test('a verification that lapses, a review of three days and its end are seen by who reads the onboarding alone', async () => {
  await see({ ready: true, kyc_status: 'verified', missing: [] })
  await provider.identity('per_ines', 'expired')
  await stack.moveClock(['onboarding'], 2 * hourMs)
  await see({ ready: false, kyc_status: 'expired', missing: ['identity_verification'] })
  await provider.identity('per_ines', 'in_review')
  await stack.moveClock(['onboarding'], 4 * hourMs)
  await see({ ready: false, kyc_status: 'in_review' })
  await stack.moveClock(['onboarding'], 76 * hourMs)
  await provider.identity('per_ines', 'verified')
  await stack.moveClock(['onboarding'], 77 * hourMs)
  await see({ ready: true, kyc_status: 'verified', missing: [] })
})

test('a write that fails because the verification lapsed says that the onboarding is to be read again', async () => {
  await provider.identity('per_ines', 'expired')
  expect(await create(client)).toMatchObject({
    status: 409,
    body: { code: 'provider_connection_unavailable', refresh_onboarding: true },
  })
  await provider.identity('per_ines', 'verified')
  const accepted = await create(client)
  expect(accepted.status).toBe(202)
  await pollUntil(client, accepted.body['id'], ['succeeded'])
  // The payout schemas are cached by now, so the provider itself refuses the write.
  await provider.identity('per_ines', 'expired')
  const { body } = await create(client)
  const failed = await pollUntil(client, body['id'], ['failed'])
  expect(failed.body).toMatchObject({ failure_code: 'provider_identity_required', submission_uncertain: false })
})
