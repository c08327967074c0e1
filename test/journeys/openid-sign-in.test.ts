/**
 * Owners of a provider that is an OpenID provider, through all services: an owner signs in there, connects, and an
 * application reads her accounts with the token that the sign-in gave. A response that is wrong, repeated or in another
 * browser signs nobody in. No code and no token is in a log, in a span or, readable, in a table.
 */

import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { amara as amaraToken, ines as inesToken } from '@financial-agents/provider-http/testing/test-users'
import { startTestIssuer, type TestIssuer } from '@financial-agents/provider-openid/testing/openid-provider'
import { getFreePort } from '@financial-agents/servers/ports'
import { createApplicationClient } from '@financial-agents/testkit/application-client'
import { type FakeProvider, startFakeProvider } from '@financial-agents/testkit/fake-provider'
import pg from 'pg'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { type Browser, createBrowser } from '../authorization/browser.ts'
import { type Page, pressable, wordsOf } from '../authorization/page.ts'
import { startTestStack, type TestStack } from '../stack.test-helper.ts'
import { walkerOf } from './client/owner-flow.ts'
import { startCollector } from './otlp.test-helper.ts'
import { findPlaces, readLogs, readTables } from './secrets.test-helper.ts'

const redirectUri = 'https://ledger.harbour.example/callback'
const customers = { per_ines: { name: 'Ines Carvalho', locale: 'pt-PT', zoneinfo: 'Europe/Lisbon' }, per_amara: {} }
const testUsers: Readonly<Record<string, string>> = { per_ines: inesToken, per_amara: amaraToken }

let stack: TestStack
let collector: Awaited<ReturnType<typeof startCollector>>
let issuer: TestIssuer
let bank: Bank
let fake: FakeProvider
/** Codes and tokens that were used. */
const secrets: string[] = []

beforeAll(async () => {
  const port = await getFreePort()
  const own = `http://127.0.0.1:${port}/sign-in/return`
  collector = await startCollector()
  ;[issuer, fake] = await Promise.all([startTestIssuer({ redirectUri: own, customers }), startFakeProvider()])
  bank = await startBank(fake.url, issuer)
  const telemetry = { ...collector.variables, OTEL_BSP_SCHEDULE_DELAY: '200' }
  const variables = { URL: bank.url, ...issuer.variables, SIGN_IN_SCOPE: 'openid profile' }
  stack = await startTestStack({
    port,
    environment: {
      all: {
        PROVIDER_ADAPTERS: 'bank=http',
        ...Object.fromEntries(Object.entries(variables).map(([name, value]) => [`PROVIDER_BANK__${name}`, value])),
      },
      gateway: telemetry,
      onboarding: { ...telemetry, DEVICE_AUTHENTICATION: 'bank' },
      authz: { ...telemetry, SIGN_IN_ORIGIN: issuer.issuer },
    },
  })
})
afterEach(() => {
  issuer.order.lie = undefined
  issuer.order.isDown = false
})
afterAll(async () => {
  await stack?.close()
  await Promise.all([issuer?.close(), bank?.close(), fake?.stop(), collector?.close()])
})

type Bank = { readonly url: string; close(): Promise<void> }

/** A bank that knows people only by the access tokens of its issuer. The fake provider behind it gives the answers. */
async function startBank(target: string, at: TestIssuer): Promise<Bank> {
  const server = createServer((request, response) => {
    const answer = async () => {
      const token = /^Bearer (.*)$/.exec(request.headers.authorization ?? '')?.[1] ?? ''
      secrets.push(token)
      const customer = await at.customerOf(token)
      const body = await textOf(request)
      const sent = await fetch(new URL(request.url ?? '/', target), {
        method: request.method ?? 'GET',
        headers: {
          'content-type': 'application/json',
          authorization: `Bearer ${testUsers[customer ?? ''] ?? 'nobody'}`,
        },
        ...(request.method === 'GET' ? {} : { body }),
      })
      response.writeHead(sent.status, { 'content-type': 'application/json' }).end(await sent.text())
    }
    answer().catch(() => request.socket.destroy())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

async function textOf(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = []
  for await (const part of request) parts.push(part as Buffer)
  return Buffer.concat(parts).toString()
}

/** The issuer is outside of this browser's origins, so that it stops there. */
const newBrowser = () => createBrowser(undefined, { baseUrl: stack.baseUrl, providerUrl: stack.baseUrl })

/** Begins at the account page, and returns the address of the issuer to which the browser is sent. */
async function leaveFor(browser: Browser): Promise<URL> {
  const { page } = await browser.open(`${stack.baseUrl}/account`)
  if (!page) throw new Error('the account page is not there')
  const { left } = await browser.press(page, /^sign in at your provider$/i)
  if (!left) throw new Error('the browser was not sent to the issuer')
  return left.url
}

/** Signs in at the issuer, and returns the address at which the browser comes back. */
async function signInAtIssuer(browser: Browser, choice: string | null = 'per_ines'): Promise<URL> {
  const back = await issuer.visit((await leaveFor(browser)).href, choice)
  const code = back.searchParams.get('code')
  if (code !== null) secrets.push(code)
  return back
}

async function come(browser: Browser, back: URL): Promise<Page> {
  const { page } = await browser.open(back)
  if (!page) throw new Error('the browser left')
  return page
}

async function expectRefused(browser: Browser, page: Page, status: number, code: string): Promise<void> {
  expect([page.status, page.text]).toEqual([status, expect.stringContaining(`<code>${code}</code>`)])
  // No page of ours is shown at an address with the response.
  expect([...page.url.searchParams.keys()].filter((name) => name !== 'state')).toEqual([])
  const account = await come(browser, new URL(`${stack.baseUrl}/account`))
  expect(pressable(account, /^sign in at your provider$/i), wordsOf(account)).toBeDefined()
}

test('an owner signs in at the OpenID provider, connects, and her application reads her accounts', async () => {
  const registered = stack.clients.find(({ client_id }) => client_id === 'harbour-ledger')
  if (registered?.profile !== 'web') throw new Error('the stack has no Harbour Ledger')
  const application = await createApplicationClient(stack.baseUrl, registered)
  const asked = await application.authorize(redirectUri)
  const { left, words } = await walkerOf({ baseUrl: stack.baseUrl, providerUrl: issuer.issuer }, 'ines').open(
    asked.url.href,
  )
  if (!left) throw new Error(words)
  await application.redeem(left, asked)
  const accounts = await application.request('GET', '/v1/accounts')
  expect(accounts).toMatchObject({ status: 200 })
  expect(JSON.stringify(accounts.body)).toContain('EUR')
  expect((await application.request('GET', '/v1/identity')).body).toMatchObject({ locale: 'pt-PT' })
})

test('a second sign-in is the same owner, by another token', async () => {
  const browser = newBrowser()
  const page = await come(browser, await signInAtIssuer(browser))
  expect(page.url.pathname).toBe('/account')
  expect(wordsOf(page)).toContain('Harbour Ledger')
})

test('a return that a browser sends five times at once is exchanged once', async () => {
  const browser = newBrowser()
  const back = await signInAtIssuer(browser)
  const before = issuer.asked.length
  const once = { url: back, method: 'GET', fields: [] }
  const answers = await Promise.all(Array.from({ length: 5 }, () => browser.once(once)))
  expect(issuer.asked.slice(before).filter((path) => path === '/token')).toHaveLength(1)
  expect(answers.filter(({ headers }) => headers.get('location') === '/account')).not.toEqual([])
  for (const { status } of answers) expect([303, 400]).toContain(status)
})

describe('nobody is signed in', () => {
  test('by a return in another browser than the one that began', async () => {
    const [attacker, victim] = [newBrowser(), newBrowser()]
    const back = await signInAtIssuer(attacker, 'per_amara')
    await leaveFor(victim)
    await expectRefused(victim, await come(victim, back), 400, 'sign_in_not_found')
    // The code is still the attacker's own.
    expect((await come(attacker, back)).url.pathname).toBe('/account')
  })

  test('by a return a second time', async () => {
    const browser = newBrowser()
    const back = await signInAtIssuer(browser)
    expect((await come(browser, back)).url.pathname).toBe('/account')
    const again = await come(browser, back)
    expect([again.status, again.text]).toEqual([400, expect.stringContaining('<code>sign_in_not_found</code>')])
    expect(again.url.searchParams.has('code')).toBe(false)
  })

  test.each<[string, (params: URLSearchParams) => void, string]>([
    ['with another state', (params) => params.set('state', 'another'), 'sign_in_not_found'],
    ['without a state', (params) => params.delete('state'), 'sign_in_not_found'],
    ['of another issuer', (params) => params.set('iss', 'https://elsewhere.example'), 'sign_in_not_valid'],
    ['with a code that the issuer did not give', (params) => params.set('code', 'invented'), 'sign_in_not_valid'],
    ['longer than any response', (params) => params.set('code', 'x'.repeat(9_000)), 'sign_in_not_found'],
  ])('by a return %s', async (_, change, code) => {
    const browser = newBrowser()
    const back = await signInAtIssuer(browser)
    change(back.searchParams)
    await expectRefused(browser, await come(browser, back), 400, code)
  })

  test('by the right response after a wrong one: the first response stays', async () => {
    const browser = newBrowser()
    const back = await signInAtIssuer(browser)
    const wrong = new URL(back)
    wrong.searchParams.set('iss', 'https://elsewhere.example')
    await expectRefused(browser, await come(browser, wrong), 400, 'sign_in_not_valid')
    await expectRefused(browser, await come(browser, back), 400, 'sign_in_not_valid')
  })

  test.each<[string, NonNullable<TestIssuer['order']['lie']>]>([
    ['another client', (claims, sign) => sign({ ...claims, aud: 'somebody-else' })],
    ['another start', (claims, sign) => sign({ ...claims, nonce: 'another' })],
    [
      'nobody who vouches',
      async (claims) =>
        ['{"alg":"none"}', JSON.stringify(claims), ''].map((part) => Buffer.from(part).toString('base64url')).join('.'),
    ],
  ])('by an ID token for %s', async (_, lie) => {
    const browser = newBrowser()
    const back = await signInAtIssuer(browser)
    issuer.order.lie = lie
    await expectRefused(browser, await come(browser, back), 400, 'sign_in_not_valid')
  })

  test('where the owner goes back at the issuer', async () => {
    const browser = newBrowser()
    const back = await signInAtIssuer(browser, null)
    await expectRefused(browser, await come(browser, back), 403, 'sign_in_declined')
  })

  test('while the issuer is out of reach; afterwards the same return signs in', async () => {
    const browser = newBrowser()
    const back = await signInAtIssuer(browser)
    issuer.order.isDown = true
    const page = await come(browser, back)
    await expectRefused(browser, page, 503, 'provider_unavailable')
    issuer.order.isDown = false
    expect((await come(browser, page.url)).url.pathname).toBe('/account')
  })
})

test('while the metadata of the issuer is out of reach, the beginning of a sign-in ends in a page; afterwards it can begin', async () => {
  await stack.stopService('onboarding')
  await stack.start('onboarding')
  const browser = newBrowser()
  issuer.order.isDown = true
  const { page } = await browser.open(`${stack.baseUrl}/account`)
  const { page: refused } = await browser.press(page as Page, /^sign in at your provider$/i)
  expect([refused?.status, refused?.text]).toEqual([503, expect.stringContaining('<code>provider_unavailable</code>')])
  issuer.order.isDown = false
  expect((await come(browser, await signInAtIssuer(browser))).url.pathname).toBe('/account')
})

test('an owner who goes back tells the application, which hears access_denied', async () => {
  const registered = stack.clients.find(({ client_id }) => client_id === 'harbour-ledger')
  if (registered?.profile !== 'web') throw new Error('the stack has no Harbour Ledger')
  const application = await createApplicationClient(stack.baseUrl, registered)
  const browser = newBrowser()
  const { page } = await browser.open((await application.authorize(redirectUri)).url)
  if (!page) throw new Error('the page is not there')
  const { left: away } = await browser.press(page, /^sign in at your provider$/i)
  const { left } = await browser.open(await issuer.visit(away?.url.href ?? '', null))
  expect(left?.params.get('error')).toBe('access_denied')
})

test('no code and no token is in a log or a span, or readable in a table', async () => {
  const database = new pg.Pool({ connectionString: stack.postgres.adminUrl })
  const tables = await readTables(database)
  await database.end()
  const places = [...tables, ...readLogs(stack)]
  const used = secrets.filter((secret) => secret.length > 20)
  expect(used.length).toBeGreaterThan(10)
  const returns = () => collector.spans.filter(({ attributes }) => attributes.includes('/sign-in/return'))
  await expect.poll(() => returns().length, { interval: 200 }).toBeGreaterThan(10)
  for (const { service, attributes } of collector.spans) places.push({ name: `span of ${service}`, text: attributes })
  expect(findPlaces(places, used)).toEqual([])
})
