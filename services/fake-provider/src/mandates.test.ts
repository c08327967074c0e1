/** Mandates over HTTP with the real adapter: their states, their limits, and their pages. */

import { randomUUID } from 'node:crypto'
import { amara, daniel } from '@financial-agents/provider-http/testing/test-users'
import type { SubmissionTarget } from '@financial-agents/provider-port/port'
import { caps, make, makeTarget, payloads, submission } from '@financial-agents/provider-port/testing/submissions'
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { type StartedProvider, startProvider } from './started.test-helper.ts'

let fake: StartedProvider
beforeAll(async () => {
  fake = await startProvider()
})
afterEach(async () => {
  await fake.control('DELETE', '/control/faults')
  await fake.control('PUT', '/control/clock', { offset_ms: 0 })
})
afterAll(() => fake.close())

async function newMandate(changes: object = {}): Promise<SubmissionTarget> {
  const target = await makeTarget(fake.provider, 'mandate_create', amara)
  return make(
    fake.provider,
    submission('mandate_create', { credentials: amara, target, payload: { ...payloads.mandate_create, ...changes } }),
  )
}

const pay = (target: SubmissionTarget, changes: object = {}) =>
  fake.provider.submit(
    submission('mandate_transfer', {
      credentials: amara,
      target,
      payload: { ...payloads.mandate_transfer, ...changes },
    }),
  )

const act = (kind: 'mandate_suspend' | 'mandate_revoke', target: SubmissionTarget) =>
  fake.provider.submit(submission(kind, { credentials: amara, target }))

/** The mandate as the provider itself shows it. */
async function show({ upstreamReference }: SubmissionTarget): Promise<Record<string, unknown> | undefined> {
  const response = await fetch(`${fake.baseUrl}/provider/v1/mandates?reference=${upstreamReference}`, {
    headers: { authorization: `Bearer ${amara}` },
  })
  return ((await response.json()) as { data: Record<string, unknown>[] }).data[0]
}

const refusedFor = (reason: string) => ({ type: 'failed', failureDetail: `The provider refused it (${reason}).` })

it('a mandate pays while it is active, and no longer once it is suspended, revoked or expired', async () => {
  const [suspended, revoked, expired] = [await newMandate(), await newMandate(), await newMandate()]
  expect(await pay(suspended)).toMatchObject({ type: 'succeeded' })
  await act('mandate_suspend', suspended)
  await act('mandate_revoke', revoked)
  expect(await pay(suspended)).toMatchObject(refusedFor('mandate_suspended'))
  expect(await pay(revoked)).toMatchObject(refusedFor('mandate_revoked'))
  await fake.control('PUT', '/control/clock', { offset_ms: 31 * 86_400_000 })
  expect(await pay(expired)).toMatchObject(refusedFor('mandate_expired'))
  expect(await Promise.all([suspended, revoked, expired].map(show))).toMatchObject([
    { state: 'expired' },
    { state: 'revoked' },
    { state: 'expired' },
  ])
})

it('a revoked mandate stays so: it can be revoked again and not be suspended', async () => {
  const mandate = await newMandate()
  await act('mandate_suspend', mandate)
  expect(await act('mandate_revoke', mandate)).toMatchObject({ type: 'succeeded' })
  expect(await act('mandate_revoke', mandate)).toMatchObject({ type: 'succeeded' })
  expect(await act('mandate_suspend', mandate)).toMatchObject(refusedFor('mandate_revoked'))
})

it('a revocation that settles later takes effect only then, and one that fails never', async () => {
  for (const [as, state] of [
    ['succeeded', 'revoked'],
    ['failed', 'active'],
  ]) {
    const mandate = await newMandate()
    await fake.control('POST', '/control/faults', {
      script: 'settle_later',
      match: { kind: 'mandate_revoke' },
      times: 1,
    })
    expect(await act('mandate_revoke', mandate)).toMatchObject({ type: 'submitted' })
    expect(await pay(mandate)).toMatchObject({ type: 'succeeded' })
    await fake.control('POST', '/control/settle', { as })
    expect(await show(mandate)).toMatchObject({ state })
  }
})

it('covers no payment above its limits, no more of them than its count, and gives back what failed', async () => {
  const mandate = await newMandate({ per_payment_max: '50', total_cap: '60' })
  expect(await pay(mandate, { amount: '50.01' })).toMatchObject(refusedFor('mandate_limit_exceeded'))
  await fake.control('POST', '/control/faults', { script: 'settle_later', times: 1 })
  expect(await pay(mandate, { amount: '50' })).toMatchObject({ type: 'submitted' })
  expect(await pay(mandate, { amount: '10.01' })).toMatchObject(refusedFor('mandate_limit_exceeded'))
  await fake.control('POST', '/control/settle', { as: 'failed' })
  expect(await pay(mandate, { amount: '10.01' })).toMatchObject({ type: 'succeeded' })

  const once = await newMandate({ payment_count: 1 })
  expect(await pay(once)).toMatchObject({ type: 'succeeded' })
  expect(await pay(once)).toMatchObject(refusedFor('mandate_exhausted'))
})

it('of a hundred payments at once it covers exactly what fits', async () => {
  const mandate = await newMandate({ ...caps, total_cap: '100', payment_count: 1000 })
  const outcomes = await Promise.all(Array.from({ length: 100 }, () => pay(mandate, { amount: '3.10' })))
  expect(outcomes.filter(({ type }) => type === 'succeeded')).toHaveLength(32)
})

it('is made for a beneficiary that is there, until a moment to come, and found by nobody else', async () => {
  const target = await makeTarget(fake.provider, 'mandate_create', amara)
  const create = (changes: object) =>
    fake.provider.submit({ ...submission('mandate_create', { credentials: amara, target }), ...changes })
  expect(await create({ target: { upstreamReference: 'ben_unknown' } })).toMatchObject(
    refusedFor('unknown_beneficiary'),
  )
  expect(await create({ credentials: daniel })).toMatchObject(refusedFor('unknown_beneficiary'))
  const past = { ...payloads.mandate_create, expires_at: '2020-01-01T00:00:00.000Z' }
  expect(await create({ payload: past })).toMatchObject(refusedFor('expires_in_the_past'))
  expect(await act('mandate_revoke', { upstreamReference: 'mnd_unknown' })).toMatchObject(refusedFor('unknown_mandate'))
})

it('the caps reach the provider as plain decimals, and what is ours alone does not', async () => {
  const mandate = await newMandate()
  const text = JSON.stringify(await show(mandate))
  expect(text).not.toMatch(/one-agent|rent/)
  expect(await pay(mandate, { amount: '50.01' })).toMatchObject(refusedFor('mandate_limit_exceeded'))
})

it('a state that nothing leaves proves a revocation of which no trace of ours is left', async () => {
  const mandate = await newMandate()
  await act('mandate_revoke', mandate)
  const asked = {
    ...submission('mandate_revoke', { credentials: amara }),
    reference: randomUUID(),
    upstreamReference: null,
  }
  expect(await fake.provider.lookup({ ...asked, target: mandate })).toMatchObject({
    type: 'found',
    state: 'succeeded',
    upstreamReference: mandate.upstreamReference,
  })
  expect(await fake.provider.lookup(asked)).toMatchObject({ type: 'not_found' })
  expect(await fake.provider.lookup({ ...asked, kind: 'mandate_suspend', target: mandate })).toMatchObject({
    type: 'not_found',
  })
})

it('a fault of payments is that of a payment of either kind, and of nothing else', async () => {
  const mandate = await newMandate()
  await fake.control('POST', '/control/faults', { script: 'refuse', match: { kind: 'payment' }, times: 2 })
  const target = await makeTarget(fake.provider, 'transfer', amara)
  const transfer = submission('transfer', { credentials: amara, target, payload: payloads.transfer })
  expect(await fake.provider.submit(transfer)).toMatchObject({ type: 'failed' })
  expect(await pay(mandate)).toMatchObject({ type: 'failed' })
  expect(await pay(mandate)).toMatchObject({ type: 'succeeded' })
})
