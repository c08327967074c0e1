/** The conclusion from each answer about an approval or a hosted session. The fake provider's own tests cover its pages. */

import type { ApprovalRequest } from '@financial-agents/provider-port/approval'
import { afterEach, describe, expect, it } from 'vitest'
import { createHttpAdapter } from './adapter.ts'
import { answer, startRawServer } from './raw-server.test-helper.ts'

const closing: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0)) await close()
})

async function answering(bytes: string) {
  const server = await startRawServer((socket) => socket.write(bytes))
  const provider = createHttpAdapter({
    baseUrl: `http://127.0.0.1:${server.port}`,
    connections: 2,
    connectTimeoutMs: 10_000,
  })
  closing.push(
    () => provider.close(),
    () => server.close(),
  )
  return { provider, server }
}

const call = { credentials: 'secret-of-ada', timeoutMs: 60_000 }
const request: ApprovalRequest = {
  ...call,
  kind: 'transfer',
  reference: 'ours',
  payload: { beneficiary_id: 'of-ours', amount: '+12.50', currency: 'EUR', memo: 'for Ada' },
  target: { upstreamReference: 'ben_1' },
  returnUrl: 'https://api.example/return',
}

const of = (data: unknown) => ({ data })
const page = {
  client_reference: 'ours',
  hosted_url: 'https://provider.example/p',
  expires_at: '2026-01-02T03:04:05.000Z',
}
const waiting = { ...page, reference: 'apv_1', status: 'pending', poll_after_ms: 2_000 }
const invalid = { type: 'unavailable', reason: 'provider_response_invalid' }
const started = {
  type: 'started',
  approval: 'apv_1',
  hostedUrl: page.hosted_url,
  expiresAt: new Date(page.expires_at),
  pollAfterMs: 2_000,
}

describe('prepare', () => {
  const rows: [name: string, bytes: string, result: object][] = [
    ['a page to decide at', answer(201, of(waiting)), started],
    ['one that was decided meanwhile', answer(200, of({ ...waiting, status: 'granted' })), started],
    [
      'one that is not needed',
      answer(201, of({ client_reference: 'ours', reference: 'x', status: 'not_needed' })),
      { type: 'not_needed' },
    ],
    [
      'one that is not needed, of another reference',
      answer(201, of({ client_reference: 'x', status: 'not_needed' })),
      invalid,
    ],
    ['an answer about another reference', answer(201, of({ ...waiting, client_reference: 'theirs' })), invalid],
    ['a page that is no web page', answer(201, of({ ...waiting, hosted_url: 'javascript:alert(1)' })), invalid],
    ['no time to wait', answer(201, of({ ...waiting, poll_after_ms: 0 })), invalid],
    ['no expiry', answer(201, of({ ...waiting, expires_at: null })), invalid],
    ['a reference that would not fit into a path', answer(201, of({ ...waiting, reference: '../x' })), invalid],
    ['a refusal', answer(403, { error: { code: 'refused' } }), { type: 'refused', failureCode: 'provider_refused' }],
    [
      'a refusal of the details',
      answer(422, { error: { code: 'unknown_beneficiary' } }),
      { type: 'refused', failureCode: 'provider_rejected_details' },
    ],
    [
      'a refusal of the credentials',
      answer(401, { error: { code: 'unknown_credentials' } }),
      { type: 'refused', failureCode: 'provider_authentication_failed' },
    ],
    ['a bare 403 of something in between', answer(403, '<html>'), { type: 'unavailable', reason: 'provider_refused' }],
    [
      'too many requests, which may be made again',
      answer(429, { error: { code: 'slow_down' } }),
      { type: 'unavailable', reason: 'provider_refused' },
    ],
    ['a failure', answer(502, ''), { type: 'unavailable', reason: 'provider_error' }],
    ['a redirect', answer(302, '', 'location: /x\r\n'), invalid],
  ]
  it.each(rows)('%s', async (_name, bytes, result) => {
    const { provider, server } = await answering(bytes)
    const prepared = await provider.prepareApproval(request)
    expect(prepared).toMatchObject(result)
    expect(JSON.stringify(prepared)).not.toMatch(/Ada|secret/)
    expect(server.requests).toHaveLength(1)
  })

  it('says the mutation as it will be submitted', async () => {
    const { provider, server } = await answering(answer(201, of(waiting)))
    await provider.prepareApproval(request)
    const validUntil = new Date('2026-01-01T00:00:30Z')
    await provider.submit({ ...request, validUntil })
    const [asked, { valid_until, client_reference, ...terms }] = server.requests.map((text) =>
      JSON.parse(text.split('\r\n\r\n')[1] ?? ''),
    )
    expect(asked).toEqual({
      client_reference: 'ours',
      return_url: request.returnUrl,
      instruction: { kind: 'transfer', terms },
    })
    expect(valid_until).toBe(validUntil.toISOString())
    expect(client_reference).toBe('ours')
    expect(terms).toEqual({ beneficiary_reference: 'ben_1', amount: '12.5', currency: 'EUR', memo: 'for Ada' })
  })

  it('of a kind that nobody approves, or without what it names, sends nothing', async () => {
    const { provider, server } = await answering(answer(201, of(waiting)))
    const card = { ...request, kind: 'card_freeze', target: { upstreamReference: 'crd_1' } } as const
    expect(await provider.prepareApproval(card)).toEqual({ type: 'not_needed' })
    expect(await provider.prepareApproval({ ...request, target: undefined })).toMatchObject({
      type: 'refused',
      failureCode: 'submission_invalid',
    })
    expect(server.requests).toEqual([])
  })
})

describe('poll', () => {
  const result = (status: string, more: object = {}) => answer(200, of({ reference: 'apv_1', status, ...more }))
  const rows: [name: string, bytes: string, result: object][] = [
    ['pending', result('pending'), { type: 'pending' }],
    ['granted', result('granted'), { type: 'granted' }],
    ['not needed', result('not_needed'), { type: 'granted' }],
    ['declined', result('declined'), { type: 'declined' }],
    ['expired', result('expired'), { type: 'expired' }],
    [
      'failed',
      result('failed', { failure_code: 'account_closed' }),
      { type: 'failed', failureCode: 'provider_rejected_details' },
    ],
    ['failed for no reason', result('failed'), invalid],
    ['another approval', answer(200, of({ reference: 'apv_2', status: 'granted' })), invalid],
    ['an unknown status', result('perhaps'), invalid],
    [
      'an unknown approval',
      answer(404, { error: { code: 'unknown_approval' } }),
      { type: 'unavailable', reason: 'provider_refused' },
    ],
    [
      'a failure, whatever it says',
      answer(500, of({ reference: 'apv_1', status: 'granted' })),
      {
        type: 'unavailable',
        reason: 'provider_error',
      },
    ],
  ]
  it.each(rows)('%s', async (_name, bytes, expected) => {
    const { provider } = await answering(bytes)
    const polled = await provider.pollApproval({ ...call, approval: 'apv_1' })
    expect(polled).toMatchObject(expected)
  })
})

describe('a card reveal', () => {
  const reveal = { ...page, reference: 'rvl_1', card_reference: 'crd_1' }
  const rows: [name: string, bytes: string, result: object][] = [
    ['started', answer(201, { data: reveal }), { type: 'started', session: 'rvl_1', hostedUrl: page.hosted_url }],
    ['of another card', answer(201, { data: { ...reveal, card_reference: 'crd_2' } }), invalid],
    ['of another reference', answer(201, { data: { ...reveal, client_reference: 'x' } }), invalid],
    [
      'of a closed card',
      answer(409, { error: { code: 'card_ended' } }),
      { type: 'refused', failureCode: 'provider_refused' },
    ],
    ['without an answer', answer(503, ''), { type: 'unavailable', reason: 'provider_error' }],
  ]
  it.each(rows)('%s', async (_name, bytes, expected) => {
    const { provider } = await answering(bytes)
    const asked = { ...call, reference: 'ours', card: { upstreamReference: 'crd_1' } }
    expect(await provider.startCardReveal(asked)).toMatchObject(expected)
  })
})
