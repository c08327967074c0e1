/** The promise about deadlines: by the provider's own clock, and only while it is made. */

import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { beneficiary, lookupOf, type StartedProvider, startProvider } from './started.test-helper.ts'

let fake: StartedProvider
beforeAll(async () => {
  fake = await startProvider()
})
afterEach(async () => {
  await fake.control('PUT', '/control/clock', { offset_ms: 0 })
  await fake.control('PUT', '/control/deadlines', { refuses: true })
})
afterAll(() => fake.close())

const inMs = (ms: number) => new Date(Date.now() + ms)

it('refuses a mutation after its deadline, executes nothing, and shows its clock where it finds nothing', async () => {
  const outcome = await fake.provider.submit(beneficiary('late-1', { validUntil: inMs(-1) }))
  expect(outcome).toMatchObject({ type: 'failed', failureCode: 'submission_expired' })
  expect((await fake.ledger('late-1')).map((entry) => entry.outcome)).toEqual(['expired'])
  const absent = await fake.provider.lookup(lookupOf('late-1'))
  expect(absent).toMatchObject({ type: 'not_found', providerTime: expect.any(Date) })
})

it('validates by its own clock', async () => {
  await fake.control('PUT', '/control/clock', { offset_ms: 3_600_000 })
  const outcome = await fake.provider.submit(beneficiary('ahead-1', { validUntil: inMs(60_000) }))
  expect(outcome).toMatchObject({ type: 'failed', failureCode: 'submission_expired' })
  const absent = await fake.provider.lookup(lookupOf('ahead-1'))
  expect(absent.type === 'not_found' && absent.providerTime).toSatisfy(
    (time: Date) => time.getTime() > Date.now() + 3_000_000,
  )
  await fake.control('PUT', '/control/clock', { offset_ms: -3_600_000 })
  const early = await fake.provider.submit(beneficiary('behind-1', { validUntil: inMs(-60_000) }))
  expect(early).toMatchObject({ type: 'succeeded' })
})

it('without the promise executes after the deadline, and shows no clock', async () => {
  await fake.control('PUT', '/control/deadlines', { refuses: false })
  expect((await fake.provider.lookup(lookupOf('free-1'))) satisfies object).not.toHaveProperty('providerTime')
  const outcome = await fake.provider.submit(beneficiary('free-1', { validUntil: inMs(-60_000) }))
  expect(outcome).toMatchObject({ type: 'succeeded' })
})

it('refuses a deadline that is no time', async () => {
  const response = await fetch(`${fake.baseUrl}/provider/v1/connection/revoke`, {
    method: 'POST',
    headers: { authorization: 'Bearer test-user-amara-okafor-leeds', 'content-type': 'application/json' },
    body: JSON.stringify({ client_reference: 'odd-1', valid_until: 'tomorrow' }),
  })
  expect(response.status).toBe(400)
})
