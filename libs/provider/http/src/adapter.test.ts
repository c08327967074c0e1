/** The adapter's conclusion from each answer. The fake provider's own tests cover its behaviour. */

import { type OperationKind, operationKinds } from '@financial-agents/contract/kinds'
import { type Provider, providerFailureCodes, type Submission } from '@financial-agents/provider-port/port'
import { providerReads } from '@financial-agents/provider-port/reads'
import { afterEach, describe, expect, it } from 'vitest'
import { createHttpAdapter } from './adapter.ts'
import { answer, type RawServer, startRawServer } from './raw-server.test-helper.ts'

const closing: (() => Promise<unknown>)[] = []

afterEach(async () => {
  for (const close of closing.splice(0)) await close()
})

async function answering(
  bytes: string,
  kinds?: readonly OperationKind[],
): Promise<{ provider: Provider; server: RawServer }> {
  const server = await startRawServer((socket) => socket.write(bytes))
  const provider = createHttpAdapter({
    baseUrl: `http://127.0.0.1:${server.port}`,
    connections: 2,
    connectTimeoutMs: 10_000,
    kinds,
  })
  closing.push(
    () => provider.close(),
    () => server.close(),
  )
  return { provider, server }
}

const reference = '0198f3a0-0000-7000-8000-000000000001'
const credentials = 'credentials-of-nobody'
/** A kind that a row of another release may hold. */
const unknownKind = 'loan_create' as OperationKind

const submission: Submission = {
  kind: 'beneficiary_create',
  reference,
  credentials,
  timeoutMs: 60_000,
  validUntil: new Date('2026-01-01T00:00:30Z'),
  payload: {
    name: 'Ada Example',
    country: 'DE',
    currency: 'EUR',
    payout_schema_id: 'sepa_de_eur',
    details: { iban: 'DE89370400440532013000' },
  },
}

const settled = {
  reference: 'ben_1',
  client_reference: reference,
  status: 'succeeded',
  settled_at: '2026-01-02T03:04:05.000Z',
  failure_code: null,
}
const pending = { ...settled, status: 'pending', settled_at: null }
const failed = { ...settled, status: 'failed', failure_code: 'name_mismatch' }

describe('submit', () => {
  const rows: [name: string, bytes: string, type: string, code?: string][] = [
    ['a succeeded record', answer(201, { data: settled }), 'succeeded'],
    ['a pending record', answer(202, { data: pending }), 'submitted'],
    ['a failed record', answer(200, { data: failed }), 'failed', 'provider_rejected_details'],
    ['a refusal document', answer(403, { error: { code: 'refused' } }), 'failed', 'provider_refused'],
    [
      'a refusal of the details',
      answer(422, { error: { code: 'invalid_details' } }),
      'failed',
      'provider_rejected_details',
    ],
    [
      'a refusal of the credentials',
      answer(401, { error: { code: 'unknown_credentials' } }),
      'failed',
      'provider_authentication_failed',
    ],
    ['too many requests, with a document', answer(429, { error: { code: 'slow_down' } }), 'failed', 'provider_refused'],
    ['a bare 403 of something in between', answer(403, '<html>'), 'uncertain', 'provider_response_invalid'],
    ['a bare 401', answer(401, ''), 'uncertain', 'provider_response_invalid'],
    ['a request time-out', answer(408, { error: { code: 'timeout' } }), 'uncertain', 'provider_response_invalid'],
    [
      'a server error, even with a refusal document',
      answer(500, { error: { code: 'refused' } }),
      'uncertain',
      'provider_error',
    ],
    ['a bad gateway', answer(502, ''), 'uncertain', 'provider_error'],
    ['a redirect', answer(302, '', 'location: /x\r\n'), 'uncertain', 'provider_response_invalid'],
    ['an empty success', answer(204, ''), 'uncertain', 'provider_response_invalid'],
    ['a success without JSON', answer(201, 'created'), 'uncertain', 'provider_response_invalid'],
    ['a success of another shape', answer(201, { id: 1 }), 'uncertain', 'provider_response_invalid'],
    [
      'a record of another reference',
      answer(201, { data: { ...settled, client_reference: 'x' } }),
      'uncertain',
      'provider_response_invalid',
    ],
    [
      'an unknown status word',
      answer(201, { data: { ...settled, status: 'done' } }),
      'uncertain',
      'provider_response_invalid',
    ],
    [
      'a pending record with a settlement time',
      answer(202, { data: { ...pending, settled_at: settled.settled_at } }),
      'uncertain',
      'provider_response_invalid',
    ],
    [
      'a refusal code that is no code',
      answer(403, { error: { code: '<Ada Example>' } }),
      'uncertain',
      'provider_response_invalid',
    ],
  ]
  it.each(rows)('%s', async (_name, bytes, type, failureCode) => {
    const { provider, server } = await answering(bytes)
    const outcome = await provider.submit(submission)
    expect(outcome).toMatchObject(failureCode === undefined ? { type } : { type, failureCode })
    expect(server.requests).toHaveLength(1)
    if ('failureCode' in outcome) expect(providerFailureCodes).toContain(outcome.failureCode)
    expect(JSON.stringify(outcome)).not.toMatch(/Ada|DE89|credentials-of-nobody|html/)
  })

  it('sends our reference, the credentials and the trace headers', async () => {
    const { provider, server } = await answering(answer(201, { data: settled }))
    const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01'
    await provider.submit({ ...submission, traceHeaders: { traceparent } })
    const [head, body] = server.requests[0]?.split('\r\n\r\n') ?? []
    expect(head?.split('\r\n')).toEqual(
      expect.arrayContaining([
        'POST /provider/v1/beneficiaries HTTP/1.1',
        `traceparent: ${traceparent}`,
        `authorization: Bearer ${credentials}`,
        'content-type: application/json',
      ]),
    )
    expect(JSON.parse(body ?? '')).toEqual({
      client_reference: reference,
      name: 'Ada Example',
      country: 'DE',
      currency: 'EUR',
      payout_schema_id: 'sepa_de_eur',
      details: { iban: 'DE89370400440532013000' },
      valid_until: '2026-01-01T00:00:30.000Z',
    })
  })

  it('a kind without a row fails definitively and sends nothing', async () => {
    const { provider, server } = await answering(answer(201, { data: settled }))
    for (const kind of operationKinds) expect(provider.supports(kind)).toBe(true)
    expect(provider.supports(unknownKind)).toBe(false)
    expect(provider.mayAskApproval(unknownKind)).toBe(false)
    const outcome = await provider.submit({ ...submission, kind: unknownKind })
    expect(outcome).toMatchObject({ type: 'failed', failureCode: 'operation_kind_unsupported' })
    expect(server.requests).toEqual([])
  })

  it('a kind that the provider does not offer is not sent, and what was sent before is still looked up', async () => {
    const { provider, server } = await answering(answer(200, { data: [], has_more: false }), ['card_create'])
    expect(operationKinds.filter((kind) => provider.supports(kind))).toEqual(['card_create'])
    expect(provider.mayAskApproval('transfer')).toBe(false)
    const outcome = await provider.submit(submission)
    expect(outcome).toMatchObject({ type: 'failed', failureCode: 'operation_kind_unsupported' })
    expect(await provider.prepareApproval({ ...submission, returnUrl: null })).toMatchObject({ type: 'refused' })
    expect(server.requests).toEqual([])
    const { kind, credentials, timeoutMs } = submission
    const asked = { kind, reference, credentials, timeoutMs, upstreamReference: null }
    expect(await provider.lookup(asked)).toMatchObject({ type: 'not_found' })
  })

  it('a payload of another shape, or credentials that are no header, fail definitively and send nothing', async () => {
    const { provider, server } = await answering(answer(201, { data: settled }))
    const shapeless = await provider.submit({ ...submission, payload: { name: 1 } })
    const unwritable = await provider.submit({ ...submission, credentials: 'a\nb' })
    expect(shapeless).toMatchObject({ type: 'failed', failureCode: 'submission_invalid' })
    expect(unwritable).toMatchObject({ type: 'failed', failureCode: 'submission_invalid' })
    expect(server.requests).toEqual([])
  })
})

const search = (data: unknown[], has_more = false) => answer(200, { data, has_more })

describe('lookup', () => {
  const read = 'beneficiary_by_reference'
  const rows: [name: string, bytes: string, expected: object, upstreamReference?: string][] = [
    [
      'one succeeded record',
      search([settled]),
      { type: 'found', read, state: 'succeeded', upstreamReference: 'ben_1' },
    ],
    ['one pending record', search([pending]), { type: 'found', read, state: 'pending', upstreamReference: 'ben_1' }],
    [
      'one failed record',
      search([failed]),
      { type: 'found', read, state: 'failed', failureCode: 'provider_rejected_details' },
    ],
    ['nothing', search([]), { type: 'not_found', read }],
    [
      'two records, even equal ones',
      search([settled, settled]),
      { type: 'ambiguous', read, reason: 'more than one record' },
    ],
    ['one record and more to come', search([settled], true), { type: 'ambiguous', read }],
    ['an empty page with more to come', search([], true), { type: 'unavailable', reason: 'provider_response_invalid' }],
    ['a record of another reference', search([{ ...settled, client_reference: 'x' }]), { type: 'ambiguous', read }],
    ['another record than acknowledged', search([settled]), { type: 'ambiguous', read }, 'ben_2'],
    [
      'a record that went back from final',
      search([{ ...pending, settled_at: settled.settled_at }]),
      { type: 'ambiguous', read },
    ],
    ['a final record never settled', search([{ ...settled, settled_at: null }]), { type: 'ambiguous', read }],
    ['a success with a failure code', search([{ ...settled, failure_code: 'x' }]), { type: 'ambiguous', read }],
    ['a server error', answer(503, ''), { type: 'unavailable', reason: 'provider_error' }],
    [
      'a refusal of the credentials',
      answer(401, ''),
      { type: 'unavailable', reason: 'provider_authentication_failed' },
    ],
    ['not found by status', answer(404, ''), { type: 'unavailable', reason: 'provider_refused' }],
    ['no JSON', answer(200, '<'), { type: 'unavailable', reason: 'provider_response_invalid' }],
  ]
  it.each(rows)('%s', async (_name, bytes, expected, upstreamReference) => {
    const { provider } = await answering(bytes)
    const request = { kind: submission.kind, reference, credentials, timeoutMs: 60_000 }
    const result = await provider.lookup({ ...request, upstreamReference: upstreamReference ?? null })
    expect(result).toMatchObject(expected)
    expect('failureCode' in result).toBe(result.type === 'found' && result.state === 'failed')
  })

  it('equal facts give equal evidence, whatever the order and the extra members', async () => {
    const other = { ...failed, reference: 'ben_2' }
    const texts: string[] = []
    for (const results of [
      [settled, other],
      [{ name: 'Ada Example', ...other }, settled],
    ]) {
      const { provider } = await answering(search(results))
      const request = { kind: submission.kind, reference, credentials, timeoutMs: 60_000, upstreamReference: null }
      const result = await provider.lookup(request)
      texts.push('observed' in result ? result.observed : '')
    }
    expect(texts[0]).toBe(texts[1])
    expect(texts[0]).toContain('ben_1')
    expect(texts[0]).not.toContain('Ada')
  })

  it('a kind without a row is unavailable', async () => {
    const { provider, server } = await answering(search([]))
    const request = { kind: unknownKind, reference, credentials, timeoutMs: 60_000, upstreamReference: null }
    expect(await provider.lookup(request)).toEqual({ type: 'unavailable', reason: 'operation_kind_unsupported' })
    expect(server.requests).toEqual([])
  })
})

describe('reference data', () => {
  const call = { credentials, timeoutMs: 60_000 }
  const [schema] = providerReads.payoutSchemas.examples.answers['one'] ?? []
  const [field] = schema?.fields ?? []

  it('payout schemas come as they are, without further members', async () => {
    const { provider } = await answering(answer(200, { data: [{ ...schema, logo: 'x' }] }))
    expect(await provider.payoutSchemas(call)).toEqual({ type: 'ok', data: [schema] })
  })

  const broken: [string, object][] = [
    ['a pattern that is no regular expression', { ...schema, fields: [{ ...field, pattern: '^[$' }] }],
    ['a pattern of a part of the value', { ...schema, fields: [{ ...field, pattern: 'PT[0-9]{23}' }] }],
    ['an example that its field refuses', { ...schema, example_details: { iban: 'PT50' } }],
    ['a required field without example', { ...schema, example_details: {} }],
    ['a choice without options', { ...schema, fields: [{ ...field, type: 'enum', pattern: null }] }],
    ['a name that is no rail', { ...schema, rail: 'Sepa Instant' }],
  ]
  it.each(broken)('%s breaks the contract', async (_name, schema) => {
    const { provider } = await answering(answer(200, { data: [schema] }))
    expect(await provider.payoutSchemas(call)).toMatchObject({ type: 'contract_broken' })
  })

  it('countries come without aliases, and more than 300 break the contract', async () => {
    const country = { code: 'GB', alpha3: 'GBR', name: 'United Kingdom', aliases: ['UK'] }
    const one = await answering(answer(200, { data: [country] }))
    expect(await one.provider.addressCountries(call)).toEqual({
      type: 'ok',
      data: [{ code: 'GB', alpha3: 'GBR', name: 'United Kingdom' }],
    })
    const many = await answering(answer(200, { data: Array.from({ length: 301 }, () => country) }))
    expect(await many.provider.addressCountries(call)).toMatchObject({ type: 'contract_broken' })
  })

  it('a list that cannot be read now is unavailable', async () => {
    const { provider } = await answering(answer(503, ''))
    expect(await provider.addressCountries(call)).toEqual({ type: 'unavailable', reason: 'provider_error' })
    expect(await provider.payoutSchemas(call)).toEqual({ type: 'unavailable', reason: 'provider_error' })
  })
})
