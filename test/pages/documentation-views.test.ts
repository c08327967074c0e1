/**
 * The pages of the documentation in a browser, as the gateway serves them: WCAG 2.2 AA, the search, and reading without scripts. A deep run
 * looks at a page of every kind, on a desktop and a phone, light and dark, in wide and in narrow fonts.
 */

import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { documentationRoot } from '@financial-agents/contract/documentation-paths'
import { launchChromium } from '@financial-agents/servers/chromium'
import { isDeep } from '@financial-agents/testkit/deep'
import type { AxeResults, RunOnly } from 'axe-core'
import type { Page } from 'playwright-core'
import { expect, onTestFinished, test } from 'vitest'
import { environment } from './environment.ts'
import { endAnimations, photograph } from './look.ts'
import { newVisitor, useBrowser } from './visitor.ts'

useBrowser()

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
const tags = { type: 'tag', values: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'] } satisfies RunOnly
const desktop = { width: 1280, height: 900 }
const phone = { width: 360, height: 740 }

const views = [
  ['desktop', desktop, 'light'],
  ['phone', phone, 'dark'],
  ...(isDeep
    ? ([
        ['desktop', desktop, 'dark'],
        ['phone', phone, 'light'],
      ] as const)
    : []),
] as const

const kinds = [
  ['first', ''],
  ['route', 'reference/routes/beneficiaries/create-beneficiary/'],
] as const
const otherKinds = [
  ['tutorial', 'tutorials/first-payment/'],
  ['how-to', 'how-to/uncertainty/'],
  ['states', 'reference/states/'],
  ['errors', 'reference/errors/'],
  ['guide', 'operate/guide/install/'],
] as const

const addressOf = (path: string) => `${environment().baseUrl}${documentationRoot}/${path}`

/** Opens a page; a request to another origin fails the test. */
async function visit(path: string, { withScript = true } = {}): Promise<Page> {
  const page = await newVisitor({ withScript })
  const foreign: string[] = []
  page.on('request', (request) => {
    if (!request.url().startsWith('data:') && !request.url().startsWith(`${environment().baseUrl}/`))
      foreign.push(request.url())
  })
  onTestFinished(() => expect(foreign).toEqual([]))
  await page.goto(addressOf(path))
  return page
}

async function validate(page: Page, runOnly: RunOnly): Promise<string[]> {
  const options = JSON.stringify({ runOnly, resultTypes: ['violations'] })
  const { violations } = await page.evaluate<AxeResults>(`${axe};axe.run(document, ${options})`)
  return violations.map(({ id, nodes }) => {
    const shown = nodes.slice(0, 3).map(({ html }) => html.slice(0, 200))
    return `${id}: ${shown.join(' ')}`
  })
}

async function overflow(page: Page, { width }: { width: number }): Promise<string[]> {
  const wide = await page.evaluate<number>('document.documentElement.scrollWidth')
  return wide > width ? [`${wide} px wide`] : []
}

test.for([...kinds, ...(isDeep ? otherKinds : [])])('the page %s keeps WCAG 2.2 AA', async ([name, path]) => {
  const page = await visit(path)
  const found: string[] = []
  for (const [size, viewport, colorScheme] of views) {
    await page.setViewportSize(viewport)
    await page.emulateMedia({ colorScheme })
    // The site follows the scheme when it loads.
    await page.reload()
    await page.evaluate(endAnimations)
    await photograph(page, `docs-${name}-${size}-${colorScheme}`)
    const problems = [...(await validate(page, tags)), ...(await overflow(page, viewport))]
    found.push(...problems.map((problem) => `${size}, ${colorScheme}: ${problem}`))
  }
  expect(found).toEqual([])
})

if (isDeep)
  test('the sizes of each page are enough in narrow fonts too', async () => {
    const { browser } = await launchChromium({ log: () => {}, fonts: 'narrow' })
    onTestFinished(() => browser?.close())
    const page = await browser?.newPage()
    if (!page) throw new Error('there is no second browser')
    for (const [, path] of [...kinds, ...otherKinds]) {
      await page.goto(addressOf(path))
      for (const viewport of [desktop, phone]) {
        await page.setViewportSize(viewport)
        const found = await validate(page, { type: 'rule', values: ['target-size'] })
        expect([...found, ...(await overflow(page, viewport))], `${path} ${viewport.width}`).toEqual([])
      }
    }
  })

test('the search finds a word without a server', async () => {
  const page = await visit('')
  await page.getByRole('button', { name: 'Search' }).click()
  await page.locator('dialog input').fill('indeterminate')
  await page.locator('dialog .pagefind-ui__result-link').first().waitFor()
})

test.each(['indeterminate', 'refused', 'webhooks', 'retry', 'limit', 'sign-in'])(
  'the search for %s finds a page for users first',
  async (word) => {
    const page = await visit('')
    await page.getByRole('button', { name: 'Search' }).click()
    await page.locator('dialog input').fill(word)
    const first = page.locator('dialog .pagefind-ui__result-link').first()
    await first.waitFor()
    expect(await first.getAttribute('href')).not.toContain(`${documentationRoot}/operate/`)
  },
)

test('the search finds a runbook by its name', async () => {
  const page = await visit('')
  await page.getByRole('button', { name: 'Search' }).click()
  await page.locator('dialog input').fill('SubmissionsUncertain')
  await page.locator('dialog .pagefind-ui__result-link[href*="submissionsuncertain"]').first().waitFor()
})

test('a page is read without scripts, with its links', async () => {
  const page = await visit('understand/at-most-once/', { withScript: false })
  expect(await page.getByRole('heading', { level: 1 }).innerText()).toBe('Why at most once')
  await page.getByRole('link', { name: 'What a proof is' }).first().click()
  expect(await page.getByRole('heading', { level: 1 }).innerText()).toBe('What a proof is')
})
