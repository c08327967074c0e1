/**
 * A person with a browser of their own. No script runs in it unless asked for. A test fails if the browser complains (a
 * violation of a page's policy, an error of a script) or if a page of ours lacks its security headers.
 */

import { documentationRoot } from '@financial-agents/contract/documentation-paths'
import { type LaunchedChromium, launchChromium } from '@financial-agents/servers/chromium'
import type { Page, Response } from 'playwright-core'
import { afterEach, beforeEach, expect } from 'vitest'
import { order } from './control.ts'
import { environment } from './environment.ts'

/** The files of the folder share the worker, and the browser. Playwright ends it with the worker. */
let launched: Promise<LaunchedChromium> | undefined
const open = new Set<Page>()
/** Browsers without scripts that no test uses now. A new one would start a process of its own for its pages. */
const idle: Page[] = []
const withScripts = new WeakSet<Page>()
const complaints: string[] = []
const usualViewport = { width: 1280, height: 720 }

/**
 * Call this at the top of each test file. It gives the tests a browser, or skips them all with the reason. The clocks
 * are reset after each test.
 */
export function useBrowser(): void {
  beforeEach(({ skip }) => {
    const { missing } = environment()
    if (missing !== undefined) skip(missing)
  })
  afterEach(async () => {
    await Promise.all([...open].map(leave))
    open.clear()
    if (environment().missing === undefined)
      await order({ do: 'move-clock', services: ['authz', 'operations'], offsetMs: 0 })
    expect(complaints.splice(0), 'what the browser complained about').toEqual([])
  })
}

/** The person leaves. Without scripts, a browser keeps nothing but cookies. */
async function leave(page: Page): Promise<void> {
  const context = page.context()
  if (withScripts.has(page)) return context.close()
  for (const other of context.pages()) if (other !== page) await other.close()
  await context.clearCookies()
  await page.goto('about:blank')
  if (page.viewportSize()?.width !== usualViewport.width) await page.setViewportSize(usualViewport)
  idle.push(page)
}

/**
 * Opens a page in a browser whose only cookie is the choice of a language. With `losesAnswers`, the test itself aborts
 * requests.
 */
export async function newVisitor({ withScript = false, language = 'en', losesAnswers = false } = {}): Promise<Page> {
  const page = (withScript ? undefined : idle.pop()) ?? (await newPage(withScript, losesAnswers))
  open.add(page)
  // The people of the fake provider have several languages.
  await page.context().addCookies([{ name: 'language', value: language, url: environment().baseUrl }])
  return page
}

async function newPage(withScript: boolean, losesAnswers: boolean): Promise<Page> {
  const { browser, missing } = await (launched ??= launchChromium({ log: () => {} }))
  if (!browser) throw new Error(missing)
  const context = await browser.newContext({ javaScriptEnabled: withScript, locale: 'en-GB', viewport: usualViewport })
  context.setDefaultTimeout(60_000)
  context.on('console', (message) => {
    const { url } = message.location()
    // Tests themselves expect error statuses, and addresses of applications where nothing listens.
    const isAnswer = message.text().startsWith('Failed to load resource: ') && !url.startsWith(environment().baseUrl)
    const isStatus = message.text().startsWith('Failed to load resource: the server responded with a status of')
    const isLost = losesAnswers && message.text() === 'Failed to load resource: net::ERR_FAILED'
    if (message.type() === 'error' && !isStatus && !isAnswer && !isLost)
      complaints.push(`${message.text()} (${new URL(url || 'about:blank').pathname})`)
  })
  context.on('weberror', (error) => complaints.push(error.error().message))
  context.on('response', (response) => complaints.push(...unguarded(response)))
  const page = await context.newPage()
  if (withScript) withScripts.add(page)
  return page
}

const [loadsNothing, neverKept] = [/^default-src 'none'/, /^no-store$/]
/** Guards that hold only for pages that are made for one request. */
const ofAnswersToOne: ReadonlySet<RegExp> = new Set([loadsNothing, neverKept])

const guards: readonly (readonly [name: string, pattern: RegExp])[] = [
  ['content-security-policy', loadsNothing],
  ['content-security-policy', /frame-ancestors 'none'/],
  ['content-security-policy', /base-uri 'none'/],
  ['cache-control', neverKept],
  ['referrer-policy', /^(no-referrer|same-origin)$/],
  ['x-content-type-options', /^nosniff$/],
]

function unguarded(response: Response): string[] {
  const headers = response.headers()
  const isOurs = response.url().startsWith(environment().baseUrl)
  const isShown = response.status() < 300 || response.status() >= 400
  if (!isOurs || !isShown || !headers['content-type']?.startsWith('text/html')) return []
  // A page of the documentation has its own policy for scripts, and may be cached and revalidated.
  const isDocumentation = new URL(response.url()).pathname.startsWith(`${documentationRoot}/`)
  return guards
    .filter(([, pattern]) => !isDocumentation || !ofAnswersToOne.has(pattern))
    .filter(([name, pattern]) => !pattern.test(headers[name] ?? ''))
    .map(([name, pattern]) => `${new URL(response.url()).pathname}: ${name} is not ${pattern}: ${headers[name]}`)
}
