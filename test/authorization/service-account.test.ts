/** Service accounts: one owner and one grant, a fixed limit, no person and no ID token. Their owner can end them. */

import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createBrowser } from './browser.ts'
import { clientNamed, freshClient } from './clients.ts'
import { declare, declareWith } from './declare.ts'
import { environment } from './environment.ts'
import { expectError, expectTokenRefused, expectTokens } from './expectations.ts'
import { claimsOf, obtainTokens } from './flow.ts'
import { type Page, wordsOf } from './page.ts'
import { createParty, type Parameters, type Party } from './party.ts'

let agent: Party
beforeAll(() => {
  agent = createParty(clientNamed('ines-agent'))
})
const ask = (party: Party, changes: Parameters = {}) => party.token({ grant_type: 'client_credentials', ...changes })

test('a token comes alone: no refresh token, no ID token', async () => {
  expectTokens(await ask(agent, { scope: 'operations:read' }), { refresh: false })
})

test('every token is of the one grant and the one subject', async () => {
  const claims = await Promise.all([1, 2, 3].map(async () => claimsOf((await ask(agent)).body['access_token'])))
  expect(new Set(claims.map(({ grant_id, sub }) => `${grant_id} ${sub}`)).size).toBe(1)
})

test('its subject is not the one that the owner has at an application', async () => {
  const tokens = await obtainTokens(createBrowser(), createParty(freshClient('web')))
  expect(claimsOf((await ask(agent)).body['access_token'])['sub']).not.toBe(claimsOf(tokens.access_token)['sub'])
})

test('without a scope it has its whole ceiling', async () => {
  const { body } = await ask(agent)
  expect(body['scope'].split(' ').toSorted()).toEqual([...agent.client.scopes].toSorted())
})

test.each([
  ['purchases:execute', { scope: 'operations:read purchases:execute' }, 'invalid_scope'],
  ['an operator scope', { scope: 'ops:read' }, 'invalid_scope'],
  ['a foreign resource', { resource: 'https://elsewhere.example' }, 'invalid_target'],
  ['two resources', { resource: ['x', 'y'] }, 'invalid_target'],
  ['authorization_details', { authorization_details: '[{"type":"payment"}]' }, 'invalid_authorization_details'],
])('%s is refused', async (_name, changes, error) => {
  expectError(await ask(agent, changes), 400, error)
})

test('a scope beyond the ceiling is refused', async () => {
  const reader = createParty(clientNamed('ines-reader'))
  expectError(await ask(reader, { scope: 'operations:read' }), 400, 'invalid_scope')
})

test('GET /v1/authorization shows a grant without an end', async () => {
  const { body } = await ask(agent, { scope: 'authorization:read' })
  const shown = await agent.call(body['access_token'], '/v1/authorization')
  expect(shown.status, shown.text).toBe(200)
  expect(shown.body).toMatchObject({ grant: { status: 'active', expires_at: null }, client: { profile: 'service' } })
})

describe('its owner', () => {
  test('sees it on the account page and ends it: no token of it is good, and it gets no other', async () => {
    const ended = createParty(clientNamed('ended-agent'))
    const { body } = await ask(ended)
    const { grant_id } = claimsOf(body['access_token'])
    const browser = createBrowser()
    await obtainTokens(browser, createParty(freshClient('spa')))
    const { page } = await browser.open(`${environment().baseUrl}/account`)
    const form = (page as Page).root.querySelector(`form[action$="${grant_id}/revoke"]`)
    const fields = form?.querySelectorAll('input[type=hidden]') ?? []
    const url = new URL(form?.getAttribute('action') as string, environment().baseUrl)
    const asked = await browser.send(
      {
        url,
        method: 'POST',
        fields: fields.map((field) => [field.getAttribute('name') as string, field.getAttribute('value') as string]),
      },
      page,
    )
    expect(wordsOf(asked.page as Page)).toContain('This cannot be taken back.')
    expect((await ended.call(body['access_token'], '/v1/operations')).status).toBe(200)
    await browser.press(asked.page as Page, /^end access/i)
    expectTokenRefused(await ended.call(body['access_token'], '/v1/operations'))
    expectError(await ask(ended), 400, 'unauthorized_client')
  })
})

describe('the limit that its owner set', () => {
  const id = 'limited-agent'
  const eur = (amount: string) => ({ amount, currency: 'EUR' })
  const shown = async () => {
    const limited = createParty(clientNamed(id))
    const { body } = await ask(limited, { scope: 'authorization:read' })
    const answer = await limited.call(body['access_token'], '/v1/authorization')
    expect(answer.status, answer.text).toBe(200)
    return { grantId: answer.body['grant'].id as string, perDay: answer.body['policy'].ceilings.per_day }
  }
  afterAll(() => declare())

  test('holds for the grant that follows when an operator declares the account differently', async () => {
    const first = await shown()
    expect(first.perDay).toEqual(eur('900.00'))
    const browser = createBrowser()
    await obtainTokens(browser, createParty(freshClient('spa')))
    const { page } = await browser.open(`${environment().baseUrl}/account/grants/${first.grantId}/limits`)
    const saved = await browser.press(page as Page, /^save limits$/i, { per_day: '50' })
    expect(wordsOf(saved.page as Page)).toContain('Limits changed.')
    await declareWith(id, { sector_identifier: 'agents.example.test' })
    const second = await shown()
    expect(second.grantId).not.toBe(first.grantId)
    expect(second.perDay).toEqual(eur('50.00'))
    const policy = { withdrawal_ceilings: { per_day: { amount: '40.00', currency: 'EUR' } } }
    await declareWith(id, { policy })
    const third = await shown()
    expect(third.grantId).not.toBe(second.grantId)
    expect(third.perDay).toEqual(eur('40.00'))
  })
})

test('a person who was never here connects with the first consent: their first token reads', async () => {
  const party = createParty(freshClient('spa'))
  const scope = 'openid operations:read beneficiaries:read'
  for (const person of ['daniel', 'tomasz'] as const) {
    const { access_token } = await obtainTokens(createBrowser(), party, { scope }, { person })
    for (const path of ['/v1/operations', '/v1/beneficiaries'])
      expect((await party.call(access_token, path)).status).toBe(200)
  }
})
