import { Problem } from '@financial-agents/contract/problem'
import { statement } from '@financial-agents/postgres/database'
import { type FakeIdentityProvider, startFakeIdentityProvider } from '@financial-agents/testkit/fake-identity-provider'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createBrowser, hiddenFields } from '../browser.test-helper.ts'
import { breakAudit, type Stack, startStack } from '../console.test-helper.ts'
import { consoleUrl } from '../operator-client.test-helper.ts'
import { groupScopes } from '../sign-in/group-scopes.ts'
import { pruneBatch } from '../store/prune.ts'
import { grantRow, operationRow } from '../stub-services.test-helper.ts'

let provider: FakeIdentityProvider
let stack: Stack

beforeAll(async () => {
  provider = await startFakeIdentityProvider({ redirectUris: [`${consoleUrl}/ops/signed-in`] })
  stack = await startStack({
    config: {
      OPERATOR_IDP_ISSUER: provider.issuer,
      OPERATOR_IDP_CLIENT_ID: provider.clientId,
      OPERATOR_IDP_CLIENT_SECRET: provider.clientSecret,
      // An operator who may suspend grants but not read.
      OPERATOR_GROUPS: groupScopes.parse('viewers=ops:suspend;responders=ops:read ops:suspend'),
    },
  })
})
afterAll(async () => {
  await stack.stop()
  await provider.stop()
})

const signedIn = async (person = 'jonas.brandt') => {
  const browser = createBrowser(stack.gateway)
  await browser.signIn(person)
  return browser
}

test('an unknown path answers with a page, and a wrong method lists the allowed ones', async () => {
  const browser = await signedIn()
  for (const path of ['/ops/nothing', '/ops//', '/ops/%E0%A4%A'])
    expect(await browser.ask(path)).toMatchObject({ status: 404, text: expect.stringContaining('<!doctype html>') })
  const wrong = await browser.ask('/ops', { method: 'DELETE' })
  expect([wrong.status, wrong.headers.get('allow')]).toEqual([405, 'GET, HEAD'])
  expect(wrong.text).toContain('<!doctype html>')
})

test('no other site can frame a page, no cache stores it, and it runs only our script', async () => {
  const { headers } = await (await signedIn()).ask('/ops')
  expect(headers.get('cache-control')).toBe('no-store')
  expect(headers.get('content-security-policy')).toMatch(/^default-src 'none'/)
  expect(headers.get('content-security-policy')).not.toContain('unsafe')
  expect(headers.get('x-frame-options')).toBe('DENY')
})

test('a page is refused without its scope, and the audit knows', async () => {
  const answer = await (await signedIn('marta.vidal')).ask('/ops')
  expect(answer.status).toBe(403)
  expect(answer.text).toContain('insufficient_scope')
  expect((await stack.audit()).at(-1)).toMatchObject({
    action: 'refusedPage',
    operator_id: 'marta.vidal',
    detail: { path: '/ops' },
    outcome: 'insufficient_scope',
  })
})

test('the audit records a look by the id in its path, whatever its query says', async () => {
  const browser = await signedIn()
  await browser.ask('/ops/grants/shown/suspend?grant_id=another')
  expect((await stack.audit()).at(-1)).toMatchObject({ action: 'viewSuspension', detail: { grant_id: 'shown' } })
})

test('an address with text that the database cannot store is answered, and the audit records it', async () => {
  const browser = await signedIn()
  expect((await browser.ask('/ops?a%00=%00')).status).toBe(200)
  expect((await stack.audit()).at(-1)).toMatchObject({ action: 'viewOverview', detail: { 'a\ufffd': '\ufffd' } })
  for (const path of ['/ops/operations/a%00b', '/ops/grants/%00', '/ops/grants/%00/suspend'])
    expect((await browser.ask(path)).status, path).toBe(404)
  for (const path of ['/ops/audit?operator_id=%00', '/ops/audit?action=%00'])
    expect((await browser.ask(path)).text, path).toContain('No entry matches')
})

test('a page whose look cannot be recorded is not shown', async () => {
  const browser = await signedIn()
  const mend = await breakAudit(stack.db)
  const answer = await browser.ask('/ops')
  await mend()
  expect(answer.status).toBe(503)
  expect(answer.text).not.toContain('<h1>Overview')
})

test('a refresh by the page itself returns only the main part', async () => {
  const browser = await signedIn()
  expect((await browser.ask('/ops')).text).toContain('<!doctype html>')
  expect((await browser.ask('/ops', { headers: { 'x-refresh': '1' } })).text).not.toContain('<!doctype html>')
})

test('a page that refreshes itself leaves one entry for its look and one for each call behind it, in each session', async () => {
  const [browser, another] = [await signedIn(), await signedIn()]
  const before = (await stack.audit()).length
  for (let times = 0; times < 3; times += 1) await browser.ask('/ops', { headers: { 'x-refresh': '1' } })
  for (let times = 0; times < 3; times += 1) await another.ask('/ops')
  const entries = (await stack.audit()).slice(before).map(({ action, outcome }) => [action, outcome])
  const once = [
    ['listOperatorOperations', 'answered'],
    ['viewOverview', 'answered'],
  ]
  expect(entries).toEqual([...once, ...once])
})

test('an unconfirmed suspension is not reported as done, and the page can repeat it', async () => {
  const browser = await signedIn()
  const grant = grantRow(1)
  stack.known.grants = [grant]
  const path = `/ops/grants/${grant.grant_id}/suspend`
  const fields = hiddenFields((await browser.ask(path)).text, path)
  stack.known.suspend = async ({ operator: by, reason, reason_for_owner = null }) => {
    const suspended = { at: grant.created_at, by, reason, reason_for_owner }
    stack.known.grants = [{ ...grant, status: 'suspended', suspended }]
    throw new Problem('acceptance_unknown')
  }
  const answer = await browser.ask(path, { form: { ...fields, reason: 'It drains accounts.' } })
  expect(answer.status).toBe(503)
  expect(answer.text).toContain('The suspension is not confirmed')
  const again = hiddenFields(answer.text, path)
  expect(again).toMatchObject({ reason: 'It drains accounts.' })
  stack.known.suspend = async () => ({ outcome: 'already_suspended', grant: { ...grant, status: 'suspended' } })
  const confirmed = await browser.ask(path, { form: again })
  expect([confirmed.status, confirmed.headers.get('location')]).toEqual([303, `/ops/grants/${grant.grant_id}`])
})

test('before a suspension the page lists the operations of that grant, however many its client has in flight', async () => {
  const browser = await signedIn()
  const grant = grantRow(1)
  const { grant_id, subject } = grant
  stack.known.grants = [grant]
  stack.known.activity = [{ grant_id, operations_in_flight: 1, last: null }]
  const own = operationRow(0, { grant_id, subject, state: 'accepted' })
  const others = Array.from({ length: 120 }, (_one, n) => operationRow(n + 1, { subject, state: 'accepted' }))
  stack.known.operations = [own, ...others]
  const { text } = await browser.ask(`/ops/grants/${grant_id}/suspend`)
  expect(text).toContain(own.operation_id)
  for (const { operation_id } of others) expect(text).not.toContain(operation_id)
  expect(text).not.toContain('more operations in flight')
})

test('the page says that a grant is already suspended, or that it has ended', async () => {
  const browser = await signedIn()
  for (const [status, words] of [
    ['suspended', 'was suspended before'],
    ['revoked', 'has ended already'],
  ] as const) {
    const grant = grantRow(1, { status })
    stack.known.grants = [grant]
    await browser.ask(`/ops/grants/${grant.grant_id}/suspend`)
    expect((await browser.ask(`/ops/grants/${grant.grant_id}`)).text).toContain(words)
  }
})

test('if a service is out of reach, the page and the audit say so', async () => {
  const without = await startStack({ silent: ['operations'], config: { ...stack.config } })
  const browser = createBrowser(without.gateway)
  await browser.signIn('jonas.brandt')
  const answer = await browser.ask('/ops')
  expect(answer.status).toBe(503)
  expect(answer.text).toContain('service_unavailable')
  const looks = (await without.audit()).filter(({ action }) => action === 'viewOverview')
  expect(looks).toMatchObject([{ operator_id: 'jonas.brandt', outcome: 'service_unavailable' }])
  await without.stop()
})

test('expired sessions and sign-ins are pruned, audit entries never', async () => {
  await signedIn()
  await createBrowser(stack.gateway).begin()
  const entries = (await stack.audit()).length
  stack.clock.setOffsetMs(9 * 3_600_000)
  await pruneBatch(stack.db, stack.clock.now())
  const left = statement(
    'test_left',
    'SELECT (SELECT count(*) FROM sessions) + (SELECT count(*) FROM sign_ins) AS rows',
  )
  expect(await stack.db.rows(left)).toEqual([{ rows: 0 }])
  expect(await stack.audit()).toHaveLength(entries)
  stack.clock.setOffsetMs(0)
})
