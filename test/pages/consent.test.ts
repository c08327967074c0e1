/** Consent: given, refused, limited, widened, and by keyboard alone. */

import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { applicationNamed } from './application.ts'
import { look, photograph } from './look.ts'
import { allowButton, button, heading, openAccount, press, signInBefore } from './steps.ts'
import { newVisitor, useBrowser } from './visitor.ts'

useBrowser()

const main = (page: Page) => page.getByRole('main').innerText()

test('first consent says who asks, for whose money, for what and for how long; allowed, the application gets exactly that', async () => {
  const page = await newVisitor()
  // Other files may have connected the application.
  await openAccount(page, 'ines')
  const end = button(page, 'End access of Tally')
  if ((await end.count()) > 0) await end.click()
  const application = await applicationNamed('tally')
  const authorization = await application.open(page, {
    prompt: 'consent',
    scope: 'openid identity:read authorization:read beneficiaries:read',
  })
  expect(await heading(page)).toBe('Allow this application to act for you?')
  const words = await main(page)
  for (const word of ['Inês Carvalho', 'See the people and companies that you can pay', 'Until ', 'Move money'])
    expect(words).toContain(word)
  await look(page, 'consent-reads')
  const answer = await press(authorization, button(page, 'Allow'))
  expect(answer.searchParams.get('iss')).toBe(new URL(authorization.request.url).origin)
  const { scope, subject } = await application.redeem(answer, authorization.request)
  expect(scope.split(' ').toSorted()).toEqual(['authorization:read', 'beneficiaries:read', 'identity:read', 'openid'])
  expect(subject).toMatch(/\S/)
  expect((await application.request('GET', '/v1/identity')).body).toMatchObject({ display_name: 'Inês Carvalho' })
  expect((await application.request('GET', '/v1/beneficiaries')).status).toBe(200)
  expect((await application.request('GET', '/v1/operations')).status).toBe(403)

  // The same request needs a page again, because any program of this computer could have made it, and gets nothing
  // without one. The page for a wider request names the new scopes.
  await application.open(page, { scope: 'openid identity:read' })
  expect(await heading(page)).toBe('Allow this application to act for you?')
  const silent = await application.openSilently(page, { scope: 'openid identity:read', prompt: 'none' })
  expect(silent.searchParams.get('error')).toBe('consent_required')
  const more = await application.open(page, { scope: 'openid identity:read operations:read' })
  expect(await heading(page)).toBe('Allow this application more?')
  expect(await main(page)).toContain('New: ')
  await look(page, 'consent-more')
  await application.redeem(await press(more, button(page, 'Allow')), more.request)
  expect((await application.request('GET', '/v1/operations')).status).toBe(200)
})

test('denied consent goes back with access_denied and leaves nothing; the next time it is asked again', async () => {
  const page = await newVisitor()
  const application = await applicationNamed('tally')
  await signInBefore(page, 'daniel')
  const authorization = await application.open(page)
  const answer = await press(authorization, button(page, 'Do not allow'))
  expect(answer.searchParams.get('error')).toBe('access_denied')
  await application.open(page)
  expect(await heading(page)).toBe('Allow this application to act for you?')
})

test('an answer is taken once: another tab and Back say what was decided, and lead on as the first one did', async () => {
  const page = await newVisitor()
  const application = await applicationNamed('tally')
  await signInBefore(page, 'tomasz')
  const authorization = await application.open(page)
  const address = page.url()
  const second = await page.context().newPage()
  await second.goto(address)
  const answer = await press(authorization, allowButton(page))
  expect(answer.searchParams.get('code')).toMatch(/\S/)

  await button(second, 'Do not allow').click()
  expect(await heading(second)).toBe('You allowed this application')
  await look(second, 'consent-decided')
  const onward = second.getByRole('link', { name: 'Go on to the application' })
  const [asked] = await Promise.all([
    second.waitForRequest((request) => request.url().startsWith(answer.origin + answer.pathname)),
    onward.click(),
  ])
  expect(asked.url()).toBe(answer.href)
  await application.redeem(answer, authorization.request)

  await page.goto(address)
  expect(await heading(page)).toBe('You allowed this application')
  expect(await page.getByRole('link', { name: 'Go on to the application' }).count()).toBe(0)
  await page.getByRole('main').getByRole('link', { name: 'its page' }).click()
  expect(await heading(page)).toBe('What this application may do')
})

test('ceilings start at what is registered, can be lowered, and are what the application is held to', async () => {
  const page = await newVisitor()
  const application = await applicationNamed('rentwise')
  await signInBefore(page, 'amara')
  const authorization = await application.open(page)
  await look(page, 'consent-ceilings')
  const perPayment = page.getByLabel('For each payment')
  expect(await perPayment.inputValue()).toBe('1500.00')
  await perPayment.fill('200')
  await page.getByLabel('For all payments of a day (UTC)').fill('450,50')
  await application.redeem(await press(authorization, button(page, 'Allow')), authorization.request)
  const { body } = await application.request('GET', '/v1/authorization')
  expect(body.policy.ceilings).toEqual({
    per_payment: { amount: '200.00', currency: 'EUR' },
    per_day: { amount: '450.50', currency: 'EUR' },
  })
})

test.each([
  ['1500.01', 'Enter EUR 1,500.00 or less'],
  ['a lot', 'Enter an amount such as 50'],
  ['-1', 'Enter an amount such as 50'],
])('the ceiling "%s" is refused beside its field, which keeps it, and nothing is allowed', async (written, why) => {
  const page = await newVisitor()
  await signInBefore(page, 'daniel')
  await (await applicationNamed('rentwise')).open(page)
  await page.getByLabel('For each payment').fill(written)
  await allowButton(page).click()
  const field = page.getByLabel('For each payment')
  expect(await field.inputValue()).toBe(written)
  expect(await field.getAttribute('aria-invalid')).toBe('true')
  const described = (await field.getAttribute('aria-describedby'))?.split(' ') ?? []
  const texts = await Promise.all(described.map((id) => page.locator(`#${id}`).innerText()))
  expect(texts.join(' ')).toContain(why)
  expect(await page.title()).toMatch(/^Error/)
  // The link in the message moves to the field.
  await page.getByRole('alert').getByRole('link', { name: 'For each payment' }).click()
  expect(new URL(page.url()).hash).toBe('#per_payment')
  if (written === 'a lot') await look(page, 'consent-wrong-ceiling')
  await page.goto(new URL('/account', page.url()).href)
  expect(await page.getByRole('article').filter({ hasText: 'Rentwise' }).count()).toBe(0)
})

test('sign-in and consent work by keyboard alone, with a visible focus', async () => {
  const page = await newVisitor()
  const application = await applicationNamed('tally')
  const authorization = await application.open(page)
  await tabTo(page, 'Sign in at your provider')
  await page.keyboard.press('Enter')
  await page.waitForURL(/\/hosted\/sign-in\//)
  await tabTo(page, /Inês|radio/)
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Space')
  await tabTo(page, 'Approve')
  await page.keyboard.press('Enter')
  await page.waitForURL(/\/interaction\//)
  await tabTo(page, /per_payment/)
  await page.keyboard.press('ControlOrMeta+A')
  await page.keyboard.type('20')
  await tabTo(page, 'Allow')
  await photograph(page, 'consent-focus')
  const [answer] = await Promise.all([authorization.comesBack(), page.keyboard.press('Enter')])
  await application.redeem(answer, authorization.request)
  const { body } = await application.request('GET', '/v1/authorization')
  expect(body.policy.ceilings.per_payment).toEqual({ amount: '20.00', currency: 'EUR' })
})

/** Presses Tab until the focused element has these words. Every focused element must show its focus. */
async function tabTo(page: Page, wanted: string | RegExp): Promise<void> {
  for (let presses = 0; presses < 30; presses += 1) {
    await page.keyboard.press('Tab')
    const focused = await page.evaluate<{ words: string; shown: boolean }>(`(() => {
      const element = document.activeElement
      const words = [element.innerText, element.name, element.type].join(' ').trim()
      const shows = ({ outlineStyle, outlineWidth }) =>
        outlineStyle === 'auto' || (outlineStyle !== 'none' && parseFloat(outlineWidth) >= 2)
      return { words, shown: [element, ...(element.labels ?? [])].some((one) => shows(getComputedStyle(one))) }
    })()`)
    expect(focused).toEqual({ words: focused.words, shown: true })
    if (typeof wanted === 'string' ? focused.words.startsWith(wanted) : wanted.test(focused.words)) return
  }
  throw new Error(`the keyboard does not reach ${wanted}`)
}
