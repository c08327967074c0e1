/** Each fault script as the real adapter sees it over real HTTP, and the contents of the ledger afterwards. */

import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { beneficiary, lookupOf, type StartedProvider, startProvider } from './started.test-helper.ts'

let fake: StartedProvider

beforeAll(async () => {
  fake = await startProvider()
})

afterEach(async () => {
  await fake.control('DELETE', '/control/faults')
  await fake.control('DELETE', '/control/ledger')
  await fake.control('PUT', '/control/clock', { offset_ms: 0 })
})

afterAll(() => fake.close())

async function script(script: string, rest: object = {}): Promise<void> {
  expect((await fake.control('POST', '/control/faults', { script, times: 1, ...rest })).status).toBe(201)
}

/** Opens the adapter's connection, so that a short time-out does not end while it is made. */
async function warm(): Promise<void> {
  expect(await fake.provider.lookup(lookupOf('warm'))).toMatchObject({ type: 'not_found' })
}

async function outcomes(reference: string): Promise<string[]> {
  return (await fake.ledger(reference)).map(({ outcome }) => outcome)
}

describe('without a script', () => {
  it('a mutation is executed and final at once, and its lookup proves it', async () => {
    const outcome = await fake.provider.submit(beneficiary('plain-1'))
    expect(outcome).toEqual({ type: 'succeeded', upstreamReference: expect.stringMatching(/^ben_/) })
    const upstream = outcome.type === 'succeeded' ? outcome.upstreamReference : ''
    const proof = await fake.provider.lookup(lookupOf('plain-1', upstream))
    expect(proof).toMatchObject({ type: 'found', state: 'succeeded', upstreamReference: upstream })
    expect(await outcomes('plain-1')).toEqual(['executed'])
  })

  it('a reference submitted twice is executed twice, shown in the summary and ambiguous to a lookup', async () => {
    await fake.provider.submit(beneficiary('twice-1'))
    await fake.provider.submit(beneficiary('twice-1'))
    expect((await fake.summary()).repeated).toEqual([{ client_reference: 'twice-1', count: 2 }])
    expect(await fake.provider.lookup(lookupOf('twice-1'))).toMatchObject({ type: 'ambiguous' })
  })

  it('a reference never received is not found, and so is one of another test user', async () => {
    await fake.provider.submit(beneficiary('mine-1'))
    expect(await fake.provider.lookup(lookupOf('nobody-1'))).toMatchObject({ type: 'not_found' })
    const stranger = { ...lookupOf('mine-1'), credentials: 'test-user-amara-okafor-leeds' }
    expect(await fake.provider.lookup(stranger)).toMatchObject({ type: 'not_found' })
  })

  it('details that the payout schema does not accept are refused definitively', async () => {
    const changes = [
      { details: { iban: 'PT5000' } },
      // Wrong check digits.
      { details: { iban: 'PT50000201231234567890155' } },
      { details: {} },
      { details: { iban: 'PT50000201231234567890154', extra: 'x' } },
      { payout_schema_id: 'sepa_zz_eur' },
      { country: 'ES' },
    ]
    for (const change of changes) {
      const submission = beneficiary('details-1')
      const outcome = await fake.provider.submit({ ...submission, payload: { ...submission.payload, ...change } })
      expect(outcome).toMatchObject({ type: 'failed', failureCode: 'provider_rejected_details' })
    }
    expect(await outcomes('details-1')).toEqual(changes.map(() => 'rejected'))
  })

  it('unknown credentials are refused definitively and ledgered', async () => {
    const outcome = await fake.provider.submit(beneficiary('stranger-1', { credentials: 'test-user-nobody' }))
    expect(outcome).toMatchObject({ type: 'failed', failureCode: 'provider_authentication_failed' })
    expect(await outcomes('stranger-1')).toEqual(['unauthorized'])
  })
})

describe('scripts', () => {
  it('refuse: a definitive refusal, nothing executed', async () => {
    await script('refuse')
    const outcome = await fake.provider.submit(beneficiary('refuse-1'))
    expect(outcome).toMatchObject({ type: 'failed', failureCode: 'provider_refused' })
    expect(await outcomes('refuse-1')).toEqual(['refused'])
    expect(await fake.provider.lookup(lookupOf('refuse-1'))).toMatchObject({ type: 'not_found' })
  })

  it('fail: a definitive failure with its reason, nothing executed', async () => {
    await script('fail', { options: { reason: 'name_mismatch' } })
    const outcome = await fake.provider.submit(beneficiary('fail-1'))
    expect(outcome).toMatchObject({ type: 'failed', failureCode: 'provider_rejected_details' })
    expect(await outcomes('fail-1')).toEqual(['rejected'])
    expect(await fake.provider.lookup(lookupOf('fail-1'))).toMatchObject({ type: 'not_found' })
  })

  it('slow: executed although the caller gave up, and a lookup proves it', async () => {
    await warm()
    await script('slow', { options: { delay_ms: 60_000 } })
    const outcome = await fake.provider.submit(beneficiary('slow-1', { timeoutMs: 100 }))
    expect(outcome).toMatchObject({ type: 'uncertain', failureCode: 'provider_timeout' })
    await vi.waitFor(async () => expect(await outcomes('slow-1')).toEqual(['executed']), 60_000)
    expect(await fake.provider.lookup(lookupOf('slow-1'))).toMatchObject({ type: 'found', state: 'succeeded' })
  })

  it('slow: answers in the end', async () => {
    await script('slow', { options: { delay_ms: 20 } })
    expect(await fake.provider.submit(beneficiary('slow-2'))).toMatchObject({ type: 'succeeded' })
  })

  it('accept_drop_reply: uncertain, executed once, and a lookup proves it', async () => {
    await script('accept_drop_reply')
    const outcome = await fake.provider.submit(beneficiary('dropped-reply-1'))
    expect(outcome).toMatchObject({ type: 'uncertain', failureCode: 'provider_connection_lost' })
    expect(await outcomes('dropped-reply-1')).toEqual(['executed_reply_dropped'])
    const proof = await fake.provider.lookup(lookupOf('dropped-reply-1'))
    expect(proof).toMatchObject({ type: 'found', state: 'succeeded' })
  })

  it('drop_before_accept: uncertain all the same, received once, and a lookup finds nothing', async () => {
    await script('drop_before_accept')
    const outcome = await fake.provider.submit(beneficiary('dropped-1'))
    expect(outcome).toMatchObject({ type: 'uncertain', failureCode: 'provider_connection_lost' })
    expect(await outcomes('dropped-1')).toEqual(['dropped'])
    expect(await fake.provider.lookup(lookupOf('dropped-1'))).toMatchObject({ type: 'not_found' })
  })

  it.each([
    ['accept_error_reply', 'provider_error'],
    ['accept_garble_reply', 'provider_response_invalid'],
  ])('%s: uncertain, executed once, and a lookup proves it', async (name, failureCode) => {
    await script(name)
    expect(await fake.provider.submit(beneficiary(name))).toMatchObject({ type: 'uncertain', failureCode })
    expect(await outcomes(name)).toEqual(['executed_reply_malformed'])
    expect(await fake.provider.lookup(lookupOf(name))).toMatchObject({ type: 'found', state: 'succeeded' })
    expect((await fake.summary()).executed).toBe(1)
  })

  it('error_before_accept: uncertain all the same, received once, and a lookup finds nothing', async () => {
    await script('error_before_accept')
    const outcome = await fake.provider.submit(beneficiary('error-1'))
    expect(outcome).toMatchObject({ type: 'uncertain', failureCode: 'provider_error' })
    expect(await outcomes('error-1')).toEqual(['failed_inside'])
    expect(await fake.provider.lookup(lookupOf('error-1'))).toMatchObject({ type: 'not_found' })
  })

  it('hold: executed once it is released, unless its deadline has passed by then', async () => {
    const held = async (reference: string, validForMs: number) => {
      await warm()
      await script('hold')
      const validUntil = new Date(Date.now() + validForMs)
      const outcome = await fake.provider.submit(beneficiary(reference, { timeoutMs: 300, validUntil }))
      expect(outcome).toMatchObject({ type: 'uncertain', failureCode: 'provider_timeout' })
      await vi.waitFor(async () => expect(await outcomes(reference)).toEqual(['received']), 60_000)
      expect(await fake.control('POST', '/control/release', { client_reference: reference })).toMatchObject({
        body: { released: 1 },
      })
      await vi.waitFor(async () => expect(await outcomes(reference)).not.toEqual(['received']), 60_000)
      return outcomes(reference)
    }
    expect(await held('held-1', 3_600_000)).toEqual(['executed'])
    expect(await held('held-2', -1)).toEqual(['expired'])
    expect(await fake.provider.lookup(lookupOf('held-2'))).toMatchObject({ type: 'not_found' })
  })

  it('settle_later: pending until its time has passed', async () => {
    await script('settle_later', { options: { settle_after_ms: 3_600_000 } })
    expect(await fake.provider.submit(beneficiary('later-1'))).toMatchObject({ type: 'submitted' })
    expect(await fake.provider.lookup(lookupOf('later-1'))).toMatchObject({ type: 'found', state: 'pending' })
    await fake.control('PUT', '/control/clock', { offset_ms: 3_700_000 })
    const first = await fake.provider.lookup(lookupOf('later-1'))
    expect(first).toMatchObject({ type: 'found', state: 'succeeded' })
    expect(await fake.provider.lookup(lookupOf('later-1'))).toEqual(first)
  })

  it('settle_later: pending until asked, and failed where asked so', async () => {
    await script('settle_later', { times: 2 })
    await fake.provider.submit(beneficiary('later-2'))
    await fake.provider.submit(beneficiary('later-3'))
    const reported = { client_reference: 'later-2', as: 'failed', reason: 'account_closed' }
    expect(await fake.control('POST', '/control/settle', reported)).toEqual({ status: 200, body: { settled: 1 } })
    expect(await fake.provider.lookup(lookupOf('later-2'))).toMatchObject({
      state: 'failed',
      failureCode: 'provider_rejected_details',
    })
    expect(await fake.provider.lookup(lookupOf('later-3'))).toMatchObject({ state: 'pending' })
    expect((await fake.control('POST', '/control/settle')).body).toEqual({ settled: 1 })
    expect(await fake.provider.lookup(lookupOf('later-3'))).toMatchObject({ state: 'succeeded' })
  })

  it('never_settle: pending after any time and any order to settle', async () => {
    await script('never_settle')
    expect(await fake.provider.submit(beneficiary('never-1'))).toMatchObject({ type: 'submitted' })
    await fake.control('POST', '/control/settle')
    await fake.control('PUT', '/control/clock', { offset_ms: 1e11 })
    expect(await fake.provider.lookup(lookupOf('never-1'))).toMatchObject({ type: 'found', state: 'pending' })
  })

  it('vanish: accepted, then found by no lookup until it is asked to settle', async () => {
    await script('vanish')
    const outcome = await fake.provider.submit(beneficiary('vanish-1'))
    expect(outcome).toMatchObject({ type: 'submitted' })
    const upstream = outcome.type === 'submitted' ? outcome.upstreamReference : ''
    expect(await fake.provider.lookup(lookupOf('vanish-1', upstream))).toMatchObject({ type: 'not_found' })
    expect((await fake.control('POST', '/control/settle')).body).toEqual({ settled: 1 })
    expect(await fake.provider.lookup(lookupOf('vanish-1', upstream))).toMatchObject({ state: 'succeeded' })
    expect(await outcomes('vanish-1')).toEqual(['executed'])
  })

  for (const contradiction of ['two_records', 'reopened']) {
    it(`contradict (${contradiction}): accepted, then ambiguous`, async () => {
      await script('contradict', { options: { contradiction } })
      expect(await fake.provider.submit(beneficiary(`odd-${contradiction}`))).toMatchObject({ type: 'submitted' })
      expect(await fake.provider.lookup(lookupOf(`odd-${contradiction}`))).toMatchObject({ type: 'ambiguous' })
      expect(await outcomes(`odd-${contradiction}`)).toEqual(['executed'])
    })
  }
})

describe('choosing a script', () => {
  it('matches by reference, by name and by kind, and is used up after its times', async () => {
    await script('refuse', { match: { client_reference: 'chosen-1' } })
    await script('fail', { match: { name: 'Rui Prado' } })
    await script('refuse', { match: { kind: 'card_create' } })
    const named = beneficiary('chosen-2')
    const types = []
    for (const submission of [
      beneficiary('chosen-3'),
      beneficiary('chosen-1'),
      beneficiary('chosen-1'),
      { ...named, payload: { ...named.payload, name: 'Rui Prado' } },
    ]) {
      const outcome = await fake.provider.submit(submission)
      types.push('failureCode' in outcome ? outcome.failureCode : outcome.type)
    }
    expect(types).toEqual(['succeeded', 'provider_refused', 'succeeded', 'provider_rejected_details'])
  })

  it('without times applies until cleared', async () => {
    await fake.control('POST', '/control/faults', { script: 'refuse' })
    expect(await fake.provider.submit(beneficiary('until-1'))).toMatchObject({ type: 'failed' })
    expect(await fake.provider.submit(beneficiary('until-2'))).toMatchObject({ type: 'failed' })
    expect((await fake.control('GET', '/control/faults')).body).toMatchObject({
      faults: [{ script: 'refuse', used: 2 }],
    })
    await fake.control('DELETE', '/control/faults')
    expect(await fake.provider.submit(beneficiary('until-3'))).toMatchObject({ type: 'succeeded' })
  })

  it('an unknown script, option or member is refused with its path', async () => {
    for (const [request, path] of [
      [{ script: 'explode' }, 'script'],
      [{ script: 'slow', options: { delay_ms: -1 } }, 'options.delay_ms'],
      [{ script: 'slow', when: 'now' }, ''],
    ] as const) {
      const { status, body } = await fake.control('POST', '/control/faults', request)
      expect(status).toBe(400)
      expect(body).toMatchObject({ error: { code: 'invalid_request', where: [{ path }] } })
    }
  })
})

it('a read answers in a shape that was never promised where a script says so, a mutation never does', async () => {
  const ask = (kind: string) =>
    fake.control('POST', '/control/faults', { script: 'malform', match: { kind }, times: 1 })
  expect((await ask('transfer')).status).toBe(400)
  expect((await ask('accounts')).status).toBe(201)
  const call = { credentials: beneficiary('any').credentials, timeoutMs: 60_000 }
  const where = 'not the promised answer: data.0.reference'
  expect(await fake.provider.accounts(call)).toEqual({ type: 'contract_broken', reason: where })
  expect(await fake.provider.accounts(call)).toMatchObject({ type: 'ok' })
})

it.each([
  [{ script: 'explode' }, 'there is no fault "explode"; there are refuse, fail, slow, '],
  [
    { script: 'refuse', match: { kind: 'withdrawal' } },
    'there is no kind "withdrawal"; there are payment, beneficiary_create, ',
  ],
  [
    { script: 'decline', match: { kind: 'transfer' } },
    'decline is no fault of transfer, which has refuse, fail, slow, ',
  ],
  [{ script: 'waive' }, 'waive is no fault of every mutation, which has refuse, fail, slow, '],
  [
    { script: 'vanish', match: { kind: 'accounts' } },
    'vanish is no fault of accounts, which has drop_before_accept, refuse, slow, malform',
  ],
])('an order that could never apply is refused with what there is: %j', async (order, message) => {
  const { status, body } = await fake.control('POST', '/control/faults', order)
  expect(status).toBe(400)
  expect(body).toEqual({
    error: {
      code: 'invalid_request',
      where: [{ path: expect.any(String), message: expect.stringMatching(new RegExp(`^${message}`)) }],
    },
  })
})

it('a script of a read that names a test user leaves the others alone', async () => {
  await script('refuse', { match: { kind: 'accounts', name: 'per_amara' } })
  const read = (credentials: string) => fake.provider.accounts({ credentials, timeoutMs: 60_000 })
  expect(await read('test-user-ines-carvalho-lisboa')).toMatchObject({ type: 'ok' })
  expect(await read('test-user-amara-okafor-leeds')).toEqual({ type: 'unavailable', reason: 'provider_refused' })
})

it('whose papers have run out is refused everything but who they are and what became of earlier instructions', async () => {
  await fake.provider.submit(beneficiary('before-1'))
  const identity = (status: string) => fake.control('PUT', '/control/identity', { test_user: 'per_ines', status })
  expect((await identity('expired')).status).toBe(200)
  const call = { credentials: beneficiary('any').credentials, timeoutMs: 60_000 }
  const outcome = await fake.provider.submit(beneficiary('expired-1'))
  expect(outcome).toMatchObject({ type: 'failed', failureCode: 'provider_identity_required' })
  expect(await outcomes('expired-1')).toEqual(['refused'])
  expect(await fake.provider.accounts(call)).toEqual({ type: 'unavailable', reason: 'provider_identity_required' })
  expect(await fake.provider.identityStatus(call)).toMatchObject({ type: 'ok', data: { status: 'expired' } })
  expect(await fake.provider.lookup(lookupOf('before-1'))).toMatchObject({ state: 'succeeded' })
  await identity('verified')
  expect(await fake.provider.accounts(call)).toMatchObject({ type: 'ok' })
})
