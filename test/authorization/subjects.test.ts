/** Pairwise subjects: one for each owner and sector, equal wherever it is shown, and never the owner's id. */

import { beforeAll, describe, expect, test } from 'vitest'
import { createBrowser } from './browser.ts'
import { clientNamed, freshClient } from './clients.ts'
import { query } from './database.ts'
import type { TestClient } from './environment.ts'
import { claimsOf, obtainTokens, type Person, type Tokens } from './flow.ts'
import { createParty } from './party.ts'

const scope = 'openid operations:read identity:read authorization:read'
const of = async (client: TestClient, person: Person) => {
  const party = createParty(client)
  const tokens = await obtainTokens(createBrowser(), party, { scope }, { person })
  return { party, tokens, sub: claimsOf(tokens.access_token)['sub'] as string }
}

let web: Awaited<ReturnType<typeof of>>
beforeAll(async () => {
  web = await of(freshClient('web'), 'ines')
})

test('the same client and owner: the same subject, in every token and after every sign-in', async () => {
  const again = await of(web.party.client, 'ines')
  expect(again.sub).toBe(web.sub)
  const refreshed = (await web.party.refresh(web.tokens.refresh_token)).body as Tokens
  for (const token of [again.tokens.id_token, refreshed.access_token, refreshed.id_token])
    expect(claimsOf(token as string)['sub']).toBe(web.sub)
})

test('another owner at the same client: another subject', async () => {
  expect((await of(web.party.client, 'amara')).sub).not.toBe(web.sub)
})

test.each(['web', 'spa', 'native'] as const)('another sector, a %s client: another subject', async (profile) => {
  expect((await of(freshClient(profile), 'ines')).sub).not.toBe(web.sub)
})

test('two clients that are registered for one sector: the same subject', async () => {
  const [one, two] = [await of(clientNamed('sector-one'), 'ines'), await of(clientNamed('sector-two'), 'ines')]
  expect(one.sub).toBe(two.sub)
  expect(one.sub).not.toBe(web.sub)
})

test('no token, and no answer of the API, has the id of the owner', async () => {
  const [grant] = await query<{ owner_id: string }>('SELECT owner_id FROM grants WHERE grant_id = $1', [
    claimsOf(web.tokens.access_token)['grant_id'],
  ])
  expect(grant?.owner_id).toMatch(/^[0-9a-f-]{36}$/)
  const shown = [web.tokens.access_token, web.tokens.id_token as string].map((token) => JSON.stringify(claimsOf(token)))
  for (const path of ['/v1/identity', '/v1/authorization'])
    shown.push((await web.party.call(web.tokens.access_token, path)).text)
  for (const text of shown) expect(text).not.toContain(grant?.owner_id)
})

describe('GET /v1/identity', () => {
  test('names the subject of the token, how to address its owner, and nothing more', async () => {
    const answer = await web.party.call(web.tokens.access_token, '/v1/identity')
    expect(answer.status, answer.text).toBe(200)
    expect(answer.body).toEqual({
      subject: web.sub,
      display_name: 'Inês Carvalho',
      locale: expect.stringMatching(/^[a-z]{2}/),
      timezone: expect.stringContaining('/'),
    })
  })

  test('needs its scope', async () => {
    const party = createParty(freshClient('spa'))
    const { access_token } = await obtainTokens(createBrowser(), party)
    const answer = await party.call(access_token, '/v1/identity')
    expect([answer.status, answer.body['code']]).toEqual([403, 'insufficient_scope'])
  })
})

describe('GET /v1/authorization', () => {
  test('shows the grant of the token, its client and its policy', async () => {
    const answer = await web.party.call(web.tokens.access_token, '/v1/authorization')
    const claims = claimsOf(web.tokens.access_token)
    expect(answer.status, answer.text).toBe(200)
    expect(answer.body).toMatchObject({
      grant: { id: claims['grant_id'], status: 'active' },
      client: { id: web.party.client.client_id, name: web.party.client.name, profile: 'web' },
      policy: { ceilings: { per_payment: null, per_day: null } },
    })
    expect(answer.body['grant'].scopes.toSorted()).toEqual(['authorization:read', 'identity:read', 'operations:read'])
    const { created_at, expires_at } = answer.body['grant']
    const days = (Date.parse(expires_at) - Date.parse(created_at)) / 86_400_000
    expect(days).toBeGreaterThan(89.9)
    expect(days).toBeLessThan(90.1)
  })

  test('shows all scopes that were ever allowed together, also those that this token does not have', async () => {
    const party = createParty(freshClient('spa'))
    const browser = createBrowser()
    await obtainTokens(browser, party, { scope: 'openid beneficiaries:read' })
    const tokens = await obtainTokens(browser, party, { scope: 'openid authorization:read' })
    const answer = await party.call(tokens.access_token, '/v1/authorization')
    expect(answer.body['grant'].scopes.toSorted()).toEqual(['authorization:read', 'beneficiaries:read'])
    const refused = await party.call(tokens.access_token, '/v1/beneficiaries')
    expect([refused.status, refused.body['code']]).toEqual([403, 'insufficient_scope'])
  })
})
