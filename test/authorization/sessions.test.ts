/** The browser session: created by a sign-in, bound to its browser, shown by GET /v1/session, ended by a sign-out. */

import { beforeAll, describe, expect, test } from 'vitest'
import { type Browser, createBrowser } from './browser.ts'
import { freshClient } from './clients.ts'
import { environment } from './environment.ts'
import { expectSentBack } from './expectations.ts'
import { authorize, buttons, flow, obtainCode } from './flow.ts'
import { type Page, press, pressable } from './page.ts'
import { createParty, type Party } from './party.ts'

let spa: Party
let browser: Browser
beforeAll(async () => {
  spa = createParty(freshClient('spa'))
  browser = createBrowser()
  await obtainCode(browser, spa)
})

const at = (path: string) => new URL(path, environment().baseUrl)
const get = (path: string) => ({ url: at(path), method: 'GET', fields: [] as [string, string][] })
const nobody = { authenticated: false, display_name: null, csrf_token: null, expires_at: null }

describe('GET /v1/session', () => {
  test('of someone who is not signed in says so', async () => {
    const answer = await createBrowser().once(get('/v1/session'))
    expect([answer.status, answer.body]).toEqual([200, nobody])
  })

  test('of someone who is signed in says who, until when, and gives the CSRF token', async () => {
    const answer = await browser.once(get('/v1/session'))
    expect(answer.status).toBe(200)
    expect(answer.body).toEqual({
      authenticated: true,
      display_name: 'Inês Carvalho',
      csrf_token: expect.stringMatching(/^[\w-]{20,}$/),
      expires_at: expect.any(String),
    })
    const leftMs = Date.parse(answer.body['expires_at']) - Date.now()
    expect(leftMs).toBeGreaterThan(50 * 60_000)
    expect(leftMs).toBeLessThanOrEqual(61 * 60_000)
    expect(answer.headers.get('cache-control')).toContain('no-store')
  })

  test('has no CORS with credentials, not even for a registered origin', async () => {
    for (const origin of [...spa.client.origins, 'https://evil.example', 'null']) {
      const answer = await browser.once(get('/v1/session'), undefined, [['origin', origin]])
      expect(answer.headers.has('access-control-allow-credentials')).toBe(false)
    }
  })

  test('accepts no token, and an invented cookie signs nobody in', async () => {
    const other = createBrowser()
    await other.jar.setCookie('session=abcdefghijklmnopqrstu', environment().baseUrl)
    expect((await other.once(get('/v1/session'))).body).toEqual(nobody)
  })
})

describe('the cookie of a session', () => {
  test('is unreadable to scripts, sent to this site alone, and goes with the browser', async () => {
    const cookies = await browser.jar.getCookies(environment().baseUrl)
    expect(cookies.length).toBeGreaterThan(0)
    for (const cookie of cookies) {
      expect(cookie.httpOnly, cookie.key).toBe(true)
      expect(cookie.sameSite, cookie.key).toBe('lax')
      expect(cookie.hostOnly, cookie.key).toBe(true)
    }
  })

  test('is new after every sign-in: one that somebody planted before does not become the victim’s', async () => {
    const attacker = createBrowser()
    await obtainCode(attacker, spa, {}, { person: 'amara' })
    const victim = createBrowser()
    const planted = await sessionOf(attacker)
    await victim.jar.setCookie(`session=${planted}`, environment().baseUrl)
    await obtainCode(victim, spa, { prompt: 'login' }, { person: 'ines' })
    expect(await sessionOf(victim)).not.toBe(planted)
    expect((await victim.once(get('/v1/session'))).body['display_name']).toBe('Inês Carvalho')
    expect((await attacker.once(get('/v1/session'))).body['display_name']).not.toBe('Inês Carvalho')
  })

  test('is new after the same person signs in again', async () => {
    const own = createBrowser()
    await obtainCode(own, spa)
    const before = await sessionOf(own)
    await obtainCode(own, spa, { prompt: 'login' })
    expect(await sessionOf(own)).not.toBe(before)
    const copy = createBrowser()
    await copy.jar.setCookie(`session=${before}`, environment().baseUrl)
    expect((await copy.once(get('/v1/session'))).body).toEqual(nobody)
  })
})

async function sessionOf(own: Browser): Promise<string> {
  const found = (await own.jar.getCookies(environment().baseUrl)).find(({ key }) => key === 'session')
  if (!found) throw new Error('there is no session')
  return found.value
}

/** Runs to the sign-in page. */
async function walkTo(victim: Browser, party: Party) {
  return victim.open(await party.authorizeUrl(party.request()))
}

describe('the return from the provider', () => {
  /** Runs to the provider's page and approves there; returns the address that the provider redirects to. */
  const untilReturn = async (own: Browser) => {
    const { page } = await walkTo(own, spa)
    const provider = await own.press(page as Page, buttons.signIn)
    const submission = press(provider.page as Page, buttons.approve, { test_user: 'per_amara' })
    const answer = await own.once(submission, provider.page)
    return new URL(answer.headers.get('location') as string)
  }

  test('counts only in the browser that set out: nobody can be signed in as somebody else', async () => {
    const back = await untilReturn(createBrowser())
    const victim = createBrowser()
    const { page } = await victim.open(back)
    expect(page?.status).toBeGreaterThanOrEqual(400)
    expect((await victim.once(get('/v1/session'))).body).toEqual(nobody)
  })

  test('counts once', async () => {
    const own = createBrowser()
    const back = await untilReturn(own)
    expect((await flow(own, await own.open(back))).left?.params.get('code')).toBeTruthy()
    const again = await own.open(back)
    expect(again.left).toBeUndefined()
    expect(again.page?.status).toBeGreaterThanOrEqual(400)
  })

  test.each(['', '?state=', '?state=invented', '?state=a&state=b'])(
    'with the query "%s" is an error page',
    async (query) => {
      const { page } = await createBrowser().open(at(`/sign-in/return${query}`))
      expect(page?.status).toBeGreaterThanOrEqual(400)
      expect(page?.status).toBeLessThan(500)
      expect(page?.headers.get('content-type')).toMatch(/^text\/html/)
    },
  )
})

describe('signing out', () => {
  test('ends the session; the next authorization asks for a sign-in', async () => {
    const own = createBrowser()
    await obtainCode(own, spa)
    const { page } = await own.open(at('/account'))
    expect(pressable(page as Page, /^sign out$/i)).toBeTruthy()
    await own.press(page as Page, /^sign out$/i)
    expect((await own.once(get('/v1/session'))).body).toEqual(nobody)
    const silent = spa.request({ prompt: 'none' })
    expectSentBack(await authorize(own, spa, silent), silent, 'login_required')
  })

  test('of one browser leaves the others', async () => {
    expect((await browser.once(get('/v1/session'))).body['authenticated']).toBe(true)
  })

  test('cannot be done by another site', async () => {
    const url = at('/sign-out')
    const forged = await browser.once({ url, method: 'POST', fields: [] }, undefined, [
      ['origin', 'https://evil.example'],
    ])
    expect(forged.status).toBeGreaterThanOrEqual(400)
    expect((await browser.once(get('/v1/session'))).body['authenticated']).toBe(true)
  })
})
