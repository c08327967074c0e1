/**
 * Suspending a grant in the console: after a page that names what stops, with immediate effect, only by permitted
 * operators, and always recorded.
 */

import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { type Application, applicationNamed } from './application.ts'
import { order, script, settle } from './control.ts'
import { look } from './look.ts'
import { createBeneficiary, main, operators, opsUrl, signInAs, stateOf, unique } from './ops-steps.ts'
import { allow, button, heading, openAccount, type Person } from './steps.ts'
import { newVisitor, useBrowser } from './visitor.ts'

useBrowser()

async function allowed(clientId: string, person: Person): Promise<{ application: Application; grantId: string }> {
  const application = await applicationNamed(clientId)
  const scope = 'openid authorization:read beneficiaries:read beneficiaries:write operations:read'
  await allow(await newVisitor(), application, person, { scope })
  const { body } = await application.request('GET', '/v1/authorization')
  return { application, grantId: body['grant'].id }
}

/** Sends requests until one is refused; returns the time until then in milliseconds. */
async function refusedAfter(application: Application): Promise<number> {
  const begun = performance.now()
  for (;;) {
    const { status } = await application.request('GET', '/v1/beneficiaries')
    if (status !== 200) {
      expect(status).toBe(401)
      return performance.now() - begun
    }
  }
}

/** Posts a form as a script would. The page offers no such form. */
function post(page: Page, path: string, form: Record<string, string>) {
  return page.context().request.post(opsUrl(path), { form, maxRedirects: 0, failOnStatusCode: false })
}

test('a grant is suspended behind what it stops: the next request is refused, it is not said to be suspended before what is unsent is stopped, the owner sees it', async () => {
  const { application, grantId } = await allowed('tally', 'ines')
  const name = unique('Goes on')
  await script({ script: 'settle_later', match: { name }, times: 1, options: { settle_after_ms: null } })
  const sent = await createBeneficiary(application, name)
  await expect.poll(() => stateOf(application, sent)).toBe('submitted')
  const page = await newVisitor()
  let waiting = ''
  await order({ do: 'stop', service: 'submitter' })
  try {
    waiting = await createBeneficiary(application, unique('Stops'))

    await signInAs(page, 'jonas', '/ops/grants')
    await page.getByLabel('Client id').fill('tally')
    await page.getByLabel('Status').selectOption('active')
    await button(page, 'Filter').click()
    await look(page, 'ops-grants')
    const row = page.getByRole('row').filter({ has: page.locator(`a[href="/ops/grants/${grantId}"]`) })
    expect(await row.innerText()).toContain('New beneficiary')
    await row.getByRole('link', { name: /^Suspend…/ }).click()
    expect(await heading(page)).toBe('Suspend the grant of Tally?')
    const stops = page.locator('h2:text("What stops") + ul')
    const goesOn = page.locator('h2:text("What does not stop") + ul')
    expect(await stops.innerText()).toContain(waiting)
    expect(await stops.innerText()).not.toContain(sent)
    expect(await goesOn.innerText()).toContain(sent)
    await look(page, 'ops-suspend')

    await page.getByLabel('Reason').evaluate((field) => field.removeAttribute('minlength'))
    await page.getByLabel('Reason').fill('x')
    await button(page, 'Suspend this grant').click()
    expect(await page.title()).toMatch(/^Error: /)
    await look(page, 'ops-suspend-reason-refused')
    await page.getByLabel('Reason').fill('Its device was reported stolen.')
    const [refusedMs] = await Promise.all([refusedAfter(application), button(page, 'Suspend this grant').click()])
    process.stdout.write(
      `suspended in the console: the client's requests were refused ${Math.round(refusedMs)} ms after the click\n`,
    )
    expect((await application.request('GET', '/v1/beneficiaries')).status).toBe(401)

    // The submitter is stopped, so it cannot confirm that unsent operations stay unsent.
    expect(await heading(page)).toBe('The suspension is not confirmed')
    expect(await main(page)).toContain(waiting)
    expect(await main(page)).not.toContain(sent)
    await look(page, 'ops-suspend-not-confirmed')
    const csrf_token = await page.locator('input[name=csrf_token]').first().inputValue()
    const askAgain = async () => {
      const form = { csrf_token, reason: 'Once more.' }
      return (await post(page, `/ops/grants/${grantId}/suspend`, form)).status()
    }
    // After its start the submitter learns of the fence first. It cannot reach operations, so it can send nothing yet.
    await order({ do: 'stop', service: 'operations' })
    await order({ do: 'start', service: 'submitter' })
    expect(await askAgain()).toBe(503)
    await order({ do: 'start', service: 'operations' })
    await expect.poll(askAgain).toBe(303)
  } finally {
    await order({ do: 'start', service: 'operations' })
    await order({ do: 'start', service: 'submitter' })
  }
  await expect
    .poll(
      async () => {
        await page.goto(opsUrl(`/ops/operations/${waiting}`))
        return main(page)
      },
      { timeout: 120_000 },
    )
    .toContain('Cancelled before it was sent')
  await look(page, 'ops-operation-cancelled')
  await page.goto(opsUrl(`/ops/grants/${grantId}`))
  expect(await heading(page)).toBe('Grant of Tally')
  for (const word of ['Suspended', 'Its device was reported stolen.', 'jonas.brandt'])
    expect(await main(page)).toContain(word)
  await look(page, 'ops-suspended')
  await page.goto(opsUrl(`/ops/grants/${grantId}/suspend`))
  expect(await main(page)).toContain('Nothing was changed')
  await look(page, 'ops-suspend-not-active')

  await settle()
  const owner = await newVisitor()
  await openAccount(owner, 'ines')
  expect(await owner.getByRole('article').filter({ hasText: 'Tally' }).first().innerText()).toContain('Suspended')
})

test('who may only look is offered no suspension, and refused when they post one', async () => {
  const { application, grantId } = await allowed('rentwise', 'ines')
  const page = await newVisitor()
  await signInAs(page, 'marta', `/ops/grants/${grantId}`)
  expect(await main(page)).toContain('Rentwise')
  expect(await main(page)).not.toContain('Suspend…')
  await page.goto(opsUrl('/ops/grants'))
  expect(await main(page)).not.toContain('Suspend…')
  await look(page, 'ops-grants-view-only')
  await page.goto(opsUrl(`/ops/grants/${grantId}/suspend`))
  expect(await heading(page)).toBe('You may not do this')
  await look(page, 'ops-may-not')
  const token = await page.locator('input[name=csrf_token]').first().inputValue()
  const answer = await post(page, `/ops/grants/${grantId}/suspend`, { csrf_token: token, reason: 'Because I can.' })
  expect(answer.status()).toBe(403)
  expect((await application.request('GET', '/v1/beneficiaries')).status).toBe(200)
})

test('the audit shows who looked at what, who was refused, and the suspension with its reason', async () => {
  const { grantId } = await allowed('rentwise', 'ines')
  const marta = await newVisitor()
  await signInAs(marta, 'marta', `/ops/grants/${grantId}/suspend`)
  await signInAs(await newVisitor(), 'lena')
  const page = await newVisitor()
  await signInAs(page, 'jonas', `/ops/grants/${grantId}/suspend`)
  await page.getByLabel('Reason').fill('Seen in the audit.')
  await button(page, 'Suspend this grant').click()
  expect(await main(page)).toContain('Seen in the audit.')
  await page.goto(opsUrl())
  await page.getByRole('link', { name: 'Audit' }).click()
  const words = await main(page)
  for (const word of [
    operators.jonas,
    operators.marta,
    operators.lena,
    'no group',
    'Page refused',
    'insufficient scope',
    'Suspension of a grant',
    'attempted',
    'Seen in the audit.',
    'Overview',
    grantId,
  ])
    expect(words).toContain(word)
  await look(page, 'ops-audit')
  await page.getByLabel('What').selectOption('suspendOperatorGrant')
  await page.getByLabel('Operator id').fill('jonas.brandt')
  await button(page, 'Filter').click()
  expect(await main(page)).not.toContain(operators.marta)
  expect(await main(page)).toContain('Seen in the audit.')
  await look(page, 'ops-audit-filtered')
})
