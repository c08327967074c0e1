/**
 * Cards over HTTP with the real adapter: the state machine, the cards that each test user may have, and the page with a
 * number.
 */

import { randomUUID } from 'node:crypto'
import type { OperationKind } from '@financial-agents/contract/kinds'
import { amara, daniel, tomasz } from '@financial-agents/provider-http/testing/test-users'
import type { SubmissionTarget } from '@financial-agents/provider-port/port'
import { make, payloads, submission } from '@financial-agents/provider-port/testing/submissions'
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

const newCard = (): Promise<SubmissionTarget> => make(fake.provider, submission('card_create', { credentials: amara }))
const act = (kind: OperationKind, target: SubmissionTarget) =>
  fake.provider.submit(submission(kind, { credentials: amara, target }))
const reveal = (card: SubmissionTarget, reference: string = randomUUID()) =>
  fake.provider.startCardReveal({ credentials: amara, timeoutMs: 60_000, reference, card })

async function stateOf({ upstreamReference }: SubmissionTarget): Promise<unknown> {
  const response = await fetch(`${fake.baseUrl}/provider/v1/cards?reference=${upstreamReference}`, {
    headers: { authorization: `Bearer ${amara}` },
  })
  return ((await response.json()) as { data: { state: string }[] }).data[0]?.state
}

const refusedFor = (reason: string) => ({ type: 'failed', failureDetail: `The provider refused it (${reason}).` })

// Written by hand, never from the table under test. null is a refusal.
const oracle: [from: string, to: Record<'card_freeze' | 'card_unfreeze' | 'card_close', string | null>][] = [
  ['active', { card_freeze: 'frozen', card_unfreeze: 'active', card_close: 'closed' }],
  ['frozen', { card_freeze: 'frozen', card_unfreeze: 'active', card_close: 'closed' }],
  ['closed', { card_freeze: null, card_unfreeze: null, card_close: 'closed' }],
]
const waysTo: Record<string, OperationKind[]> = { active: [], frozen: ['card_freeze'], closed: ['card_close'] }

for (const [from, ways] of oracle) {
  for (const [kind, to] of Object.entries(ways)) {
    it(`a card that is ${from}: ${kind} ${to === null ? 'is refused' : `makes it ${to}`}`, async () => {
      const card = await newCard()
      for (const way of waysTo[from] ?? []) await act(way, card)
      expect(await stateOf(card)).toBe(from)
      const outcome = await act(kind as OperationKind, card)
      expect(outcome).toMatchObject(to === null ? refusedFor(`card_${from}`) : { type: 'succeeded' })
      expect(await stateOf(card)).toBe(to ?? from)
    })
  }
}

it('a card that is not made yet, or was not made after all, takes no action', async () => {
  for (const [as, state] of [
    [null, 'pending'],
    ['failed', 'failed'],
    ['succeeded', 'active'],
  ] as const) {
    await fake.control('POST', '/control/faults', { script: 'settle_later', times: 1 })
    const outcome = await fake.provider.submit(submission('card_create', { credentials: amara }))
    const card = { upstreamReference: outcome.type === 'submitted' ? outcome.upstreamReference : '' }
    if (as !== null) await fake.control('POST', '/control/settle', { as })
    expect(await stateOf(card)).toBe(state)
    const refusal = state === 'active' ? { type: 'succeeded' } : refusedFor(`card_${state}`)
    expect(await act('card_freeze', card)).toMatchObject(refusal)
    await fake.control('POST', '/control/settle')
  }
})

it('an action that never becomes final changes nothing, and one that fails changes nothing', async () => {
  const card = await newCard()
  for (const script of ['never_settle', 'settle_later']) {
    await fake.control('POST', '/control/faults', { script, times: 1 })
    expect(await act('card_freeze', card)).toMatchObject({ type: 'submitted' })
    await fake.control('POST', '/control/settle', { as: 'failed' })
    expect(await stateOf(card)).toBe('active')
  }
})

it('two actions take effect in the order in which they became final, and each says when that was', async () => {
  const card = await newCard()
  await act('card_freeze', card)
  await fake.control('POST', '/control/faults', {
    script: 'settle_later',
    times: 1,
    options: { settle_after_ms: 60_000 },
  })
  const unfreeze = submission('card_unfreeze', { credentials: amara, target: card })
  expect(await fake.provider.submit(unfreeze)).toMatchObject({ type: 'submitted' })
  const frozen = await act('card_freeze', card)
  await fake.control('PUT', '/control/clock', { offset_ms: 120_000 })
  expect(await stateOf(card)).toBe('active')
  const read = await fake.provider.lookup({ ...unfreeze, upstreamReference: null })
  const timeOf = (result: object) => (result as { resource: { changed_at: string } }).resource.changed_at
  expect(timeOf(read) > timeOf(frozen)).toBe(true)
})

it('an action that arrives twice under one reference is executed twice, shown in the summary, and ambiguous', async () => {
  const twice = submission('card_freeze', { credentials: amara, target: await newCard() })
  await fake.provider.submit(twice)
  await fake.provider.submit(twice)
  expect((await fake.summary()).repeated).toEqual([{ client_reference: twice.reference, count: 2 }])
  expect((await fake.ledger(twice.reference)).map(({ outcome }) => outcome)).toEqual(['executed', 'executed'])
  expect(await fake.provider.lookup({ ...twice, upstreamReference: null })).toMatchObject({ type: 'ambiguous' })
})

it('each test user has cards of another brand, of the forms and currencies offered, and so many', async () => {
  const create = (credentials: string, changes: object = {}) =>
    fake.provider.submit(submission('card_create', { credentials, payload: { ...payloads.card_create, ...changes } }))
  expect(await create(amara)).toMatchObject({ resource: { brand: 'mastercard', last_four: expect.any(String) } })
  expect(await create(daniel, { currency: 'USD' })).toMatchObject({ resource: { brand: 'visa' } })
  expect(await create(daniel)).toMatchObject(refusedFor('currency_not_offered'))
  expect(await create(daniel, { currency: 'USD', type: 'physical' })).toMatchObject(refusedFor('card_type_not_offered'))
  const only = await create(tomasz)
  expect(only).toMatchObject({ type: 'succeeded' })
  expect(await create(tomasz)).toMatchObject(refusedFor('too_many_cards'))
  const target = { upstreamReference: only.type === 'succeeded' ? only.upstreamReference : '' }
  await fake.provider.submit(submission('card_close', { credentials: tomasz, target }))
  expect(await create(tomasz)).toMatchObject({ type: 'succeeded' })
})

it('a card of somebody else is unknown', async () => {
  const card = await newCard()
  const submitted = await fake.provider.submit(submission('card_freeze', { credentials: daniel, target: card }))
  expect(submitted).toMatchObject(refusedFor('unknown_card'))
})

it('the whole number is shown to its person once, within two minutes, and to no plain request; nor does the adapter return it', async () => {
  const created = await fake.provider.submit(submission('card_create', { credentials: amara }))
  const card = { upstreamReference: created.type === 'succeeded' ? created.upstreamReference : '' }
  const started = await reveal(card)
  const page = started.type === 'started' ? started.hostedUrl : ''
  const signInAs = (testUser: string) =>
    fetch(page, { method: 'POST', body: new URLSearchParams({ test_user: testUser }) })
  const inFull = /(?:\d{4} ){3}(\d{4})/
  for (const [asked, status] of [
    [await fetch(page), 200],
    [await fetch(page, { method: 'POST' }), 403],
    [await signInAs('per_daniel'), 403],
  ] as const) {
    expect(asked.status).toBe(status)
    expect(await asked.text()).not.toMatch(inFull)
  }
  const shown = await signInAs('per_amara')
  const number = inFull.exec(await shown.text())
  expect(shown.status).toBe(200)
  for (const again of [await fetch(page), await signInAs('per_amara')]) expect(again.status).toBe(410)
  expect(shown.headers.get('cache-control')).toBe('no-store')
  expect(shown.headers.get('content-security-policy')).toContain("form-action 'none'")
  expect(created).toMatchObject({ resource: { last_four: number?.[1] } })
  expect(JSON.stringify([created, started])).not.toContain(number?.[0].replaceAll(' ', ''))
  const late = await reveal(card)
  await fake.control('PUT', '/control/clock', { offset_ms: 2 * 60_000 })
  expect((await fetch(late.type === 'started' ? late.hostedUrl : '')).status).toBe(410)
  expect((await fetch(`${fake.baseUrl}/hosted/card-reveals/nobodys`)).status).toBe(404)
})

it('a look at a card is one for its reference, for no other card, and not once the card is closed', async () => {
  const [card, other] = [await newCard(), await newCard()]
  expect(await reveal(card, 'look')).toEqual(await reveal(card, 'look'))
  expect(await reveal(other, 'look')).toMatchObject({ type: 'refused', failureCode: 'provider_refused' })
  await act('card_freeze', card)
  expect(await reveal(card)).toMatchObject({ type: 'started' })
  await act('card_close', card)
  expect(await reveal(card)).toMatchObject({ type: 'refused' })
})

it.each([
  ['refuse', { type: 'refused', failureCode: 'provider_refused' }],
  ['fail', { type: 'refused', failureCode: 'provider_rejected_details' }],
  ['drop_before_accept', { type: 'unavailable', reason: 'provider_connection_lost' }],
  ['accept_drop_reply', { type: 'unavailable', reason: 'provider_connection_lost' }],
])('a look at a card, %s', async (script, expected) => {
  const card = await newCard()
  await fake.control('POST', '/control/faults', { script, match: { kind: 'card_reveal' }, times: 1 })
  expect(await reveal(card)).toMatchObject(expected)
})

it('a look at a card that expires at once shows nothing', async () => {
  await fake.control('POST', '/control/faults', { script: 'expire', match: { kind: 'card_reveal' }, times: 1 })
  const started = await reveal(await newCard())
  expect((await fetch(started.type === 'started' ? started.hostedUrl : '')).status).toBe(410)
})
