/** The conclusion from lookups of resources that actions change, and of cards. adapter.test.ts has the other kinds. */

import type { OperationKind } from '@financial-agents/contract/kinds'
import type { LookupRequest } from '@financial-agents/provider-port/port'
import { afterEach, describe, expect, it } from 'vitest'
import { createHttpAdapter } from './adapter.ts'
import { answer, startRawServer } from './raw-server.test-helper.ts'

const closing: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0)) await close()
})

async function look(kind: OperationKind, body: unknown, changes: Partial<LookupRequest> = {}) {
  const server = await startRawServer((socket) => socket.write(answer(200, body)))
  const provider = createHttpAdapter({
    baseUrl: `http://127.0.0.1:${server.port}`,
    connections: 1,
    connectTimeoutMs: 10_000,
  })
  closing.push(
    () => provider.close(),
    () => server.close(),
  )
  const asked = { kind, reference: 'ours', credentials: 'x', timeoutMs: 60_000, upstreamReference: null, ...changes }
  return { result: await provider.lookup(asked), path: server.requests[0]?.split(' ')[1] }
}

const done = {
  provider_ref: 'cac_1',
  client_reference: 'ours',
  status: 'active',
  settled_at: '2026-01-02T03:04:05.000Z',
  failure_reason: null,
}
const pending = { ...done, status: 'pending', settled_at: null }
const failed = { ...done, status: 'failed', failure_reason: 'card_lost' }
const on = (state: string, actions: unknown[], provider_ref = 'crd_1') => ({ provider_ref, state, actions })
const listed = (...results: unknown[]) => ({ results, more: false })
const target = { upstreamReference: 'crd_1' }

describe('an action', () => {
  const rows: [name: string, kind: OperationKind, body: unknown, expected: object, changes?: object][] = [
    ['of ours, final', 'card_freeze', listed(on('paused', [done])), { type: 'found', state: 'succeeded' }],
    ['of ours, pending', 'card_freeze', listed(on('live', [pending])), { type: 'found', state: 'pending' }],
    [
      'of ours that failed, although the card is closed',
      'card_close',
      listed(on('ended', [failed])),
      { type: 'found', state: 'failed', failureCode: 'provider_refused' },
    ],
    ['twice on one card', 'card_freeze', listed(on('paused', [done, done])), { type: 'ambiguous' }],
    ['on two cards', 'card_freeze', listed(on('paused', [done]), on('paused', [done], 'crd_2')), { type: 'ambiguous' }],
    [
      'of somebody else',
      'card_freeze',
      listed(on('paused', [{ ...done, client_reference: 'x' }])),
      { type: 'ambiguous' },
    ],
    [
      'other than the one acknowledged',
      'card_freeze',
      listed(on('paused', [done])),
      { type: 'ambiguous' },
      { upstreamReference: 'cac_2' },
    ],
    [
      'that went back',
      'card_freeze',
      listed(on('live', [{ ...pending, settled_at: done.settled_at }])),
      { type: 'ambiguous' },
    ],
    ['not there, the card as wished', 'card_freeze', listed(on('paused', [])), { type: 'not_found' }, { target }],
    [
      'not there, the card as an unfreeze beside it left it',
      'card_freeze',
      listed(on('live', [])),
      { type: 'not_found' },
      { target },
    ],
    [
      'not there, the card as a freeze beside it left it',
      'card_unfreeze',
      listed(on('paused', [])),
      { type: 'not_found' },
      { target },
    ],
    [
      'not there, the card closed by another',
      'card_freeze',
      listed(on('ended', [])),
      { type: 'not_found' },
      { target },
    ],
    ['not there, the card as it was', 'card_close', listed(on('live', [])), { type: 'not_found' }, { target }],
    [
      'not there, the card in a state that nothing leaves',
      'card_close',
      listed(on('ended', [])),
      { type: 'found', state: 'succeeded', upstreamReference: 'crd_1' },
      { target },
    ],
    [
      'not there, another card in such a state',
      'card_close',
      listed(on('ended', [], 'crd_2')),
      { type: 'not_found' },
      { target },
    ],
    [
      'not there, and the grant withdrawn',
      'mandate_revoke',
      listed(on('withdrawn', [])),
      { type: 'found' },
      { target },
    ],
    [
      'not there, and the grant withdrawn',
      'mandate_suspend',
      listed(on('withdrawn', [])),
      { type: 'not_found' },
      { target },
    ],
    [
      'not there, and the connection withdrawn',
      'transfer_grant_revoke',
      listed(on('withdrawn', [])),
      { type: 'found' },
    ],
    ['not there, and the connection open', 'transfer_grant_revoke', listed(on('open', [])), { type: 'not_found' }],
    ['not there at all', 'card_close', listed(), { type: 'not_found' }, { target }],
    [
      'not there, in a list that goes on',
      'card_close',
      { results: [on('ended', [])], more: true },
      { type: 'unavailable' },
    ],
    ['in no list', 'card_close', { results: [done], more: false }, { type: 'unavailable' }],
  ]
  it.each(rows)('%s (%s)', async (_name, kind, body, expected, changes) => {
    const { result } = await look(kind, body, changes)
    expect(result).toMatchObject(expected)
    expect('failureCode' in result).toBe(result.type === 'found' && result.state === 'failed')
  })
})

describe('a card', () => {
  const made = { ...done, provider_ref: 'crd_1', brand: 'visa', number_tail: '4021', state: 'live' }
  it('that is made comes with its facts', async () => {
    const { result } = await look('card_create', listed(made))
    expect(result).toMatchObject({ type: 'found', resource: { brand: 'visa', last_four: '4021' } })
    expect(JSON.stringify('observed' in result && result.observed)).not.toContain('4021')
  })
  it('without a face contradicts itself, and one with a whole number is no answer', async () => {
    expect((await look('card_create', listed({ ...made, brand: undefined }))).result).toMatchObject({
      type: 'ambiguous',
    })
    const whole = { ...made, number_tail: '4000007710004021' }
    expect((await look('card_create', listed(whole))).result).toMatchObject({ type: 'unavailable' })
  })
})

describe('a freeze and an unfreeze, which may cross', () => {
  it.each(['card_freeze', 'card_unfreeze'] as const)(
    'a %s says when the provider made it, by its own clock',
    async (kind) => {
      const { result } = await look(kind, listed(on('paused', [{ ...done, settled_at: '2026-01-02T03:04:05Z' }])))
      expect(result).toMatchObject({ state: 'succeeded', resource: { changed_at: '2026-01-02T03:04:05.000Z' } })
    },
  )
})

it('asks by our reference, and by the provider’s own where it is known', async () => {
  const paths = [
    await look('transfer', listed()),
    await look('transfer', listed(), { upstreamReference: 'trf_1' }),
    await look('card_close', listed(), { upstreamReference: 'cac_1' }),
    await look('card_close', listed(), { target }),
    await look('mandate_revoke', listed(), { reference: 'a b&c' }),
  ]
  expect(paths.map(({ path }) => path)).toEqual([
    '/provider/v1/transfers?client_reference=ours',
    '/provider/v1/transfers?client_reference=ours&provider_ref=trf_1',
    '/provider/v1/cards?action_reference=ours&action_ref=cac_1',
    '/provider/v1/cards?action_reference=ours&provider_ref=crd_1',
    '/provider/v1/grants?action_reference=a+b%26c',
  ])
})

it('equal facts give equal evidence, and another state of the card other evidence', async () => {
  const [one, other] = [on('live', [pending]), on('live', [], 'crd_2')]
  const texts = await Promise.all(
    [listed(one, other), listed(other, { ...one, title: 'Ada' }), listed({ ...one, state: 'paused' }, other)].map(
      async (body) => {
        const { result } = await look('card_freeze', body)
        return 'observed' in result ? result.observed : ''
      },
    ),
  )
  expect(texts[0]).toBe(texts[1])
  expect(texts[0]).not.toBe(texts[2])
  expect(texts.join('')).not.toContain('Ada')
})
