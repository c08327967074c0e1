/** The language of the pages, over the application as a browser meets it. */

import type { TunnelledResponse } from '@financial-agents/bus/messages/http'
import { statement } from '@financial-agents/postgres/database'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Browser, browse, locationOf, makeBrowser, textOf } from '../test-client.test-helper.ts'
import { readPage, signedInBrowser, signInFrom, startTestPages, type TestPages } from './pages.test-helper.ts'

let pages: TestPages
beforeAll(async () => {
  pages = await startTestPages()
})
afterAll(() => pages.close())

const open = (path: string, language: string, browser = makeBrowser()) =>
  browse(pages.server, browser, path, { headers: [['accept-language', language]] })

test.each([
  ['de-AT,de;q=0.9,en;q=0.5', 'de', 'Ihr Konto'],
  ['pt-PT', 'pt', 'A sua conta'],
  ['fr', 'fr', 'Votre compte'],
  ['ja', 'en', 'Your account'],
])('a browser that asks for %s gets %s', async (asked, language, title) => {
  const answer = await open('/account', asked)
  expect(textOf(answer)).toContain(`<html lang="${language}" dir="ltr">`)
  expect(textOf(answer)).toContain(`<h1>${title}</h1>`)
  expect(answer.headers).toContainEqual(['content-language', language])
  expect(answer.headers).toContainEqual(['vary', 'Accept-Language, Cookie'])
})

test('an error page is in the language of its reader', async () => {
  expect(textOf(await open('/account/nothing', 'de'))).toContain('Diese Seite gibt es nicht')
})

test.each<[string, number, (browser: Browser) => Promise<TunnelledResponse>]>([
  ['an unknown page', 404, (browser) => open('/account/nothing', 'fr', browser)],
  ['an unknown client', 400, (browser) => open('/oauth/authorize?client_id=nobody', 'fr', browser)],
  ['an authorization that is over', 400, (browser) => open('/oauth/authorize/over', 'fr', browser)],
  [
    'a form of another site',
    403,
    (browser) =>
      browse(pages.server, browser, '/device', {
        method: 'POST',
        body: 'user_code=BBBB-BBBB',
        headers: [
          ['accept-language', 'fr'],
          ['origin', 'https://evil.example'],
        ],
      }),
  ],
])('the error page of %s is in the language of the owner who is signed in', async (_name, status, ask) => {
  const browser = await signedInBrowser(pages)
  const speak = (locale: string) => pages.base.db.rows(statement('', `UPDATE owners SET locale = '${locale}'`))
  await speak('de-AT')
  const answer = await ask(browser)
  await speak('en-GB')
  expect(answer.status).toBe(status)
  expect(textOf(answer)).toContain('<html lang="de" dir="ltr">')
  expect(textOf(await ask(makeBrowser()))).toContain('<html lang="fr" dir="ltr">')
})

test('a choice on the pages goes before what the browser asks for, and stays', async () => {
  const browser = makeBrowser()
  const chosen = await open('/account?language=fr', 'de', browser)
  expect(chosen.status).toBe(303)
  expect(locationOf(chosen)).toBe('/account')
  expect(textOf(await open('/account', 'de', browser))).toContain('<h1>Votre compte</h1>')
})

test('a browser keeps the language of its first page through the sign-in, whatever the owner’s locale is', async () => {
  const browser = makeBrowser()
  const first = await open('/account', 'fr', browser)
  expect(textOf(first)).toContain('<html lang="fr"')
  expect(await signInFrom(pages, browser, readPage(first))).toBe('/account')
  for (const path of ['/account', '/account/activity', '/account/nothing'])
    expect(textOf(await open(path, 'fr', browser)), path).toContain('<html lang="fr"')
})

test('a language that is not offered changes nothing', async () => {
  for (const language of ['ar', 'xx', '<script>']) {
    const answer = await open(`/account?language=${encodeURIComponent(language)}`, 'en')
    expect(answer.status).toBe(200)
    const kept = answer.headers.flatMap(([name, value]) =>
      name === 'set-cookie' && /^(__Host-)?language=/.test(value) ? [value] : [],
    )
    expect(kept).toEqual([expect.stringMatching(/language=en; Path/)])
    expect(kept.join()).not.toContain('Max-Age')
  }
})
