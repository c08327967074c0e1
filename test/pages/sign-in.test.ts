/** The hand-off to the provider, its hosted page, and every way in which the owner may return without being signed in. */

import { expect, test } from 'vitest'
import { applicationNamed } from './application.ts'
import { order, script } from './control.ts'
import { environment } from './environment.ts'
import { look } from './look.ts'
import { approve, button, heading, press, signIn } from './steps.ts'
import { newVisitor, useBrowser } from './visitor.ts'

useBrowser()

test('the hand-off names who asks, where the sign-in happens and where it ends, and leads to the provider and back', async () => {
  const page = await newVisitor()
  const application = await applicationNamed('harbour-ledger')
  await application.open(page)
  expect(await heading(page)).toBe('Sign in to continue')
  const words = await page.getByRole('main').innerText()
  for (const word of ['Harbour Ledger', new URL(environment().providerUrl).host, 'ledger.harbour.example'])
    expect(words).toContain(word)
  await look(page, 'sign-in-hand-off')
  await button(page, 'Sign in at your provider').click()
  expect(page.url()).toMatch(new RegExp(`^${environment().providerUrl}/hosted/sign-in/`))
  await look(page, 'provider-who-are-you')
  await approve(page, 'ines')
  expect(await heading(page)).toBe('Allow this application to act for you?')
})

test('the hosted page can be decided once', async () => {
  const page = await newVisitor()
  await (await applicationNamed('harbour-ledger')).open(page)
  await button(page, 'Sign in at your provider').click()
  const hosted = page.url()
  await approve(page, 'tomasz')
  await page.goto(hosted)
  expect(await heading(page)).toBe('This request has been decided')
  await look(page, 'provider-decided')
})

test.each([
  ['declined at the provider', 'Decline'],
  ['cancelled before the provider', 'Cancel'],
] as const)('a sign-in %s goes back to the application with access_denied', async (_how, label) => {
  const page = await newVisitor()
  const authorization = await (await applicationNamed('harbour-ledger')).open(page)
  if (label === 'Decline') await button(page, 'Sign in at your provider').click()
  const answer = await press(authorization, button(page, label))
  expect(answer.searchParams.get('error')).toBe('access_denied')
  expect(answer.searchParams.get('state')).toBe(authorization.request.checks.expectedState)
  expect(answer.searchParams.get('code')).toBeNull()
})

test('a sign-in for the account page that was declined says so', async () => {
  const page = await newVisitor()
  await page.goto(`${environment().baseUrl}/account`)
  await look(page, 'account-signed-out')
  await button(page, 'Sign in at your provider').click()
  await button(page, 'Decline').click()
  expect(await heading(page)).toBe('You are not signed in')
  await look(page, 'sign-in-declined')
})

test('where the provider cannot be reached the owner is asked to try again, and can', async () => {
  const page = await newVisitor()
  await (await applicationNamed('harbour-ledger')).open(page)
  const before = page.url()
  await script({ script: 'drop_before_accept', match: { kind: 'device_authentication' }, times: 1 })
  await button(page, 'Sign in at your provider').click()
  expect(await heading(page)).toBe('You cannot sign in right now')
  await look(page, 'provider-unreachable')
  await page.goto(before)
  await signIn(page, 'tomasz')
  expect(await heading(page)).toBe('Allow this application to act for you?')
})

test('a return that this browser did not start is refused', async () => {
  const page = await newVisitor()
  await page.goto(`${environment().baseUrl}/sign-in/return?state=${'a'.repeat(43)}`)
  expect(await heading(page)).toBe('This sign-in is over')
  await look(page, 'sign-in-unknown')
})

test('a sign-in that another browser completes signs nobody in', async () => {
  const victim = await newVisitor()
  const attacker = await newVisitor()
  await attacker.goto(`${environment().baseUrl}/account`)
  await button(attacker, 'Sign in at your provider').click()
  // The attacker approves as themselves and sends the return address to the victim.
  const back = attacker.waitForRequest((request) => request.url().includes('/sign-in/return'))
  await approve(attacker, 'tomasz')
  await victim.goto((await back).url())
  expect(await heading(victim)).toBe('This sign-in is over')
  await victim.goto(`${environment().baseUrl}/account`)
  expect(await victim.getByRole('main').innerText()).not.toContain('Tomasz')
})

test('with a live provider the page says clearly that nobody can sign in, and nothing else is offered', async () => {
  const page = await newVisitor()
  await order({ do: 'stop', service: 'onboarding' })
  await order({ do: 'start', service: 'onboarding', environment: { DEVICE_AUTHENTICATION: 'unavailable' } })
  try {
    await page.goto(`${environment().baseUrl}/account`)
    await button(page, 'Sign in at your provider').click()
    expect(await heading(page)).toBe('Signing in is not available')
    expect(await page.getByRole('main').innerText()).toContain('has set up no provider')
    await look(page, 'sign-in-not-available')
  } finally {
    await order({ do: 'stop', service: 'onboarding' })
    await order({ do: 'start', service: 'onboarding' })
  }
})
