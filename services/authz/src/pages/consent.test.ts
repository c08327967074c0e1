import type { OwnerMandate } from '@financial-agents/bus/messages/resources'
import { mandateOf } from '@financial-agents/owner-pages/testing/mandate-of'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { revokeGrant } from '../store/grant-status.ts'
import { findHumanGrant } from '../store/human-grants.ts'
import { type Browser, locationOf, makeBrowser, makeOwnerClient } from '../test-client.test-helper.ts'
import { arriveAtConsent, beginAuthorization, decide, leaveOrigin } from './authorizing.test-helper.ts'
import {
  formTo,
  ines,
  type OpenedPage,
  open,
  readPage,
  send,
  startTestPages,
  type TestPages,
} from './pages.test-helper.ts'

const eur = (amount: string) => ({ amount, currency: 'EUR' })
const limited = makeOwnerClient('spa', 'limited', {
  name: 'Limited',
  policy: { withdrawal_ceilings: { per_payment: eur('100.00'), per_day: eur('300.00') } },
})
const native = makeOwnerClient('native', 'tally', { name: 'Tally' })
const known = makeOwnerClient('native', 'known', { redirect_uris: ['https://app.example/known'] })
let pages: TestPages
let browser: Browser

beforeAll(async () => {
  pages = await startTestPages()
  await pages.base.apply([limited, native, known].map((one) => one.registration))
})
beforeEach(() => {
  browser = makeBrowser()
})
afterAll(() => pages.close())

const arrive = (of = native, wrong = {}) => arriveAtConsent(pages, browser, of, wrong)
const leave = (location: string) => leaveOrigin(pages, browser, location)
const answer = (page: OpenedPage, decision: 'allow' | 'decline', more = {}) =>
  decide(pages, browser, page, decision, more)

describe('consent', () => {
  test('declined tells the client access_denied and records no grant', async () => {
    const page = await arrive(native, { scope: 'openid accounts:read operations:read' })
    const back = await leave(locationOf(await answer(page, 'decline')))
    expect(back.searchParams.get('error')).toBe('access_denied')
    expect(await findHumanGrant(pages.base.db, ines, native.clientId)).toBeUndefined()
  })

  test('without a decision is no consent', async () => {
    const page = await arrive(native)
    expect((await send(pages, browser, formTo(page, '/consent'))).status).toBe(400)
    expect(await findHumanGrant(pages.base.db, ines, native.clientId)).toBeUndefined()
  })

  test('says in words what is asked, what is not, and for how long', async () => {
    const page = await arrive(native, { scope: 'openid accounts:read' })
    expect(page.text).toContain('See your accounts and the limits for withdrawing from them.')
    expect(page.text).toContain('Move money.')
    expect(page.text).toContain('30 days')
    expect(page.text).not.toContain('Up to which amounts')
    expect(page.text).not.toContain('accounts:read')
    expect(page.text).toContain('the application on this device')
    expect(page.headers.get('content-security-policy')).toContain("form-action 'self' http://127.0.0.1;")
  })

  test('shows what is new beside what is already allowed', async () => {
    await leave(locationOf(await answer(await arrive(limited, { scope: 'openid accounts:read' }), 'allow')))
    const page = await open(
      pages,
      browser,
      await beginAuthorization(pages, browser, limited, { scope: 'openid operations:read' }),
    )
    expect(page.title).toBe('Allow this application more?')
    expect(page.text.match(/<strong>New:<\/strong>/g)).toHaveLength(1)
    await leave(locationOf(await answer(page, 'allow')))
    expect(await findHumanGrant(pages.base.db, ines, limited.clientId)).toMatchObject({
      scopes: ['accounts:read', 'operations:read'],
    })
  })

  test('lets the owner lower a ceiling and never raise one; what was written stays, and is named', async () => {
    const page = await arrive(limited, { scope: 'openid spending:withdraw' })
    expect(formTo(page, '/consent').fields).toMatchObject({ per_payment: '100.00', per_day: '300.00' })
    const refused = readPage(await answer(page, 'allow', { per_payment: '100.01', per_day: '<lots>' }))
    expect(refused.status).toBe(422)
    expect(refused.text).toContain('<title>Error: Allow this application')
    expect(refused.text).toContain('Enter EUR 100.00 or less.')
    expect(refused.text).toContain('Enter an amount such as 50')
    expect(formTo(refused, '/consent').fields).toMatchObject({ per_payment: '100.01', per_day: '<lots>' })
    await leave(locationOf(await answer(refused, 'allow', { per_payment: '25,50', per_day: '' })))
    expect(await findHumanGrant(pages.base.db, ines, limited.clientId)).toMatchObject({
      policy: { ceilings: { per_payment: eur('25.50'), per_day: eur('300.00') } },
    })
  })
})

describe('mandates that name the application', () => {
  const scope = 'openid spending:withdraw'
  const named = (id: string, changes: Partial<OwnerMandate> = {}) =>
    mandateOf({ id, authorized_clients: [native.clientId, 'another'], beneficiary_name: `Payee ${id}`, ...changes })
  const boxes = ({ text }: OpenedPage) => [...text.matchAll(/<input type="checkbox"[^>]*name="([^"]*)"[^>]*>/g)]
  const grantOf = (who = native) => findHumanGrant(pages.base.db, ines, who.clientId)
  const audited = () =>
    pages.base.db.rows<{ grant_id: string; detail: unknown }>({
      name: 'test_mandates_consented',
      text: `SELECT grant_id, detail FROM audit WHERE event = 'mandates_consented' ORDER BY id`,
    })

  beforeEach(async () => {
    pages.others.authorized.length = 0
    const grant = await grantOf()
    const why = { reason: 'revoked_by_owner', by: 'owner', request_id: null } as const
    if (grant) await revokeGrant(pages.base.db, grant.grant_id, why, pages.base.clock.now())
  })
  afterEach(() => {
    pages.others.mandates = []
    pages.others.refuseMandates = false
  })

  test('are listed unticked, with payee and what is left of every cap; those that are not ticked are not given', async () => {
    pages.others.mandates = [
      named('one', { beneficiary_name: 'Casa Azul" at most 1 EUR. <b>Ignore the rest' }),
      named('exhausted', { state: 'exhausted' }),
      named('suspended', { state: 'suspended' }),
      named('of-others', { authorized_clients: ['another'] }),
    ]
    const page = await arrive(native, { scope })
    expect(boxes(page).map(([, name]) => name)).toEqual(['mandate.one', 'mandate.exhausted'])
    expect(boxes(page).some(([tag]) => tag.includes('checked'))).toBe(false)
    expect(page.text).toContain(
      '<label for="mandate.one"><bdi class="name">Casa Azul&quot; at most 1 EUR. &lt;b&gt;Ignore the rest</bdi></label>',
    )
    for (const left of ['EUR 87.50', 'EUR 200.50', 'EUR 0.00', 'EUR 0.000000000000000001'])
      expect(page.text).toContain(`<strong>${left}</strong> left of`)
    await leave(locationOf(await answer(page, 'allow')))
    expect(pages.others.authorized).toEqual([])
    expect(await audited()).toEqual([])
  })

  test('are given to the new grant where they are ticked, and the audit says so; what was not offered is not', async () => {
    pages.others.mandates = [named('one'), named('two'), named('of-others', { authorized_clients: ['another'] })]
    const page = await arrive(native, { scope })
    const ticked = { 'mandate.two': 'on', 'mandate.of-others': 'on', 'mandate.unknown': 'on' }
    await leave(locationOf(await answer(page, 'allow', ticked)))
    const grant = await grantOf()
    const given = { owner_id: ines, client_id: native.clientId, grant_id: grant?.grant_id, mandate_ids: ['two'] }
    expect(pages.others.authorized).toEqual([given])
    expect((await audited()).at(-1)).toEqual({ grant_id: grant?.grant_id, detail: { mandate_ids: ['two'] } })
  })

  test('are listed where the grant that goes on has no authority under them, and not where it has', async () => {
    await leave(locationOf(await answer(await arrive(native, { scope }), 'allow')))
    const grant = await grantOf()
    const has = [{ client_id: native.clientId, grant_id: grant?.grant_id ?? '' }]
    const before = [{ client_id: native.clientId, grant_id: 'an earlier one' }]
    pages.others.mandates = [named('has', { authorities: has }), named('had', { authorities: before })]
    const address = await beginAuthorization(pages, browser, native, { scope: `${scope} accounts:read` })
    const page = await open(pages, browser, address)
    expect(boxes(page).map(([, name]) => name)).toEqual(['mandate.had'])
    await leave(locationOf(await answer(page, 'allow', { 'mandate.had': 'on', 'mandate.has': 'on' })))
    expect(pages.others.authorized).toMatchObject([{ grant_id: grant?.grant_id, mandate_ids: ['had'] }])
  })

  test('stay ticked where something else was refused', async () => {
    pages.others.mandates = [named('one'), named('two')]
    const page = await arrive(native, { scope })
    const refused = readPage(await answer(page, 'allow', { per_payment: '<lots>', 'mandate.two': 'on' }))
    expect(refused.status).toBe(422)
    expect(formTo(refused, '/consent').fields).toMatchObject({ 'mandate.two': 'on' })
    expect(formTo(refused, '/consent').fields).not.toHaveProperty('mandate.one')
  })

  test('are not given by an authorization that asks the owner nothing', async () => {
    await leave(locationOf(await answer(await arrive(known, { scope }), 'allow')))
    pages.others.mandates = [{ ...named('one'), authorized_clients: [known.clientId] }]
    const silent = await beginAuthorization(pages, browser, known, { scope, prompt: 'none' })
    expect(new URL(silent).searchParams.get('code')).toMatch(/\S/)
    const plain = await beginAuthorization(pages, browser, known, { scope })
    expect(new URL(plain).searchParams.get('code')).toMatch(/\S/)
    expect(pages.others.authorized).toEqual([])
  })

  test('are not listed for an application that does not ask to move money', async () => {
    pages.others.mandates = [named('one')]
    expect(boxes(await arrive(native, { scope: 'openid accounts:read' }))).toEqual([])
  })

  test('that cannot be given now stop the consent before the application hears of it, and the same form goes on later', async () => {
    pages.others.mandates = [named('one')]
    const page = await arrive(native, { scope })
    pages.others.refuseMandates = true
    const stopped = readPage(await answer(page, 'allow', { 'mandate.one': 'on' }))
    expect([stopped.status, stopped.title]).toEqual([503, 'The repeated payments cannot go on yet'])
    pages.others.refuseMandates = false
    const back = await leave(locationOf(await answer(page, 'allow', { 'mandate.one': 'on' })))
    expect(back.searchParams.get('code')).toMatch(/\S/)
    const grant = await grantOf()
    expect(pages.others.authorized).toMatchObject([{ grant_id: grant?.grant_id, mandate_ids: ['one'] }])
  })

  test('that are not known now are said to be missing, and consent goes on without them', async () => {
    const lonely = await startTestPages()
    await lonely.base.apply([native.registration])
    await lonely.stopBeneficiaries()
    const who = makeBrowser()
    const page = await arriveAtConsent(lonely, who, native, { scope })
    expect(page.text).toContain('cannot be shown now')
    expect((await decide(lonely, who, page, 'allow', { 'mandate.one': 'on' })).status).toBe(503)
    expect(await findHumanGrant(lonely.base.db, ines, native.clientId)).toBeUndefined()
    const back = await leaveOrigin(lonely, who, locationOf(await decide(lonely, who, page, 'allow')))
    expect(back.searchParams.get('code')).toMatch(/\S/)
    await lonely.close()
  })
})
