/**
 * The API reference and the pages of codes, on desktop and phone: their content, and that everything comes from this
 * origin.
 */

import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { type OpenapiDocument, withoutWebhooks } from '@financial-agents/contract/openapi'
import { problemsOf } from '@financial-agents/contract/problems-of'
import { routes } from '@financial-agents/contract/routes'
import type { AxeResults, RunOnly } from 'axe-core'
import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { environment } from './environment.ts'
import { endAnimations, look, photograph } from './look.ts'
import { heading } from './steps.ts'
import { newVisitor, useBrowser } from './visitor.ts'

useBrowser()

const at = (path: string) => environment().baseUrl + path
const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
const tags = { type: 'tag', values: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'] } satisfies RunOnly
/** The second colour scheme differs only in colours, so only these rules are checked for it. */
const contrast = { type: 'rule', values: ['color-contrast', 'link-in-text-block'] } satisfies RunOnly
const sizes = { desktop: { width: 1280, height: 900 }, phone: { width: 360, height: 740 } }
/** Time for a long page with a rule for each of its elements, on any machine. */
const patient = 120_000

/** Opens the reference and waits until it shows the document. `asked` lists every requested address. */
async function openReference(hash = ''): Promise<{ page: Page; asked: string[] }> {
  const page = await newVisitor({ withScript: true })
  const asked: string[] = []
  page.on('request', (request) => asked.push(request.url()))
  expect((await page.goto(at(`/docs${hash}`)))?.status()).toBe(200)
  page.setDefaultTimeout(patient)
  await page.locator('.opblock-tag').first().waitFor()
  return { page, asked }
}

/** Runs axe on the page itself. The page has stylesheets of its own, so a copy would differ. */
async function violationsOf(page: Page, runOnly: RunOnly): Promise<string[]> {
  const run = `axe.run(document, { runOnly: ${JSON.stringify(runOnly)}, resultTypes: ['violations'] })`
  const { violations } = await page.evaluate<AxeResults>(`${axe};${run}`)
  return violations.map(
    ({ id, nodes }) =>
      `${id}: ${nodes
        .map(({ html }) => html.slice(0, 160))
        .slice(0, 3)
        .join(' ')}`,
  )
}

describe('the reference', () => {
  test('shows every route of the table, by its area', { timeout: patient }, async () => {
    const { page } = await openReference()
    expect(await heading(page)).toBe('API reference')
    expect(await page.locator('.opblock').count()).toBe(Object.keys(routes).length + 1)
    expect(await page.getByText('Read an operation', { exact: true }).count()).toBe(1)
  })

  test('asks this origin for everything, and nothing else', { timeout: patient }, async () => {
    const { page, asked } = await openReference('#/beneficiaries/createBeneficiary')
    await page.locator('.opblock.is-open .opblock-body').first().waitFor()
    await page.waitForLoadState('networkidle')
    const elsewhere = asked.filter((url) => !url.startsWith(`${environment().baseUrl}/`) && !url.startsWith('data:'))
    expect(elsewhere).toEqual([])
    expect(asked.some((url) => url === at('/v1/openapi.json'))).toBe(true)
  })

  test('the document without webhooks is beside it', async () => {
    const read = async (path: string) => (await (await fetch(at(path))).json()) as OpenapiDocument
    const variant = await read('/docs/openapi-without-webhooks.json')
    expect(variant).toEqual(withoutWebhooks(await read('/v1/openapi.json')))
  })

  test('a link leads to one route, opened', { timeout: patient }, async () => {
    const { page } = await openReference('#/operations/getOperation')
    const opened = page.locator('.opblock.is-open')
    await opened.locator('.opblock-body').waitFor()
    expect(await opened.count()).toBe(1)
    expect(await opened.innerText()).toContain('/v1/operations/{id}')
  })

  test('keeps WCAG 2.2 AA with a route open, on a desktop and a phone, light and dark', {
    timeout: patient,
  }, async () => {
    const { page } = await openReference('#/beneficiaries/createBeneficiary')
    await page.locator('.opblock.is-open .opblock-body').waitFor()
    const found: string[] = []
    for (const [size, viewport] of Object.entries(sizes))
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.setViewportSize(viewport)
        await page.emulateMedia({ colorScheme })
        await page.evaluate(endAnimations)
        await photograph(page, `reference-open-${size}-${colorScheme}`)
        const violations = await violationsOf(page, colorScheme === 'light' ? tags : contrast)
        found.push(...violations.map((violation) => `${size}, ${colorScheme}: ${violation}`))
        const width = await page.evaluate<number>('document.documentElement.scrollWidth')
        if (width > viewport.width) found.push(`${size}: ${width} px wide`)
      }
    expect(found).toEqual([])
  })

  test('says where the document is where no script runs', async () => {
    const page = await newVisitor()
    await page.goto(at('/docs'))
    expect(await page.getByRole('main').innerText()).toContain('OpenAPI document')
  })
})

describe('the pages of codes', () => {
  test('a problem says what it is, what to do, who answers it and what that looks like', async () => {
    const page = await newVisitor()
    await page.goto(at('/problems/idempotency_key_conflict'))
    const text = await page.getByRole('main').innerText()
    expect(text).toContain('409')
    expect(text).toContain('"code": "idempotency_key_conflict"')
    const answering = Object.values(routes).filter((row) => problemsOf(row).includes('idempotency_key_conflict'))
    await page.getByText(`${answering.length} of ${Object.keys(routes).length} routes`).click()
    expect(await page.locator('.routes li').count()).toBe(answering.length)
    await look(page, 'problem')
  })

  test.each([
    ['/problems', 'Problem codes'],
    ['/problems/acceptance_unknown', 'Whether the write was accepted is not known'],
    ['/problems/card_not_frozen', 'The card is not frozen'],
    ['/failure-codes/provider_timeout', 'Failure code of an operation'],
  ])('%s can be read by everybody', async (path, title) => {
    const page = await newVisitor()
    await page.goto(at(path))
    expect(await heading(page)).toBe(title)
    await look(page, path.slice(1).replaceAll('/', '-'))
  })

  test('a route named on a page of a code opens in the reference', { timeout: patient }, async () => {
    const page = await newVisitor({ withScript: true })
    page.setDefaultTimeout(patient)
    await page.goto(at('/problems/card_not_frozen'))
    await page.getByRole('link', { name: /unfreeze/ }).click()
    await page.locator('.opblock.is-open .opblock-body').waitFor()
    expect(await page.locator('.opblock.is-open').innerText()).toContain('/v1/cards/{card_id}/unfreeze')
  })
})
