/**
 * The look of an installation: the configuration that is refused, in one line, and the branding that the pages show.
 */

import { createHash } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readConfig } from '@financial-agents/runtime/config'
import { describe, expect, test } from 'vitest'
import { readBrandLogo } from './brand-logo.ts'
import { createBranding, unbranded } from './branding.ts'
import { brandingOf, pagesConfig } from './branding-config.ts'
import { accentFault, accentOf, contrast, grounds } from './colours.ts'
import { html } from './html.ts'
import { type Choice, choiceOf, languages } from './language.ts'
import { renderPage } from './page.ts'
import { contentSecurityPolicy, pageHeaders } from './page-headers.ts'
import { createReader } from './reader.ts'

const set = {
  BRAND_NAME: 'Banco Açoriano',
  BRAND_ACCENTS: '#1f4fa3,#9cc3ff',
  BRAND_SUPPORT: 'mailto:help@bank.example',
  BRAND_PRIVACY_URL: 'https://bank.example/privacy',
  BRAND_TERMS_URL: 'https://bank.example/terms',
}
const refusal = (variables: Record<string, string>) => {
  try {
    readConfig(pagesConfig, variables)
    return 'taken'
  } catch (error) {
    return (error as Error).message
  }
}

describe('the configuration', () => {
  test('takes a whole look, and none', () => {
    expect(brandingOf(readConfig(pagesConfig, set))).toMatchObject({ name: 'Banco Açoriano', logo: undefined })
    expect(brandingOf(readConfig(pagesConfig, {}))).toEqual(unbranded)
  })

  test.each([
    ['BRAND_NAME', ' ', 'must be 1 to 40 visible characters'],
    ['BRAND_NAME', 'Bank\u202Eknab', 'must be 1 to 40 visible characters'],
    ['BRAND_NAME', 'B'.repeat(41), 'must be 1 to 40 visible characters'],
    ['BRAND_ACCENTS', '#123', 'must be two colours such as'],
    ['BRAND_ACCENTS', 'red,blue', 'must be two colours such as'],
    ['BRAND_SUPPORT', 'http://bank.example', 'must be an https address, or mailto:'],
    ['BRAND_SUPPORT', 'mailto:help@bank.example?subject=x', 'must be an https address, or mailto:'],
    ['BRAND_SUPPORT', 'javascript:alert(1)', 'must be an https address, or mailto:'],
    ['BRAND_PRIVACY_URL', 'mailto:help@bank.example', 'must be an https address'],
    ['BRAND_TERMS_URL', 'https://user:word@bank.example', 'must be an https address'],
  ])('%s %s is refused in one line that names it', (name, value, why) => {
    const line = refusal({ [name]: value })
    expect(line).toMatch(new RegExp(`^configuration: ${name} \\(${why.replaceAll(/[.:]/g, '\\$&')}`))
    expect(line).not.toContain('\n')
  })

  test.each([
    ['#ffcc00,#9cc3ff', 'the light colour has a contrast of 1.39:1 as text on the page (#f5f6f4), and needs 4.5:1'],
    [
      '#1f4fa3,#1f4fa3',
      'the dark colour has a contrast of 2.01:1 as a letter on its own wash (#19252d), and needs 4.5:1',
    ],
    ['#767676,#9cc3ff', 'the light colour has a contrast of 4.18:1 as text on the page (#f5f6f4), and needs 4.5:1'],
  ])('an accent with too little contrast is refused with what was measured: %s', (accents, why) => {
    expect(refusal({ BRAND_ACCENTS: accents })).toBe(`configuration: BRAND_ACCENTS (${why})`)
  })
})

test('whatever accent is taken, every text of its colour and every text on it can be read', () => {
  let taken = 0
  for (const scheme of ['light', 'dark'] as const)
    for (let colour = 0; colour < 0x1000000; colour += 0x010f1d) {
      const chosen = `#${colour.toString(16).padStart(6, '0')}`
      if (accentFault(scheme, chosen) !== undefined) continue
      taken += 1
      const { accent, strong, on, wash } = accentOf(scheme, chosen)
      const { page, card } = grounds[scheme]
      for (const [text, ground] of [
        [accent, page],
        [accent, card],
        [accent, wash],
        [strong, page],
        [strong, card],
        [on, accent],
        [on, strong],
        [scheme === 'light' ? '#17211d' : '#e9efec', wash],
      ] as const)
        expect(contrast(text, ground), `${text} on ${ground}`).toBeGreaterThanOrEqual(4.5)
    }
  expect(taken).toBeGreaterThan(50)
})

describe('a page', () => {
  const page = { title: 'A title', main: html`<p>Main</p>` }
  const branding = createBranding({
    name: 'A & B <bank>',
    hasLogo: true,
    accents: { light: '#1f4fa3', dark: '#9cc3ff' },
    support: 'mailto:help@bank.example',
    privacy: 'https://bank.example/privacy?a=1&b=2',
    terms: 'https://bank.example/terms',
  })

  test('has the name, the logo and the links, all escaped', () => {
    const body = renderPage(page, branding)
    expect(body).toContain('<title>A title · A &amp; B &lt;bank&gt;</title>')
    expect(body).toContain(
      '<img class="logo" src="/branding/logo" alt="" height="32"><bdi>A &amp; B &lt;bank&gt;</bdi>',
    )
    expect(body).toContain('href="https://bank.example/privacy?a=1&amp;b=2">Privacy</a>')
    expect(body).not.toContain('Financial Agents')
  })

  test('carries exactly the stylesheet that its policy allows, and may load pictures of this origin alone', () => {
    const inlined = /<style>([^]*)<\/style>/.exec(renderPage(page, branding))?.[1] ?? ''
    const hash = createHash('sha256').update(inlined).digest('base64')
    expect(inlined).toContain('--accent:#1f4fa3')
    expect(pageHeaders({}, undefined, branding)['content-security-policy']).toBe(
      `default-src 'none'; style-src 'sha256-${hash}'; img-src 'self'; form-action 'none'; base-uri 'none'; frame-ancestors 'none'`,
    )
    expect(contentSecurityPolicy()).not.toContain('img-src')
    expect(contentSecurityPolicy({ pictures: true })).toContain("img-src 'self'")
  })

  test('without a look has nothing of one', () => {
    const body = renderPage(page)
    expect(body).not.toMatch(/<img|class="links"/)
    expect(renderPage(page, createBranding({}))).toBe(body)
  })

  test('names its links in the language of the reader', () => {
    const labels = languages.map((language) => {
      const reader = createReader(choiceOf(language, languages) as Choice, undefined)
      return /class="links"[^]*?<\/nav>/
        .exec(renderPage({ ...page, reader }, branding))?.[0]
        ?.replaceAll(/<[^>]*>/g, '|')
    })
    expect(new Set(labels).size).toBe(languages.length)
  })
})

describe('the file of the logo', () => {
  const read = async (bytes: Buffer | string) => {
    const folder = await mkdtemp(join(tmpdir(), 'logo-'))
    try {
      await writeFile(join(folder, 'logo'), bytes)
      return await readBrandLogo(join(folder, 'logo')).catch((error: Error) => error.message)
    } finally {
      await rm(folder, { recursive: true })
    }
  }

  test('is a picture by its content', async () => {
    expect(await read('<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1"/>')).toMatchObject({
      type: 'image/svg+xml',
    })
    expect(await readBrandLogo(undefined)).toBeUndefined()
  })

  test('ends the start with one line that names the variable', async () => {
    expect(await readBrandLogo('/nowhere').catch((error: Error) => error.message)).toBe(
      'configuration: BRAND_LOGO_FILE (cannot be read: ENOENT)',
    )
    expect(await read('GIF89a')).toBe('configuration: BRAND_LOGO_FILE (the file is neither a PNG nor an SVG)')
    expect(await read('<svg><script>1</script></svg>')).toMatch(
      /^configuration: BRAND_LOGO_FILE \(the file has a script/,
    )
  })
})
