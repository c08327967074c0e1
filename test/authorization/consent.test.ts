/** Consent: the content of the page, the grant that it creates, and the browsers that may send it. */

import { beforeAll, describe, expect, test } from 'vitest'
import { type Browser, createBrowser } from './browser.ts'
import { clientNamed, freshClient } from './clients.ts'
import { query } from './database.ts'
import { environment } from './environment.ts'
import { expectErrorPage } from './expectations.ts'
import { buttons, claimsOf, flow, obtainCode, obtainTokens, type Plan } from './flow.ts'
import { type Page, press, pressable, wordsOf } from './page.ts'
import { createParty, type Party } from './party.ts'

let browser: Browser
beforeAll(async () => {
  browser = createBrowser()
  await obtainCode(browser, createParty(freshClient('spa')))
})

/** The consent page of a client without any consent so far. */
async function consentPage(party: Party, scope = 'openid operations:read'): Promise<Page> {
  const { page } = await browser.open(await party.authorizeUrl(party.request({ scope })))
  if (!page || !pressable(page, buttons.allow)) throw new Error('no consent was asked for')
  return page
}

describe.each(['web', 'spa', 'native'] as const)('the consent page for a %s client', (profile) => {
  test('says who asks, whose money it is, what it may do and for how long', async () => {
    const party = createParty(freshClient(profile))
    const words = wordsOf(await consentPage(party, 'openid operations:read spending:withdraw'))
    expect(words).toContain(party.client.name)
    expect(words).toContain('Inês Carvalho')
    expect(words).toMatch(/move money/i)
    expect(words).toMatch(/until/i)
    // The page describes the scope in words and never shows its name.
    expect(words).not.toContain('spending:withdraw')
  })

  test('runs nothing, loads nothing, is framed by nobody, and is stored nowhere', async () => {
    const { headers, root } = await consentPage(createParty(freshClient(profile)))
    const policy = headers.get('content-security-policy') ?? ''
    expect(policy).toContain("default-src 'none'")
    expect(policy).toContain("frame-ancestors 'none'")
    expect(policy).toContain("base-uri 'none'")
    expect(policy).not.toContain('unsafe')
    expect(headers.get('cache-control')).toContain('no-store')
    expect(headers.get('x-content-type-options')).toBe('nosniff')
    expect(headers.has('access-control-allow-origin')).toBe(false)
    expect(root.querySelectorAll('script, img[src^=http], iframe, link[rel=stylesheet]')).toEqual([])
  })
})

describe('a consent that is sent', () => {
  const cases: [
    name: string,
    fields: (fields: [string, string][]) => [string, string][],
    headers: [string, string][],
  ][] = [
    ['without its token', (fields) => fields.filter(([name]) => name !== 'csrf_token'), []],
    [
      'with another token',
      (fields) => fields.map(([name, value]) => [name, name === 'csrf_token' ? 'x'.repeat(43) : value]),
      [],
    ],
    [
      'by another site',
      (fields) => fields,
      [
        ['origin', 'https://evil.example'],
        ['sec-fetch-site', 'cross-site'],
      ],
    ],
  ]
  test.each(cases)('%s is refused, and nothing is granted', async (_name, change, headers) => {
    const party = createParty(freshClient('spa'))
    const page = await consentPage(party)
    const submission = press(page, buttons.allow)
    const forged = { ...submission, fields: change(submission.fields) }
    const answer = await browser.once(forged, headers.length > 0 ? undefined : page, headers)
    expect(answer.status).toBeGreaterThanOrEqual(400)
    expect(answer.status).toBeLessThan(500)
    const grants = await query('SELECT 1 FROM grants WHERE client_id = $1', [party.client.client_id])
    expect(grants).toEqual([])
  })

  test('from another browser is refused, and nothing is granted', async () => {
    const party = createParty(freshClient('spa'))
    const page = await consentPage(party)
    for (const other of [createBrowser(), await signedIn('amara')]) {
      const answer = await other.once(press(page, buttons.allow), page)
      expect(answer.status).toBeGreaterThanOrEqual(400)
      expect(answer.status).toBeLessThan(500)
      expect((await other.once({ url: page.url, method: 'GET', fields: [] })).status).toBeGreaterThanOrEqual(400)
    }
    expect(await query('SELECT 1 FROM grants WHERE client_id = $1', [party.client.client_id])).toEqual([])
  })

  test('with more than was asked grants what was asked', async () => {
    const party = createParty(freshClient('spa'))
    const request = party.request({ scope: 'openid operations:read' })
    const { page } = await browser.open(await party.authorizeUrl(request))
    const choices = { scope: 'openid accounts:read spending:withdraw', scopes: 'accounts:read' }
    const arrival = await browser.press(page as Page, buttons.allow, choices)
    const { left } = await flow(browser, arrival)
    const { body } = await party.redeem(left?.params.get('code') as string, request)
    expect(body['scope'].split(' ').toSorted()).toEqual(['openid', 'operations:read'])
  })

  test('with GET decides nothing', async () => {
    const party = createParty(freshClient('spa'))
    const page = await consentPage(party)
    const { url } = press(page, buttons.allow)
    expect((await browser.once({ url, method: 'GET', fields: [] }, page)).status).toBe(405)
  })

  test('for an interaction that was never begun is an error page', async () => {
    const arrival = await browser.open(`${environment().baseUrl}/interaction/abcdefghijklmnopqrstu`)
    expect(arrival.page?.status).toBeGreaterThanOrEqual(400)
    expect(arrival.page?.headers.get('content-type')).toMatch(/^text\/html/)
  })
})

async function signedIn(person: NonNullable<Plan['person']>): Promise<Browser> {
  const other = createBrowser()
  await obtainCode(other, createParty(freshClient('spa')), {}, { person })
  return other
}

describe('ceilings on withdrawals', () => {
  const scope = 'openid authorization:read spending:withdraw'
  const policyOf = async (person: NonNullable<Plan['person']>, choices: Record<string, string>) => {
    const party = createParty(clientNamed('capped-web'))
    const plan = { person, choices }
    const { access_token } = await obtainTokens(createBrowser(), party, { scope, prompt: 'consent' }, plan)
    return (await party.call(access_token, '/v1/authorization')).body['policy']
  }
  const eur = (amount: string) => ({
    amount: expect.stringMatching(new RegExp(`^${amount}(\\.0+)?$`)),
    currency: 'EUR',
  })

  test('start from what the client is registered with', async () => {
    const policy = await policyOf('ines', {})
    expect(policy.ceilings).toEqual({ per_payment: eur('500.00'), per_day: eur('900.00') })
    expect(policy.confirmation).toContainEqual({ action: 'transfer', above: eur('100.00') })
  })

  test('may be lowered by the owner', async () => {
    const policy = await policyOf('amara', { per_payment: '50', per_day: '120' })
    expect(policy.ceilings).toEqual({ per_payment: eur('50.00'), per_day: eur('120.00') })
  })

  test.each([
    ['raised', '500.01'],
    ['negative', '-5'],
    ['no amount', 'lots'],
  ])('cannot be %s: the page says so and grants nothing', async (_name, per_payment) => {
    const own = createBrowser()
    const party = createParty(clientNamed('capped-web'))
    const request = party.request({ scope, prompt: 'consent' })
    const plan: Plan = { person: 'daniel' }
    let arrival = await own.open(await party.authorizeUrl(request))
    while (arrival.page && !pressable(arrival.page, buttons.allow)) {
      const provider = pressable(arrival.page, buttons.approve)
      arrival = provider
        ? await own.press(arrival.page, buttons.approve, { test_user: `per_${plan.person}` })
        : await own.press(arrival.page, buttons.signIn)
    }
    const after = await own.press(arrival.page as Page, buttons.allow, { per_payment })
    expect(after.page, 'the consent was taken').toBeTruthy()
    expect(pressable(after.page as Page, buttons.allow)).toBeTruthy()
    expect((after.page as Page).root.querySelector('[aria-invalid=true]')).toBeTruthy()
  })
})

test('each authorization gives a grant of its own client and owner, the same one until it is revoked', async () => {
  const party = createParty(freshClient('web'))
  const grantOf = async () => claimsOf((await obtainTokens(createBrowser(), party)).access_token)['grant_id']
  const first = await grantOf()
  expect(await grantOf()).toBe(first)
  const rows = await query<{ status: string }>('SELECT status FROM grants WHERE client_id = $1', [
    party.client.client_id,
  ])
  expect(rows).toEqual([{ status: 'active' }])
})

test('an error page names the error in words and as its code, and never a value that was sent', async () => {
  const party = createParty(freshClient('spa'))
  const redirect_uri = 'https://elsewhere.example/<script>alert(1)</script>'
  const end = await browser.open(await party.authorizeUrl(party.request({ redirect_uri })))
  expectErrorPage(end, 'invalid_redirect_uri')
  expect(end.page?.text).not.toContain('<script>')
  expect(end.page?.headers.get('content-security-policy')).toContain("default-src 'none'")
})
