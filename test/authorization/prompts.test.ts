/**
 * Conditions under which a person has to sign in, to consent, or neither: `prompt`, `max_age`, and a client's first
 * authorization.
 */

import { beforeAll, describe, expect, test } from 'vitest'
import { type Browser, createBrowser } from './browser.ts'
import { freshClient } from './clients.ts'
import { expectSentBack, expectTokens } from './expectations.ts'
import { authorize, claimsOf, obtainCode, obtainTokens, type Plan } from './flow.ts'
import { createParty, type Parameters, type Party } from './party.ts'

const signIn = ['sign-in', 'provider']

let browser: Browser
beforeAll(async () => {
  browser = createBrowser()
  await obtainCode(browser, createParty(freshClient('spa')))
})

describe.each(['web', 'spa', 'native'] as const)('a %s client', (profile) => {
  let party: Party
  /** Consent is asked for again at a loopback address, where any program of the person's computer may answer. */
  const again = profile === 'native' ? ['consent'] : []
  beforeAll(async () => {
    party = createParty(freshClient(profile))
    await obtainCode(browser, party)
  })
  const asked = async (in_: Browser, changes: Parameters, plan: Plan = {}) =>
    (await obtainCode(in_, party, changes, plan)).flowEnd.asked
  const silently = async (in_: Browser, changes: Parameters = {}) => {
    const request = party.request({ prompt: 'none', ...changes })
    return { request, end: await authorize(in_, party, request) }
  }

  test('new to someone who is signed in is consented to, always', async () => {
    const first = createParty(freshClient(profile))
    expect((await obtainCode(browser, first)).flowEnd.asked).toEqual(['consent'])
  })

  test('new to someone who is not signed in: first signs in, then consents', async () => {
    const first = createParty(freshClient(profile))
    expect((await obtainCode(createBrowser(), first)).flowEnd.asked).toEqual([...signIn, 'consent'])
  })

  test('known: is not asked about again, unless it cannot be distinguished from another program', async () => {
    expect(await asked(browser, {})).toEqual(again)
    expect(await asked(browser, { scope: 'openid' })).toEqual(again)
  })

  test('known, from another browser: the person signs in, and the consent still holds', async () => {
    expect(await asked(createBrowser(), {})).toEqual([...signIn, ...again])
  })

  test('known to one person is new to another', async () => {
    expect(await asked(createBrowser(), {}, { person: 'amara' })).toEqual([...signIn, 'consent'])
  })

  test('that wants more than it has asks for consent, and then has both', async () => {
    const own = createParty(freshClient(profile))
    await obtainCode(browser, own, { scope: 'openid operations:read' })
    const more = await obtainCode(browser, own, { scope: 'openid beneficiaries:read' })
    expect(more.flowEnd.asked).toEqual(['consent'])
    const both = await obtainCode(browser, own, { scope: 'openid operations:read beneficiaries:read' })
    expect(both.flowEnd.asked).toEqual(again)
  })

  test('prompt=consent asks for consent though there is one, and not for a sign-in', async () => {
    expect(await asked(browser, { prompt: 'consent' })).toEqual(['consent'])
  })

  test('prompt=login asks for a sign-in though there is one, and moves auth_time', async () => {
    const own = createBrowser()
    const before = await obtainTokens(own, party)
    const { code, request, flowEnd } = await obtainCode(own, party, { prompt: 'login' })
    expect(flowEnd.asked).toEqual([...signIn, ...again])
    const { body } = await party.redeem(code, request)
    const timeOf = (token: unknown) => claimsOf(token as string)['auth_time']
    expect(timeOf(body['id_token'])).toBeGreaterThanOrEqual(timeOf(before.id_token))
  })

  test('prompt=login consent asks for both', async () => {
    expect(await asked(createBrowser(), { prompt: 'login consent' })).toEqual([...signIn, 'consent'])
  })

  test('prompt=none is silent where the person is signed in and has consented, to a program that can be known', async () => {
    const { request, end } = await silently(browser)
    expect(end.asked).toEqual([])
    if (profile === 'native') expectSentBack(end, request, 'consent_required')
    else expect(end.left?.params.get('code')).toBeTruthy()
  })

  test('prompt=none with nobody signed in is login_required', async () => {
    const { request, end } = await silently(createBrowser())
    expectSentBack(end, request, 'login_required')
  })

  test('prompt=none without consent is consent_required', async () => {
    const first = createParty(freshClient(profile))
    const request = first.request({ prompt: 'none' })
    expectSentBack(await authorize(browser, first, request), request, 'consent_required')
  })

  test('prompt=none for more than was consented to is consent_required', async () => {
    const { request, end } = await silently(browser, { scope: 'openid accounts:read' })
    expectSentBack(end, request, 'consent_required')
  })

  test('prompt=none with max_age=0 is login_required', async () => {
    const { request, end } = await silently(browser, { max_age: '0' })
    expectSentBack(end, request, 'login_required')
  })

  test('max_age that is not over asks for nothing', async () => {
    expect(await asked(browser, { max_age: '3600' })).toEqual(again)
  })

  test('max_age=0 asks for a sign-in', async () => {
    expect(await asked(createBrowser(), {})).toEqual([...signIn, ...again])
    expect(await asked(browser, { max_age: '0' })).toEqual([...signIn, ...again])
  })

  describe('max_age without openid', () => {
    const plain = { scope: 'operations:read', nonce: undefined }

    test('that is not over asks for nothing, and no ID token comes with the tokens', async () => {
      const { code, request, flowEnd } = await obtainCode(browser, party, { ...plain, max_age: '3600' })
      expect(flowEnd.asked).toEqual(again)
      expectTokens(await party.redeem(code, request))
    })

    test('0 asks for a sign-in each time, once', async () => {
      expect(await asked(browser, { ...plain, max_age: '0' })).toEqual([...signIn, ...again])
      expect(await asked(browser, { ...plain, max_age: '0' })).toEqual([...signIn, ...again])
    })

    test('0 with prompt=none is login_required', async () => {
      const { request, end } = await silently(browser, { ...plain, max_age: '0' })
      expectSentBack(end, request, 'login_required')
    })
  })

  test('a sign-in as somebody else is that person’s, with a consent of their own', async () => {
    const own = createBrowser()
    const mine = await obtainTokens(own, party)
    const { code, request, flowEnd } = await obtainCode(own, party, { prompt: 'login consent' }, { person: 'tomasz' })
    expect(flowEnd.asked).toEqual([...signIn, 'consent'])
    const { body } = await party.redeem(code, request)
    expect(claimsOf(body['id_token'])['sub']).not.toBe(claimsOf(mine.id_token as string)['sub'])
  })

  test('a refused consent leaves what was granted before', async () => {
    const request = party.request({ prompt: 'consent' })
    expectSentBack(await authorize(browser, party, request, { consent: 'deny' }), request, 'access_denied')
    expect(await asked(browser, {})).toEqual(again)
  })
})
