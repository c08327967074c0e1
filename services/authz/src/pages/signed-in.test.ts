/**
 * Every page of a signed-in owner shows first what waits for the owner. The test takes the pages from the routes, so a
 * new page fails it until a table here has the page.
 */

import type { OwnerIntent } from '@financial-agents/bus/messages/intents'
import type { OwnerOperation } from '@financial-agents/bus/messages/owner-activity'
import { mandateOf } from '@financial-agents/owner-pages/testing/mandate-of'
import { isPagePath, pagePaths, pathTo } from '@financial-agents/pages/page-paths'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { grantLifetimeMs, recordConsent } from '../store/human-grants.ts'
import { type Browser, makeOwnerClient } from '../test-client.test-helper.ts'
import {
  formTo,
  ines,
  type OpenedPage,
  open,
  providerPagesOrigin,
  readPage,
  send,
  signedInBrowser,
  startTestPages,
  type TestPages,
} from './pages.test-helper.ts'

const client = makeOwnerClient('web', 'rent', {
  name: 'Rent Payer',
  policy: { withdrawal_ceilings: { per_day: { amount: '300.00', currency: 'EUR' } } },
})
const payee = '01990000-0000-7000-8000-0000000000b1'
const mandate = mandateOf({ client_id: client.clientId })
const binding = {
  binding_id: 'binding-1',
  owner_id: ines,
  status: 'connected',
  provider_name: 'Bank of Test',
  source: 'sign_in',
  connected_at: '2026-10-01T00:00:00.000Z',
} as const
const uncertain: OwnerOperation = {
  operation_id: '01990000-0000-7000-8000-0000000000a1',
  client_id: client.clientId,
  grant_id: '01990000-0000-7000-8000-0000000000c1',
  kind: 'transfer',
  state: 'indeterminate',
  resource_type: 'withdrawal',
  resource_id: '01990000-0000-7000-8000-0000000000d1',
  submission_uncertain: true,
  failure_code: null,
  upstream_reference: null,
  payment: { amount: '12.5', currency: 'EUR', beneficiary_id: payee, mandate_id: null },
  approval: null,
  created_at: '2026-11-20T09:15:02.104Z',
  updated_at: '2026-11-20T09:15:04.104Z',
}
const approval = { url: `${providerPagesOrigin}/approve/1`, expires_at: null }
const intent: OwnerIntent = {
  intent_id: '01990000-0000-7000-8000-0000000000e1',
  client_id: client.clientId,
  grant_id: '01990000-0000-7000-8000-0000000000c1',
  action: 'transfer',
  status: 'pending',
  opening: 'Pay from your spending account, once.',
  facts: [],
  created_at: '2026-11-20T09:15:02.104Z',
  expires_at: '2026-11-20T09:25:02.104Z',
  operation_id: null,
  decided_at: null,
}
const asked = '01990000-0000-7000-8000-0000000000e2'
const inFlight: OwnerOperation[] = [
  { ...uncertain, operation_id: '01990000-0000-7000-8000-0000000000a2', state: 'requires_action', approval },
  uncertain,
]
let pages: TestPages
let browser: Browser
let grantId: string

beforeAll(async () => {
  pages = await startTestPages()
  await pages.base.apply([client.registration])
  const now = pages.base.clock.now()
  const { grant_id } = await recordConsent(
    pages.base.db,
    {
      owner_id: ines,
      client_id: client.clientId,
      subject: 'subject of ines',
      scopes: ['spending:withdraw'],
      openid: false,
      policy: { ceilings: { per_payment: null, per_day: { amount: '300', currency: 'EUR' } }, confirmation: [] },
      mandate_ids: [],
      authenticated_at: now,
      expires_at: new Date(now.getTime() + grantLifetimeMs),
      request_id: null,
    },
    now,
  )
  grantId = grant_id
  intent.grant_id = grant_id
})
beforeEach(async () => {
  Object.assign(pages.others, {
    activity: { in_flight: inFlight, latest: [], intents: [intent] },
    operation: { operation: uncertain, moves: [], memo: null },
    payees: [{ id: payee, beneficiary_name: 'Rui Prado' }],
    mandates: [mandate],
    bindings: [binding],
    mayConnect: { type: 'connected' },
    intent: { ...intent, intent_id: asked },
  })
  await endsIn('6 days')
  browser = await signedInBrowser(pages)
})
afterAll(() => pages.close())

const endsIn = (time: string) =>
  pages.base.db.rows(
    { name: 'ends_in', text: `UPDATE grants SET expires_at = now() + $2::interval WHERE grant_id = $1` },
    [grantId, time],
  )

type Opens = () => Promise<OpenedPage>
const opened =
  (path: string): Opens =>
  () =>
    open(pages, browser, path)
const ofGrant = (path: '/account/grants/:grantId' | '/account/grants/:grantId/limits') => pathTo(path, { grantId })
const ofMandate = (path: '/account/mandates/:mandateId' | '/account/mandates/:mandateId/limits') =>
  pathTo(path, { mandateId: mandate.id })
const refused = async (path: string, fields: Record<string, string>): Promise<OpenedPage> =>
  readPage(await send(pages, browser, formTo(await open(pages, browser, path), path), fields))

/** Every page of a signed-in owner, by the path of its route, in each of its forms. */
const ownerPages: Readonly<Record<string, Readonly<Record<string, Opens>>>> = {
  [pagePaths.account]: { 'the overview': opened('/account') },
  [pagePaths.accountActivity]: { 'the history': opened('/account/activity') },
  [pagePaths.accountOperation]: { 'an operation': opened(`/account/activity/${uncertain.operation_id}`) },
  [pagePaths.accountApplication]: {
    'an application': () => open(pages, browser, ofGrant(pagePaths.accountApplication)),
  },
  [pagePaths.accountLimits]: {
    'its limits': () => open(pages, browser, ofGrant(pagePaths.accountLimits)),
    'its limits, refused': () => refused(ofGrant(pagePaths.accountLimits), { per_day: 'lots' }),
  },
  [pagePaths.accountMandate]: { 'a mandate': () => open(pages, browser, ofMandate(pagePaths.accountMandate)) },
  [pagePaths.accountMandateLimits]: {
    'its caps': () => open(pages, browser, ofMandate(pagePaths.accountMandateLimits)),
    'its caps, refused': () => refused(ofMandate(pagePaths.accountMandateLimits), { daily_max: 'lots' }),
  },
  [pagePaths.accountDisconnect]: { 'the end of the connection': opened('/account/disconnect') },
  [pagePaths.accountConnect]: {
    'a new connection': () => {
      pages.others.mayConnect = { type: 'ready', provider_name: 'Bank of Test' }
      return open(pages, browser, '/account/connect')
    },
    'a new connection, with an old sign-in': async () => {
      pages.others.mayConnect = { type: 'ready', provider_name: 'Bank of Test' }
      pages.base.clock.setOffsetMs(301_000)
      const page = await open(pages, browser, '/account/connect')
      pages.base.clock.setOffsetMs(0)
      expect(page.title).toBe('Sign in again to connect')
      return page
    },
  },
}

/** The open confirmations besides the one that a page shows. */
const openIntents = () => pages.others.activity.intents.filter(({ intent_id }) => intent_id !== asked)

/** The pages on which the owner decides something else. They show one line, which links to the list of what waits. */
const decisions: typeof ownerPages = {
  [pagePaths.confirm]: {
    'a confirmation': () => {
      pages.others.activity.intents = [...openIntents(), { ...intent, intent_id: asked }]
      return open(pages, browser, `/confirm/${asked}`)
    },
    'a confirmation that is decided': () => {
      pages.others.activity.intents = openIntents()
      pages.others.intent = { ...intent, intent_id: asked, status: 'declined' }
      return open(pages, browser, `/confirm/${asked}`)
    },
  },
}

/** The other routes: steps of an authorization, redirects to a page, and answers that are the same for everybody. */
const otherRoutes: readonly string[] = [
  pagePaths.interaction,
  pagePaths.interactionSignedIn,
  pagePaths.interactionDeclined,
  pagePaths.interactionAnswer,
  pagePaths.signInReturn,
  pagePaths.confirmNext,
  pagePaths.approvalReturn,
  pagePaths.applicationLogo,
  pagePaths.device,
  pagePaths.deviceResumed,
]

const waiting = [
  ['a confirmation', 'An application asks you to confirm', () => `/confirm/${intent.intent_id}`],
  ['an approval', 'Your provider asks for your approval', () => approval.url],
  [
    'a payment of unknown outcome',
    'It is not known yet whether this was paid',
    () => `/account/activity/${uncertain.operation_id}`,
  ],
  ['access that ends soon', 'Access that ends soon', () => `/account/grants/${grantId}`],
] as const

const sectionOf = ({ text }: OpenedPage) => /<section class="waiting".*?<\/section>/s.exec(text)?.[0] ?? ''
const isFirst = ({ text }: OpenedPage, what: string) => text.includes(what) && text.indexOf(what) < text.indexOf('<h1>')
const formsIn = (table: typeof ownerPages) => Object.values(table).flatMap((forms) => Object.entries(forms))

test('every page is in the tables, those of the account among the pages of a signed-in owner', () => {
  const paths = new Set(pages.paths.filter(isPagePath))
  const known = [...Object.keys(ownerPages), ...Object.keys(decisions)]
  expect(paths.size).toBeGreaterThan(15)
  expect([...paths].filter((path) => !known.includes(path) && !otherRoutes.includes(path))).toEqual([])
  expect([...known, ...otherRoutes].filter((path) => !paths.has(path))).toEqual([])
  expect(otherRoutes.filter((path) => path.startsWith(pagePaths.account))).toEqual([])
})

describe.each(formsIn(ownerPages))('on the page of %s', (_name, opens) => {
  test.each(waiting)('%s stands first, with its link', async (_kind, words, href) => {
    const page = await opens()
    expect([200, 422]).toContain(page.status)
    expect(isFirst(page, 'class="waiting"')).toBe(true)
    const items = sectionOf(page).split('<li>').slice(1)
    expect(items).toHaveLength(waiting.length)
    const item = items.find((one) => one.includes(`<strong>${words}</strong>`)) ?? ''
    expect(item).toContain(`href="${href()}"`)
    expect(item).toContain('Rent Payer')
    if (item.includes('12.50')) expect(item).toContain('Rui Prado')
  })
})

test.each(formsIn(decisions))(
  'on the page of %s, one line counts all that waits and leads to it',
  async (_name, opens) => {
    const page = await opens()
    expect(page.status).toBe(200)
    expect(sectionOf(page)).toBe('')
    expect(isFirst(page, `<a href="/account">Waits for you besides (${waiting.length})</a>`)).toBe(true)
  },
)

test('in an outage each kind is one line with its true number, and the way to stop everything stands before it', async () => {
  const idOf = (index: number) => `01990000-0000-7000-8000-${String(index).padStart(12, '0')}`
  const operations = (count: number, over: Partial<OwnerOperation>) =>
    Array.from({ length: count }, (_one, index) => ({ ...uncertain, operation_id: idOf(index), ...over }))
  pages.others.activity = {
    counts: { in_flight: 250, approval: 40, uncertain: 37, confirmation: 50 },
    in_flight: [...operations(60, { state: 'requires_action', approval }).slice(0, 16), ...operations(37, {})],
    latest: [],
    intents: Array.from({ length: 20 }, (_one, index) => ({ ...intent, intent_id: idOf(index) })),
  }
  const page = await open(pages, browser, '/account')
  const section = sectionOf(page)
  expect(section).toContain('Waits for you (128)')
  const folded = section.replaceAll(/<summary>(.*?)<\/summary>.*?<\/details>/gs, '$1')
  expect(
    folded
      .split('<li>')
      .slice(1)
      .map(
        (line) =>
          line
            .replaceAll(/<[^>]*>/g, ' ')
            .trim()
            .split('  ')[0],
      ),
  ).toEqual([
    'Applications ask you to confirm (50)',
    'Your provider asks for your approval (40)',
    'It is not known yet whether these payments were made (37)',
    'Access that ends soon',
  ])
  expect(section).toContain('20 of 50 are listed here.')
  expect(section).toContain('16 of 40 are listed here.')
  expect(section).not.toContain('37 of 37')
  const stop = page.text.indexOf('href="/account/disconnect"')
  expect(stop).toBeGreaterThan(0)
  expect(stop).toBeLessThan(page.text.indexOf('class="waiting"'))
  const underWay = page.text.slice(page.text.indexOf('<h2>Under way</h2>'))
  expect(underWay.slice(0, underWay.indexOf('<details>')).split('<tr>')).toHaveLength(7)
  expect(underWay).toContain('Show more (245)')
  pages.others.activity.intents = [intent]
  expect(isFirst(await open(pages, browser, `/confirm/${asked}`), 'Waits for you besides (127)')).toBe(true)
})

test('nothing is shown where nothing waits', async () => {
  await endsIn('8 days')
  pages.others.activity = { in_flight: [], latest: [], intents: [] }
  for (const [, opens] of formsIn(ownerPages)) expect(sectionOf(await opens())).toBe('')
  for (const [, opens] of formsIn(decisions)) expect((await opens()).text).not.toContain('Waits for you')
})
