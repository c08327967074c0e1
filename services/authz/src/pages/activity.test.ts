import type { OwnerIntent } from '@financial-agents/bus/messages/intents'
import type { OwnerOperation } from '@financial-agents/bus/messages/owner-activity'
import { operationStates } from '@financial-agents/contract/machine'
import { mandateOf } from '@financial-agents/owner-pages/testing/mandate-of'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { grantLifetimeMs, recordConsent } from '../store/human-grants.ts'
import { type Browser, browse, locationOf, makeBrowser, makeOwnerClient } from '../test-client.test-helper.ts'
import {
  amara,
  formTo,
  ines,
  open,
  providerPagesOrigin,
  send,
  signedInAs,
  signedInBrowser,
  startTestPages,
  type TestPages,
} from './pages.test-helper.ts'

const client = makeOwnerClient('web', 'rent', {
  name: 'Rent Payer',
  policy: { withdrawal_ceilings: { per_day: { amount: '300.00', currency: 'EUR' } } },
})
const payee = '01990000-0000-7000-8000-0000000000b1'
const payment: OwnerOperation = {
  operation_id: '01990000-0000-7000-8000-0000000000a1',
  client_id: client.clientId,
  grant_id: '01990000-0000-7000-8000-0000000000c1',
  kind: 'transfer',
  state: 'succeeded',
  resource_type: 'withdrawal',
  resource_id: '01990000-0000-7000-8000-0000000000d1',
  submission_uncertain: false,
  failure_code: null,
  upstream_reference: 'provider-4711',
  payment: { amount: '12.5', currency: 'EUR', beneficiary_id: payee, mandate_id: null },
  approval: null,
  created_at: '2026-11-20T09:15:02.104Z',
  updated_at: '2026-11-20T09:15:04.104Z',
}
const nothing = { in_flight: [], latest: [], intents: [] }
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
})
beforeEach(async () => {
  Object.assign(pages.others, {
    activity: nothing,
    history: [payment],
    operation: { operation: payment, moves: [{ to: 'accepted', at: payment.created_at }], memo: 'Rent of May' },
    spending: [{ client_id: client.clientId, currency: 'EUR', today: '12.5', month: '20', total: '100' }],
    payees: [{ id: payee, beneficiary_name: 'Rui Prado' }],
    mandates: [],
    intent: null,
  })
  browser = await signedInBrowser(pages)
})
afterAll(() => pages.close())

describe('the history', () => {
  test('names amount, payee, application, time and outcome, with the link to each', async () => {
    const { text } = await open(pages, browser, '/account/activity')
    for (const words of ['EUR 12.50', 'Rui Prado', 'Rent Payer', '20 November 2026', 'Done'])
      expect(text).toContain(words)
    expect(text).toContain(`href="/account/activity/${payment.operation_id}"`)
    expect(text).not.toContain('>Older<')
  })

  test('asks for what its address filters, and for nothing that is not a filter', async () => {
    const mandate = mandateOf().id
    const asked = async (query: string) => {
      await open(pages, browser, `/account/activity?${query}`)
      return pages.others.histories.at(-1)
    }
    expect(await asked(`application=${client.clientId}&only=payments&month=2026-11`)).toMatchObject({
      owner_id: ines,
      client_id: client.clientId,
      payments_only: true,
      from: '2026-11-01T00:00:00.000Z',
      until: '2026-12-01T00:00:00.000Z',
      mandate_id: null,
    })
    expect(await asked(`mandate=${mandate}`)).toMatchObject({ mandate_id: mandate, payments_only: true })
    expect(await asked('mandate=x&month=2026-13&only=all&after=yesterday&application=%00&application=b')).toMatchObject(
      {
        client_id: null,
        mandate_id: null,
        payments_only: false,
        from: null,
        after: null,
      },
    )
  })

  test.each([
    '2026-99-99T99:99:99.999Z',
    '2026-02-30T00:00:00.000Z',
    '2026-11-20T24:00:00.000Z',
    '0000-01-01T00:00:00.000Z',
    '+012026-01-01T00:00:00.000Z',
    '2026-11-20',
    '',
  ])('begins with the newest if its address holds the position %s', async (timestamp) => {
    const query = new URLSearchParams({ after: `${timestamp}~${payment.operation_id}` })
    await open(pages, browser, `/account/activity?${query.toString()}`)
    expect(pages.others.histories.at(-1)).toMatchObject({ owner_id: ines, after: null })
  })

  test('leads to older ones after a full page, and keeps its filters', async () => {
    pages.others.history = Array.from({ length: 51 }, () => payment)
    const { text } = await open(pages, browser, '/account/activity?only=payments')
    const older = /href="([^"]+)">Older</.exec(text)?.[1]?.replaceAll('&amp;', '&') ?? ''
    await open(pages, browser, older)
    expect(pages.others.histories.at(-1)).toMatchObject({
      payments_only: true,
      after: { created_at: payment.created_at, id: payment.operation_id },
    })
  })
})

describe('the page of one payment', () => {
  test('has its facts, both references and its course', async () => {
    const { text, title } = await open(pages, browser, `/account/activity/${payment.operation_id}`)
    expect(title).toBe('Pay somebody')
    for (const words of [
      'EUR 12.50',
      'Rent of May',
      'Rui Prado',
      'Rent Payer',
      payment.operation_id,
      'provider-4711',
      'What happened',
    ])
      expect(text).toContain(words)
  })

  test('is a receipt only of a payment that was made', async () => {
    const receipt = 'This page is a receipt'
    for (const state of operationStates) {
      pages.others.operation = { operation: { ...payment, state }, moves: [], memo: null }
      const { text } = await open(pages, browser, `/account/activity/${payment.operation_id}`)
      expect(text.includes(receipt), state).toBe(state === 'succeeded')
      expect(text.includes('You can print or save this page.'), state).toBe(state !== 'succeeded')
    }
  })

  test('says why it failed, and says nothing of a doubt that is over', async () => {
    const page = (changes: Partial<OwnerOperation>) => {
      pages.others.operation = { operation: { ...payment, ...changes }, moves: [], memo: null }
      return open(pages, browser, `/account/activity/${payment.operation_id}`)
    }
    expect((await page({ state: 'failed', failure_code: 'provider_refused' })).text).toContain('refused it')
    expect((await page({ state: 'indeterminate', failure_code: 'provider_timeout' })).text).toContain(
      'not said clearly',
    )
    expect((await page({ state: 'failed', failure_code: 'provider_timeout' })).text).not.toContain('not said clearly')
  })

  test('is there for its owner alone', async () => {
    expect((await open(pages, browser, '/account/activity/nothing')).status).toBe(404)
    pages.others.finish = signedInAs(amara, 'Amara Okafor')
    const other = await signedInBrowser(pages)
    pages.others.finish = signedInAs(ines, 'Ines Carvalho')
    for (const path of [`/account/activity/${payment.operation_id}`, `/account/grants/${grantId}`])
      expect((await open(pages, other, path)).status).toBe(404)
  })
})

test('the page of an application says what it paid of its limit, its repeated payments and its last acts', async () => {
  pages.others.mandates = [mandateOf({ client_id: client.clientId, beneficiary_name: 'The landlord' })]
  const { text, status } = await open(pages, browser, `/account/grants/${grantId}`)
  expect(status).toBe(200)
  for (const words of [
    'EUR 12.50</strong> used of EUR 300.00',
    'EUR 100.00',
    'The landlord',
    'Pay somebody',
    'End access',
  ])
    expect(text).toContain(words)
})

test('an owner names an application; the name stands beside the registered one, for this owner alone', async () => {
  const path = `/account/grants/${grantId}`
  const name = async (label: string) => {
    const form = formTo(await open(pages, browser, path), '/name')
    return send(pages, browser, form, { label })
  }
  expect(locationOf(await name('  Rent\u202e & <b>bills</b> '))).toBe(path)
  const { text } = await open(pages, browser, path)
  expect(text).toContain('Your name for this application is saved.')
  const shown = '<bdi class="name">Rent\uFFFD &amp; &lt;b&gt;bills&lt;/b&gt;</bdi>'
  expect(text).toContain(`<strong>${shown}</strong><br><span class="soft"><bdi class="name">`)
  for (const list of ['/account', '/account/activity']) expect((await open(pages, browser, list)).text).toContain(shown)
  expect((await name('x'.repeat(61))).status).toBe(400)

  const form = formTo(await open(pages, browser, path), '/name')
  pages.others.finish = signedInAs(amara, 'Amara Okafor')
  const other = await signedInBrowser(pages)
  pages.others.finish = signedInAs(ines, 'Ines Carvalho')
  expect((await send(pages, other, form, { label: 'Hers' })).status).toBe(403)
  await name('')
  const without = await open(pages, browser, path)
  expect(without.text).toContain('Your name for this application is removed.')
  expect(without.text).not.toContain(shown)
})

test.each(['/account/activity', `/account/activity/${payment.operation_id}`, `/account/grants/${payee}`])(
  'somebody who is not signed in is led from %s to the account page',
  async (path) => {
    expect(locationOf(await browse(pages.server, makeBrowser(), path))).toBe('/account')
  },
)

describe('after a confirmation', () => {
  const intent = {
    intent_id: '01990000-0000-7000-8000-0000000000e2',
    client_id: client.clientId,
    action: 'transfer',
    opening: 'Pay from your spending account, once.',
    facts: [] as OwnerIntent['facts'],
    created_at: '2026-11-20T09:15:02.104Z',
    expires_at: '2026-11-20T09:25:02.104Z',
    decided_at: null,
    operation_id: null,
  } as const
  const page = `/confirm/${intent.intent_id}`
  const next = async () => locationOf(await browse(pages.server, browser, `${page}/next`))
  const asksFor = (url: string) => {
    pages.others.intent = { ...intent, grant_id: grantId, status: 'consumed', operation_id: payment.operation_id }
    const operation: OwnerOperation = { ...payment, state: 'requires_action', approval: { url, expires_at: null } }
    pages.others.operation = { operation, moves: [], memo: null }
  }

  test('the browser goes on to the provider’s approval where one follows', async () => {
    asksFor(`${providerPagesOrigin}/approve/1`)
    expect(await next()).toBe(`${providerPagesOrigin}/approve/1`)
  })

  test('it is sent nowhere else, and to no approval where none follows', async () => {
    asksFor('https://elsewhere.example/approve')
    expect(await next()).toBe(page)
    pages.others.operation = { operation: payment, moves: [], memo: null }
    expect(await next()).toBe(page)
    pages.others.intent = { ...intent, grant_id: grantId, status: 'declined' }
    expect(await next()).toBe(page)
  })

  test('it waits for the application some turns, and the page then waits no more by itself', async () => {
    pages.others.intent = { ...intent, grant_id: grantId, status: 'confirmed' }
    expect((await open(pages, browser, page)).text).toContain(`content="0; url=${page}/next"`)
    const second = await next()
    expect(second).toBe(`${page}/next?turn=2`)
    expect(locationOf(await browse(pages.server, browser, `${page}/next?turn=6`))).toBe(`${page}?waited=yes`)
    const { text } = await open(pages, browser, `${page}?waited=yes`)
    expect(text).not.toContain('http-equiv="refresh"')
    expect(text).toContain(`href="${page}/next"`)
  })
})
