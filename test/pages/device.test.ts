/** Connecting a device: with the right code, a wrong one, an expired one, or somebody else's. */

import { expect, test } from 'vitest'
import { applicationNamed } from './application.ts'
import { order } from './control.ts'
import { environment } from './environment.ts'
import { look } from './look.ts'
import { allowButton, button, heading, signIn, signInBefore } from './steps.ts'
import { newVisitor, useBrowser } from './visitor.ts'

useBrowser()

const entry = () => `${environment().baseUrl}/device`

/** The person has decided already, so the first poll need not wait. */
const atOnce = <Started>(started: Started) => ({ ...started, interval: 0 })

async function enter(page: Awaited<ReturnType<typeof newVisitor>>, code: string): Promise<void> {
  await page.getByLabel('Code').fill(code)
  await button(page, 'Continue').click()
}

test('the right code, in small letters and without its hyphen: the device is named, then sign-in, consent, and it has its token', async () => {
  const page = await newVisitor()
  const device = await applicationNamed('errand-runner')
  const started = await device.startDevice('beneficiaries:read operations:read')
  expect(started).toMatchObject({ verification_uri: entry(), expires_in: 600, interval: 5 })
  await page.goto(started.verification_uri)
  await look(page, 'device-entry')
  await enter(page, started.user_code.toLowerCase().replace('-', ''))
  expect(await heading(page)).toBe('Is this the code on your device?')
  expect(await page.getByRole('main').innerText()).toContain(started.user_code)
  await look(page, 'device-confirm')
  await button(page, 'Yes, the codes are the same').click()
  await signIn(page, 'amara')
  expect(await heading(page)).toBe('Allow this application to act for you?')
  expect(await page.getByRole('main').innerText()).toContain('You go back to your other device')
  await allowButton(page).click()
  expect(await heading(page)).toBe('Your device is connected')
  await look(page, 'device-connected')
  expect((await device.pollDevice(atOnce(started))).scope.split(' ').toSorted()).toEqual([
    'beneficiaries:read',
    'operations:read',
  ])
  expect((await device.request('GET', '/v1/beneficiaries')).status).toBe(200)

  await page.goto(entry())
  await enter(page, started.user_code)
  expect(await page.getByRole('main').innerText()).toContain('This code has been used')
  await look(page, 'device-used-code')
})

test('a wrong code is refused beside its field, which keeps it', async () => {
  const page = await newVisitor()
  await page.goto(entry())
  await enter(page, 'BCDF-GHJK')
  const field = page.getByLabel('Code')
  expect(await field.inputValue()).toBe('BCDF-GHJK')
  expect(await field.getAttribute('aria-invalid')).toBe('true')
  expect(await page.getByRole('main').innerText()).toContain('This code is not known')
  await look(page, 'device-wrong-code')
  await enter(page, '')
  expect(await page.getByRole('main').innerText()).toContain('Enter the code that the device shows')
})

test('an expired code is said to have expired', async () => {
  const page = await newVisitor()
  const { user_code } = await (await applicationNamed('errand-runner')).startDevice('operations:read')
  await order({ do: 'move-clock', services: ['authz'], offsetMs: 601_000 })
  await page.goto(entry())
  await enter(page, user_code)
  expect(await page.getByRole('main').innerText()).toContain('This code has expired')
  await look(page, 'device-expired-code')
})

test('a code that somebody else sent is stopped before anything is allowed, and the device hears it', async () => {
  const page = await newVisitor()
  const device = await applicationNamed('errand-runner')
  const started = await device.startDevice('operations:read')
  // This address only fills in the code. It confirms nothing.
  await page.goto(`${entry()}?user_code=${started.user_code}`)
  await button(page, 'Continue').click()
  await button(page, 'No, stop').click()
  expect(await page.getByRole('main').innerText()).toContain('Errand Runner')
  await look(page, 'device-stopped')
  await expect(device.pollDevice(atOnce(started))).rejects.toMatchObject({ error: 'access_denied' })
})

test('consent for a device can be denied', async () => {
  const page = await newVisitor()
  const device = await applicationNamed('errand-runner')
  const started = await device.startDevice('operations:read spending:withdraw')
  await signInBefore(page, 'tomasz')
  await page.goto(entry())
  await enter(page, started.user_code)
  await button(page, 'Yes, the codes are the same').click()
  await look(page, 'device-consent')
  await button(page, 'Do not allow').click()
  expect(await page.getByRole('main').innerText()).toContain('Errand Runner')
  await look(page, 'device-declined')
  await expect(device.pollDevice(atOnce(started))).rejects.toMatchObject({ error: 'access_denied' })
})
