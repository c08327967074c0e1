/**
 * Checks an open page: axe's rules for WCAG 2.2 AA, no content wider than the screen, with large text too, and no script
 * except the console's one file. A deep run applies the rules on a phone and on a desktop, in both colour schemes, and in
 * narrow fonts. `test` applies all of them once, at one size and in one scheme, in turn from page to page.
 * SCREENSHOTS=<folder> also saves screenshots for people.
 *
 * axe needs scripts, but the page must not run any. So its HTML is copied into a page of the tests, which has loaded
 * axe once, and is checked there. Loading axe takes longer than a check. A second browser, with narrow fonts, checks the
 * sizes: they differ with the fonts that a person has.
 */

import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type LaunchedChromium, launchChromium } from '@financial-agents/servers/chromium'
import { isDeep } from '@financial-agents/testkit/deep'
import axe, { type AxeResults, type RunOnly, type RunOptions } from 'axe-core'
import type { Browser, CDPSession, Page } from 'playwright-core'
import { expect } from 'vitest'

const rules = {
  all: { type: 'tag', values: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'] },
  colours: { type: 'rule', values: ['color-contrast', 'link-in-text-block'] },
  sizes: { type: 'rule', values: ['target-size'] },
} satisfies Record<string, RunOnly>
const sizes = { phone: { width: 360, height: 740 }, desktop: { width: 1280, height: 800 } }
/** The width at which nothing may be cut off (WCAG 1.4.10). */
const narrowest = { width: 320, height: 640 }
/** A phone whose owner reads text at twice the usual size. */
const large = { viewport: { width: 390, height: 844 }, fontSizes: { standard: 32, fixed: 26 } }
const usualFontSizes = { standard: 16, fixed: 13 }
const schemes = ['light', 'dark'] as const

/** A size and a scheme in which a page is validated. */
type View = { size: string; viewport: { width: number; height: number }; scheme: (typeof schemes)[number] }

const views: readonly View[] = Object.entries(sizes).flatMap(([size, viewport]) =>
  schemes.map((scheme) => ({ size, viewport, scheme })),
)

/** The views in which a page with this name is validated: all, or in `test` one, by the length of the name. */
export function viewsOf(name: string): readonly View[] {
  if (isDeep || photographs) return views
  return [views[name.length % views.length] as View]
}

/** The only script on the pages of the operators' console. */
const consoleScript = /<script src="\/ops\/assets\/refresh\.[\w-]{16}\.js" defer=""><\/script>/g

/** Runs in the page: ends transitions, because a colour in transition cannot be checked. */
export const endAnimations = 'for (const animation of document.getAnimations()) animation.finish()'

/** Fails with every problem of the open page. `name` is the name of the screenshots. */
export async function look(page: Page, name: string): Promise<void> {
  const content = (await page.content()).replaceAll(consoleScript, '')
  expect(content, 'a page has no script').not.toMatch(/<script|\son\w+="|javascript:/i)
  expect(await page.title(), 'a page has a title of its own').toMatch(/\S/)
  const html = withoutPolicy(content)
  const found = [...(await validateInWideFonts(page, html, name)), ...(isDeep ? await validateSizes(html) : [])]
  expect(found, `${name} (${new URL(page.url()).pathname})`).toEqual([])
}

async function validateInWideFonts(page: Page, html: string, name: string): Promise<string[]> {
  const copy = await axePageOf(page.context().browser() as Browser)
  const found: string[] = []
  const all = viewsOf(name)
  for (const [index, { size, viewport, scheme }] of all.entries()) {
    await copy.setViewportSize(viewport)
    await copy.emulateMedia({ colorScheme: scheme })
    if (index === 0) await copy.setContent(html)
    await copy.evaluate(endAnimations)
    // A dark view beside a light one differs from it only in colours.
    const violations = await validate(copy, scheme === 'dark' && all.length > 1 ? rules.colours : rules.all)
    found.push(...violations.map((violation) => `${size}, ${scheme}: ${violation}`))
    await photograph(copy, `${name}-${size}-${scheme}`)
  }
  return [...found, ...(await overflow(copy)), ...(await lookAtLargeText(copy, name))]
}

/** Runs in the page: lists what large text leaves too little room, or what can only be read by scrolling sideways. */
const tooNarrow = `(() => {
  const found = []
  const screen = document.documentElement.clientWidth
  if (document.documentElement.scrollWidth > screen) found.push(document.documentElement.scrollWidth + ' px wide where the screen has ' + screen)
  const about = (element) => element.tagName + ' ' + element.textContent.trim().slice(0, 60)
  for (const value of document.querySelectorAll('main :is(dd, td, tbody th)')) {
    const { width } = value.getBoundingClientRect()
    if (width > 0 && width < screen * 0.6) found.push(Math.round(width) + ' px for ' + about(value))
  }
  for (const box of document.querySelectorAll('main *'))
    if (box.scrollWidth > box.clientWidth && /auto|scroll/.test(getComputedStyle(box).overflowX)) found.push('scrolls sideways: ' + about(box))
  return found
})()`

const sessions = new WeakMap<Page, CDPSession>()

async function sessionOf(page: Page): Promise<CDPSession> {
  const session = sessions.get(page) ?? (await page.context().newCDPSession(page))
  sessions.set(page, session)
  return session
}

/**
 * Lists the problems of an open page with large text. The text is enlarged by the browser's own font size: media queries in rem
 * depend on it, and no style sheet changes it.
 */
export async function lookAtLargeText(page: Page, name: string): Promise<string[]> {
  await page.setViewportSize(large.viewport)
  const session = await sessionOf(page)
  const setFontSizes = (fontSizes: typeof usualFontSizes) => session.send('Page.setFontSizes', { fontSizes })
  await setFontSizes(large.fontSizes)
  const found = await page.evaluate<string[]>(tooNarrow)
  if (photographs) {
    const height = await page.evaluate<number>('document.documentElement.scrollHeight')
    // A change of the viewport, and Playwright's own screenshots, bring back the usual sizes.
    await page.setViewportSize({ ...large.viewport, height })
    await setFontSizes(large.fontSizes)
    const { data } = await session.send('Page.captureScreenshot')
    writePhotograph(`${name}-large`, Buffer.from(data, 'base64'))
  }
  await setFontSizes(usualFontSizes)
  return found.map((problem) => `large text: ${problem}`)
}

async function validateSizes(html: string): Promise<string[]> {
  narrow ??= launchChromium({ log: () => {}, fonts: 'narrow' })
  const { browser, missing } = await narrow
  if (!browser) throw new Error(missing)
  const copy = await axePageOf(browser)
  await copy.setContent(html)
  const found: string[] = []
  for (const [size, viewport] of Object.entries(sizes)) {
    await copy.setViewportSize(viewport)
    found.push(...(await validate(copy, rules.sizes)).map((violation) => `${size}, narrow fonts: ${violation}`))
  }
  return [...found, ...(await overflow(copy))]
}

async function overflow(page: Page): Promise<string[]> {
  await page.setViewportSize(narrowest)
  const width = await page.evaluate<number>('document.documentElement.scrollWidth')
  return width > narrowest.width ? [`${width} px wide where the screen has ${narrowest.width}`] : []
}

let narrow: Promise<LaunchedChromium> | undefined
const axePages = new WeakMap<Browser, Promise<Page>>()

/** Returns the page with axe, one for each browser. */
function axePageOf(browser: Browser): Promise<Page> {
  const opened = axePages.get(browser) ?? openAxePage(browser)
  axePages.set(browser, opened)
  return opened
}

async function openAxePage(browser: Browser): Promise<Page> {
  const page = await browser.newPage()
  await page.evaluate(axe.source)
  return page
}

async function validate(page: Page, runOnly: RunOnly): Promise<string[]> {
  // The copy has nothing to load: no rule here reads style sheets or media.
  const options = JSON.stringify({ runOnly, resultTypes: ['violations'], preload: false } satisfies RunOptions)
  const results = await page.evaluate<AxeResults>(`axe.run(document, ${options})`)
  return describe(results)
}

function describe({ violations }: AxeResults): string[] {
  return violations.flatMap(({ id, help, nodes }) =>
    nodes.map(({ html, any }) => `${id}: ${help}: ${html.slice(0, 160)} ${any[0]?.message ?? ''}`),
  )
}

/** The folder for screenshots. */
export const photographs = process.env['SCREENSHOTS']

/** With SCREENSHOTS=<folder>: saves a screenshot of the whole page. */
export async function photograph(page: Page, name: string): Promise<void> {
  if (photographs) writePhotograph(name, await page.screenshot({ fullPage: true }))
}

function writePhotograph(name: string, picture: Buffer): void {
  if (!photographs) return
  mkdirSync(photographs, { recursive: true })
  writeFileSync(join(photographs, `${name}.png`), picture)
}

/** Removes policies and refreshes, which would affect the copy. */
function withoutPolicy(content: string): string {
  return content.replaceAll(/<meta[^>]+http-equiv[^>]*>/gi, '')
}
