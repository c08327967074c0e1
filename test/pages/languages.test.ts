/**
 * The owner's pages in other languages: `look` validates each, so that long words and the other direction are seen by axe
 * and at the narrowest screen too. In `test`, `branding.test.ts` sees the pages in Arabic.
 */

import { isDeep } from '@financial-agents/testkit/deep'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { applicationNamed } from './application.ts'
import { environment } from './environment.ts'
import { look } from './look.ts'
import { approve } from './steps.ts'
import { newVisitor, useBrowser } from './visitor.ts'

useBrowser()

const primary = (page: Page) => page.locator('main button.primary').first()

/** In `test` the language of the longest words. */
const languages = [
  ['de', 'ltr'],
  ['ar', 'rtl'],
  ['pt', 'ltr'],
  ['fr', 'ltr'],
] as const

test.each(isDeep ? languages : languages.slice(0, 1))(
  'sign-in, consent and the account page in %s',
  async (language, direction) => {
    const page = await newVisitor({ language })
    const seen = async (name: string) => {
      expect(await page.locator('html').getAttribute('lang')).toBe(language)
      expect(await page.locator('html').getAttribute('dir')).toBe(direction)
      await look(page, `${name}-${language}`)
    }
    const application = await applicationNamed('tally')
    const authorization = await application.open(page, { prompt: 'login consent' })
    await seen('sign-in')
    await primary(page).click()
    await approve(page, 'ines')
    await seen('consent')
    const [answer] = await Promise.all([authorization.comesBack(), primary(page).click()])
    await application.redeem(answer, authorization.request)
    for (const path of ['/account', '/account/activity', '/account/connect', '/account/nothing', '/device']) {
      await page.goto(`${environment().baseUrl}${path}`)
      await seen(`page${path.replaceAll('/', '-')}`)
    }
    await page.goto(`${environment().baseUrl}/account`)
    await page.locator('main article a').first().click()
    await seen('application')
  },
)
