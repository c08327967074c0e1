import type { OwnerIntent } from '@financial-agents/bus/messages/intents'
import { statement } from '@financial-agents/postgres/database'
import { createFrozenClock } from '@financial-agents/runtime/clock'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { suspendGrant } from '../store/grant-status.ts'
import { locationOf, makeBrowser } from '../test-client.test-helper.ts'
import { makeServiceClient } from '../test-server.test-helper.ts'
import {
  amara,
  formTo,
  ines,
  open,
  send,
  signedInAs,
  signedInBrowser,
  signInFrom,
  startTestPages,
  type TestPages,
} from './pages.test-helper.ts'

const id = '01980000-0000-7000-8000-0000000000cc'
const path = `/confirm/${id}`
const agent = makeServiceClient('agent', { name: 'The <i>agent</i>' })
const intent: OwnerIntent = {
  intent_id: id,
  client_id: 'agent',
  grant_id: '',
  action: 'service_disconnect',
  status: 'pending',
  opening: 'Ends the connection of these.',
  facts: [
    { label: 'Loses it', value: 'A & B', foreign: true },
    { label: 'Loses it', value: `<b>C</b>${'x'.repeat(100)}`, foreign: true },
    { label: 'In all', value: 'At most EUR 5.00', foreign: false },
    { label: 'Until', value: '1 July 2027 at 10:00 UTC', foreign: false, at: '2027-07-01T10:00:00.000Z' },
  ],
  created_at: '2026-11-20T12:00:00.000Z',
  expires_at: '2026-11-20T12:10:00.000Z',
  operation_id: null,
  decided_at: null,
}
let pages: TestPages

beforeAll(async () => {
  pages = await startTestPages({ dateFollowsClock: true, clock: createFrozenClock() })
  await pages.base.apply([agent.registration])
  const grants = statement('test_agent_grant', `SELECT grant_id FROM grants WHERE client_id = 'agent'`)
  const [grant] = await pages.base.db.rows<{ grant_id: string }>(grants)
  intent.grant_id = String(grant?.grant_id)
})
beforeEach(() => {
  pages.others.finish = signedInAs(ines, 'Ines Carvalho')
  pages.others.intent = intent
  pages.others.decide = { type: 'decided', intent: { ...intent, status: 'confirmed' } }
  pages.others.decided.length = 0
})
afterAll(() => pages.close())

/** Sets the library's clock and ours to this time after the start of the file. */
function passS(seconds: number): void {
  pages.base.clock.setOffsetMs(seconds * 1_000)
}

test('an answer that no page knows is an error of ours, and is said to be', async () => {
  const browser = await signedInBrowser(pages)
  pages.others.intent = { ...intent, status: 'lost' as 'pending' }
  expect(await open(pages, browser, path)).toMatchObject({ status: 500, title: 'Something went wrong on our side' })
  expect(pages.logged()).toContain('a page failed')
})

describe('confirming', () => {
  test('shows nothing before the owner signed in, then the words that the application was given', async () => {
    const browser = makeBrowser()
    const before = await open(pages, browser, path)
    expect(before).toMatchObject({ status: 200, title: 'Sign in to confirm' })
    expect(before.text).not.toContain('Ends the connection of these')
    expect(await signInFrom(pages, browser, before)).toBe(path)
    const page = await open(pages, browser, path)
    expect(page.title).toBe('End the connection to your provider?')
    expect(page.text).toContain('Ends the connection of these.')
    expect(page.text).toContain('<dt>In all</dt><dd><div>At most EUR 5.00</div></dd>')
    expect(page.text).toContain('<dt>Loses it</dt><dd><div><bdi class="name">A &amp; B</bdi></div><div>')
    expect(page.text).toContain(`<bdi class="name">&lt;b&gt;C&lt;/b&gt;${'x'.repeat(52)} […]</bdi><details>`)
    expect(page.text).toContain('The &lt;i&gt;agent&lt;/i&gt;')
    // The times in Lisbon, where the owner lives.
    expect(page.text).toMatch(/<dt>Until<\/dt><dd><div><time [^>]*>1 July 2027 at 11:00 (WEST|GMT\+1)</)
    expect(page.text).toMatch(/20 November 2026[^<]*12:10 (WET|GMT)</)
  })

  test.each(['confirm', 'decline'] as const)('%s is passed on with the time of the sign-in', async (decision) => {
    const browser = await signedInBrowser(pages)
    const form = formTo(await open(pages, browser, path), path)
    expect(locationOf(await send(pages, browser, form, { decision }))).toBe(path)
    expect(pages.others.decided).toEqual([
      { intent_id: id, owner_id: ines, decision, authenticated_at: expect.stringMatching(/^\d{4}-.*Z$/) },
    ])
  })

  test('asks nothing for an application whose access has ended, and takes no confirmation for it', async () => {
    const browser = await signedInBrowser(pages)
    const form = formTo(await open(pages, browser, path), path)
    const why = { reason: 'test', by: 'operator', request_id: null } as const
    await suspendGrant(pages.base.db, intent.grant_id, why, pages.base.clock.now())
    const ended = { status: 409, title: 'This application has no access any more' }
    for (const status of ['pending', 'confirmed'] as const) {
      pages.others.intent = { ...intent, status }
      expect(await open(pages, browser, path)).toMatchObject(ended)
    }
    pages.others.intent = intent
    expect((await send(pages, browser, form, { decision: 'confirm' })).status).toBe(409)
    expect(pages.others.decided).toEqual([])
    pages.others.intent = { ...intent, status: 'consumed' }
    expect(await open(pages, browser, path)).toMatchObject({ status: 200 })
    await pages.base.db.rows(
      statement('test_agent_back', `UPDATE grants SET status = 'active' WHERE client_id = 'agent'`),
    )
  })

  test('asks for a new sign-in where the last one is five minutes old', async () => {
    const browser = await signedInBrowser(pages)
    passS(300)
    expect(await open(pages, browser, path)).toMatchObject({ title: 'Sign in again to confirm' })
    passS(0)
  })

  test('tells what became of a request that was decided, used, or is too late', async () => {
    const browser = await signedInBrowser(pages)
    // A sign-in that is too old to confirm is recent enough to read, and to take back.
    passS(400)
    for (const [status, title, buttons] of [
      ['confirmed', 'Confirmed', [{ 'Take it back': 'decline' }]],
      ['declined', 'Declined', []],
      ['consumed', 'Confirmed and used', []],
      ['expired', 'Too late', []],
    ] as const) {
      pages.others.intent = { ...intent, status }
      const page = await open(pages, browser, path)
      expect(page.title).toBe(title)
      expect(page.forms.map((form) => form.buttons)).toEqual(buttons)
    }
    passS(0)
  })

  test('is taken back on the page that says so, which leads to what became of it where it was used', async () => {
    const browser = await signedInBrowser(pages)
    pages.others.intent = { ...intent, status: 'confirmed' }
    const form = formTo(await open(pages, browser, path), path)
    const operation_id = '01980000-0000-7000-8000-0000000000dd'
    pages.others.intent = { ...intent, status: 'consumed', operation_id }
    pages.others.decide = { type: 'not_open', intent: pages.others.intent }
    expect(locationOf(await send(pages, browser, form, { decision: 'decline' }))).toBe(path)
    expect(pages.others.decided).toMatchObject([{ intent_id: id, owner_id: ines, decision: 'decline' }])
    expect((await open(pages, browser, path)).text).toContain(`href="/account/activity/${operation_id}"`)
  })

  test('is nobody else’s', async () => {
    pages.others.finish = signedInAs(amara, 'Amara Okafor')
    const browser = await signedInBrowser(pages)
    const page = await open(pages, browser, path)
    expect(page).toMatchObject({ status: 404, title: 'There is nothing to confirm here' })
    expect(page.text).not.toContain('Ends the connection of these')
  })

  test('takes no decision without the token of this session, none from another site, and no third one', async () => {
    const browser = await signedInBrowser(pages)
    const form = formTo(await open(pages, browser, path), path)
    const theirs = formTo(await open(pages, await signedInBrowser(pages), path), path)
    const evil: [string, string][] = [['sec-fetch-site', 'cross-site']]
    for (const answer of [
      await send(pages, browser, { ...form, fields: {} }, { decision: 'confirm' }),
      await send(pages, browser, theirs, { decision: 'confirm' }),
      await send(pages, browser, form, { decision: 'confirm' }, evil),
    ])
      expect(answer.status).toBe(403)
    expect((await send(pages, browser, form, { decision: 'later' })).status).toBe(400)
    expect(pages.others.decided).toEqual([])
  })

  test('that came too late is said by the page itself', async () => {
    const browser = await signedInBrowser(pages)
    const form = formTo(await open(pages, browser, path), path)
    pages.others.intent = { ...intent, status: 'expired' }
    pages.others.decide = { type: 'not_open', intent: pages.others.intent }
    await send(pages, browser, form, { decision: 'confirm' })
    expect(await open(pages, browser, path)).toMatchObject({ title: 'Too late' })
  })
})

test('a session ends an hour after it was last used', async () => {
  const browser = await signedInBrowser(pages)
  passS(3_590)
  expect((await open(pages, browser, '/account')).text).toContain('Signed in as')
  passS(3_590 + 3_590)
  expect((await open(pages, browser, '/account')).text).toContain('Signed in as')
  passS(3_590 + 3_590 + 3_601)
  expect((await open(pages, browser, '/account')).text).not.toContain('Signed in as')
  passS(0)
})
