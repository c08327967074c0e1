/** The operators' console without a script: the operators it admits, and its view of unsettled operations. */

import { expect, test } from 'vitest'
import { applicationNamed } from './application.ts'
import { order, script, settle } from './control.ts'
import { look } from './look.ts'
import { chooseAtProvider, createBeneficiary, main, operators, opsUrl, signInAs, stateOf, unique } from './ops-steps.ts'
import { allow, button, heading } from './steps.ts'
import { newVisitor, useBrowser } from './visitor.ts'

useBrowser()

const writes = { scope: 'openid beneficiaries:read beneficiaries:write operations:read' }

test('an operator signs in at their organisation and comes to where they wanted to go', async () => {
  const page = await newVisitor()
  await page.goto(opsUrl('/ops/operations?state=indeterminate'))
  expect(await heading(page)).toBe('Operators’ console')
  await look(page, 'ops-sign-in')
  await button(page, 'Sign in').click()
  await chooseAtProvider(page, 'jonas')
  expect(page.url()).toBe(opsUrl('/ops/operations?state=indeterminate'))
  expect(await page.getByRole('banner').innerText()).toContain(operators.jonas)
})

test('the overview shows what is in flight by state and age, and the last 24 hours; a filter is in the address', async () => {
  const owner = await newVisitor()
  const application = await applicationNamed('tally')
  await allow(owner, application, 'amara', writes)
  const name = unique('Under way')
  await script({ script: 'settle_later', match: { name }, times: 1, options: { settle_after_ms: null } })
  const id = await createBeneficiary(application, name)
  await expect.poll(() => stateOf(application, id)).toBe('submitted')
  await script({ script: 'refuse', match: { name: `${name} no` }, times: 1 })
  const refused = await createBeneficiary(application, `${name} no`)
  await expect.poll(() => stateOf(application, refused)).toBe('failed')

  const page = await newVisitor()
  await signInAs(page, 'jonas')
  expect(await heading(page)).toBe('Overview')
  await expect
    // The console caches the sums of the overview for some seconds.
    .poll(
      async () => {
        await page.reload()
        return main(page)
      },
      { timeout: 120_000, interval: 500 },
    )
    .toContain(id)
  const words = await main(page)
  for (const word of ['Submitted', 'Review queue', 'Last 24 hours', 'Accepted', 'provider_refused'])
    expect(words).toContain(word)
  expect(words, 'no payload').not.toContain(name)
  await page.getByText('The same as a table').click()
  await look(page, 'ops-overview')

  await page.getByRole('link', { name: 'Operations', exact: true }).click()
  await look(page, 'ops-operations')
  await page.getByLabel('State', { exact: true }).selectOption('submitted')
  await page.getByLabel('Kind').selectOption('beneficiary_create')
  await page.getByLabel('Client id').fill('tally')
  await button(page, 'Filter').click()
  const asked = new URL(page.url()).searchParams
  expect(Object.fromEntries(asked)).toMatchObject({
    state: 'submitted',
    kind: 'beneficiary_create',
    client_id: 'tally',
  })
  expect(await main(page)).toContain(id)
  expect(await main(page)).not.toContain(refused)
  await look(page, 'ops-operations-filtered')
  await page.getByLabel('Age').selectOption('604800')
  await button(page, 'Filter').click()
  expect(await main(page)).toContain('No operation matches')
  await page.getByRole('link', { name: 'Clear all' }).click()
  expect(await main(page)).toContain(refused)
  await page.getByText('More filters').click()
  await page.getByLabel('Created from (UTC)').fill('2020-01-01T19:00Z')
  await page.getByLabel('Created until (UTC)').fill('2999-01-01')
  await button(page, 'Filter').click()
  expect(await main(page)).toContain(refused)
  expect(await page.getByLabel('Created from (UTC)').inputValue()).toBe('2020-01-01T19:00Z')
  await page.goto(opsUrl('/ops/operations?state=elsewhere&ended_from=yesterday'))
  expect(await main(page)).toContain('ended_from: Times are in UTC or have an offset')
  expect(await main(page)).toContain('cannot be understood')
  await look(page, 'ops-operations-wrong-filter')
  await settle()
})

test('an operation whose reply the provider dropped reads as a story up to its proof', async () => {
  const owner = await newVisitor()
  const application = await applicationNamed('tally')
  await allow(owner, application, 'amara', writes)
  const name = unique('Dropped')
  await script({ script: 'accept_drop_reply', match: { name }, times: 1 })
  const id = await createBeneficiary(application, name)
  await expect.poll(() => stateOf(application, id)).toBe('succeeded')

  const page = await newVisitor()
  await signInAs(page, 'jonas', `/ops/operations/${id}`)
  expect(await heading(page)).toBe('New beneficiary')
  const story = await page.getByRole('list').filter({ hasText: 'Outcome unknown' }).innerText()
  const reported = ['Accepted', 'Claimed for sending', 'Outcome unknown', 'Settled by proof'].map((word) =>
    story.indexOf(word),
  )
  expect(reported).toEqual(reported.toSorted((a, b) => a - b))
  expect(reported).not.toContain(-1)
  for (const word of ['by the submitter', 'by the reconciler', 'provider_connection_lost', 'beneficiary_by_reference'])
    expect(story).toContain(word)
  expect(story).toMatch(/SHA-256 .*[\w-]{43}/)
  expect(await main(page)).not.toContain(name)
  await look(page, 'ops-operation')
  await page.getByRole('link', { name: 'provider_connection_lost' }).first().click()
  expect(await main(page)).toContain('provider_connection_lost')
  await page.goto(opsUrl('/ops/operations/0190c000-0000-7000-8000-000000000000'))
  expect(await heading(page)).toBe('There is nothing here')
  await look(page, 'ops-nothing-here')
})

test('a colleague in no group is refused clearly, and one who went back is not signed in', async () => {
  const page = await newVisitor()
  await signInAs(page, 'lena')
  expect(await heading(page)).toBe('You have no access to the console')
  await look(page, 'ops-no-group')
  await page.goto(opsUrl())
  expect(await heading(page)).toBe('Operators’ console')
  await button(page, 'Sign in').click()
  await page.getByRole('button', { name: /^None of them/ }).click()
  expect(await heading(page)).toBe('You are not signed in')
  await look(page, 'ops-sign-in-declined')
})

test('signing out ends the session, and a form of it does nothing any more', async () => {
  const page = await newVisitor()
  await signInAs(page, 'jonas', '/ops/grants')
  const left = await page.context().newPage()
  await left.goto(opsUrl())
  await button(page, 'Sign out').click()
  expect(await main(page)).toContain('You are signed out')
  await look(page, 'ops-signed-out')
  await button(left, 'Sign out').click()
  expect(await main(left)).not.toContain('In flight')
  await page.goto(opsUrl('/ops/audit'))
  expect(await heading(page)).toBe('Operators’ console')
})

test('where the organisation’s sign-in does not answer the console says so, and whoever is signed in goes on', async () => {
  const page = await newVisitor()
  await signInAs(page, 'marta')
  await order({ do: 'stop', service: 'ops-console' })
  await order({ do: 'start', service: 'ops-console', environment: { OPERATOR_IDP_ISSUER: 'http://127.0.0.1:9' } })
  try {
    const other = await newVisitor()
    await other.goto(opsUrl())
    await button(other, 'Sign in').click()
    expect(await heading(other)).toBe('Sign-in is out of reach')
    await look(other, 'ops-identity-provider-down')
    await page.reload()
    expect(await heading(page)).toBe('Overview')
    await order({ do: 'stop', service: 'operations' })
    await page.goto(opsUrl('/ops/operations'))
    expect(await heading(page)).toBe('This cannot be shown now')
    await look(page, 'ops-unavailable')
  } finally {
    await order({ do: 'start', service: 'operations' })
    await order({ do: 'stop', service: 'ops-console' })
    await order({ do: 'start', service: 'ops-console' })
  }
})
