/** A confirmation intent: created by the client, decided by the owner, read again by the client. */

import { beforeAll, describe, expect, test } from 'vitest'
import { makeProof } from '../contract/hand-client.ts'
import { type Browser, createBrowser } from './browser.ts'
import { clientNamed, freshClient } from './clients.ts'
import { environment } from './environment.ts'
import { type Person, people } from './flow.ts'
import { exchange, type HeaderList } from './http.ts'
import { type Page, wordsOf } from './page.ts'
import { createParty, type Party } from './party.ts'

const intents = '/v1/confirmation-intents'
const disconnect = { action: 'service_disconnect', request: { path: '/v1/service-connections/current' } }

let agent: Party
let token: string

beforeAll(async () => {
  agent = createParty(clientNamed('ines-agent'))
  token = await tokenOf('services:read operations:read')
})

async function tokenOf(scope: string): Promise<string> {
  const { body } = await agent.token({ grant_type: 'client_credentials', scope })
  return body['access_token'] as string
}

/** Sends a protected request with a body. */
async function post(body: unknown, accessToken = token) {
  const { baseUrl } = environment()
  let nonce: string | undefined
  for (let attempt = 0; ; attempt += 1) {
    const target = { key: agent.key, method: 'POST', url: baseUrl + intents, token: accessToken, nonce }
    const headers: HeaderList = [
      ['authorization', `DPoP ${accessToken}`],
      ['dpop', makeProof(target, {})],
      ['content-type', 'application/json'],
    ]
    const answer = await exchange(baseUrl + intents, 'POST', headers, JSON.stringify(body))
    nonce = answer.headers.get('dpop-nonce') ?? undefined
    if (attempt > 0 || answer.body['code'] !== 'use_dpop_nonce') return answer
  }
}

const statusOf = async (id: string) => (await agent.call(token, `${intents}/${id}`)).body['status']

/** Opens the page of an intent and signs in there. */
async function openAs(person: Person, url: string, browser: Browser = createBrowser()): Promise<Page> {
  let here = await browser.open(url)
  for (let steps = 0; steps < 4 && here.page; steps += 1) {
    const { page } = here
    if (page.url.origin === environment().providerUrl)
      here = await browser.press(page, /^approve$/i, { test_user: people[person] })
    else if (/sign in/i.test(wordsOf(page)) && page.root.querySelector('form[action$="/sign-in"]'))
      here = await browser.press(page, /^sign in at your provider$/i)
    else return page
  }
  if (!here.page) throw new Error('the page of an intent left this origin')
  return here.page
}

describe('an intent', () => {
  test('names every client of the owner to the owner, and to its client none: it says how many', async () => {
    const issued = await post(disconnect)
    expect(issued.status, issued.text).toBe(201)
    expect(issued.body).toMatchObject({ action: 'service_disconnect', status: 'pending' })
    expect(issued.body['summary']).toMatch(/\nLoses the connection: This application and \d+ other applications$/)
    const page = wordsOf(await openAs('ines', issued.body['confirmation_url']))
    for (const name of ["Ines's agent", "Ines's bookkeeper", "Ines's reader"]) {
      expect(issued.text).not.toContain(name)
      expect(page).toContain(name)
    }
    expect(page).not.toContain('Amara')
    expect(page).toContain(issued.body['summary'].split('\n')[0])
  })

  test.each([
    [/^confirm$/i, 'confirmed'],
    [/^decline$/i, 'declined'],
  ])('is decided by its owner: %s', async (button, status) => {
    const { body } = await post(disconnect)
    const browser = createBrowser()
    const page = await openAs('ines', body['confirmation_url'], browser)
    expect(await statusOf(body['id'])).toBe('pending')
    await browser.press(page, button)
    expect(await statusOf(body['id'])).toBe(status)
  })

  test('does not exist for anybody else', async () => {
    const { body } = await post(disconnect)
    const page = await openAs('amara', body['confirmation_url'])
    expect(page.status).toBe(404)
    expect(wordsOf(page)).not.toContain("Ines's agent")
    expect(await statusOf(body['id'])).toBe('pending')
  })

  test('needs the scope of its action', async () => {
    const refused = await post(disconnect, await tokenOf('operations:read'))
    expect([refused.status, refused.body['code']]).toEqual([403, 'insufficient_scope'])
  })
})

describe('GET /v1/session', () => {
  const read = (headers: HeaderList = []) => exchange(`${environment().baseUrl}/v1/session`, 'GET', headers)
  const nobody = { authenticated: false, display_name: null, csrf_token: null, expires_at: null }

  test('tells who is signed in in the browser, and the token of its forms', async () => {
    const browser = createBrowser()
    await openAs('ines', (await post(disconnect)).body['confirmation_url'], browser)
    const answer = await read([['cookie', await browser.jar.getCookieString(environment().baseUrl)]])
    expect(answer.status).toBe(200)
    expect(answer.body).toEqual({
      authenticated: true,
      display_name: expect.stringContaining('Inês'),
      csrf_token: expect.stringMatching(/^[\w-]{20,}/),
      expires_at: expect.stringMatching(/\.\d{3}Z$/),
    })
    expect(answer.headers.get('cache-control')).toBe('no-store')
  })

  test.each<[string, HeaderList]>([
    ['without a cookie', []],
    ['with a cookie of nobody', [['cookie', 'session=AAAAAAAAAAAAAAAAAAAAA; _session=x; __Host-session=x']]],
    ['with a broken cookie', [['cookie', '=;;; session; =x']]],
  ])('%s is answered that nobody is', async (_name, headers) => {
    const answer = await read(headers)
    expect([answer.status, answer.body]).toEqual([200, nobody])
  })

  test('tells no other origin, registered or not', async () => {
    const [origin] = freshClient('spa').origins
    for (const from of [origin, 'https://evil.example', 'null']) {
      const answer = await read([['origin', from as string]])
      expect([...answer.headers.keys()].filter((name) => name.startsWith('access-control-'))).toEqual([])
    }
  })
})
