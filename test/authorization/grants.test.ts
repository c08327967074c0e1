/**
 * An active, a suspended and a revoked grant: revoked by its owner, suspended by an operator, ended by the removal of
 * its client. Every gateway knows at once.
 */

import { beforeAll, describe, expect, test } from 'vitest'
import { createOperatorClient } from '../contract/operator-client.ts'
import { type Browser, createBrowser } from './browser.ts'
import { freshClient } from './clients.ts'
import { query } from './database.ts'
import { declare } from './declare.ts'
import { environment } from './environment.ts'
import { expectError, expectErrorPage, expectSentBack, expectTokenRefused, expectTokens } from './expectations.ts'
import { authorize, claimsOf, obtainCode, obtainTokens, type Tokens } from './flow.ts'
import { haveHeard } from './heard.ts'
import { type Page, press, wordsOf } from './page.ts'
import { createParty, type Party } from './party.ts'

const grantOf = ({ access_token }: Tokens): string => claimsOf(access_token)['grant_id']

/** Expects both gateways to refuse the token at the first request. */
async function expectRefused(party: Party, token: string): Promise<void> {
  const { baseUrl, secondUrl, gatewayHealth } = environment()
  await haveHeard(gatewayHealth)
  for (const at of [baseUrl, secondUrl]) expectTokenRefused(await party.call(token, '/v1/operations', { at }))
}

async function expectGood(party: Party, token: string): Promise<void> {
  const { baseUrl, secondUrl } = environment()
  for (const at of [baseUrl, secondUrl]) expect((await party.call(token, '/v1/operations', { at })).status).toBe(200)
}

describe.each(['web', 'spa', 'native'] as const)('the owner of a grant to a %s client', (profile) => {
  test('ends it on the account page with one click: tokens and refresh tokens are over', async () => {
    const party = createParty(freshClient(profile))
    const browser = createBrowser()
    const tokens = await obtainTokens(browser, party)
    await expectGood(party, tokens.access_token)
    const { page } = await browser.open(`${environment().baseUrl}/account`)
    const form = (page as Page).root.querySelector(`form[action$="${grantOf(tokens)}/revoke"]`)
    expect(form, wordsOf(page as Page).slice(0, 300)).toBeTruthy()
    const fields = form?.querySelectorAll('input[type=hidden]') ?? []
    const url = new URL(form?.getAttribute('action') as string, environment().baseUrl)
    await browser.send(
      {
        url,
        method: 'POST',
        fields: fields.map((field) => [field.getAttribute('name') as string, field.getAttribute('value') as string]),
      },
      page,
    )
    await expectRefused(party, tokens.access_token)
    expectError(await party.refresh(tokens.refresh_token), 400, 'invalid_grant')
    const silent = party.request({ prompt: 'none' })
    expectSentBack(await authorize(browser, party, silent), silent, 'consent_required')
  })
})

describe('a grant', () => {
  test('of somebody else cannot be ended from one’s own account page', async () => {
    const party = createParty(freshClient('web'))
    const tokens = await obtainTokens(createBrowser(), party)
    const stranger = createBrowser()
    await obtainCode(stranger, createParty(freshClient('spa')), {}, { person: 'amara' })
    const { page } = await stranger.open(`${environment().baseUrl}/account`)
    const out = press(page as Page, /^sign out$/i)
    const url = new URL(`/account/grants/${grantOf(tokens)}/revoke`, environment().baseUrl)
    const answer = await stranger.once({ ...out, url }, page)
    expect(answer.status).not.toBe(500)
    await expectGood(party, tokens.access_token)
  })

  test('cannot be ended by another site', async () => {
    const party = createParty(freshClient('web'))
    const browser = createBrowser()
    const tokens = await obtainTokens(browser, party)
    const url = new URL(`/account/grants/${grantOf(tokens)}/revoke`, environment().baseUrl)
    const evil: [string, string][] = [
      ['origin', 'https://evil.example'],
      ['sec-fetch-site', 'cross-site'],
    ]
    const answer = await browser.once({ url, method: 'POST', fields: [] }, undefined, evil)
    expect(answer.status).toBeGreaterThanOrEqual(400)
    expect(answer.status).toBeLessThan(500)
    await expectGood(party, tokens.access_token)
  })
})

async function suspend(grantId: string): Promise<void> {
  const { baseUrl, consoleSigningKey } = environment()
  const operator = await createOperatorClient({
    baseUrl,
    keys: { 'ops-console': { CONSOLE_SIGNING_KEYS: consoleSigningKey } },
  })
  const body = { reason: 'Its key was found in a public repository.' }
  const answer = await operator.request('POST', `/v1/ops/grants/${grantId}/suspend`, { body })
  expect(answer.status, JSON.stringify(answer.body)).toBe(200)
}

/** Makes a party with its tokens, and the browser of the owner who allowed them. */
async function begin() {
  const party = createParty(freshClient('web'))
  const browser = createBrowser()
  return { party, browser, tokens: await obtainTokens(browser, party) }
}

describe('a suspended grant', () => {
  let party: Party
  let browser: Browser
  let tokens: Tokens
  beforeAll(async () => {
    ;({ party, browser, tokens } = await begin())
    await expectGood(party, tokens.access_token)
    await suspend(grantOf(tokens))
  })

  test('is refused by every gateway within a second, and is not refreshed', async () => {
    await expectRefused(party, tokens.access_token)
    expectError(await party.refresh(tokens.refresh_token), 400, 'invalid_grant')
  })

  test('is not replaced by prompt=none', async () => {
    const silent = party.request({ prompt: 'none' })
    expectSentBack(await authorize(browser, party, silent), silent, 'login_required')
    await expectRefused(party, tokens.access_token)
  })

  test('is replaced by a fresh sign-in and consent, with another grant; the old tokens stay dead', async () => {
    const { code, request, flowEnd } = await obtainCode(browser, party)
    expect(flowEnd.asked).toEqual(['sign-in', 'provider', 'consent'])
    const answer = await party.redeem(code, request)
    expectTokens(answer, { id: true })
    expect(grantOf(answer.body as Tokens)).not.toBe(grantOf(tokens))
    await expectGood(party, answer.body['access_token'])
    expectTokenRefused(await party.call(tokens.access_token, '/v1/operations'))
    expectError(await party.refresh(tokens.refresh_token), 400, 'invalid_grant')
  })
})

describe('a suspended grant whose client revokes its refresh token', () => {
  let party: Party
  let browser: Browser
  let tokens: Tokens
  beforeAll(async () => {
    ;({ party, browser, tokens } = await begin())
    await suspend(grantOf(tokens))
    expect((await party.revoke(tokens.refresh_token)).status).toBe(200)
  })

  test('stays suspended for its owner, who does not read the note of the operator', async () => {
    const { page } = await browser.open(`${environment().baseUrl}/account/grants/${grantOf(tokens)}`)
    expect(wordsOf(page as Page)).toContain('By the operator of this service')
    expect(wordsOf(page as Page)).not.toContain('Its key was found in a public repository.')
    const rows = await query('SELECT status, status_reason FROM grants WHERE grant_id = $1', [grantOf(tokens)])
    expect(rows).toEqual([{ status: 'suspended', status_reason: 'suspended_by_operator' }])
  })

  test('is not replaced by prompt=none, and by a consent only after a fresh sign-in', async () => {
    const silent = party.request({ prompt: 'none' })
    expectSentBack(await authorize(browser, party, silent), silent, 'login_required')
    const { code, request, flowEnd } = await obtainCode(browser, party)
    expect(flowEnd.asked).toEqual(['sign-in', 'provider', 'consent'])
    expectTokens(await party.redeem(code, request), { id: true })
  })
})

test('clients that are no longer declared are refused everywhere at once; declared again, they need a fresh sign-in and consent', async () => {
  const [web, spa] = [createParty(freshClient('web')), createParty(freshClient('spa'))]
  const browser = createBrowser()
  const held = []
  for (const party of [web, spa])
    held.push({
      party,
      tokens: await obtainTokens(browser, party),
      pending: await obtainCode(browser, party),
    })
  const withdrawn = new Set([web, spa].map(({ client }) => client.client_id))
  await declare((client) => (withdrawn.has(client.client_id) ? [] : [client]))
  await Promise.all(held.map(({ party, tokens }) => expectRefused(party, tokens.access_token)))
  for (const { party, tokens, pending } of held) {
    expectError(await party.refresh(tokens.refresh_token), 401, 'invalid_client')
    expectError(await party.redeem(pending.code, pending.request), 401, 'invalid_client')
  }
  expectError(await web.push(web.request().parameters), 401, 'invalid_client')
  expectErrorPage(await browser.open(await spa.authorizeUrl(spa.request())), 'invalid_client')
  await declare()
  for (const { party, tokens } of held) {
    expectError(await party.refresh(tokens.refresh_token), 400, 'invalid_grant')
    const { code, request, flowEnd } = await obtainCode(browser, party)
    expect(flowEnd.asked.slice(-1)).toEqual(['consent'])
    expectTokens(await party.redeem(code, request), { id: true })
  }
})
