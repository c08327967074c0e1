/**
 * Looks at a page as it stands: axe's rules for WCAG 2.2 AA in both colour schemes on a phone and on a desktop, nothing wider
 * than the screen, no script in it but a file that the console names. With SCREENSHOTS=<folder> it is also photographed, for a person to look at.
 *
 * axe needs scripts, the page must not: its very HTML is written into a page of the tests' own and judged there. That page has
 * read axe once, which takes longer than to judge.
 */

import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import axe, { type AxeResults, type RunOnly, type RunOptions } from 'axe-core'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { expect } from 'vitest'

/** The other scheme differs in its colours alone. */
const rules = {
  light: { type: 'tag', values: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'] },
  dark: { type: 'rule', values: ['color-contrast', 'link-in-text-block'] },
} satisfies Record<string, RunOnly>
const sizes = { phone: { width: 360, height: 740 }, desktop: { width: 1280, height: 800 } }
/** The width at which nothing may be cut off (WCAG 1.4.10). */
const narrowest = { width: 320, height: 640 }
const schemes = ['light', 'dark'] as const
/** The one file that pages of the operators' console run. */
const consoleScript = /<script src="\/ops\/assets\/refresh\.[\w-]{16}\.js" defer=""><\/script>/g

/** For a page to run: what glides from one colour to the other has none to be judged by. */
export const endAnimations = 'for (const animation of document.getAnimations()) animation.finish()'

/** Fails with what is wrong with the page that is open. `name` is that of the screenshots. */
export async function look(page: Page, name: string): Promise<void> {
  const content = (await page.content()).replaceAll(consoleScript, '')
  expect(content, 'a page has no script').not.toMatch(/<script|\son\w+="|javascript:/i)
  expect(await page.title(), 'a page has a title of its own').toMatch(/\S/)
  const copy = await judgeOf(page.context())
  await copy.setContent(withoutPolicy(content))
  const found: string[] = []
  for (const [size, viewport] of Object.entries(sizes)) {
    await copy.setViewportSize(viewport)
    for (const colorScheme of schemes) {
      await copy.emulateMedia({ colorScheme })
      await copy.evaluate(endAnimations)
      const violations = await judge(copy, rules[colorScheme])
      found.push(...violations.map((violation) => `${size}, ${colorScheme}: ${violation}`))
      await photograph(copy, `${name}-${size}-${colorScheme}`)
    }
  }
  await copy.setViewportSize(narrowest)
  const width = await copy.evaluate<number>('document.documentElement.scrollWidth')
  if (width > narrowest.width) found.push(`${width} px wide where the screen has ${narrowest.width}`)
  expect(found, `${name} (${new URL(page.url()).pathname})`).toEqual([])
}

const judges = new WeakMap<object, Promise<Page>>()

/** The page with axe of this browser. */
function judgeOf(context: BrowserContext): Promise<Page> {
  const key = context.browser() as Browser
  const opened = judges.get(key) ?? openJudge(key)
  judges.set(key, opened)
  return opened
}

async function openJudge(browser: Browser): Promise<Page> {
  const page = await browser.newPage()
  await page.evaluate(axe.source)
  return page
}

async function judge(page: Page, runOnly: RunOnly): Promise<string[]> {
  const options = JSON.stringify({ runOnly, resultTypes: ['violations'] } satisfies RunOptions)
  const results = await page.evaluate<AxeResults>(`axe.run(document, ${options})`)
  return describe(results)
}

function describe({ violations }: AxeResults): string[] {
  return violations.flatMap(({ id, help, nodes }) =>
    nodes.map(({ html, any }) => `${id}: ${help}: ${html.slice(0, 160)} ${any[0]?.message ?? ''}`),
  )
}

/** With SCREENSHOTS=<folder>: the whole page as it stands. */
export async function photograph(page: Page, name: string): Promise<void> {
  const folder = process.env['SCREENSHOTS']
  if (!folder) return
  mkdirSync(folder, { recursive: true })
  await page.screenshot({ path: join(folder, `${name}.png`), fullPage: true })
}

/** A policy or a refresh inside the page would act on the copy. */
function withoutPolicy(content: string): string {
  return content.replaceAll(/<meta[^>]+http-equiv[^>]*>/gi, '')
}
