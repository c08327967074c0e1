import { randomUUID } from 'node:crypto'
import type { Ceilings } from '@financial-agents/contract/ceilings'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { registeredPolicy } from '../policy/grant-policy.ts'
import { readAuditOfGrant } from '../store/audit.test-helper.ts'
import { getLastSequence, listChangesAfter } from '../store/changes.ts'
import { revokeGrant } from '../store/grant-status.ts'
import { findGrant } from '../store/grants.ts'
import { grantLifetimeMs, recordConsent } from '../store/human-grants.ts'
import { type Browser, browse, locationOf, makeBrowser, makeOwnerClient } from '../test-client.test-helper.ts'
import {
  amara,
  formTo,
  ines,
  open,
  readPage,
  send,
  signedInAs,
  signedInBrowser,
  signInFrom,
  startTestPages,
  type TestPages,
} from './pages.test-helper.ts'

const eur = (amount: string) => ({ amount, currency: 'EUR' })
const client = makeOwnerClient('web', 'ledger', {
  name: 'The <b>ledger</b>',
  policy: { withdrawal_ceilings: { per_day: eur('300.00') } },
})
const longAgoMs = 301_000
let pages: TestPages
let browser: Browser
let grantId: string

beforeAll(async () => {
  pages = await startTestPages()
  await pages.base.apply([client.registration])
})
beforeEach(async () => {
  pages.base.clock.setOffsetMs(0)
  pages.others.finish = signedInAs(ines, 'Ines Carvalho')
  browser = await signedInBrowser(pages)
  grantId = await grantTo(ines, { per_payment: eur('20'), per_day: eur('50') })
})
afterAll(() => pages.close())

async function grantTo(owner_id: string, ceilings: Ceilings, scopes = ['spending:withdraw']): Promise<string> {
  const now = pages.base.clock.now()
  const consent = {
    owner_id,
    client_id: client.clientId,
    subject: `subject of ${owner_id}`,
    scopes,
    openid: false,
    policy: { ...registeredPolicy(client.registration), ceilings },
    authenticated_at: now,
    expires_at: new Date(now.getTime() + grantLifetimeMs),
    request_id: null,
    mandate_ids: [],
  }
  return (await recordConsent(pages.base.db, consent, now)).grant_id
}

const path = (id = grantId) => `/account/grants/${id}/limits`
const ceilings = async () => (await findGrant(pages.base.db, grantId, pages.base.clock.now()))?.policy.ceilings

async function save(fields: Record<string, string>, from: Browser = browser) {
  const form = formTo(await open(pages, from, path()), '/limits')
  return send(pages, from, { ...form, fields: { ...form.fields, ...fields } })
}

test('the account page leads to the limits of what may move money, and of nothing else', async () => {
  expect((await open(pages, browser, '/account')).text).toContain(`href="${path()}"`)
  const { text } = await open(pages, browser, path())
  expect(text).toContain('The &lt;b&gt;ledger&lt;/b&gt;')
  expect(text).toContain('At most EUR 300.00. You can write less.')
  expect(text).toContain('single and repeated payments together')
})

describe('a limit', () => {
  test('is lowered without a new sign-in, is reported to gateways, and is written down', async () => {
    const last = await getLastSequence(pages.base.db)
    pages.base.clock.setOffsetMs(longAgoMs)
    const answer = await save({ per_payment: '5', per_day: '49,90' })
    expect(locationOf(answer)).toBe('/account')
    expect(await ceilings()).toEqual({ per_payment: eur('5'), per_day: eur('49.90') })
    expect((await open(pages, browser, '/account')).text).toContain('Limits changed.')
    expect((await listChangesAfter(pages.base.db, last)).map(({ change }) => change)).toEqual([{ grant_id: grantId }])
    expect((await readAuditOfGrant(pages.base.db, grantId))[0]).toMatchObject({
      event: 'ceilings_changed',
      actor: 'owner',
      detail: { before: { per_day: eur('50') }, after: { per_day: eur('49.90') } },
    })
  })

  test.each([
    ['raised', { per_day: '51' }, { per_payment: eur('20'), per_day: eur('51') }],
    [
      'removed, up to what is registered',
      { per_payment: '', per_day: '' },
      { per_payment: null, per_day: eur('300.00') },
    ],
  ])('is %s after a fresh sign-in alone', async (_how, fields, after) => {
    const before = await ceilings()
    pages.base.clock.setOffsetMs(longAgoMs)
    const refused = await save(fields)
    expect(refused.status).toBe(403)
    expect(await ceilings()).toEqual(before)
    const page = await open(pages, browser, path())
    expect(page.text).toContain('show us first that it is you')
    await signInFrom(pages, browser, page)
    expect((await open(pages, browser, path())).text).not.toContain('show us first that it is you')
    expect(locationOf(await save(fields))).toBe('/account')
    expect(await ceilings()).toEqual(after)
  })

  test('is added after a fresh sign-in alone', async () => {
    grantId = await grantTo(ines, { per_payment: null, per_day: eur('50') })
    pages.base.clock.setOffsetMs(longAgoMs)
    expect((await save({ per_payment: '10' })).status).toBe(403)
    await signInFrom(pages, browser, await open(pages, browser, path()))
    await save({ per_payment: '10' })
    expect(await ceilings()).toEqual({ per_payment: eur('10'), per_day: eur('50') })
  })

  test('is never above what the operator registered, and what is no amount is said at its field', async () => {
    const before = await ceilings()
    const above = await save({ per_day: '300.01' })
    expect(above.status).toBe(422)
    expect(readPage(above).text).toContain('Enter EUR 300.00 or less.')
    expect((await save({ per_payment: 'much' })).status).toBe(422)
    expect(await ceilings()).toEqual(before)
  })
})

describe('nobody else', () => {
  test('changes the limits of an owner: not another owner, not a form of another session, not another site', async () => {
    const before = await ceilings()
    const form = formTo(await open(pages, browser, path()), '/limits')
    pages.others.finish = signedInAs(amara, 'Amara Okafor')
    const theirs = await signedInBrowser(pages)
    expect((await open(pages, theirs, path())).status).toBe(404)
    const { fields } = formTo(await open(pages, theirs, '/account'), '/sign-out')
    expect((await send(pages, theirs, { ...form, fields: { ...fields, per_day: '1' } })).status).toBe(404)
    expect((await send(pages, theirs, form)).status).toBe(403)
    expect((await send(pages, makeBrowser(), form)).status).toBe(403)
    const evil: [string, string][] = [['origin', 'https://evil.example']]
    expect((await send(pages, browser, form, {}, evil)).status).toBe(403)
    expect(await ceilings()).toEqual(before)
  })

  test('finds the page of an access that has ended, or of none', async () => {
    const { base } = pages
    await revokeGrant(base.db, grantId, { reason: 'revoked_by_owner', by: 'owner', request_id: null }, base.clock.now())
    for (const id of [grantId, randomUUID(), 'nonsense', '%00'])
      expect((await open(pages, browser, path(id))).status).toBe(404)
    expect(locationOf(await browse(pages.server, makeBrowser(), path()))).toBe('/account')
  })
})
