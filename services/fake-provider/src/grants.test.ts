/** Transfer grants over HTTP with the real adapter: their states, their limits, and their pages. */

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

async function newGrant(changes: object = {}): Promise<SubmissionTarget> {
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

/** The grant as the provider itself shows it. */
async function show({ upstreamReference }: SubmissionTarget): Promise<Record<string, unknown> | undefined> {
  const response = await fetch(`${fake.baseUrl}/provider/v1/grants?provider_ref=${upstreamReference}`, {
    headers: { authorization: `Bearer ${amara}` },
  })
  return ((await response.json()) as { results: Record<string, unknown>[] }).results[0]
}

const refusedFor = (reason: string) => ({ type: 'failed', failureDetail: `The provider refused it (${reason}).` })

it('a grant pays while it is open, and no longer once it is paused, withdrawn or over', async () => {
  const [paused, withdrawn, lapsed] = [await newGrant(), await newGrant(), await newGrant()]
  expect(await pay(paused)).toMatchObject({ type: 'succeeded' })
  await act('mandate_suspend', paused)
  await act('mandate_revoke', withdrawn)
  expect(await pay(paused)).toMatchObject(refusedFor('grant_paused'))
  expect(await pay(withdrawn)).toMatchObject(refusedFor('grant_withdrawn'))
  await fake.control('PUT', '/control/clock', { offset_ms: 31 * 86_400_000 })
  expect(await pay(lapsed)).toMatchObject(refusedFor('grant_lapsed'))
  expect(await Promise.all([paused, withdrawn, lapsed].map(show))).toMatchObject([
    { state: 'lapsed' },
    { state: 'withdrawn' },
    { state: 'lapsed' },
  ])
})

it('a withdrawn grant stays so: it can be withdrawn again and not be paused', async () => {
  const grant = await newGrant()
  await act('mandate_suspend', grant)
  expect(await act('mandate_revoke', grant)).toMatchObject({ type: 'succeeded' })
  expect(await act('mandate_revoke', grant)).toMatchObject({ type: 'succeeded' })
  expect(await act('mandate_suspend', grant)).toMatchObject(refusedFor('grant_withdrawn'))
})

it('a withdrawal that settles later takes effect only then, and one that fails never', async () => {
  for (const [as, state] of [
    ['active', 'withdrawn'],
    ['failed', 'open'],
  ]) {
    const grant = await newGrant()
    await fake.control('POST', '/control/faults', {
      script: 'settle_later',
      match: { kind: 'mandate_revoke' },
      times: 1,
    })
    expect(await act('mandate_revoke', grant)).toMatchObject({ type: 'submitted' })
    expect(await pay(grant)).toMatchObject({ type: 'succeeded' })
    await fake.control('POST', '/control/settle', { as })
    expect(await show(grant)).toMatchObject({ state })
  }
})

it('covers no payment above its ceilings, no more of them than its uses, and gives back what failed', async () => {
  const grant = await newGrant({ per_payment_max: '50', total_cap: '60' })
  expect(await pay(grant, { amount: '50.01' })).toMatchObject(refusedFor('over_ceiling'))
  await fake.control('POST', '/control/faults', { script: 'settle_later', times: 1 })
  expect(await pay(grant, { amount: '50' })).toMatchObject({ type: 'submitted' })
  expect(await pay(grant, { amount: '10.01' })).toMatchObject(refusedFor('over_ceiling'))
  await fake.control('POST', '/control/settle', { as: 'failed' })
  expect(await pay(grant, { amount: '10.01' })).toMatchObject({ type: 'succeeded' })

  const once = await newGrant({ payment_count: 1 })
  expect(await pay(once)).toMatchObject({ type: 'succeeded' })
  expect(await pay(once)).toMatchObject(refusedFor('no_uses_left'))
})

it('of a hundred payments at once it covers exactly what fits', async () => {
  const grant = await newGrant({ ...caps, total_cap: '100', payment_count: 1000 })
  const outcomes = await Promise.all(Array.from({ length: 100 }, () => pay(grant, { amount: '3.10' })))
  expect(outcomes.filter(({ type }) => type === 'succeeded')).toHaveLength(32)
})

it('is made for a payee that is there, until a moment to come, and found by nobody else', async () => {
  const target = await makeTarget(fake.provider, 'mandate_create', amara)
  const create = (changes: object) =>
    fake.provider.submit({ ...submission('mandate_create', { credentials: amara, target }), ...changes })
  expect(await create({ target: { upstreamReference: 'ben_unknown' } })).toMatchObject(refusedFor('unknown_payee'))
  expect(await create({ credentials: daniel })).toMatchObject(refusedFor('unknown_payee'))
  const past = { ...payloads.mandate_create, expires_at: '2020-01-01T00:00:00.000Z' }
  expect(await create({ payload: past })).toMatchObject(refusedFor('ends_in_the_past'))
  expect(await act('mandate_revoke', { upstreamReference: 'tgr_unknown' })).toMatchObject(refusedFor('unknown_grant'))
})

it('the caps reach the provider as plain decimals, and what is ours alone does not', async () => {
  const grant = await newGrant()
  const text = JSON.stringify(await show(grant))
  expect(text).not.toMatch(/one-agent|rent/)
  expect(await pay(grant, { amount: '50.01' })).toMatchObject(refusedFor('over_ceiling'))
})

it('a state that nothing leaves proves a revocation of which no trace of ours is left', async () => {
  const grant = await newGrant()
  await act('mandate_revoke', grant)
  const asked = {
    ...submission('mandate_revoke', { credentials: amara }),
    reference: randomUUID(),
    upstreamReference: null,
  }
  expect(await fake.provider.lookup({ ...asked, target: grant })).toMatchObject({
    type: 'found',
    state: 'succeeded',
    upstreamReference: grant.upstreamReference,
  })
  expect(await fake.provider.lookup(asked)).toMatchObject({ type: 'not_found' })
  expect(await fake.provider.lookup({ ...asked, kind: 'mandate_suspend', target: grant })).toMatchObject({
    type: 'not_found',
  })
})
