import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { findHumanGrant } from '../store/human-grants.ts'
import { type Browser, browse, locationOf, makeBrowser, makeOwnerClient } from '../test-client.test-helper.ts'
import { baseUrl, makeServiceClient } from '../test-server.test-helper.ts'
import { arriveAtConsent, beginAuthorization, decide, leaveOrigin } from './authorizing.test-helper.ts'
import {
  amara,
  formTo,
  fromOurPage,
  ines,
  type OpenedPage,
  open,
  providerPagesOrigin,
  readPage,
  send,
  signedInAs,
  signInFrom,
  startTestPages,
  type TestPages,
} from './pages.test-helper.ts'

const client = makeOwnerClient('spa', 'board', { name: 'Pocket <b>Board</b> & "Sons"' })
const native = makeOwnerClient('native', 'tally', { name: 'Tally' })
const outside = makeOwnerClient('native', 'outside', { redirect_uris: ['com.example.app:/callback'] })
let pages: TestPages
let browser: Browser

beforeAll(async () => {
  pages = await startTestPages()
  await pages.base.apply([client, native, outside, makeServiceClient('agent')].map((one) => one.registration))
})
beforeEach(() => {
  browser = makeBrowser()
  pages.others.finish = signedInAs(ines, 'Ines Carvalho')
})
afterAll(() => pages.close())

const begin = (of = client, wrong = {}, who = browser) => beginAuthorization(pages, who, of, wrong)
const arrive = (of = client, wrong = {}) => arriveAtConsent(pages, browser, of, wrong)
const leave = (location: string) => leaveOrigin(pages, browser, location)
const answer = (page: OpenedPage, decision: 'allow' | 'decline', more = {}) =>
  decide(pages, browser, page, decision, more)

describe('signing in for an application', () => {
  test('starts with a page that says who asks and where the way leads, and lets a form go nowhere else', async () => {
    const page = await open(pages, browser, await begin())
    expect(page).toMatchObject({ status: 200, title: 'Sign in to continue' })
    expect(page.text).toContain('Pocket &lt;b&gt;Board&lt;/b&gt; &amp; &quot;Sons&quot;')
    expect(page.text).toContain('pages.provider.example')
    expect(page.text).toContain('app.example')
    expect(page.headers.get('content-security-policy')).toContain(
      `form-action 'self' ${providerPagesOrigin} https://app.example;`,
    )
  })

  test('leads through the provider to consent, and after consent to the client with a code', async () => {
    const page = await arrive()
    expect(page.title).toBe('Allow this application to act for you?')
    expect(page.text).toContain('<bdi class="name">Pocket &lt;b&gt;Board&lt;/b&gt; &amp; &quot;Sons&quot;</bdi>')
    expect(page.text).toContain('Ines Carvalho')
    expect(page.text).not.toContain('<b>Board')
    const back = await leave(locationOf(await answer(page, 'allow')))
    expect(back.origin + back.pathname).toBe('https://app.example/callback')
    expect(back.searchParams.get('code')).toBeTruthy()
    expect(back.searchParams.get('iss')).toBe(baseUrl)
    expect(await findHumanGrant(pages.base.db, ines, client.clientId)).toMatchObject({
      scopes: ['accounts:read'],
      openid: true,
      status: 'active',
    })
  })

  test('is not asked for again where the browser is signed in and consent was given', async () => {
    await leave(locationOf(await answer(await arrive(client, { prompt: 'consent' }), 'allow')))
    expect((await leave(await begin())).searchParams.get('code')).toBeTruthy()
  })

  test('gives the browser to whoever signed in last', async () => {
    await leave(locationOf(await answer(await arrive(client, { prompt: 'consent' }), 'allow')))
    pages.others.finish = signedInAs(amara, 'Amara Okafor')
    const page = await arrive(client, { prompt: 'login' })
    expect(page.text).toContain('Amara Okafor')
    expect((await leave(locationOf(await answer(page, 'allow')))).searchParams.get('code')).toBeTruthy()
    expect(await findHumanGrant(pages.base.db, amara, client.clientId)).toMatchObject({ status: 'active' })
  })

  test('declined at the provider tells the client access_denied', async () => {
    const page = await open(pages, browser, await begin())
    pages.others.finish = { type: 'declined' }
    const back = await leave(await signInFrom(pages, browser, page))
    expect(back.searchParams.get('error')).toBe('access_denied')
  })

  test('cancelled here tells the client access_denied', async () => {
    const page = await open(pages, browser, await begin())
    const back = await leave(locationOf(await send(pages, browser, formTo(page, '/decline'))))
    expect(back.searchParams.get('error')).toBe('access_denied')
  })

  test('in an application outside the web ends on a page of ours, from which the browser begins anew', async () => {
    const signedIn = await signInFrom(pages, browser, await open(pages, browser, await begin(outside)))
    const page = await open(pages, browser, signedIn)
    expect(page).toMatchObject({ status: 200, title: 'You are signed in' })
    const [, next = ''] = /http-equiv="refresh" content="0; url=([^"]*)"/.exec(page.text) ?? []
    const resume = locationOf(await browse(pages.server, browser, next))
    const consent = await open(pages, browser, locationOf(await browse(pages.server, browser, resume)))
    expect(consent.headers.get('content-security-policy')).toContain("form-action 'self' com.example.app:;")
  })

  test('that cannot be is said, with what to do', async () => {
    const { start } = pages.others
    if (start.type !== 'started') throw new Error('the test says otherwise')
    const page = await open(pages, browser, await begin())
    for (const [answered, status, title] of [
      [{ type: 'not_available' }, 503, 'Signing in is not available'],
      [{ type: 'unreachable' }, 503, 'You cannot sign in right now'],
      [{ ...start, url: 'https://elsewhere.example/hosted/1' }, 503, 'You cannot sign in right now'],
    ] as const) {
      pages.others.start = answered
      expect(readPage(await send(pages, browser, formTo(page, '/sign-in')))).toMatchObject({ status, title })
    }
    pages.others.start = start
  })

  test('goes on from the same page once a provider that did not answer answers again', async () => {
    const { start } = pages.others
    const page = await open(pages, browser, await begin(client, { prompt: 'consent' }))
    pages.others.start = { type: 'unreachable' }
    expect(readPage(await send(pages, browser, formTo(page, '/sign-in'))).text).toContain('Nothing was changed')
    pages.others.start = start
    const resume = locationOf(await browse(pages.server, browser, await signInFrom(pages, browser, page)))
    const consent = await open(pages, browser, locationOf(await browse(pages.server, browser, resume)))
    expect(consent.text).toContain('Ines Carvalho')
  })
})

describe('a return from the provider is refused', () => {
  test('in another browser than the one that set out', async () => {
    const page = await open(pages, browser, await begin())
    await send(pages, browser, formTo(page, '/sign-in'))
    const url = pages.others.returnUrls.at(-1) ?? ''
    for (const other of [makeBrowser(), await withBrowserCookie()]) {
      expect(await open(pages, other, url)).toMatchObject({ status: 400, title: 'This sign-in is over' })
    }
  })

  test('the second time that it is taken', async () => {
    const signedIn = await signInFrom(pages, browser, await open(pages, browser, await begin()))
    const cookies = new Map(browser.cookies)
    await browse(pages.server, browser, signedIn)
    expect(await open(pages, { cookies }, signedIn)).toMatchObject({ status: 400, title: 'This sign-in is over' })
  })

  test('that is opened twice is one sign-in in the audit', async () => {
    const counted = async () => {
      const query = { name: 'test_signed_in', text: `SELECT count(*)::int AS n FROM audit WHERE event = 'signed_in'` }
      return (await pages.base.db.rows<{ n: number }>(query))[0]?.n ?? 0
    }
    const before = await counted()
    await signInFrom(pages, browser, await open(pages, browser, await begin()))
    await browse(pages.server, browser, pages.others.returnUrls.at(-1) ?? '')
    expect(await counted()).toBe(before + 1)
  })

  test('without its state, and with one that was never given', async () => {
    for (const query of ['', '?state=', '?state=nonsense', '?state=a&state=b'])
      expect(await open(pages, browser, `/sign-in/return${query}`)).toMatchObject({ status: 400 })
  })

  test('with a response that belongs to no sign-in of this browser, at an address without it', async () => {
    const before = pages.others.responses.length
    for (const query of ['?other=1', '?code=any', '?code=any&state=nonsense', '?state=a&state=b&code=any'])
      expect(locationOf(await browse(pages.server, browser, `/sign-in/return${query}`))).toBe('/sign-in/return')
    expect(pages.others.responses).toHaveLength(before)
  })

  test.each([
    ['refused', 400, 'You are not signed in'],
    ['unreachable', 503, 'You cannot sign in right now'],
    ['pending', 409, 'You are not signed in yet'],
    ['declined', 403, 'You are not signed in'],
  ] as const)('that is %s with a response, at an address without it', async (type, status, title) => {
    await send(pages, browser, formTo(await open(pages, browser, '/account'), '/sign-in'))
    const url = pages.others.returnUrls.at(-1) ?? ''
    pages.others.finish = { type }
    const onward = locationOf(
      await browse(pages.server, browser, `${url}&code=the-code&iss=https%3A%2F%2Flogin.example`),
    )
    expect(`${baseUrl}${onward}`).toBe(url)
    expect(pages.others.responses.at(-1)).toMatch(/^state=[\w-]{43}&code=the-code&iss=https%3A%2F%2Flogin.example$/)
    expect(await open(pages, browser, onward)).toMatchObject({ status, title })
    expect(pages.others.responses.at(-1)).toBeUndefined()
  })

  test('that is longer than any response: onboarding is not asked', async () => {
    await send(pages, browser, formTo(await open(pages, browser, '/account'), '/sign-in'))
    const url = pages.others.returnUrls.at(-1) ?? ''
    const before = pages.others.responses.length
    const long = await browse(pages.server, browser, `${url}&code=${'x'.repeat(8_192)}`)
    expect(locationOf(long)).toBe('/sign-in/return')
    expect(pages.others.responses).toHaveLength(before)
  })

  test('while the provider waits, has given up, or cannot be asked', async () => {
    const page = await open(pages, browser, await begin())
    await send(pages, browser, formTo(page, '/sign-in'))
    const url = pages.others.returnUrls.at(-1) ?? ''
    for (const [type, status] of [
      ['pending', 409],
      ['expired', 400],
      ['unreachable', 503],
    ] as const) {
      pages.others.finish = { type }
      expect(await open(pages, browser, url)).toMatchObject({ status })
    }
  })

  test('as declined, where onboarding does not say so', async () => {
    const path = await begin()
    await send(pages, browser, formTo(await open(pages, browser, path), '/sign-in'))
    const state = new URL(pages.others.returnUrls.at(-1) ?? '').searchParams.get('state')
    expect(await open(pages, browser, `${path}/declined?state=${state}`)).toMatchObject({ status: 400 })
    expect(await open(pages, browser, path)).toMatchObject({ title: 'Sign in to continue' })
  })

  async function withBrowserCookie(): Promise<Browser> {
    const other = makeBrowser()
    await open(pages, other, '/account')
    return other
  }
})

describe('an interaction', () => {
  test('of another browser, an old one and one that never was are the same page, which says what to do', async () => {
    const path = await begin()
    const uid = path.split('/').at(-1) ?? ''
    const other = makeBrowser()
    await begin(client, {}, other)
    for (const [who, target] of [
      [makeBrowser(), path],
      [other, path],
      [browser, '/interaction/nonsense'],
    ] as const) {
      const page = await open(pages, who, target)
      expect(page).toMatchObject({ status: 400, title: 'This request is over' })
      expect(page.text).toContain('Go back to the application')
    }
    // The cookie is right, but the address is another.
    expect(await open(pages, browser, `/interaction/${uid.slice(1)}`)).toMatchObject({ status: 400 })
  })

  test('of a client that was suspended meanwhile goes no further', async () => {
    const path = await begin(native)
    const all = [client, outside, makeServiceClient('agent')]
    await pages.base.apply(all.map((one) => one.registration))
    expect(await open(pages, browser, path)).toMatchObject({
      status: 403,
      title: 'This application cannot be used now',
    })
    await pages.base.apply([...all, native].map((one) => one.registration))
  })
})

describe('a form is refused', () => {
  const refused = { status: 403, title: 'This form could not be accepted' }

  test('without its token, with a wrong one, and with one of another interaction', async () => {
    const page = await open(pages, browser, await begin())
    const { action } = formTo(page, '/sign-in')
    const foreign = formTo(await open(pages, makeBrowser(), '/account'), '/sign-in').fields
    const other = makeBrowser()
    const theirs = formTo(await open(pages, other, await begin(client, {}, other)), '/sign-in').fields
    for (const fields of [{}, { csrf_token: '' }, { csrf_token: 'x'.repeat(43) }, foreign, theirs])
      expect(readPage(await send(pages, browser, { action, fields }))).toMatchObject(refused)
  })

  test('that another site sent, even with the right token', async () => {
    const form = formTo(await open(pages, browser, await begin()), '/sign-in')
    for (const headers of [
      [['origin', 'https://evil.example']],
      [['origin', 'null']],
      [['sec-fetch-site', 'cross-site']],
      [
        ['origin', baseUrl],
        ['sec-fetch-site', 'same-site'],
      ],
    ] as [string, string][][])
      expect(readPage(await send(pages, browser, form, {}, headers))).toMatchObject(refused)
  })

  test('that is no form, is too large, or names a field twice', async () => {
    const path = await begin()
    const form = formTo(await open(pages, browser, path), '/sign-in')
    const post = (body: string, headers: [string, string][]) =>
      browse(pages.server, browser, form.action, { method: 'POST', body, headers })
    const twice = new URLSearchParams(form.fields).toString()
    expect((await post(`${twice}&${twice}`, fromOurPage)).status).toBe(400)
    expect((await post('a='.padEnd(20_000, 'x'), fromOurPage)).status).toBe(413)
    const json = await browse(pages.server, browser, form.action, {
      method: 'POST',
      headers: [...fromOurPage, ['content-type', 'application/json'], ['content-length', '2']],
    })
    expect(json.status).toBe(415)
  })

  test('for consent, while a sign-in is what the interaction waits for', async () => {
    const path = await begin()
    const { fields } = formTo(await open(pages, browser, path), '/sign-in')
    const form = { action: `${path}/consent`, fields: { ...fields, decision: 'allow' } }
    expect(readPage(await send(pages, browser, form))).toMatchObject({ status: 400, title: 'This request is over' })
    expect(await findHumanGrant(pages.base.db, ines, native.clientId)).toBeUndefined()
  })
})
