import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
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
let pages: TestPages
let browser: Browser

beforeAll(async () => {
  pages = await startTestPages()
  await pages.base.apply([limited, native].map((one) => one.registration))
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
    expect(refused.text).toContain('Enter 100.00 EUR or less.')
    expect(refused.text).toContain('Enter an amount such as 50')
    expect(formTo(refused, '/consent').fields).toMatchObject({ per_payment: '100.01', per_day: '<lots>' })
    await leave(locationOf(await answer(refused, 'allow', { per_payment: '25,50', per_day: '' })))
    expect(await findHumanGrant(pages.base.db, ines, limited.clientId)).toMatchObject({
      policy: { ceilings: { per_payment: eur('25.50'), per_day: eur('300.00') } },
    })
  })
})
