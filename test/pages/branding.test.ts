/**
 * The look of an installation, as its owners see it: every page has the name, the logo, the accents and the links, in every language.
 * `test` sees English, and Arabic from right to left. The other files of the folder see the pages without one.
 */

import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isDeep } from '@financial-agents/testkit/deep'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { applicationNamed } from './application.ts'
import { order } from './control.ts'
import { environment } from './environment.ts'
import { endAnimations, look, photograph, photographs } from './look.ts'
import { opsUrl, signInAs } from './ops-steps.ts'
import { approve } from './steps.ts'
import { newVisitor, useBrowser } from './visitor.ts'

useBrowser()

/** Long, and without a place to break it. */
const name = 'Donaudampfschifffahrtsgesellschaftsbank'
const logo = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="8" fill="#1f4fa3"/>
<path d="M8 22V10h10a6 6 0 0 1 0 12z" fill="#9cc3ff"/></svg>`
const sizes = { phone: { width: 390, height: 844 }, desktop: { width: 1280, height: 800 } }
let folder: string

const restart = async (more: Record<string, string>) => {
  for (const service of ['authz', 'gateway', 'ops-console'] as const) {
    await order({ do: 'stop', service })
    await order({ do: 'start', service, environment: more })
  }
}

beforeAll(async () => {
  if (environment().missing !== undefined) return
  folder = await mkdtemp(join(tmpdir(), 'branding-'))
  await writeFile(join(folder, 'logo.svg'), logo)
  await restart({
    BRAND_NAME: name,
    BRAND_LOGO_FILE: join(folder, 'logo.svg'),
    BRAND_ACCENTS: '#1f4fa3,#9cc3ff',
    BRAND_SUPPORT: 'mailto:help@bank.example',
    BRAND_PRIVACY_URL: 'https://bank.example/privacy',
    BRAND_TERMS_URL: 'https://bank.example/terms',
  })
})
afterAll(async () => {
  if (environment().missing !== undefined) return
  const none = ['NAME', 'LOGO_FILE', 'ACCENTS', 'SUPPORT', 'PRIVACY_URL', 'TERMS_URL']
  await restart(Object.fromEntries(none.map((variable) => [`BRAND_${variable}`, ''])))
  await rm(folder, { recursive: true })
})

const primary = (page: Page) => page.locator('main button.primary').first()
const linksOf = (page: Page) => page.locator('footer nav.links a').allInnerTexts()

/** In `test`, the other files validate the English pages, and this one those from right to left. */
async function seen(page: Page, what: string, language: string): Promise<void> {
  const title = `${what}-${language}`
  expect(await page.title()).toContain(name)
  expect(await page.locator('header .brand').innerText()).toContain(name)
  const width = await page.evaluate<number>("document.querySelector('header img.logo').naturalWidth")
  expect(width, 'the logo is shown').toBeGreaterThan(0)
  expect(await page.locator('footer nav.links a').count()).toBe(3)
  if (isDeep || photographs || language !== 'en') await look(page, `branded-${title}`)
  if (!photographs) return
  // The copy that is validated has no address, and so no pictures.
  for (const [size, viewport] of Object.entries(sizes)) {
    await page.setViewportSize(viewport)
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme })
      await page.evaluate(endAnimations)
      await photograph(page, `real-${title}-${size}-${colorScheme}`)
    }
  }
  await page.emulateMedia({ colorScheme: null })
}

const words = [
  ['en', ['Support', 'Privacy', 'Terms'], 'Not verified by'],
  ['ar', ['الدعم', 'الخصوصية', 'الشروط'], 'لم يتم التحقق منه'],
  ['de', ['Hilfe', 'Datenschutz', 'Bedingungen'], 'nicht geprüft'],
  ['pt', ['Apoio', 'Privacidade', 'Condições'], 'Não verificado por'],
  ['fr', ['Assistance', 'Confidentialité', 'Conditions'], 'Non vérifié par'],
] as const

test.each(isDeep ? words : words.slice(0, 2))(
  'in %s, sign-in, consent and every other page have it',
  async (language, labels, notVerified) => {
    const page = await newVisitor({ language })
    const application = await applicationNamed('tally')
    const authorization = await application.open(page, { prompt: 'login consent' })
    expect(await linksOf(page)).toEqual(labels)
    const publisher = page.locator('main .publisher')
    expect(await publisher.innerText()).toContain(notVerified)
    expect(await publisher.innerText()).toContain(name)
    await seen(page, 'sign-in', language)
    await primary(page).click()
    await approve(page, 'ines')
    expect(await publisher.innerText()).toContain(notVerified)
    await seen(page, 'consent', language)
    const [answer] = await Promise.all([authorization.comesBack(), primary(page).click()])
    await application.redeem(answer, authorization.request)
    for (const path of ['/', '/account', '/account/nothing', '/device', '/problems', '/problems/acceptance_unknown']) {
      await page.goto(`${environment().baseUrl}${path}`)
      expect(await page.locator('html').getAttribute('lang')).toBe(language)
      expect(await page.locator('html').getAttribute('dir')).toBe(language === 'ar' ? 'rtl' : 'ltr')
      await seen(page, `page${path.replaceAll('/', '-')}`, language)
    }
    await page.goto(`${environment().baseUrl}/account`)
    await page.locator('main article a').first().click()
    expect(await publisher.innerText()).toContain(notVerified)
    await seen(page, 'application', language)
  },
)

test('the operators’ console has the name, the logo and the accents, and no links that are for owners', async () => {
  const page = await newVisitor()
  await signInAs(page, 'jonas')
  await page.goto(opsUrl())
  expect(await page.title()).toContain(name)
  expect(await page.locator('header .brand').innerText()).toContain(name)
  expect(await page.locator('footer nav.links a').count()).toBe(0)
  const width = await page.evaluate<number>("document.querySelector('header img.logo').naturalWidth")
  expect(width, 'the logo is shown').toBeGreaterThan(0)
  const accent = "getComputedStyle(document.documentElement).getPropertyValue('--accent').trim()"
  expect(await page.evaluate<string>(accent)).toBe('#1f4fa3')
  await look(page, 'branded-console')
})

test('a publisher that the operator verified is said to be so, and nothing is loaded from elsewhere', async () => {
  const page = await newVisitor()
  const asked = new Set<string>()
  const application = await applicationNamed('harbour-ledger')
  page.on('request', (request) => asked.add(new URL(request.url()).origin))
  await application.open(page, { prompt: 'login consent' })
  const publisher = page.locator('main .publisher')
  expect(await publisher.innerText()).toContain('Harbour Bookkeeping Ltd')
  expect(await publisher.innerText()).toContain(`Verified by ${name}`)
  await look(page, 'branded-sign-in-verified')
  expect([...asked]).toEqual([new URL(environment().baseUrl).origin])
})

test('the front page and the pages of codes change their language by their own links', async () => {
  const page = await newVisitor()
  await page.goto(`${environment().baseUrl}/problems`)
  await page.getByRole('link', { name: 'Deutsch' }).click()
  expect(new URL(page.url()).search).toBe('')
  expect(await page.locator('html').getAttribute('lang')).toBe('de')
  await page.goto(environment().baseUrl)
  expect(await page.getByRole('heading', { level: 1 }).innerText()).toBe(`${name} API`)
  expect(await page.getByText('Für Inhaberinnen und Inhaber').count()).toBe(1)
})
