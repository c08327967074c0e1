/**
 * Cards through all services with a real OAuth client: their life cycle, their faults, and the page that shows a card
 * number.
 */

import { randomUUID } from 'node:crypto'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { ApiClient, ApiResponse } from '@financial-agents/testkit/client'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { clientOf, pollUntil, providerOf, startTestStack, type TestStack } from '../stack.test-helper.ts'

const scopes = 'cards:read cards:manage operations:read'

let stack: TestStack
let client: ApiClient
let provider: ReturnType<typeof providerOf>

beforeAll(async () => {
  stack = await startTestStack({ enabledCapabilities: ['cards.reveal'] })
  client = await clientOf(stack, 'ines-agent', scopes)
  provider = providerOf(stack)
})
afterEach(() => provider.clearFaults())
afterAll(() => stack.close())

const createCard = (key: string = randomUUID(), label = 'Travel') =>
  client.request('POST', '/v1/cards', { key, body: { label, type: 'virtual', currency: 'EUR' } })

const change = (what: string, id: string, key: string = randomUUID()) =>
  client.request('POST', `/v1/cards/${id}/${what}`, { key })

const read = async (id: string) => (await client.request('GET', `/v1/cards/${id}`)).body

/** Waits until an accepted operation has ended and the card shows the result. */
async function settled(accepted: ApiResponse, state: string): Promise<Record<string, unknown>> {
  expect(accepted.status).toBe(202)
  await pollUntil(client, accepted.body.id, [state])
  const id = accepted.body.resource_id
  await expect.poll(async () => (await read(id)).pending_operation_id).toBeNull()
  expect(await provider.ledger(accepted.body.id)).toHaveLength(1)
  return read(id)
}

/** Creates a card in the state that the change starts from. */
async function cardFor(what: string): Promise<string> {
  const card = await settled(await createCard(), 'succeeded')
  if (what === 'unfreeze') await settled(await change('freeze', card.id as string), 'succeeded')
  return card.id as string
}

test('a card is made, frozen, unfrozen and closed, each by one submission', async () => {
  const created = await createCard()
  expect(created.body).toMatchObject({ kind: 'card_create', resource_type: 'card', submission_uncertain: false })
  const id = created.body.resource_id
  const made = await settled(created, 'succeeded')
  expect(made).toMatchObject({ id, label: 'Travel', type: 'virtual', currency: 'EUR', brand: 'visa', state: 'active' })
  expect(made.last_four).toMatch(/^\d{4}$/)
  for (const [what, state] of [
    ['freeze', 'frozen'],
    ['unfreeze', 'active'],
    ['close', 'closed'],
  ] as const) {
    const accepted = await change(what, id)
    expect(accepted.body).toMatchObject({ kind: `card_${what}`, resource_id: id })
    expect(await settled(accepted, 'succeeded')).toMatchObject({ state, last_four: made.last_four, brand: 'visa' })
  }
  expect((await client.request('GET', '/v1/cards')).body.items[0]).toMatchObject({ id, state: 'closed' })
  expect(await change('freeze', id)).toMatchObject({ status: 409, body: { code: 'card_not_active' } })
  expect(await change('unfreeze', id)).toMatchObject({ status: 409, body: { code: 'card_not_frozen' } })
  expect(await change('close', id)).toMatchObject({ status: 409, body: { code: 'card_already_closed' } })
  const operations = (await client.request('GET', `/v1/operations?resource_id=${id}`)).body.items
  expect(operations.map(({ kind }: { kind: string }) => kind)).toEqual([
    'card_close',
    'card_unfreeze',
    'card_freeze',
    'card_create',
  ])
})

describe.each([
  ['freeze', 'active', 'freezing', 'frozen'],
  ['unfreeze', 'frozen', 'unfreezing', 'active'],
  ['close', 'active', 'closing', 'closed'],
])('%s', (what, from, during, after) => {
  const fault = (script: string, options = {}) =>
    provider.faultOf({ kind: `card_${what}` }, script, { times: 1, options })

  test('a definitive refusal fails it, and the card is as it was', async () => {
    const id = await cardFor(what)
    await fault('refuse')
    const accepted = await change(what, id)
    expect(await settled(accepted, 'failed')).toMatchObject({ state: from })
    const { body } = await client.request('GET', `/v1/operations/${accepted.body.id}`)
    expect(body).toMatchObject({ failure_code: 'provider_refused', submission_uncertain: false })
  })

  test('one that never arrived stays indeterminate; the same change again has to wait', async () => {
    const id = await cardFor(what)
    await fault('drop_before_accept')
    const accepted = await change(what, id)
    await pollUntil(client, accepted.body.id, ['indeterminate'])
    const { body } = await client.request('GET', `/v1/operations/${accepted.body.id}`)
    expect(body).toMatchObject({ state: 'indeterminate', submission_uncertain: true })
    expect(await read(id)).toMatchObject({ state: during, pending_operation_id: accepted.body.id })
    expect(await change(what, id)).toMatchObject({ status: 409, body: { code: 'resource_busy' } })
  })

  test('one that the provider has not settled stays submitted; settled late, it is followed', async () => {
    const id = await cardFor(what)
    await fault('settle_later')
    const accepted = await change(what, id)
    await pollUntil(client, accepted.body.id, ['submitted'])
    expect(await read(id)).toMatchObject({ state: during, pending_operation_id: accepted.body.id })
    await provider.settle(accepted.body.id, 'succeeded')
    expect(await settled(accepted, 'succeeded')).toMatchObject({ state: after })
  })
})

test('a replay is answered with the live operation, although the card would now refuse', async () => {
  const id = await cardFor('close')
  const key = randomUUID()
  const accepted = await change('close', id, key)
  await settled(accepted, 'succeeded')
  const replayed = await change('close', id, key)
  expect(replayed).toMatchObject({ status: 202, body: { id: accepted.body.id, state: 'succeeded' } })
  expect(replayed.headers.get('Idempotent-Replayed')).toBe('true')
})

describe('while an earlier change is lost', () => {
  const lose = (kind: string, script = 'drop_before_accept') =>
    provider.faultOf({ kind: `card_${kind}` }, script, { times: 1 })
  const stateOf = async ({ body }: ApiResponse) =>
    (await client.request('GET', `/v1/operations/${body.id}`)).body.state as string
  const shows = (id: string, state: string) => expect.poll(async () => (await read(id)).state).toBe(state)

  test.each(['freeze', 'unfreeze'])('a card is closed although a %s never arrived, and stays closed', async (what) => {
    const id = await cardFor(what)
    await lose(what)
    const lost = await change(what, id)
    await pollUntil(client, lost.body.id, ['indeterminate'])
    const closing = await change('close', id)
    expect(await settled(closing, 'succeeded')).toMatchObject({ state: 'closed' })
    expect(await stateOf(lost)).toBe('indeterminate')
    expect(await change('freeze', id)).toMatchObject({ status: 409, body: { code: 'card_not_active' } })
  })

  test('a card is closed although both an unfreeze and a freeze never arrived', async () => {
    const id = await cardFor('unfreeze')
    for (const what of ['unfreeze', 'freeze']) {
      await lose(what)
      await pollUntil(client, (await change(what, id)).body.id, ['indeterminate'])
    }
    const closing = await change('close', id)
    expect(await settled(closing, 'succeeded')).toMatchObject({ state: 'closed' })
  })

  test('a card is frozen at the provider although an unfreeze never arrived, and is not shown as frozen', async () => {
    const id = await cardFor('unfreeze')
    await lose('unfreeze')
    const lost = await change('unfreeze', id)
    await pollUntil(client, lost.body.id, ['indeterminate'])
    await lose('freeze', 'settle_later')
    const freezing = await change('freeze', id)
    expect(freezing.status).toBe(202)
    expect(await change('freeze', id)).toMatchObject({ status: 409, body: { code: 'resource_busy' } })
    await pollUntil(client, freezing.body.id, ['submitted'])
    await provider.settle(freezing.body.id, 'succeeded')
    await pollUntil(client, freezing.body.id, ['succeeded'])
    await shows(id, 'unfreezing')
    expect(await read(id)).toMatchObject({ pending_operation_id: lost.body.id })
    expect((await client.request('POST', `/v1/cards/${id}/reveals`)).body.code).toBe('card_not_active')
    expect(await provider.ledger(freezing.body.id)).toMatchObject([{ outcome: 'executed' }])
  })

  test.each([
    ['before', 'frozen'],
    ['after', 'active'],
  ])('an unfreeze that the provider settled %s the freeze leaves the card %s', async (when, state) => {
    const id = await cardFor('unfreeze')
    await lose('unfreeze', 'settle_later')
    const unfreezing = await change('unfreeze', id)
    await pollUntil(client, unfreezing.body.id, ['submitted'])
    if (when === 'before') await lose('freeze', 'settle_later')
    const freezing = await change('freeze', id)
    await pollUntil(client, freezing.body.id, [when === 'before' ? 'submitted' : 'succeeded'])
    await provider.settle(unfreezing.body.id, 'succeeded')
    await pollUntil(client, unfreezing.body.id, ['succeeded'])
    if (when === 'before') await provider.settle(freezing.body.id, 'succeeded')
    expect(await settled(when === 'before' ? freezing : unfreezing, 'succeeded')).toMatchObject({ state })
  })
})

describe('making a card', () => {
  const fault = (script: string, options = {}) =>
    provider.faultOf({ kind: 'card_create' }, script, { times: 1, options })

  test.each([
    ['refuse', 'provider_refused'],
    ['fail', 'provider_rejected_details'],
  ])('%s fails the card', async (script, failure_code) => {
    await fault(script)
    const accepted = await createCard()
    expect(await settled(accepted, 'failed')).toMatchObject({ state: 'failed', brand: null, last_four: null })
    expect((await client.request('GET', `/v1/operations/${accepted.body.id}`)).body).toMatchObject({ failure_code })
  })

  test.each([
    ['accept_drop_reply', {}],
    ['settle_later', { settle_after_ms: 300 }],
  ])('%s: a read proves it, and brings brand and last four', async (script, options) => {
    await fault(script, options)
    const made = await settled(await createCard(), 'succeeded')
    expect(made).toMatchObject({ state: 'active', brand: 'visa', last_four: expect.stringMatching(/^\d{4}$/) })
  })

  test('one that never arrived stays indeterminate and pending, and cannot be used', async () => {
    await fault('drop_before_accept')
    const accepted = await createCard()
    await pollUntil(client, accepted.body.id, ['indeterminate'])
    const id = accepted.body.resource_id
    expect(await read(id)).toMatchObject({ state: 'pending', pending_operation_id: accepted.body.id })
    expect((await change('freeze', id)).status).toBe(409)
    expect((await client.request('POST', `/v1/cards/${id}/reveals`)).body.code).toBe('card_not_active')
  })
})

test('cards are the owner’s: another owner finds none of them, and changes none', async () => {
  const id = await cardFor('freeze')
  const amara = await clientOf(stack, 'amara-agent', scopes)
  for (const [method, path] of [
    ['GET', `/v1/cards/${id}`],
    ['POST', `/v1/cards/${id}/close`],
    ['POST', `/v1/cards/${id}/reveals`],
  ] as const) {
    const key = path.endsWith('close') ? { key: randomUUID() } : {}
    expect(await amara.request(method, path, key)).toMatchObject({ status: 404, body: { code: 'card_not_found' } })
  }
  expect((await amara.request('GET', '/v1/cards')).body.items).toEqual([])
})

test('a reveal leads to a page that shows the number of this card to its person alone; its address reaches no log', async () => {
  const id = await cardFor('freeze')
  const reveal = await client.request('POST', `/v1/cards/${id}/reveals`)
  expect(reveal.status).toBe(201)
  const { url } = reveal.body.action_required
  expect(reveal.body).toMatchObject({ card_id: id, action_required: { kind: 'card_reveal', poll_after_ms: null } })
  const { last_four } = await read(id)
  const inFull = new RegExp(`\\d{12}${last_four}`)
  const wordsOf = async (response: Response) => (await response.text()).replaceAll(/\s/g, '')
  // The address alone shows nothing, for example to the application.
  expect(await wordsOf(await fetch(url))).not.toMatch(inFull)
  const signIn = () => fetch(url, { method: 'POST', body: new URLSearchParams({ test_user: 'per_ines' }) })
  expect(await wordsOf(await signIn())).toMatch(inFull)
  expect((await signIn()).status).toBe(410)
  const token = new URL(url).pathname.split('/').at(-1) as string
  const logs = globSync('logs/*.log', { cwd: stack.folder }).filter((file) => !file.includes('fake-provider'))
  expect(logs.length).toBeGreaterThan(5)
  for (const file of logs) expect(readFileSync(join(stack.folder, file), 'utf8'), file).not.toContain(token)

  const freeze = await change('freeze', id)
  await settled(freeze, 'succeeded')
  const frozen = await client.request('POST', `/v1/cards/${id}/reveals`)
  expect(frozen).toMatchObject({ status: 409, body: { code: 'card_not_active' } })
})
