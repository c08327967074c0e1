/** The gateway's own pages in every language and with the look of the installation, over HTTP. */

import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { catalogues } from '@financial-agents/pages/catalogues'
import { languages } from '@financial-agents/pages/language'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sendRaw, startWorld, type World } from './gateway.test-helper.ts'

const svg = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 8 8"/>'
const html: [string, string] = ['Accept', 'text/html']
/** A path of the pages that the gateway does not carry. */
const nowhere = '/account/%2e%2e/ops'
let folder: string
let world: World
let plain: string
let branded: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'site-'))
  const file = join(folder, 'logo.svg')
  await writeFile(file, svg)
  world = await startWorld({ PAGE_LANGUAGES: languages.join(',') })
  plain = world.gateways[0]?.url as string
  const look = { BRAND_NAME: 'Banco Açoriano', BRAND_LOGO_FILE: file, BRAND_SUPPORT: 'mailto:help@bank.example' }
  branded = (await world.startAnother(look)).url
})
afterAll(async () => {
  await world.stop()
  await rm(folder, { recursive: true })
})

const get = (path: string, ...headers: [string, string][]) => sendRaw(plain, 'GET', path, [html, ...headers])

describe('a page of the gateway', () => {
  test.each(languages)('speaks %s by Accept-Language', async (language) => {
    const { front, codes } = catalogues[language].messages
    for (const [path, words] of [
      ['/', front.lead],
      ['/problems', codes.problemCodes],
      ['/problems/acceptance_unknown', codes.uncertain],
      ['/failure-codes/provider_timeout', codes.failureTitle],
    ] as const) {
      const { headers, text } = await get(path, ['Accept-Language', language])
      expect(headers.get('content-language'), path).toBe(language)
      expect(text).toContain(`<html lang="${language}" dir="${language === 'ar' ? 'rtl' : 'ltr'}">`)
      expect(text, path).toContain(words)
    }
  })

  test('speaks the language that its reader chose, whatever the browser asks for', async () => {
    const chosen = await get('/problems?language=de&more=1')
    expect(chosen.status).toBe(303)
    expect(chosen.headers.get('location')).toBe('/problems?more=1')
    expect(chosen.headers.get('set-cookie')).toMatch(
      /^__Host-language=de; Max-Age=31536000; Path=\/; SameSite=lax; HttpOnly; Secure$/,
    )
    const { headers } = await get('/problems', ['Cookie', '__Host-language=de'], ['Accept-Language', 'fr'])
    expect(headers.get('content-language')).toBe('de')
    expect(headers.get('vary')).toBe('Accept-Language, Cookie')
  })

  test('chooses nothing by a language that is not offered, and never leads away', async () => {
    for (const query of ['language=nl', 'language=', 'language=de%0d%0ax'])
      expect((await get(`/?${query}`)).status, query).toBe(200)
    expect((await get('//elsewhere.example/?language=de')).status).toBe(404)
  })

  test('quotes the contract in English, and says so', async () => {
    const { text } = await get('/problems/acceptance_unknown', ['Accept-Language', 'de'])
    expect(text).toContain('<h1><span lang="en" dir="ltr">Whether the write was accepted is not known</span></h1>')
    expect((await get('/problems/acceptance_unknown')).text).toContain('<h1>Whether the write')
  })

  test('that is not available says so in the language of its reader', async () => {
    for (const language of languages) {
      const { status, headers, text } = await get(nowhere, ['Accept-Language', language])
      expect(status).toBe(404)
      expect(headers.get('content-language')).toBe(language)
      expect(text).toContain(catalogues[language].messages.gatewayErrors['notFound.title'])
    }
  })
})

describe('the look of the installation', () => {
  test('stands on every page', async () => {
    for (const path of ['/', '/problems/card_not_frozen', nowhere]) {
      const { headers, text } = await sendRaw(branded, 'GET', path, [html])
      expect(text, path).toContain(
        '<img class="logo" src="/branding/logo" alt="" height="32"><bdi>Banco Açoriano</bdi>',
      )
      expect(text, path).toContain('href="mailto:help@bank.example"')
      expect(headers.get('content-security-policy'), path).toContain("img-src 'self'")
    }
  })

  test('has a logo that is served as a picture in a sandbox', async () => {
    const { status, headers, text } = await sendRaw(branded, 'GET', '/branding/logo', [['Accept', 'image/*']])
    expect([status, text]).toEqual([200, svg])
    expect(headers.get('content-type')).toBe('image/svg+xml')
    expect(headers.get('x-content-type-options')).toBe('nosniff')
    expect(headers.get('content-security-policy')).toMatch(/^default-src 'none'.*sandbox$/)
  })

  test('is absent where nothing is configured', async () => {
    const { headers, text } = await get('/')
    expect(text).not.toMatch(/<img|class="links"/)
    expect(headers.get('content-security-policy')).not.toContain('img-src')
    expect((await get('/branding/logo')).status).toBe(404)
  })

  test('that cannot be shown ends the start with one line', async () => {
    await writeFile(join(folder, 'bad.svg'), '<svg><script>1</script></svg>')
    await expect(world.startAnother({ BRAND_LOGO_FILE: join(folder, 'bad.svg') })).rejects.toThrow(
      /^configuration: BRAND_LOGO_FILE \(the file has a script/,
    )
    await expect(world.startAnother({ BRAND_ACCENTS: '#ffff00,#9cc3ff' })).rejects.toThrow(
      /^configuration: BRAND_ACCENTS \(the light colour has a contrast of 1\.\d\d:1 .* needs 4\.5:1\)$/,
    )
  })
})
