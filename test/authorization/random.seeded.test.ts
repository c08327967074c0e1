/**
 * Thousands of random requests to every endpoint and page cause no server error and no hanging request. The server
 * works as before afterwards.
 */

import { amountOf, seed } from '@financial-agents/testkit/deep'
import { beforeAll, expect, test } from 'vitest'
import { type Browser, createBrowser } from './browser.ts'
import { freshClient } from './clients.ts'
import { environment } from './environment.ts'
import { expectTokens } from './expectations.ts'
import { buttons, obtainTokens } from './flow.ts'
import { type Answer, exchange } from './http.ts'
import { press } from './page.ts'
import { createParty, type Parameters } from './party.ts'
import { type Material, randomAuthorizationRequest } from './random-requests.ts'

const count = amountOf(1_000, 10_000)
const atOnce = 16

let material: Material
let browser: Browser
beforeAll(async () => {
  const [web, spa, device] = [
    createParty(freshClient('web')),
    createParty(freshClient('spa')),
    createParty(freshClient('device')),
  ]
  browser = createBrowser()
  const tokens = await obtainTokens(browser, web)
  await obtainTokens(browser, spa)
  await device.pollDevice('x')
  const { body } = await device.askDevice()
  material = {
    web,
    spa,
    device,
    refreshToken: tokens.refresh_token,
    accessToken: tokens.access_token,
    deviceCode: body['device_code'],
    userCode: body['user_code'],
    forms: await openForms(),
    cookie: await browser.jar.getCookieString(`${environment().baseUrl}/interaction/`),
  }
})

/** Opens forms in this browser: a consent, a sign-in, a code, the account. */
async function openForms(): Promise<Material['forms']> {
  const fresh = createParty(freshClient('spa'))
  const consent = await browser.open(await fresh.authorizeUrl(fresh.request()))
  const signIn = await browser.open(await fresh.authorizeUrl(fresh.request({ prompt: 'login' })))
  const code = await browser.open(`${environment().baseUrl}/device`)
  const account = await browser.open(`${environment().baseUrl}/account`)
  const wanted = [
    [consent, buttons.allow],
    [signIn, buttons.signIn],
    [code, /^continue$/i],
    [account, /^sign out$/i],
  ] as const
  return wanted.map(([{ page }, button]) => {
    if (!page) throw new Error('no page')
    const { url, fields } = press(page, button)
    return { path: url.pathname, fields: Object.fromEntries(fields) as Parameters }
  })
}

test(`${count} random requests (TEST_SEED=${seed}): no 5xx, no hang, nothing but what an answer may be`, async () => {
  const failed: string[] = []
  let next = 0
  const work = async () => {
    while (next < count) {
      const index = next
      next += 1
      const { method, target, headers, body } = randomAuthorizationRequest(`${seed}`, index, material)
      const at = index % 2 ? environment().secondUrl : environment().baseUrl
      const answer = await exchange(at + target, method, headers, method === 'GET' ? undefined : body).catch(
        (error: unknown): Pick<Answer, 'status' | 'text'> => ({ status: 599, text: String(error) }),
      )
      if (answer.status >= 500)
        failed.push(`${index}: ${method} ${target.slice(0, 80)} ${answer.status} ${answer.text.slice(0, 200)}`)
    }
  }
  await Promise.all(Array.from({ length: atOnce }, work))
  expect(failed).toEqual([])
})

test('afterwards every client is served as before', async () => {
  for (const profile of ['web', 'spa', 'native'] as const) {
    const party = createParty(freshClient(profile))
    const tokens = await obtainTokens(createBrowser(), party)
    expect((await party.call(tokens.access_token, '/v1/operations')).status).toBe(200)
    expectTokens(await party.refresh(tokens.refresh_token), { id: true })
  }
  const health = await exchange(`${environment().baseUrl}/v1/health`, 'GET')
  expect([health.status, health.body['status']]).toEqual([200, 'ok'])
})
