/** The account page: the delegated access, the running operations, and the ways to end each grant. */

import { randomUUID } from 'node:crypto'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { beneficiaryBody } from '../stack.test-helper.ts'
import { applicationNamed } from './application.ts'
import { order, script, settle } from './control.ts'
import { environment } from './environment.ts'
import { look } from './look.ts'
import { allow, button, heading, openAccount, press, signIn } from './steps.ts'
import { newVisitor, useBrowser } from './visitor.ts'

useBrowser()

const account = () => `${environment().baseUrl}/account`
const main = (page: Page) => page.getByRole('main').innerText()
const cardOf = (page: Page, name: string) => page.getByRole('article').filter({ hasText: name })

test('grants say what each may do and did last; one click ends one, and its next request is refused', async () => {
  const page = await newVisitor()
  const ended = await applicationNamed('harbour-ledger')
  const kept = await applicationNamed('pocket-board')
  await allow(page, ended, 'ines', { scope: 'openid beneficiaries:read operations:read' })
  await allow(page, kept, 'ines', { scope: 'openid beneficiaries:read' })
  expect((await ended.request('GET', '/v1/beneficiaries')).status).toBe(200)

  await page.goto(account())
  expect(await cardOf(page, 'Harbour Ledger').innerText()).toContain('It cannot move money')
  // The list includes service accounts that the operator set up.
  expect(await page.getByRole('article').count()).toBeGreaterThan(2)
  await look(page, 'account')
  await button(cardOf(page, 'Harbour Ledger'), 'End access of Harbour Ledger').click()
  expect(await page.getByRole('status').first().innerText()).toContain('Access ended')
  await look(page, 'account-access-ended')
  await expect.poll(async () => (await ended.request('GET', '/v1/beneficiaries')).status).toBe(401)
  expect((await kept.request('GET', '/v1/beneficiaries')).status).toBe(200)
  await expect(ended.refresh()).rejects.toMatchObject({ error: 'invalid_grant' })
  expect(await cardOf(page, 'Harbour Ledger').count()).toBe(0)
  expect(await main(page)).toContain('You ended it')
  await page.reload()
  expect(await main(page)).not.toContain('Access ended')
})

test('operations under way are shown with how far they are', async () => {
  const page = await newVisitor()
  const application = await applicationNamed('tally')
  await allow(page, application, 'tomasz', { scope: 'openid beneficiaries:read beneficiaries:write operations:read' })
  await page.goto(account())
  expect(await main(page)).toContain('Nothing is under way')
  const name = `Under way ${randomUUID().slice(0, 8)}`
  await script({ script: 'settle_later', match: { name }, times: 1, options: { settle_after_ms: null } })
  const headers = { 'Idempotency-Key': randomUUID() }
  const created = await application.request('POST', '/v1/beneficiaries', beneficiaryBody(name), headers)
  expect(created.status).toBe(202)
  const row = page.getByRole('row', { name: /Add somebody to pay.*Tally/ })
  await expect
    .poll(async () => {
      await page.goto(account())
      return row.innerText()
    })
    .toContain('At your provider')
  expect(await row.innerText()).toContain(name)
  await look(page, 'account-under-way')
  await row.getByRole('link').click()
  expect(await heading(page)).toBe('Add somebody to pay')
  expect(await main(page)).toContain('Our reference')
  await look(page, 'activity-under-way')
  await settle()
})

test('disconnecting says what stops, and from then on no application reaches the provider', async () => {
  const page = await newVisitor()
  const application = await applicationNamed('tally')
  const scope = 'openid beneficiaries:read identity:read'
  await allow(page, application, 'daniel', { scope })
  expect((await application.request('GET', '/v1/beneficiaries')).status).toBe(200)
  await page.goto(account())
  await page.getByRole('link', { name: 'Disconnect…' }).click()
  expect(await heading(page)).toMatch(/^Disconnect .*\?$/)
  expect(await main(page)).toContain('Tally')
  await look(page, 'disconnect')
  await page.getByRole('link', { name: 'Keep the connection' }).click()
  expect((await application.request('GET', '/v1/beneficiaries')).status).toBe(200)

  await page.getByRole('link', { name: 'Disconnect…' }).click()
  await button(page, 'Disconnect').click()
  expect(await main(page)).toContain('Disconnected')
  await look(page, 'account-disconnected')
  await expect
    .poll(() => application.request('GET', '/v1/beneficiaries'))
    .toMatchObject({ status: 409, body: { code: 'provider_connection_unavailable' } })
  // A request that needs no provider still succeeds.
  expect((await application.request('GET', '/v1/identity')).status).toBe(200)
})

test('what was disconnected stays so by any sign-in; the owner connects, and says what works again', async () => {
  const [kept, other] = [await applicationNamed('tally'), await applicationNamed('pocket-board')]
  const scope = 'openid beneficiaries:read'
  const first = await newVisitor()
  for (const application of [kept, other]) await allow(first, application, 'daniel', { scope })
  const reads = async (application: typeof kept) => (await application.request('GET', '/v1/beneficiaries')).status
  expect([await reads(kept), await reads(other)]).toEqual([200, 200])
  await first.goto(account())
  await first.getByRole('link', { name: 'Disconnect…' }).click()
  await button(first, 'Disconnect').click()
  await expect.poll(() => reads(kept)).toBe(409)

  const page = await newVisitor()
  await openAccount(page, 'daniel')
  await expect
    .poll(async () => {
      await page.goto(account())
      return main(page)
    })
    .toContain('You are not connected to a provider.')
  await look(page, 'account-not-connected')
  expect([await reads(kept), await reads(other)]).toEqual([409, 409])
  await page.getByRole('link', { name: 'Connect…' }).click()
  // This happens if the sign-in began before the connection had ended.
  if ((await heading(page)) === 'Sign in again to connect') await signIn(page, 'daniel')
  expect(await heading(page)).toMatch(/^Connect to .*\?$/)
  for (const name of ['Tally', 'Pocket Board'])
    expect(await page.getByRole('checkbox', { name }).isChecked()).toBe(false)
  await page.getByRole('checkbox', { name: 'Tally' }).check()
  await look(page, 'connect')
  await button(page, 'Connect').click()
  expect(await main(page)).toContain('What you chose works again; what you did not choose has ended.')
  await look(page, 'account-connected-again')
  await expect.poll(() => reads(kept)).toBe(200)
  expect(await reads(other)).toBe(401)
})

test('a consent without a connection connects with its one button, and lists what else may work again', async () => {
  const application = await applicationNamed('tally')
  const page = await newVisitor()
  await allow(page, application, 'daniel', { scope: 'openid beneficiaries:read' })
  await page.goto(account())
  await page.getByRole('link', { name: 'Disconnect…' }).click()
  await button(page, 'Disconnect').click()
  await expect
    .poll(async () => {
      await page.goto(account())
      return main(page)
    })
    .toContain('You are not connected to a provider.')
  const another = await applicationNamed('pocket-board')
  const authorization = await another.open(page, { scope: 'openid beneficiaries:read', prompt: 'login consent' })
  await signIn(page, 'daniel')
  expect(await main(page)).toContain('You are not connected to')
  await look(page, 'consent-connects')
  await another.redeem(await press(authorization, button(page, 'Connect and allow')), authorization.request)
  expect((await another.request('GET', '/v1/beneficiaries')).status).toBe(200)
  expect((await application.request('GET', '/v1/beneficiaries')).status).toBe(401)
})

test('signing out ends the session: the page is empty, and the way back in the browser shows nothing', async () => {
  const page = await newVisitor()
  await openAccount(page, 'amara')
  expect(await main(page)).toContain('Amara Okafor')
  await button(page, 'Sign out').click()
  expect(await main(page)).toContain('You are signed out')
  await look(page, 'account-after-sign-out')
  await page.goBack()
  expect(await main(page)).not.toContain('Amara Okafor')
  expect((await page.context().cookies()).map(({ name }) => name)).not.toContain('session')
})

test('after an hour without a request the owner is signed out, for applications too', async () => {
  const page = await newVisitor()
  await openAccount(page, 'amara')
  await order({ do: 'move-clock', services: ['authz'], offsetMs: 3_601_000 })
  await page.goto(account())
  expect(await main(page)).not.toContain('Amara Okafor')
  expect(await button(page, 'Sign in at your provider').count()).toBe(1)
  await (await applicationNamed('pocket-board')).open(page)
  expect(await heading(page)).toBe('Sign in to continue')
})

test('without operations the page shows what it knows, and ending access works', async () => {
  const page = await newVisitor()
  const application = await applicationNamed('pocket-board')
  await allow(page, application, 'amara', { scope: 'openid identity:read' })
  await order({ do: 'stop', service: 'operations' })
  await page.goto(account())
  expect(await main(page)).toContain('cannot be shown now')
  await look(page, 'account-without-operations')
  await button(cardOf(page, 'Pocket Board'), /^End access/).click()
  await order({ do: 'start', service: 'operations' })
  expect(await main(page)).toContain('Access ended')
})
