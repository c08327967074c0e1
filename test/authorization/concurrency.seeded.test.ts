/**
 * Every one-use artifact is used once, even under many concurrent attempts (50 in a deep run) through two gateways against
 * two replicas of authz.
 */

import { amountOf } from '@financial-agents/testkit/deep'
import { beforeAll, describe, expect, test } from 'vitest'
import { type Browser, createBrowser } from './browser.ts'
import { clientNamed, freshClient } from './clients.ts'
import { confirmDevice, connectDevice, enterCode } from './device-journey.ts'
import { environment } from './environment.ts'
import { expectTokens } from './expectations.ts'
import { buttons, flow, obtainCode, obtainTokens, type Person, people } from './flow.ts'
import { type Answer, exchange, form } from './http.ts'
import { type Page, press, pressable, type Submission } from './page.ts'
import { createParty, encodeForm, type Party, paths } from './party.ts'

const times = amountOf(12, 50)
const rounds = amountOf(1, 3)
/** A device may poll again after this time: its interval of 5 s, less a tolerance. */
const shortestIntervalMs = 4_500

let browser: Browser
let spa: Party
let web: Party
beforeAll(async () => {
  browser = createBrowser()
  ;[spa, web] = [createParty(freshClient('spa')), createParty(freshClient('web'))]
  // Each client gets consent and a nonce first, so that each later step is one request.
  await obtainTokens(browser, spa)
  await obtainTokens(browser, web)
})

/** Makes the same request many times at once, through both gateways in turn. */
function atOnce<Value>(work: (at: string, index: number) => Promise<Value>): Promise<Value[]> {
  const { baseUrl, secondUrl } = environment()
  return Promise.all(Array.from({ length: times }, (_, index) => work(index % 2 ? secondUrl : baseUrl, index)))
}

/** Expects exactly one success. Every other answer says why it was refused, and none is a server error. */
function expectOne(answers: Answer[], good: number, ...errors: string[]): void {
  const seen = answers.map(({ status, body }) => `${status} ${body['error'] ?? ''}`).join(', ')
  expect(
    answers.filter(({ status }) => status === good),
    seen,
  ).toHaveLength(1)
  const others = answers.filter(({ status }) => status !== good)
  for (const { status, body, text } of others) {
    expect(status, text).toBeLessThan(500)
    expect(errors, text).toContain(body['error'])
  }
}

describe.each(['web', 'spa'])('a code of a %s client', (profile) => {
  test('is redeemed once', async () => {
    const party = profile === 'web' ? web : spa
    for (let round = 0; round < rounds; round += 1) {
      const { code, request } = await obtainCode(browser, party)
      expectOne(await atOnce((at) => party.redeem(code, request, {}, { at })), 200, 'invalid_grant')
    }
  })
})

test('a client assertion is accepted once, at PAR, at the token endpoint and at both together', async () => {
  const { refresh_token } = await obtainTokens(browser, web)
  const { parameters } = web.request()
  for (const mixed of [
    (assertion: string) => (at: string) => web.push(parameters, { assertion, at }),
    (assertion: string) => (at: string) => web.refresh(refresh_token, {}, { assertion, at }),
    (assertion: string) => (at: string, index: number) =>
      index % 4 < 2 ? web.push(parameters, { assertion, at }) : web.refresh(refresh_token, {}, { assertion, at }),
  ]) {
    const answers = await atOnce(mixed(web.assertion()))
    const good = answers.filter(({ status }) => status === 200 || status === 201)
    expect(good).toHaveLength(1)
    for (const answer of answers.filter((one) => !good.includes(one)))
      expect([answer.status, answer.body['error']]).toEqual([401, 'invalid_client'])
  }
})

test('a DPoP proof is accepted once at the token endpoint', async () => {
  const { refresh_token } = await obtainTokens(browser, spa)
  await spa.refresh(refresh_token)
  const proof = spa.proof(paths.token)
  expectOne(await atOnce((at) => spa.refresh(refresh_token, {}, { proof, at })), 200, 'invalid_dpop_proof')
})

test('a service account’s assertion and proof are accepted once', async () => {
  const agent = createParty(clientNamed('ines-agent'))
  const ask = (posting: object) =>
    agent.token({ grant_type: 'client_credentials', scope: 'operations:read' }, { ...posting })
  expect((await ask({})).status).toBe(200)
  const [assertion, proof] = [agent.assertion(), agent.proof(paths.token)]
  expectOne(await atOnce((at) => ask({ assertion, at })), 200, 'invalid_client')
  expectOne(await atOnce((at) => ask({ proof, at })), 200, 'invalid_dpop_proof')
})

test('a request_uri gives one code, in one browser and in many', async () => {
  const { baseUrl } = environment()
  for (const own of [true, false]) {
    const { body } = await web.push(web.request().parameters)
    const query = encodeForm({ client_id: web.client.client_id, request_uri: body['request_uri'] })
    const target = { url: new URL(`${baseUrl}${paths.authorize}?${query}`), method: 'GET', fields: [] }
    const browsers = own ? [browser] : await manyBrowsers()
    const pages = await atOnce((_at, index) => (browsers[index % browsers.length] as Browser).once(target))
    const codes = pages.map(({ headers }) => URL.parse(headers.get('location') ?? '')?.searchParams.get('code'))
    expect(codes.filter((code) => typeof code === 'string')).toHaveLength(1)
    for (const { status } of pages) expect(status).toBeLessThan(500)
  }
})

/** Five browsers that are signed in as the same person. */
async function manyBrowsers(): Promise<Browser[]> {
  const copies = Array.from({ length: 5 }, () => createBrowser())
  for (const copy of copies) await obtainCode(copy, web)
  return copies
}

test('an approved device code gives tokens once', async () => {
  const device = createParty(freshClient('device'))
  const warm = await device.askDevice()
  await device.pollDevice(warm.body['device_code'])
  for (let round = 0; round < rounds; round += 1) {
    const { body } = await device.askDevice()
    await connectDevice(browser, body['user_code'])
    const answers = await atOnce((at) => device.pollDevice(body['device_code'], {}, { at }))
    expectOne(answers, 200, 'invalid_grant', 'slow_down')
  }
})

test('a device code polled while nobody has approved gets one authorization_pending in each interval; the rest slow down', async () => {
  const device = createParty(freshClient('device'))
  await device.pollDevice((await device.askDevice()).body['device_code'])
  const { body } = await device.askDevice()
  const begun = performance.now()
  const answers = await atOnce((at) => device.pollDevice(body['device_code'], {}, { at }))
  const intervals = 1 + Math.floor((performance.now() - begun) / shortestIntervalMs)
  const errors = answers.map((answer) => answer.body['error'] as string)
  const pending = errors.filter((error) => error === 'authorization_pending')
  expect(pending.length).toBeGreaterThanOrEqual(1)
  expect(pending.length).toBeLessThanOrEqual(intervals)
  expect(errors.filter((error) => error === 'slow_down')).toHaveLength(times - pending.length)
})

test('a user code that two people approve at once is one person’s', async () => {
  const device = createParty(freshClient('device'))
  const { body } = await device.askDevice()
  const ends = await Promise.all(
    (['ines', 'amara'] as const).map((person) => endOfDevice(createBrowser(), body['user_code'], person)),
  )
  for (const { status } of ends) expect(status).toBeLessThan(500)
  expect(ends.filter(({ status }) => status === 200)).toHaveLength(1)
  expectTokens(await device.pollDevice(body['device_code']))
})

/** Enters the code and approves it. Returns the page at the end. */
async function endOfDevice(own: Browser, userCode: string, person: Person): Promise<Page> {
  const page = await enterCode(own, userCode)
  if (!pressable(page, confirmDevice)) return page
  const { page: end } = await flow(own, await own.press(page, confirmDevice), { person })
  if (!end) throw new Error('the way did not end on a page')
  return end
}

test('a consent that is sent many times at once is one grant and at most one code', async () => {
  const party = createParty(freshClient('spa'))
  const request = party.request()
  const { page } = await browser.open(await party.authorizeUrl(request))
  if (!page || !pressable(page, /^allow$/i)) throw new Error('no consent was asked for')
  const submission = press(page, /^allow$/i)
  const answers = await atOnce(() => browser.once(submission, page))
  for (const { status } of answers) expect(status).toBeLessThan(500)
  const followed = await Promise.all(
    answers
      .filter(({ status }) => status === 302 || status === 303)
      .map((answer) => {
        const url = new URL(answer.headers.get('location') as string, submission.url)
        return browser.once({ url, method: 'GET', fields: [] })
      }),
  )
  const codes = followed.map(({ headers }) => URL.parse(headers.get('location') ?? '')?.searchParams.get('code'))
  expect(new Set(codes.filter((code) => typeof code === 'string')).size).toBe(1)
})

test('a sign-in leads on once, however often its return is opened', async () => {
  const own = createBrowser()
  const { page } = await own.open(await spa.authorizeUrl(spa.request()))
  if (!page) throw new Error('nobody was asked to sign in')
  const provider = await own.press(page, buttons.signIn)
  if (!provider.page) throw new Error('there is no page of the provider')
  const approved = await own.once(press(provider.page, buttons.approve, { test_user: people.ines }), provider.page)
  const back = await own.once(targetOf(approved))
  const answers = await atOnce(() => own.once(targetOf(back)))
  for (const { status } of answers) expect(status).toBeLessThan(500)
  expect(answers.filter(({ status }) => status === 302 || status === 303)).toHaveLength(1)
})

/** The target of a redirect. */
function targetOf({ url, headers }: Page): Submission {
  return { url: new URL(headers.get('location') as string, url), method: 'GET', fields: [] }
}

test('many codes at once are all good: two replicas share their store and their nonces', async () => {
  const codes = []
  for (let index = 0; index < 10; index += 1) codes.push(await obtainCode(browser, spa))
  const { baseUrl, secondUrl } = environment()
  const answers = await Promise.all(
    codes.map(({ code, request }, index) => spa.redeem(code, request, {}, { at: index % 2 ? secondUrl : baseUrl })),
  )
  expect(answers.map(({ status }) => status)).toEqual(Array(10).fill(200))
})

test('a replayed code at many replicas revokes its grant once, and leaves no token behind', async () => {
  const party = createParty(freshClient('spa'))
  const { code, request } = await obtainCode(browser, party)
  const first = await party.redeem(code, request)
  await atOnce((at) => party.redeem(code, request, {}, { at }))
  const answer = await exchange(environment().baseUrl + paths.token, 'POST', form, 'grant_type=refresh_token')
  expect(answer.status).toBeLessThan(500)
  const refreshed = await party.refresh(first.body['refresh_token'])
  expect([refreshed.status, refreshed.body['error']]).toEqual([400, 'invalid_grant'])
})
