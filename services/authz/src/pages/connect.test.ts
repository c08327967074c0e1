/**
 * Connecting is an act of its own, on the account page or with a consent. The page lists the access that works again.
 */

import { randomUUID } from 'node:crypto'
import type { OwnerMandate } from '@financial-agents/bus/messages/resources'
import { mandateOf } from '@financial-agents/owner-pages/testing/mandate-of'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { registeredPolicy } from '../policy/grant-policy.ts'
import { readAuditOfOwner } from '../store/audit.test-helper.ts'
import { findHumanGrant, grantLifetimeMs, recordConsent } from '../store/human-grants.ts'
import { type Browser, browse, locationOf, makeBrowser, makeOwnerClient } from '../test-client.test-helper.ts'
import { makeServiceClient } from '../test-server.test-helper.ts'
import { arriveAtConsent, beginAuthorization, decide, leaveOrigin } from './authorizing.test-helper.ts'
import {
  formTo,
  ines,
  open,
  readPage,
  send,
  signedInBrowser,
  signInFrom,
  startTestPages,
  type TestPages,
} from './pages.test-helper.ts'

const [ledger, tally] = [makeOwnerClient('spa', 'ledger', { name: 'Ledger' }), makeOwnerClient('native', 'tally')]
const mover = makeOwnerClient('spa', 'mover', { name: 'Mover' })
const agent = makeServiceClient('agent', { name: 'The agent', service_owner: ines })
const ready = { type: 'ready', provider_name: 'My bank' } as const
let pages: TestPages
let browser: Browser

beforeAll(async () => {
  pages = await startTestPages()
  await pages.base.apply([ledger, tally, mover, agent].map((one) => one.registration))
})
beforeEach(async () => {
  pages.others.mayConnect = ready
  pages.others.connect = { type: 'connected' }
  pages.others.connected = []
  pages.others.mandates = []
  pages.base.clock.setOffsetMs(0)
  browser = await signedInBrowser(pages)
})
afterAll(() => pages.close())

async function grantTo({ clientId, registration }: typeof ledger): Promise<string> {
  const now = pages.base.clock.now()
  const { grant_id } = await recordConsent(
    pages.base.db,
    {
      owner_id: ines,
      client_id: clientId,
      subject: 'a subject',
      scopes: ['operations:read'],
      mandate_ids: [],
      openid: false,
      policy: registeredPolicy(registration),
      authenticated_at: now,
      expires_at: new Date(now.getTime() + grantLifetimeMs),
      request_id: null,
    },
    now,
  )
  return grant_id
}

const mandateUnder = (client: string, grant_id: string, state: OwnerMandate['state'] = 'active'): OwnerMandate =>
  mandateOf({
    id: randomUUID(),
    beneficiary_name: `Landlord of ${client} (${state})`,
    state,
    authorized_clients: [client],
    authorities: [{ client_id: client, grant_id }],
    per_payment_max: '10',
    remaining: { daily: '20', weekly: '30', monthly: '40', total: '12.5', payments: 1 },
  })
const statusOf = async ({ clientId }: typeof ledger) =>
  (await findHumanGrant(pages.base.db, ines, clientId))?.status ?? 'ended'

describe('the page', () => {
  test('lists what begins to work again, unticked, with its payments; service accounts are said to stay stopped', async () => {
    const grantId = await grantTo(ledger)
    pages.others.mandates = [
      mandateUnder('ledger', grantId),
      mandateUnder('ledger', grantId, 'suspended'),
      mandateUnder('ledger', grantId, 'revoked'),
      mandateUnder('agent', 'grant of the agent'),
      { ...mandateUnder('ledger', 'a grant that ended'), beneficiary_name: 'Landlord of an ended grant' },
    ]
    const page = await open(pages, browser, '/account/connect')
    expect(page).toMatchObject({ status: 200, title: 'Connect to My bank?' })
    expect(page.text).toContain(`<input type="checkbox" id="again-${grantId}"`)
    expect(page.text).not.toContain(' checked')
    expect(page.text).toContain('Landlord of ledger (active)')
    expect(page.text).toContain('At most EUR 10.00 each time, EUR 12.50 in all')
    for (const other of ['suspended', 'revoked', 'Landlord of agent', 'Landlord of an ended grant'])
      expect(page.text).not.toContain(other)
    expect(page.text).toContain('stays stopped until the operator sets it up anew')
    expect(page.text).toContain('The agent')
    expect(page.forms.map(({ action }) => action)).toEqual(['/sign-out', '/account/connect'])
  })

  test('connects by its form alone: looking does not, nor does signing in', async () => {
    await open(pages, browser, '/account/connect')
    await signInFrom(pages, makeBrowser(), await open(pages, makeBrowser(), '/account')).catch(() => {})
    await open(pages, browser, '/account')
    expect(pages.others.connected).toEqual([])
  })

  test('sent without anything ticked ends everything that was allowed, before it connects', async () => {
    await Promise.all([ledger, tally].map(grantTo))
    const reported = await send(pages, browser, formTo(await open(pages, browser, '/account/connect'), '/connect'))
    expect(locationOf(reported)).toBe('/account')
    expect([await statusOf(ledger), await statusOf(tally), pages.others.connected]).toEqual(['ended', 'ended', [ines]])
    const account = await open(pages, browser, '/account')
    expect(account.text).toContain('what you did not choose has ended')
    expect(account.text).toContain('You did not choose it when you connected again.')
    expect(account.text).toContain('The agent')
  })

  test('sent with one ticked keeps that one, and it is written down', async () => {
    const [kept] = await Promise.all([ledger, tally].map(grantTo))
    const page = await open(pages, browser, '/account/connect')
    await send(pages, browser, formTo(page, '/connect'), { [`again-${kept}`]: 'yes' })
    expect([await statusOf(ledger), await statusOf(tally)]).toEqual(['active', 'ended'])
    const line = (await readAuditOfOwner(pages.base.db, ines)).find(({ event }) => event === 'connected')
    expect(line?.detail).toEqual({ again: [kept] })
  })

  test('forged, or without a session, changes nothing', async () => {
    await grantTo(ledger)
    const { fields } = formTo(await open(pages, browser, '/account/connect'), '/connect')
    const attempts = [
      send(pages, browser, { action: '/account/connect', fields: {} }),
      send(pages, browser, { action: '/account/connect', fields }, {}, [['origin', 'https://elsewhere.example']]),
      send(pages, makeBrowser(), { action: '/account/connect', fields }),
    ]
    for (const answer of await Promise.all(attempts)) expect(answer.status).toBe(403)
    expect([await statusOf(ledger), pages.others.connected]).toEqual(['active', []])
  })

  test('requires a recent sign-in if the session is older than five minutes, and ends nothing before', async () => {
    await grantTo(ledger)
    const form = formTo(await open(pages, browser, '/account/connect'), '/connect')
    pages.base.clock.setOffsetMs(301_000)
    expect(locationOf(await send(pages, browser, form))).toBe('/account/connect')
    const page = await open(pages, browser, '/account/connect')
    expect(page.title).toBe('Sign in again to connect')
    expect([await statusOf(ledger), pages.others.connected]).toEqual(['active', []])
    expect(await signInFrom(pages, browser, page)).toBe('/account/connect')
    expect((await open(pages, browser, '/account/connect')).title).toBe('Connect to My bank?')
  })

  test.each([
    ['ending', 'still being ended'],
    ['connected', 'You are connected already'],
  ] as const)('where the connection is %s says so, and ends nothing', async (type, words) => {
    await grantTo(ledger)
    const form = formTo(await open(pages, browser, '/account/connect'), '/connect')
    pages.others.mayConnect = { type }
    expect(locationOf(await browse(pages.server, browser, '/account/connect'))).toBe('/account')
    expect((await open(pages, browser, '/account')).text).toContain(words)
    await send(pages, browser, form)
    expect((await open(pages, browser, '/account')).text).toContain(words)
    expect([await statusOf(ledger), pages.others.connected]).toEqual(['active', []])
  })
})

describe('a consent of an owner without a connection', () => {
  test('connects with the one button, which says so, and lists the others', async () => {
    const others = await grantTo(ledger)
    const one = makeBrowser()
    const page = await arriveAtConsent(pages, one, tally)
    const form = formTo(page, '/consent')
    expect(Object.keys(form.buttons)).toEqual(['Connect and allow', 'Do not allow'])
    expect(page.text).toContain('You are not connected to <bdi>My bank</bdi>.')
    expect(page.text).toContain(`id="again-${others}"`)
    const back = await leaveOrigin(pages, one, locationOf(await send(pages, one, form, { decision: 'connect' })))
    expect(back.searchParams.get('code')).toBeTruthy()
    expect([await statusOf(tally), await statusOf(ledger), pages.others.connected]).toEqual(['active', 'ended', [ines]])
  })

  test('replaces the earlier grant of the application: its mandates come back only where they are ticked', async () => {
    const before = await grantTo(mover)
    pages.others.mandates = [mandateUnder('mover', before)]
    const one = makeBrowser()
    const page = await arriveAtConsent(pages, one, mover, { scope: 'openid spending:withdraw' })
    expect(page.text).toContain('Landlord of mover (active)')
    const reported = await send(pages, one, formTo(page, '/consent'), { decision: 'connect' })
    expect((await leaveOrigin(pages, one, locationOf(reported))).searchParams.get('code')).toBeTruthy()
    const now = await findHumanGrant(pages.base.db, ines, 'mover')
    expect(now).toMatchObject({ status: 'active', scopes: ['spending:withdraw'] })
    expect(now?.grant_id).not.toBe(before)
    expect(pages.others.authorized).toEqual([])
  })

  test('of a person with nothing allowed before takes one click and says that nothing else begins', async () => {
    for (const client of [ledger, tally]) await end(client)
    const page = await arriveAtConsent(pages, makeBrowser(), tally)
    expect(page.text).toContain('Nothing that you allowed before begins to work by it.')
    expect(page.text).not.toContain('checkbox')
  })

  test('is not taken from a page that did not say that it connects', async () => {
    await end(tally)
    const one = makeBrowser()
    pages.others.mayConnect = { type: 'connected' }
    const page = await arriveAtConsent(pages, one, tally)
    expect(Object.keys(formTo(page, '/consent').buttons)).toEqual(['Allow', 'Do not allow'])
    pages.others.mayConnect = ready
    const again = await decide(pages, one, page, 'allow')
    expect(readPage(await browse(pages.server, one, locationOf(again))).text).toContain('Connect and allow')
    expect([await statusOf(tally), pages.others.connected]).toEqual(['ended', []])
  })

  test('begins with a sign-in of just now where the session is old', async () => {
    const one = makeBrowser()
    pages.others.mayConnect = { type: 'sign_in_again' }
    const address = await beginAuthorization(pages, one, tally)
    const resume = locationOf(
      await browse(pages.server, one, await signInFrom(pages, one, await open(pages, one, address))),
    )
    const handOff = await open(pages, one, locationOf(await browse(pages.server, one, resume)))
    expect(handOff.title).toBe('Sign in again to continue')
    pages.others.mayConnect = ready
    const on = locationOf(await browse(pages.server, one, await signInFrom(pages, one, handOff)))
    const page = await open(pages, one, locationOf(await browse(pages.server, one, on)))
    expect(page.text).toContain('Connect and allow')
  })

  test('while the last connection is ending is taken as it is, and says that nothing works yet', async () => {
    await end(tally)
    pages.others.mayConnect = { type: 'ending' }
    const one = makeBrowser()
    const page = await arriveAtConsent(pages, one, tally)
    expect(page.text).toContain('can do nothing there until you connect again')
    await decide(pages, one, page, 'allow')
    expect([await statusOf(tally), pages.others.connected]).toEqual(['active', []])
  })
})

async function end(client: typeof ledger): Promise<void> {
  const form = formTo(await open(pages, browser, '/account/connect'), '/connect')
  await send(pages, browser, form)
  pages.others.connected = []
  expect(await statusOf(client)).toBe('ended')
}
