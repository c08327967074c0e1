/** The language of the pages, over the application as a browser meets it. */

import { afterAll, beforeAll, expect, test } from 'vitest'
import { browse, locationOf, makeBrowser, textOf } from '../test-client.test-helper.ts'
import { startTestPages, type TestPages } from './pages.test-helper.ts'

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

test('a choice on the pages goes before what the browser asks for, and stays', async () => {
  const browser = makeBrowser()
  const chosen = await open('/account?language=fr', 'de', browser)
  expect(chosen.status).toBe(303)
  expect(locationOf(chosen)).toBe('/account')
  expect(textOf(await open('/account', 'de', browser))).toContain('<h1>Votre compte</h1>')
})

test('a language that is not offered changes nothing', async () => {
  for (const language of ['ar', 'xx', '<script>']) {
    const answer = await open(`/account?language=${encodeURIComponent(language)}`, 'en')
    expect(answer.status).toBe(200)
    expect(answer.headers.filter(([name, value]) => name === 'set-cookie' && value.startsWith('language'))).toEqual([])
  }
})
