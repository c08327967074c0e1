import { createHash } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { contrast, grounds } from './colours.ts'
import { html } from './html.ts'
import { renderMain, renderPage } from './page.ts'
import { contentSecurityPolicy, pageHeaders } from './page-headers.ts'
import { day, facts, form, notice, status, textField, timestamp } from './parts.ts'
import { baseStylesheet as stylesheet } from './stylesheet.ts'

const hostile = `"><script>alert('1')</script>&amp;`
const escaped = '&quot;&gt;&lt;script&gt;alert(&#39;1&#39;)&lt;/script&gt;&amp;amp;'

describe('escaping', () => {
  test('every value in a template is escaped as text', () => {
    expect(html`<p title="${hostile}">${hostile}</p>`.toString()).toBe(`<p title="${escaped}">${escaped}</p>`)
    expect(html`${[hostile, html`<b>${hostile}</b>`]}`.toString()).toBe(`${escaped}<b>${escaped}</b>`)
    expect(html`[${null}${undefined}${0}]`.toString()).toBe('[0]')
  })

  test('an object that only looks like a template result is escaped', () => {
    const forged = Object.assign(new String('<i>'), { html: true, isSafe: true, safeHtml: true })
    expect(html`${forged as never}`.toString()).toBe('&lt;i&gt;')
  })

  test('every part escapes its text', () => {
    const page = renderPage({
      title: hostile,
      lead: hostile,
      environmentNote: hostile,
      notice: notice('bad', hostile),
      main: html`${facts([[hostile, hostile]])}${status('good', hostile)}${form({
        action: hostile,
        hidden: { [hostile]: hostile },
        body: textField({ name: 'a', label: hostile, hint: hostile, value: hostile, error: hostile, suffix: hostile }),
      })}`,
    })
    expect(page).not.toContain('<script')
    expect(page).not.toContain(hostile)
    expect(page.split(escaped).length).toBeGreaterThan(13)
  })
})

describe('a page', () => {
  const page = renderPage({ title: 'A title', main: html`<p>Main</p>` })

  test('has a language, a title, one heading, landmarks, and no script', () => {
    expect(page).toMatch(/^<!doctype html>\n<html lang="en" dir="ltr">/)
    expect(page).toContain('<title>A title · Financial Agents</title>')
    expect(page.match(/<h1/g)).toHaveLength(1)
    for (const landmark of ['<header', '<main id="main"', '<footer']) expect(page).toContain(landmark)
    expect(page).not.toMatch(/<script|javascript:|\son[a-z]+=|\sstyle=/i)
  })

  test('runs a file that it names, and its headers allow files of this origin and nothing else', () => {
    const running = renderPage({ title: 'A title', main: html``, scripts: ['/one.js'] })
    expect(running.match(/<script[^>]*>[^]*?<\/script>/g)).toEqual(['<script src="/one.js" defer></script>'])
    expect(contentSecurityPolicy({ scripts: true })).toContain("script-src 'self'; connect-src 'self';")
    expect(contentSecurityPolicy()).not.toMatch(/script-src|connect-src/)
  })

  test('can be rendered as its main part alone, which equals the part in the page', () => {
    const facts = { title: 'A title', lead: 'A lead', main: html`<p>Main</p>` }
    expect(renderPage(facts)).toContain(renderMain(facts))
    expect(renderMain(facts)).toMatch(/<h1>A title<\/h1>[^]*A lead[^]*<p>Main<\/p>/)
  })

  test('carries exactly the stylesheet that its policy allows', () => {
    const inlined = /<style>([^]*)<\/style>/.exec(page)?.[1] ?? ''
    const hash = createHash('sha256').update(inlined).digest('base64')
    expect(contentSecurityPolicy()).toContain(`style-src 'sha256-${hash}'`)
    expect(inlined).toBe(stylesheet)
    expect(inlined).not.toMatch(/url\(|@import|<\//)
  })
})

describe('times', () => {
  test('are shown in the time zone of the reader, and in UTC if the zone is unknown', () => {
    const at = new Date('2026-07-01T22:30:00.000Z')
    expect(timestamp(at, 'Europe/Lisbon').toString()).toBe(
      '<time datetime="2026-07-01T22:30:00.000Z">1 July 2026 at 23:30 WEST</time>',
    )
    expect(day(at, 'Asia/Tokyo').toString()).toContain('>2 July 2026<')
    for (const zone of [undefined, 'UTC', 'Mars/Olympus', hostile])
      expect(timestamp(at, zone).toString()).toContain('>1 July 2026 at 22:30 UTC<')
  })
})

describe('the headers of a page', () => {
  test('allow only the stylesheet if the page has no rights', () => {
    const headers = pageHeaders()
    expect(headers['content-security-policy']).toMatch(
      /^default-src 'none'; style-src 'sha256-[^']+'; form-action 'none'; base-uri 'none'; frame-ancestors 'none'$/,
    )
    expect(headers).toMatchObject({
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
      'cross-origin-opener-policy': 'same-origin',
    })
  })

  test('send the origin of a form to this origin only', () => {
    expect(pageHeaders({ forms: true })).toMatchObject({ 'referrer-policy': 'same-origin' })
  })

  test('name the permitted targets of a form, private schemes included, and no others', () => {
    const formAction = (formRedirects: string[]) =>
      /form-action ([^;]*)/.exec(contentSecurityPolicy({ forms: true, formRedirects }))?.[1]
    expect(formAction([])).toBe("'self'")
    expect(formAction(['https://app.example.com/callback?a=b;c', 'https://app.example.com/other'])).toBe(
      "'self' https://app.example.com",
    )
    expect(formAction(['http://127.0.0.1:5000/cb'])).toBe("'self' http://127.0.0.1:5000")
    expect(formAction(['http://[::1]:5000/cb'])).toBe("'self' http:")
    expect(formAction(['com.example.app:/cb'])).toBe("'self' com.example.app:")
  })
})

describe('colours', () => {
  const blocks = stylesheet.split('@media (prefers-color-scheme:dark)')
  const read = (block: string) =>
    Object.fromEntries([...block.matchAll(/--([a-z-]+):(#[0-9a-f]{3,6})/g)].map((match) => [match[1], match[2]]))
  const light = read(blocks[0] ?? '')
  const dark = read((blocks[1] ?? '').split('*,*')[0] ?? '')

  test.each([
    ['light', light],
    ['dark', dark],
  ])('%s: text has 4.5:1 on everything that it stands on, edges of controls 3:1', (_name, colours) => {
    expect(Object.keys(colours)).toHaveLength(16)
    const ratio = (one: string, other: string) => contrast(long(colours[one] ?? ''), long(colours[other] ?? ''))
    const under = ['ground', 'surface']
    for (const ground of under) {
      for (const ink of ['ink', 'soft', 'accent', 'accent-strong', 'bad', 'warning', 'good'])
        expect(ratio(ink, ground), `${ink} on ${ground}`).toBeGreaterThanOrEqual(4.5)
      expect(ratio('edge', ground), `edge on ${ground}`).toBeGreaterThanOrEqual(3)
    }
    for (const [ink, ground] of [
      ['on-accent', 'accent'],
      ['on-accent', 'accent-strong'],
      ['ink', 'accent-wash'],
      ['accent', 'accent-wash'],
      ['ink', 'good-wash'],
      ['good', 'good-wash'],
      ['ink', 'bad-wash'],
      ['bad', 'bad-wash'],
      ['ink', 'warning-wash'],
      ['warning', 'warning-wash'],
    ] as const)
      expect(ratio(ink, ground), `${ink} on ${ground}`).toBeGreaterThanOrEqual(4.5)
  })

  test('an own accent is checked against the backgrounds of the stylesheet', () => {
    for (const [scheme, colours] of [
      ['light', light],
      ['dark', dark],
    ] as const)
      expect([colours['ground'], long(colours['surface'] ?? '')]).toEqual([grounds[scheme].page, grounds[scheme].card])
  })
})

/** `#abc` as `#aabbcc`. */
function long(colour: string): string {
  return colour.length === 4 ? `#${colour.slice(1).replaceAll(/./g, '$&$&')}` : colour
}
