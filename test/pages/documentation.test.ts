/**
 * The page of the documentation that tries requests: sign-in with a key that no script can export, a read, a write with its wait, a
 * repetition, a payment whose answer is lost, a refusal; and the page where it cannot work.
 */

import { documentationRoot, tryClientId, tryPath } from '@financial-agents/contract/documentation-paths'
import axe, { type AxeResults, type RunOnly } from 'axe-core'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { environment } from './environment.ts'
import { endAnimations, lookAtLargeText, photograph, viewsOf } from './look.ts'
import { allowButton, button, signIn, signInBefore } from './steps.ts'
import { newVisitor, useBrowser } from './visitor.ts'

useBrowser()

const tags = { type: 'tag', values: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'] } satisfies RunOnly

const address = () => `${environment().baseUrl}${tryPath}`
const shown = (page: Page) => page.locator('.exchanges > details')
const newest = (page: Page) => shown(page).first()
const outcome = (page: Page) => page.locator('#try .outcome')

/** Opens the page and signs in; returns every address that the browser was at. */
async function signedIn(page: Page, path = ''): Promise<string[]> {
  const addresses: string[] = []
  page.on('framenavigated', (frame) => addresses.push(frame.url()))
  await signInBefore(page, 'ines')
  await page.goto(address() + path)
  await button(page, 'Sign in as an owner').click()
  // An owner who has allowed it before is not asked again.
  const done = page.getByText(/^Signed in with \d+ scopes/)
  await allowButton(page).or(done).waitFor()
  if (!(await done.isVisible())) await allowButton(page).click()
  await done.waitFor()
  return addresses
}

async function choose(page: Page, name: string): Promise<void> {
  await page.getByLabel('Operation', { exact: true }).selectOption(name)
}

async function send(page: Page): Promise<string> {
  await button(page, 'Send').click()
  await expect.poll(() => outcome(page).innerText()).toMatch(/^Answered: /)
  return outcome(page).innerText()
}

test('a reader signs in and reads: the code leaves the address, no token is kept, and no script can export the key', async () => {
  const page = await newVisitor({ withScript: true })
  const addresses = await signedIn(page, '?operation=listAccounts')
  expect(addresses.some((each) => each.startsWith(`${address()}?code=`))).toBe(true)
  expect(page.url()).toBe(address())
  expect(await send(page)).toBe('Answered: 200')
  const text = await newest(page).innerText()
  expect(text).toContain('GET /v1/accounts → 200')
  expect(text).toMatch(/authorization: DPoP \S{12}… \(the other \d+ characters are not shown\)/i)
  expect(text).toMatch(/"typ": "dpop\+jwt"/)
  const proof = await newest(page).locator('mark').innerText()
  expect(proof).toMatch(/^[\w-]+\.[\w-]+\.[\w-]+$/)
  const kept = await page.evaluate<{
    session: string
    local: string
    exported: string
    address: string
  }>(`(async () => {
    const database = await new Promise((resolve) => { const asked = indexedDB.open('docs-try'); asked.onsuccess = () => resolve(asked.result) })
    const values = database.transaction('values').objectStore('values')
    const all = await new Promise((resolve) => { const asked = values.getAll(); asked.onsuccess = () => resolve(asked.result) })
    const exported = await Promise.all(all.map((pair) => crypto.subtle.exportKey('jwk', pair.privateKey).then(() => 'exported', () => 'refused')))
    return { session: JSON.stringify(sessionStorage), local: JSON.stringify(localStorage), exported: exported.join(), address: history.length > 0 ? location.href : '' }
  })()`)
  expect(kept.exported).toBe('refused')
  expect(kept.session + kept.local).not.toMatch(/eyJ|sign-in|token/i)
  await validate(page, 'read')
  await page.reload()
  await page.getByText('Nobody is signed in').waitFor()
  await validate(page, 'signed-out')
})

test('a reader writes once: the wait ends, the same key repeats it, another body is refused, and a new key is a new write', async () => {
  const page = await newVisitor({ withScript: true })
  await signedIn(page)
  await choose(page, 'createBeneficiary')
  const key = await page.locator('#try output').innerText()
  expect(await send(page)).toBe('Answered: 202')
  const first = JSON.parse(await answerOf(page)) as { id: string }
  await button(page, 'Wait for the outcome').click()
  await expect.poll(() => outcome(page).innerText()).toBe('Outcome: succeeded')
  expect(await send(page)).toBe('Answered: 202')
  expect(await newest(page).innerText()).toContain('Idempotent-Replayed: true')
  expect(JSON.parse(await answerOf(page))).toMatchObject({ id: first.id, state: 'succeeded' })

  const body = page.getByLabel('Body', { exact: true })
  const example = await body.inputValue()
  await body.fill(example.replace(/"nickname": "[^"]*"/, '"nickname": "Another"'))
  expect(await send(page)).toBe('Answered: 409 idempotency_key_conflict')
  await validate(page, 'refused')
  await body.fill('{ "no_such_member": true }')
  await button(page, 'New key').click()
  expect(await page.locator('#try output').innerText()).not.toBe(key)
  expect(await send(page)).toMatch(/^Answered: 4\d\d \w+$/)

  // A reload keeps the key together with the sent request.
  const renewed = await page.locator('#try output').innerText()
  await page.reload()
  await expect.poll(() => page.locator('#try output').innerText()).toBe(renewed)
  expect(await page.getByLabel('Body', { exact: true }).inputValue()).toBe('{ "no_such_member": true }')
})

test('a reader pays, and a payment whose answer is lost is found again by the same key', async () => {
  const page = await newVisitor({ withScript: true, losesAnswers: true })
  await signedIn(page)
  await choose(page, 'createBeneficiary')
  await button(page, 'New key').click()
  expect(await send(page)).toBe('Answered: 202')
  const payee = JSON.parse(await answerOf(page)) as { resource_id: string }
  await button(page, 'Wait for the outcome').click()
  await expect.poll(() => outcome(page).innerText()).toBe('Outcome: succeeded')

  await choose(page, 'createWithdrawal')
  const body = page.getByLabel('Body', { exact: true })
  const example = JSON.parse(await body.inputValue()) as object
  await body.fill(JSON.stringify({ ...example, beneficiary_id: payee.resource_id, amount: '12.50', currency: 'EUR' }))
  const path = '**/v1/spending-account/withdrawals'
  const accepted: string[] = []
  await page.route(path, async (route) => {
    const answer = await route.fetch()
    // A 401 is a challenge for a nonce, so no payment was made.
    if (answer.status() === 401) return route.fulfill({ response: answer })
    accepted.push(((await answer.json()) as { id: string }).id)
    await route.abort()
  })
  await button(page, 'Send').click()
  await expect.poll(() => outcome(page).innerText()).toMatch(/^No answer came\. The API may have had the request/)
  await page.unroute(path)
  expect(await send(page)).toBe('Answered: 202')
  expect(JSON.parse(await answerOf(page))).toMatchObject({ id: accepted[0] })
  expect(await newest(page).innerText()).toContain('Idempotent-Replayed: true')
  await button(page, 'Wait for the outcome').click()
  await expect.poll(() => outcome(page).innerText()).toBe('Outcome: succeeded')
})

test('a request outside of the scopes that the reader asked for is refused', async () => {
  const page = await newVisitor({ withScript: true })
  await page.goto(address())
  await page.getByText('Scopes to ask for').click()
  for (const box of await page.getByRole('checkbox').all())
    if ((await box.getAttribute('value')) !== 'operations:read') await box.uncheck()
  await button(page, 'Sign in as an owner').click()
  await signIn(page, 'amara')
  await allowButton(page).click()
  await page.getByText('Signed in with one scope').waitFor()
  await choose(page, 'listAccounts')
  expect(await send(page)).toBe('Answered: 403 insufficient_scope')
})

test('the page says so where there is no development stack, no client, or another address', async () => {
  const { baseUrl } = environment()
  const page = await newVisitor({ withScript: true })
  const metadata = { environment: 'production', issuer: baseUrl }
  await page.route('**/v1/metadata', (route) => route.fulfill({ json: metadata }))
  await page.goto(address())
  await page.getByText('This is the environment “production”.').waitFor()
  metadata.environment = 'local'
  metadata.issuer = 'http://127.0.0.1:1'
  await page.reload()
  await page.getByText('Open this page at the address of the stack.').waitFor()
  metadata.issuer = baseUrl
  await page.route('**/oauth/authorize?*', (route) =>
    route.continue({ url: route.request().url().replace(`client_id=${tryClientId}`, 'client_id=nobody') }),
  )
  await page.reload()
  await page.getByText('This stack has no client for this page.').waitFor()
  expect(await page.getByRole('button', { name: 'Sign in as an owner' }).count()).toBe(0)
  await validate(page, 'no-client')
})

test('tables, choices and code of the documentation can be read with large text without scrolling sideways', async () => {
  const page = await newVisitor()
  for (const path of ['tutorials/first-payment', 'operate/metrics', 'operate/guide/key-rotation', 'reference/limits']) {
    const answer = await page.goto(`${environment().baseUrl}${documentationRoot}/${path}/`)
    expect(answer?.status(), path).toBe(200)
    expect(await lookAtLargeText(page, `docs-${path.replaceAll('/', '-')}`), path).toEqual([])
  }
})

async function answerOf(page: Page): Promise<string> {
  const text = await newest(page).getByRole('region', { name: 'Answer' }).innerText()
  return text.slice(text.indexOf('\n\n'))
}

/** Validates the page as it stands by axe, in the views of its name, and with large text. */
async function validate(page: Page, name: string): Promise<void> {
  const found: string[] = []
  await page.evaluate(axe.source)
  for (const { size, viewport, scheme } of viewsOf(`docs-try-${name}`)) {
    await page.setViewportSize(viewport)
    await page.evaluate(`document.documentElement.dataset.theme = '${scheme}'`)
    await page.evaluate(endAnimations)
    await photograph(page, `docs-try-${name}-${size}-${scheme}`)
    const options = JSON.stringify({ runOnly: tags, resultTypes: ['violations'], preload: false })
    // `test/docs` validates what is around the page.
    const { violations } = await page.evaluate<AxeResults>(`axe.run('main', ${options})`)
    for (const { id, nodes } of violations)
      found.push(`${size}, ${scheme}: ${id}: ${nodes.map(({ html }) => html.slice(0, 200)).join(' ')}`)
    const width = await page.evaluate<number>('document.documentElement.scrollWidth')
    if (width > viewport.width) found.push(`${size}: ${width} px wide`)
  }
  found.push(...(await lookAtLargeText(page, `docs-try-${name}`)))
  await page.setViewportSize({ width: 1280, height: 900 })
  expect(found).toEqual([])
}
