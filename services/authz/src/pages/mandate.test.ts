import { type OwnerOperation, ownerInFlightMost } from '@financial-agents/bus/messages/owner-activity'
import { mandateOf } from '@financial-agents/owner-pages/testing/mandate-of'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type Browser, browse, locationOf, makeBrowser } from '../test-client.test-helper.ts'
import {
  amara,
  formTo,
  ines,
  open,
  readPage,
  send,
  signedInAs,
  signedInBrowser,
  startTestPages,
  type TestPages,
} from './pages.test-helper.ts'

const mandate = mandateOf()
const keyOf = (asked: object | undefined) => asked && 'key' in asked && asked.key
const path = `/account/mandates/${mandate.id}`
const connected = {
  binding_id: 'binding-1',
  owner_id: ines,
  status: 'connected',
  provider_name: 'Bank of Test',
  source: 'sign_in',
  connected_at: '2026-10-01T00:00:00.000Z',
} as const
let pages: TestPages
let browser: Browser

beforeAll(async () => {
  pages = await startTestPages()
})
beforeEach(async () => {
  Object.assign(pages.others, { mandates: [mandate], bindings: [connected], acted: [], refuseAction: undefined })
  browser = await signedInBrowser(pages)
})
afterAll(() => pages.close())

test.each([
  ['/pause', 'suspend', 'are being paused'],
  ['/end', 'revoke', 'are being ended'],
] as const)('%s acts for the owner over the connection, once for each form', async (end, action, words) => {
  const form = formTo(await open(pages, browser, path), end)
  expect(locationOf(await send(pages, browser, form))).toBe('/account')
  expect((await open(pages, browser, '/account')).text).toContain(words)
  await send(pages, browser, form)
  const [first, second] = pages.others.acted
  expect(first).toMatchObject({ owner_id: ines, binding_id: 'binding-1', mandate_id: mandate.id, action })
  expect(keyOf(second)).toBe(keyOf(first))
  expect(formTo(await open(pages, browser, path), end).fields['key']).not.toBe(keyOf(first))
})

test.each([
  ['mandate_not_active', 'Nothing was changed'],
  ['resource_busy', 'Nothing was changed'],
  ['acceptance_unknown', 'It is not known yet whether this was accepted'],
] as const)('a refusal (%s) is said in words', async (code, words) => {
  pages.others.refuseAction = code
  await send(pages, browser, formTo(await open(pages, browser, path), '/end'))
  expect((await open(pages, browser, '/account')).text).toContain(words)
})

describe('of each cap', () => {
  const at = () => pages.base.clock.now().toISOString()
  const heldAt = (created_at: string, mandate_id = mandate.id): OwnerOperation => ({
    operation_id: '01980000-0000-7000-8000-0000000000d1',
    client_id: 'client-one',
    grant_id: 'grant-one',
    kind: 'mandate_transfer',
    state: 'indeterminate',
    resource_type: 'mandate_transfer',
    resource_id: 'transfer-1',
    failure_code: null,
    upstream_reference: null,
    payment: { amount: '12.5', currency: 'EUR', beneficiary_id: mandate.beneficiary_id, mandate_id },
    approval: null,
    submission_uncertain: false,
    created_at,
    updated_at: created_at,
  })
  const unknown = 'The part of this that is still under way is not known right now.'
  const wordsOf = (text: string) => text.replaceAll(/<[^>]+>/g, ' ').replaceAll(/\s+/g, ' ')
  const used = mandateOf({
    remaining: { daily: '87.5', weekly: '180.5', monthly: '230', total: '360', payments: 7 },
  })
  const shown = async (in_flight: OwnerOperation[], target = path) => {
    pages.others.mandates = [used]
    pages.others.activity = { in_flight, latest: [], intents: [] }
    const { text } = await open(pages, browser, target)
    pages.others.activity = { in_flight: [], latest: [], intents: [] }
    return text
  }
  const isNotSplit = (text: string) => {
    const words = wordsOf(text)
    expect(words).toContain('EUR 87.50 left of EUR 100.00 EUR 12.50 spent or under way')
    expect(words).toContain('EUR 360.00 left of EUR 400.00 EUR 40.00 spent or under way')
    expect(words).toContain('7 left of 10 3 made or under way')
    expect(words).toContain(unknown)
    expect(words).not.toMatch(/spent,|made,|\d under way/)
    expect(text).not.toContain('class="pending"')
    expect(text).not.toMatch(/class="filled" d="M0 0h\d+v4H0z"/)
  }

  test('what is spent, under way and left has a figure of its own, and the bar shows it apart', async () => {
    const lastMonth = new Date(Date.parse(at()) - 32 * 86_400_000).toISOString()
    const text = await shown([heldAt(at()), heldAt(lastMonth), heldAt(at(), 'another')])
    const words = wordsOf(text)
    expect(words).toContain('EUR 87.50 left of EUR 100.00 EUR 0.00 spent, EUR 12.50 under way')
    expect(words).toContain('EUR 360.00 left of EUR 400.00 EUR 15.00 spent, EUR 25.00 under way')
    expect(words).toContain('7 left of 10 1 made, 2 under way')
    expect(words).not.toContain(unknown)
    expect(text).toContain('class="pending"')
  })

  test('nothing under way is a figure too', async () => {
    const words = wordsOf(await shown([]))
    expect(words).toContain('EUR 12.50 spent, EUR 0.00 under way')
    expect(words).toContain('3 made, 0 under way')
    expect(words).not.toContain(unknown)
  })

  test.each([path, '/account'])(
    'nothing is split on %s where more is in flight than one answer holds',
    async (target) => {
      const others = Array.from({ length: ownerInFlightMost - 1 }, () => heldAt(at(), 'another'))
      expect(wordsOf(await shown(others, target))).not.toContain(unknown)
      isNotSplit(await shown([heldAt(at()), ...others], target))
    },
  )

  test('nothing is split where the two services reported of different moments', async () => {
    isNotSplit(await shown([heldAt(at()), heldAt(at())]))
  })

  test('nothing is split where operations does not answer', async () => {
    const lonely = await startTestPages()
    const who = await signedInBrowser(lonely)
    lonely.others.mandates = [used]
    await lonely.stopOperations()
    for (const target of [path, '/account']) isNotSplit((await open(lonely, who, target)).text)
    await lonely.close()
  })
})

test('what is paused can only be ended, and what is over can be neither', async () => {
  const actions = async (state: typeof mandate.state) => {
    pages.others.mandates = [mandateOf({ state })]
    return (await open(pages, browser, path)).forms
      .map(({ action }) => action)
      .filter((action) => action.startsWith(path))
  }
  expect(await actions('suspended')).toEqual([`${path}/end`])
  expect(await actions('revoked')).toEqual([])
})

test('without a connection nothing is asked for', async () => {
  const form = formTo(await open(pages, browser, path), '/pause')
  pages.others.bindings = []
  await send(pages, browser, form)
  expect(pages.others.acted).toEqual([])
  expect((await open(pages, browser, path)).text).toContain('cannot be paused or ended here')
})

test('caps are lowered from a page of their own; what is wrong is named at its field, and stays there', async () => {
  const limits = `${path}/limits`
  const form = formTo(await open(pages, browser, limits), limits)
  const { per_payment_max, daily_max, weekly_max, monthly_max, total_cap } = mandate
  expect(form.fields).toMatchObject({ per_payment_max, daily_max, weekly_max, monthly_max, total_cap })
  const refused = readPage(await send(pages, browser, form, { total_cap: '99999', daily_max: 'lots' }))
  expect(refused).toMatchObject({ status: 422 })
  expect(refused.text).toContain('Enter an amount such as 50')
  expect(formTo(refused, limits).fields).toMatchObject({ total_cap: '99999', daily_max: 'lots' })
  expect(pages.others.acted).toEqual([])
  expect(readPage(await send(pages, browser, form, { total_cap: '99999' })).text).toContain('is only lowered')

  expect(locationOf(await send(pages, browser, form, { per_payment_max: '1,50', total_cap: '' }))).toBe(path)
  expect(pages.others.acted).toEqual([
    {
      owner_id: ines,
      mandate_id: mandate.id,
      action: 'lower',
      caps: { per_payment_max: '1.50', daily_max, weekly_max, monthly_max, total_cap },
    },
  ])
  expect((await open(pages, browser, path)).text).toContain('The limits of these payments are lowered.')
  pages.others.refuseAction = 'mandate_not_active'
  await send(pages, browser, form)
  expect((await open(pages, browser, path)).text).toContain('The limits were not changed')
  pages.others.mandates = [mandateOf({ state: 'suspended' })]
  expect((await open(pages, browser, limits)).status).toBe(404)
  expect((await open(pages, browser, path)).text).not.toContain('Lower the limits')
})

test('nobody acts without signing in, with a forged form, or by a form of another owner', async () => {
  const form = formTo(await open(pages, browser, path), '/pause')
  expect((await send(pages, makeBrowser(), form)).status).toBe(403)
  expect((await send(pages, browser, { ...form, fields: { key: form.fields['key'] ?? '' } })).status).toBe(403)
  expect((await send(pages, browser, form, { key: 'x' })).status).toBe(400)
  pages.others.finish = signedInAs(amara, 'Amara Okafor')
  const other = await signedInBrowser(pages)
  pages.others.finish = signedInAs(ines, 'Ines Carvalho')
  expect((await send(pages, other, form)).status).toBe(403)
  expect(pages.others.acted).toEqual([])
  expect(locationOf(await browse(pages.server, makeBrowser(), path))).toBe('/account')
  expect((await open(pages, browser, '/account/mandates/nothing')).status).toBe(404)
})
