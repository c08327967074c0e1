import type { Principal } from '@financial-agents/contract/principal'
import { statement } from '@financial-agents/postgres/database'
import { dataOf, newPrincipal, problemOf } from '@financial-agents/testkit/test-service'
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { eventually, startStack } from '../started.test-helper.ts'

const stack = await startStack()
const disabled = await startStack({ capabilities: [] })
afterAll(async () => {
  await stack.stop()
  await disabled.stop()
})
afterEach(() => stack.provider.ask('DELETE', '/control/faults'))

let shown: Awaited<ReturnType<typeof cardAtProvider>>
beforeAll(async () => {
  shown = await cardAtProvider()
})

/** A card that really exists at the provider, under the same reference. */
async function cardAtProvider(principal: Principal = newPrincipal()) {
  const call = {
    credentials: 'test-user-ines-carvalho-lisboa',
    timeoutMs: 60_000,
    validUntil: new Date(Date.now() + 3_600_000),
  }
  const payload = { label: null, type: 'virtual', currency: 'EUR' }
  const made = await stack.adapter.submit({ ...call, kind: 'card_create', payload, reference: crypto.randomUUID() })
  if (made.type !== 'succeeded') throw new Error(`the provider made no card: ${made.type}`)
  return stack.activeCard(made.upstreamReference, principal)
}

type Reveal = { id: string; card_id: string; expires_at: string; action_required: { url: string } }

const sessionsOf = (owner: string) =>
  stack.db.rows<{ id: string; card_id: string; client_id: string; expires_at: Date | null }>(
    statement('test_sessions', 'SELECT id, card_id, client_id, expires_at FROM reveal_sessions WHERE owner_id = $1'),
    [owner],
  )

const fault = (script: string, options: Record<string, unknown> = {}) =>
  stack.provider.ask('POST', '/control/faults', { script, match: { kind: 'card_reveal' }, options })

test('a reveal is the address of the provider’s page, which shows the number of this very card', async () => {
  const { principal, id } = shown
  const reveal = dataOf(await stack.reveal(principal, id)) as Reveal
  const { url } = reveal.action_required
  expect(reveal).toEqual({
    id: expect.stringMatching(/^[0-9a-f-]{14}7/),
    card_id: id,
    expires_at: expect.any(String),
    action_required: { kind: 'card_reveal', url, expires_at: reveal.expires_at, poll_after_ms: null },
  })
  const asPerson = { method: 'POST', body: new URLSearchParams({ test_user: 'per_ines' }) }
  expect(await (await fetch(url, asPerson)).text()).toMatch(/\d{4} \d{4} \d{4} \d{4}/)
  const sessions = await sessionsOf(principal.owner_id)
  const { client_id } = principal
  expect(sessions).toEqual([{ id: reveal.id, card_id: id, client_id, expires_at: new Date(reveal.expires_at) }])
})

test('each request is a visit of its own', async () => {
  const { principal, id } = await cardAtProvider()
  const [one, two] = [await stack.reveal(principal, id), await stack.reveal(principal, id)].map(
    (reply) => dataOf(reply) as Reveal,
  )
  expect(one?.action_required.url).not.toBe(two?.action_required.url)
  expect(await sessionsOf(principal.owner_id)).toHaveLength(2)
})

test('the address is in no log and no table', async () => {
  const { principal, id } = shown
  const reveal = dataOf(await stack.reveal(principal, id)) as Reveal
  const token = new URL(reveal.action_required.url).pathname.split('/').at(-1) ?? ''
  expect(token.length).toBeGreaterThan(16)
  expect(stack.logLines.join('')).not.toContain(token)
  const tables = await stack.db.rows(
    statement(
      'test_tables',
      `SELECT to_jsonb(r)::text AS row FROM reveal_sessions r UNION ALL SELECT to_jsonb(c)::text FROM cards c
       UNION ALL SELECT to_jsonb(w)::text FROM writes w`,
    ),
  )
  expect(JSON.stringify(tables)).not.toContain(token)
})

test('without the capability it is refused before anything is looked at or written', async () => {
  const principal = newPrincipal()
  const refused = problemOf(await disabled.reveal(principal, 'no-card'))
  expect(refused.code).toBe('capability_unavailable')
  const { id, principal: owner } = await disabled.activeCard()
  expect(problemOf(await disabled.reveal(owner, id)).code).toBe('capability_unavailable')
  expect(await disabled.db.rows(statement('test_none', 'SELECT FROM reveal_sessions'))).toEqual([])
})

test('a card of another owner is not found, and nothing is written', async () => {
  const stranger = newPrincipal()
  expect(problemOf(await stack.reveal(stranger, shown.id)).code).toBe('card_not_found')
  expect(await sessionsOf(stranger.owner_id)).toEqual([])
})

test('only an active card is shown: not a pending, a frozen or a closed one, nor one that is changing', async () => {
  const principal = newPrincipal()
  const pending = dataOf(await stack.create(principal)).resource_id
  expect(problemOf(await stack.reveal(principal, pending)).code).toBe('card_not_active')
  const { id } = await cardAtProvider(principal)
  const freeze = dataOf(await stack.change('freeze', principal, id))
  expect(problemOf(await stack.reveal(principal, id)).code).toBe('card_not_active')
  await stack.settle(principal, freeze, 'succeeded')
  expect(problemOf(await stack.reveal(principal, id)).code).toBe('card_not_active')
  await stack.changeTo('close', principal, id)
  expect(problemOf(await stack.reveal(principal, id)).code).toBe('card_not_active')
  expect(await sessionsOf(principal.owner_id)).toEqual([])
})

test.each(['refuse', 'fail'])(
  'what the provider will not show (%s) is refused, and the session stays without a page',
  async (script) => {
    const { principal, id } = await cardAtProvider()
    await fault(script)
    expect(problemOf(await stack.reveal(principal, id)).code).toBe('card_reveal_refused')
    expect(await sessionsOf(principal.owner_id)).toMatchObject([{ expires_at: null }])
  },
)

test('a card that the provider does not know is refused', async () => {
  const { principal, id } = await stack.activeCard('card_unknown')
  expect(problemOf(await stack.reveal(principal, id)).code).toBe('card_reveal_refused')
})

test.each(['drop_before_accept', 'accept_drop_reply'])(
  'a provider that gives no answer (%s) is unavailable, and asked anew by the next request',
  async (script) => {
    const { principal, id } = await cardAtProvider()
    await fault(script)
    expect(problemOf(await stack.reveal(principal, id)).code).toBe('provider_unavailable')
    await stack.provider.ask('DELETE', '/control/faults')
    dataOf(await stack.reveal(principal, id))
  },
)

test('a provider that answers too late is unavailable', async () => {
  await fault('slow', { delay_ms: 30_000 })
  expect(problemOf(await stack.reveal(shown.principal, shown.id, 5_000)).code).toBe('provider_unavailable')
})

test('an owner whose binding onboarding does not know, or whose credentials are void, is not connected', async () => {
  const { principal, id } = shown
  const gone = await stack.reveal({ ...principal, binding_id: 'gone' }, id)
  expect(problemOf(gone).code).toBe('provider_connection_unavailable')
  stack.credentialsOf.set('void', 'nobody')
  const refused = await stack.reveal({ ...principal, binding_id: 'void' }, id)
  expect(problemOf(refused).code).toBe('provider_connection_unavailable')
})

test('sessions go after thirty days', async () => {
  const { principal, id } = await cardAtProvider()
  dataOf(await stack.reveal(principal, id))
  stack.clock.setOffsetMs(29 * 86_400_000)
  await new Promise((resolve) => setTimeout(resolve, 150))
  expect(await sessionsOf(principal.owner_id)).toHaveLength(1)
  stack.clock.setOffsetMs(31 * 86_400_000)
  await vi.waitFor(async () => expect(await sessionsOf(principal.owner_id)).toEqual([]), eventually)
  stack.clock.setOffsetMs(0)
})
