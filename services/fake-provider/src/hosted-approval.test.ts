/**
 * The hosted approval page over HTTP, as a browser without JavaScript uses it, and the status that the application
 * reads.
 */

import { ines } from '@financial-agents/provider-http/testing/test-users'
import type { ApprovalRequest } from '@financial-agents/provider-port/approval'
import type { Submission } from '@financial-agents/provider-port/port'
import { beneficiaries, make, payloads, submission } from '@financial-agents/provider-port/testing/submissions'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
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

const returnUrl = 'http://127.0.0.1:4000/approvals/return?state=a%2Bb&x="><script>alert(1)</script>'
const name = 'Greta <b>Lindqvist</b>'

async function request(changes: Partial<ApprovalRequest> = {}): Promise<ApprovalRequest & Submission> {
  const beneficiary = submission('beneficiary_create', {
    credentials: ines,
    payload: { ...beneficiaries.sepa_de_eur, name },
  })
  const target = await make(fake.provider, beneficiary)
  return { ...submission('mandate_create', { credentials: ines, target }), returnUrl, ...changes }
}

async function prepare(asked: ApprovalRequest) {
  const prepared = await fake.provider.prepareApproval(asked)
  if (prepared.type !== 'started') throw new Error(JSON.stringify(prepared))
  return prepared
}

const poll = (approval: string, credentials = ines) =>
  fake.provider.pollApproval({ credentials, timeoutMs: 60_000, approval })

const decide = (url: string, decision: string) =>
  fetch(url, { method: 'POST', body: new URLSearchParams({ decision }), redirect: 'manual' })

describe('the page', () => {
  it('shows who is paid, every limit and who is asked, as text, without JavaScript and without deciding', async () => {
    const { hostedUrl, approval } = await prepare(await request())
    const response = await fetch(hostedUrl)
    const page = await response.text()
    expect(response.status).toBe(200)
    for (const text of ['Greta &lt;b&gt;Lindqvist', '50 EUR', '400 EUR', 'Inês Carvalho', '127.0.0.1:4000'])
      expect(page).toContain(text)
    expect(page).not.toContain('<script')
    expect(page).not.toContain('state=')
    expect(response.headers.get('content-security-policy')).toMatch(
      /^default-src 'none'; style-src 'sha256-.{44}'; form-action 'self' http: https:; base-uri 'none'; frame-ancestors 'none'$/,
    )
    expect(response.headers.get('cache-control')).toBe('no-store')
    expect(response.headers.get('referrer-policy')).toBe('no-referrer')
    expect(await poll(approval)).toEqual({ type: 'pending' })
  })

  it('shows a transfer with its amount and its memo', async () => {
    const transfer = { kind: 'transfer', payload: { ...payloads.transfer, amount: '1234.5' } } as const
    const { hostedUrl } = await prepare(await request(transfer))
    const page = await (await fetch(hostedUrl)).text()
    for (const text of ['1,234.5 EUR', 'With thanks']) expect(page).toContain(text)
  })

  it('of an unknown token is a 404 that says what to do', async () => {
    for (const method of ['GET', 'POST'])
      expect((await fetch(`${fake.baseUrl}/hosted/approvals/nobodys`, { method })).status).toBe(404)
  })
})

describe('a decision', () => {
  it.each([
    ['approve', 'granted', 'decline'],
    ['decline', 'declined', 'approve'],
  ])('to %s is taken once and sends the browser back with nothing added', async (decision, type, other) => {
    const { hostedUrl, approval } = await prepare(await request())
    const response = await decide(hostedUrl, decision)
    expect([response.status, response.headers.get('location')]).toEqual([303, returnUrl])
    expect(await poll(approval)).toEqual({ type })
    expect((await decide(hostedUrl, decision)).headers.get('location')).toBe(returnUrl)
    for (const again of [await decide(hostedUrl, other), await fetch(hostedUrl)]) {
      expect(again.status).toBe(410)
      expect(await again.text()).not.toContain('state=')
    }
    expect(await poll(approval)).toEqual({ type })
  })

  it('of an approval without a way back thanks, and goes nowhere', async () => {
    const { hostedUrl } = await prepare(await request({ returnUrl: null }))
    const response = await decide(hostedUrl, 'approve')
    expect(response.status).toBe(200)
    expect(await response.text()).toContain('You can close this page')
  })

  it('that is none decides nothing', async () => {
    const { hostedUrl, approval } = await prepare(await request())
    expect((await decide(hostedUrl, 'perhaps')).status).toBe(422)
    expect(await poll(approval)).toEqual({ type: 'pending' })
  })

  it('comes too late after ten minutes of the provider’s clock, and an approval stays one', async () => {
    const [late, approved] = [await prepare(await request()), await prepare(await request())]
    await decide(approved.hostedUrl, 'approve')
    await fake.control('PUT', '/control/clock', { offset_ms: 10 * 60_000 })
    expect(await poll(late.approval)).toEqual({ type: 'expired' })
    expect((await decide(late.hostedUrl, 'approve')).status).toBe(410)
    expect(await poll(late.approval)).toEqual({ type: 'expired' })
    expect(await poll(approved.approval)).toEqual({ type: 'granted' })
  })
})

describe('preparing', () => {
  it('moves nothing, is in no ledger, and is found by nobody else', async () => {
    const asked = await request()
    const { approval } = await prepare(asked)
    expect(await fake.ledger(asked.reference)).toEqual([])
    expect(await poll(approval, 'test-user-amara-okafor-leeds')).toEqual({
      type: 'unavailable',
      reason: 'provider_refused',
    })
  })

  it('again after the decision gives the same approval, with what was decided', async () => {
    const asked = await request()
    const first = await prepare(asked)
    await decide(first.hostedUrl, 'approve')
    expect(await prepare(asked)).toEqual(first)
    expect(await poll(first.approval)).toEqual({ type: 'granted' })
  })

  it('of what the provider would not execute anyway is refused', async () => {
    const asked = await request({ target: { upstreamReference: 'ben_unknown' } })
    expect(await fake.provider.prepareApproval(asked)).toMatchObject({
      type: 'refused',
      failureCode: 'provider_rejected_details',
    })
  })

  it.each([
    ['refuse', { type: 'refused', failureCode: 'provider_refused' }],
    ['fail', { type: 'refused', failureCode: 'provider_rejected_details' }],
    ['waive', { type: 'not_needed' }],
    ['drop_before_accept', { type: 'unavailable', reason: 'provider_connection_lost' }],
    ['accept_drop_reply', { type: 'unavailable', reason: 'provider_connection_lost' }],
  ])('by the script %s', async (script, expected) => {
    const asked = await request()
    await fake.control('POST', '/control/faults', { script, match: { kind: 'approval' }, times: 1 })
    expect(await fake.provider.prepareApproval(asked)).toMatchObject(expected)
    if (script === 'waive') expect(await fake.provider.submit(asked)).toMatchObject({ type: 'succeeded' })
    else expect((await prepare(asked)).type).toBe('started')
  })

  it.each([
    ['approve', { type: 'granted' }],
    ['decline', { type: 'declined' }],
    ['expire', { type: 'expired' }],
  ])('by the script %s is decided without anybody’s doing', async (script, expected) => {
    await fake.control('POST', '/control/faults', { script, match: { kind: 'approval' } })
    expect(await poll((await prepare(await request())).approval)).toEqual(expected)
  })

  it('a read by the script fail ends it for good, and by slow is unavailable', async () => {
    const { approval } = await prepare(await request())
    await fake.control('POST', '/control/faults', { script: 'slow', match: { kind: 'approval_read' }, times: 1 })
    const slow = { credentials: ines, timeoutMs: 100, approval }
    expect(await fake.provider.pollApproval(slow)).toEqual({ type: 'unavailable', reason: 'provider_timeout' })
    await fake.control('POST', '/control/faults', { script: 'fail', match: { kind: 'approval_read' }, times: 1 })
    const failed = { type: 'failed', failureCode: 'provider_rejected_details' }
    expect(await poll(approval)).toMatchObject(failed)
    expect(await poll(approval)).toMatchObject(failed)
  })
})
