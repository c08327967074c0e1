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
  reference: 'cac_1',
  client_reference: 'ours',
  status: 'succeeded',
  settled_at: '2026-01-02T03:04:05.000Z',
  failure_code: null,
}
const pending = { ...done, status: 'pending', settled_at: null }
const failed = { ...done, status: 'failed', failure_code: 'card_lost' }
const on = (state: string, actions: unknown[], reference = 'crd_1') => ({ reference, state, actions })
const listed = (...data: unknown[]) => ({ data, has_more: false })
const target = { upstreamReference: 'crd_1' }

describe('an action', () => {
  const rows: [name: string, kind: OperationKind, body: unknown, expected: object, changes?: object][] = [
    ['of ours, final', 'card_freeze', listed(on('frozen', [done])), { type: 'found', state: 'succeeded' }],
    ['of ours, pending', 'card_freeze', listed(on('active', [pending])), { type: 'found', state: 'pending' }],
    [
      'of ours that failed, although the card is closed',
      'card_close',
      listed(on('closed', [failed])),
      { type: 'found', state: 'failed', failureCode: 'provider_refused' },
    ],
    ['twice on one card', 'card_freeze', listed(on('frozen', [done, done])), { type: 'ambiguous' }],
    ['on two cards', 'card_freeze', listed(on('frozen', [done]), on('frozen', [done], 'crd_2')), { type: 'ambiguous' }],
    [
      'of somebody else',
      'card_freeze',
      listed(on('frozen', [{ ...done, client_reference: 'x' }])),
      { type: 'ambiguous' },
    ],
    [
      'other than the one acknowledged',
      'card_freeze',
      listed(on('frozen', [done])),
      { type: 'ambiguous' },
      { upstreamReference: 'cac_2' },
    ],
    [
      'that went back',
      'card_freeze',
      listed(on('active', [{ ...pending, settled_at: done.settled_at }])),
      { type: 'ambiguous' },
    ],
    ['not there, the card as wished', 'card_freeze', listed(on('frozen', [])), { type: 'not_found' }, { target }],
    [
      'not there, the card as an unfreeze beside it left it',
      'card_freeze',
      listed(on('active', [])),
      { type: 'not_found' },
      { target },
    ],
    [
      'not there, the card as a freeze beside it left it',
      'card_unfreeze',
      listed(on('frozen', [])),
      { type: 'not_found' },
      { target },
    ],
    [
      'not there, the card closed by another',
      'card_freeze',
      listed(on('closed', [])),
      { type: 'not_found' },
      { target },
    ],
    ['not there, the card as it was', 'card_close', listed(on('active', [])), { type: 'not_found' }, { target }],
    [
      'not there, the card in a state that nothing leaves',
      'card_close',
      listed(on('closed', [])),
      { type: 'found', state: 'succeeded', upstreamReference: 'crd_1' },
      { target },
    ],
    [
      'not there, another card in such a state',
      'card_close',
      listed(on('closed', [], 'crd_2')),
      { type: 'not_found' },
      { target },
    ],
    ['not there, and the mandate revoked', 'mandate_revoke', listed(on('revoked', [])), { type: 'found' }, { target }],
    [
      'not there, and the mandate revoked',
      'mandate_suspend',
      listed(on('revoked', [])),
      { type: 'not_found' },
      { target },
    ],
    ['not there, and the connection revoked', 'transfer_grant_revoke', listed(on('revoked', [])), { type: 'found' }],
    ['not there, and the connection active', 'transfer_grant_revoke', listed(on('active', [])), { type: 'not_found' }],
    ['not there at all', 'card_close', listed(), { type: 'not_found' }, { target }],
    [
      'not there, in a list that goes on',
      'card_close',
      { data: [on('closed', [])], has_more: true },
      { type: 'unavailable' },
    ],
    ['in no list', 'card_close', { data: [done], has_more: false }, { type: 'unavailable' }],
  ]
  it.each(rows)('%s (%s)', async (_name, kind, body, expected, changes) => {
    const { result } = await look(kind, body, changes)
    expect(result).toMatchObject(expected)
    expect('failureCode' in result).toBe(result.type === 'found' && result.state === 'failed')
  })
})

describe('a card', () => {
  const made = { ...done, reference: 'crd_1', brand: 'visa', last_four: '4021', state: 'active' }
  it('that is made comes with its facts', async () => {
    const { result } = await look('card_create', listed(made))
    expect(result).toMatchObject({ type: 'found', resource: { brand: 'visa', last_four: '4021' } })
    expect(JSON.stringify('observed' in result && result.observed)).not.toContain('4021')
  })
  it('without a face contradicts itself, and one with a whole number is no answer', async () => {
    expect((await look('card_create', listed({ ...made, brand: undefined }))).result).toMatchObject({
      type: 'ambiguous',
    })
    const whole = { ...made, last_four: '4000007710004021' }
    expect((await look('card_create', listed(whole))).result).toMatchObject({ type: 'unavailable' })
  })
})

describe('a freeze and an unfreeze, which may cross', () => {
  it.each(['card_freeze', 'card_unfreeze'] as const)(
    'a %s says when the provider made it, by its own clock',
    async (kind) => {
      const { result } = await look(kind, listed(on('frozen', [{ ...done, settled_at: '2026-01-02T03:04:05Z' }])))
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
    '/provider/v1/transfers?client_reference=ours&reference=trf_1',
    '/provider/v1/cards?action_client_reference=ours&action_reference=cac_1',
    '/provider/v1/cards?action_client_reference=ours&reference=crd_1',
    '/provider/v1/mandates?action_client_reference=a+b%26c',
  ])
})

it('equal facts give equal evidence, and another state of the card other evidence', async () => {
  const [one, other] = [on('active', [pending]), on('active', [], 'crd_2')]
  const texts = await Promise.all(
    [listed(one, other), listed(other, { ...one, title: 'Ada' }), listed({ ...one, state: 'frozen' }, other)].map(
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
