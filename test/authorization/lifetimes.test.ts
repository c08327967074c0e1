/** The lifetime of each artifact, to the second. The test moves the servers' clocks past the end. */

import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { type Browser, createBrowser } from './browser.ts'
import { freshClient } from './clients.ts'
import { moveClock } from './clock.ts'
import { connectDevice, enterCode } from './device-journey.ts'
import { environment } from './environment.ts'
import { expectError, expectErrorPage, expectSentBack, expectTokenRefused, expectTokens } from './expectations.ts'
import { authorize, claimsOf, flow, obtainCode, obtainTokens } from './flow.ts'
import { wordsOf } from './page.ts'
import { createParty, encodeForm, type Parameters, type Party, paths } from './party.ts'

const minuteMs = 60_000
const hourMs = 60 * minuteMs
const dayMs = 24 * hourMs
/** The time that a busy machine may need for a flow before what it uses expires. */
const marginMs = 25_000

let web: Party
let spa: Party
beforeAll(() => {
  ;[web, spa] = [createParty(freshClient('web')), createParty(freshClient('spa'))]
})
afterEach(() => moveClock(0))
afterAll(() => moveClock(0))

describe('an authorization code', () => {
  test('is good for 60 s', async () => {
    const { code, request } = await obtainCode(createBrowser(), web)
    await moveClock(minuteMs - marginMs)
    expectTokens(await web.redeem(code, request), { id: true })
  })

  test('is refused after 60 s', async () => {
    const { code, request } = await obtainCode(createBrowser(), web)
    await moveClock(61_000)
    expectError(await web.redeem(code, request), 400, 'invalid_grant')
  })
})

describe('a request_uri', () => {
  const push = async () => {
    const { body } = await web.push(web.request().parameters)
    const { client_id } = web.client
    const { request_uri } = body
    return `${environment().baseUrl}${paths.authorize}?${encodeForm({ client_id, request_uri })}`
  }

  test('is good for five minutes', async () => {
    const url = await push()
    await moveClock(5 * minuteMs - marginMs)
    const browser = createBrowser()
    const { left } = await flow(browser, await browser.open(url))
    expect(left?.params.get('code')).toBeTruthy()
  })

  test('is refused after five minutes', async () => {
    const url = await push()
    await moveClock(5 * minuteMs + 1_000)
    expectErrorPage(await createBrowser().open(url), 'invalid_request_uri')
  })
})

describe('a device code', () => {
  let device: Party
  beforeAll(() => {
    device = createParty(freshClient('device'))
  })

  test('is good for ten minutes', async () => {
    const { body } = await device.askDevice()
    await moveClock(10 * minuteMs - marginMs)
    await connectDevice(createBrowser(), body['user_code'])
    expectTokens(await device.pollDevice(body['device_code']))
  })

  test('is expired_token after ten minutes, and its page says so', async () => {
    const { body } = await device.askDevice()
    await moveClock(10 * minuteMs + 1_000)
    expectError(await device.pollDevice(body['device_code']), 400, 'expired_token')
    expect(wordsOf(await enterCode(createBrowser(), body['user_code']))).toMatch(/has expired/i)
  })

  test('may be polled every five seconds', async () => {
    const { body } = await device.askDevice()
    expectError(await device.pollDevice(body['device_code']), 400, 'authorization_pending')
    await moveClock(6_000)
    expectError(await device.pollDevice(body['device_code']), 400, 'authorization_pending')
  })
})

describe('an access token', () => {
  test('is good for five minutes', async () => {
    const { access_token } = await obtainTokens(createBrowser(), spa)
    const { exp, iat } = claimsOf(access_token)
    expect(exp - iat).toBe(300)
    expect((await spa.call(access_token, '/v1/operations')).status).toBe(200)
  })

  test('is refused after five minutes', async () => {
    const { access_token } = await obtainTokens(createBrowser(), spa)
    await moveClock(5 * minuteMs + 10_000)
    expectTokenRefused(await spa.call(access_token, '/v1/operations'))
  })
})

describe.each(['web', 'spa', 'native'] as const)('a refresh grant of a %s client', (profile) => {
  let party: Party
  beforeAll(() => {
    party = createParty(freshClient(profile))
  })

  test('rests for up to 30 days, again and again', async () => {
    const { refresh_token } = await obtainTokens(createBrowser(), party)
    for (const days of [29, 58, 87]) {
      await moveClock(days * dayMs)
      expectTokens(await party.refresh(refresh_token), { id: true })
    }
  })

  test('is over after 30 days without use', async () => {
    const { refresh_token } = await obtainTokens(createBrowser(), party)
    await moveClock(30 * dayMs + minuteMs)
    expectError(await party.refresh(refresh_token), 400, 'invalid_grant')
  })

  test('is over after 90 days, however it is used', async () => {
    const { refresh_token } = await obtainTokens(createBrowser(), party)
    for (const days of [28, 56, 84]) {
      await moveClock(days * dayMs)
      expectTokens(await party.refresh(refresh_token), { id: true })
    }
    await moveClock(90 * dayMs + minuteMs)
    expectError(await party.refresh(refresh_token), 400, 'invalid_grant')
  })

  test('lasts 90 days anew from each consent', async () => {
    await obtainTokens(createBrowser(), party)
    await moveClock(80 * dayMs)
    const { refresh_token } = await obtainTokens(createBrowser(), party, { prompt: 'consent' })
    for (const days of [108, 136, 164]) {
      await moveClock(days * dayMs)
      expectTokens(await party.refresh(refresh_token), { id: true })
    }
  })
})

test.each(['web', 'spa'] as const)(
  'a grant to a %s client lasts no longer by a sign-in or by prompt=none',
  async (profile) => {
    const party = createParty(freshClient(profile))
    await obtainTokens(createBrowser(), party)
    await moveClock(80 * dayMs)
    const browser = createBrowser()
    await obtainTokens(browser, party)
    const { refresh_token } = await obtainTokens(browser, party, { prompt: 'none' })
    expectTokens(await party.refresh(refresh_token), { id: true })
    await moveClock(90 * dayMs + minuteMs)
    expectError(await party.refresh(refresh_token), 400, 'invalid_grant')
  },
)

describe('a browser session', () => {
  let browser: Browser
  const silent = async () => {
    const request = spa.request({ prompt: 'none' })
    return { request, end: await authorize(browser, spa, request) }
  }

  test('rests for up to an hour', async () => {
    browser = createBrowser()
    await obtainCode(browser, spa)
    for (const minutes of [55, 110, 165]) {
      await moveClock(minutes * minuteMs)
      expect((await silent()).end.left?.params.get('code')).toBeTruthy()
    }
  })

  test('is over after an hour without use', async () => {
    browser = createBrowser()
    await obtainCode(browser, spa)
    // Clocks may differ by the tolerance of 15 s.
    await moveClock(hourMs + 20_000)
    const { request, end } = await silent()
    expectSentBack(end, request, 'login_required')
  })
})

test.each<[string, Parameters]>([
  ['with openid', {}],
  ['without openid', { scope: 'operations:read', nonce: undefined }],
])('max_age %s counts from the sign-in, not from the last use', async (_name, changes) => {
  const browser = createBrowser()
  await obtainCode(browser, spa)
  await moveClock(50 * minuteMs)
  expect((await obtainCode(browser, spa, { ...changes, max_age: '3300' })).flowEnd.asked).toEqual([])
  await moveClock(56 * minuteMs)
  const silent = spa.request({ ...changes, max_age: '3300', prompt: 'none' })
  expectSentBack(await authorize(browser, spa, silent), silent, 'login_required')
  expect((await obtainCode(browser, spa, { ...changes, max_age: '3300' })).flowEnd.asked).toEqual([
    'sign-in',
    'provider',
  ])
})

test('a DPoP nonce of the token endpoint expires', async () => {
  const { refresh_token } = await obtainTokens(createBrowser(), spa)
  expectTokens(await spa.refresh(refresh_token), { id: true })
  await moveClock(20 * minuteMs)
  expectError(await spa.refresh(refresh_token, {}, { once: true }), 400, 'use_dpop_nonce')
})
