/**
 * The face of an application on the pages: its logo from our origin, fetched once for a registration, and its publisher, verified by
 * the operator's declaration alone.
 */

import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { fetchWantedLogos } from '../background/logos.ts'
import type { Logo } from '../registration/fetch-logo.ts'
import { findHumanGrant } from '../store/human-grants.ts'
import { listGrantsOfOwner } from '../store/owner-grants.ts'
import { type Browser, browse, locationOf, makeBrowser, makeOwnerClient } from '../test-client.test-helper.ts'
import { carry, makeServiceClient, readJson } from '../test-server.test-helper.ts'
import { arriveAtConsent, beginAuthorization, decide } from './authorizing.test-helper.ts'
import {
  formTo,
  ines,
  type OpenedPage,
  open,
  readPage,
  send,
  signedInAs,
  signedInBrowser,
  signInFrom,
  startTestPages,
  type TestPages,
} from './pages.test-helper.ts'

const logo_uri = 'https://app.example/logo.svg'
const named = (members: object) => makeOwnerClient('native', 'tally', { name: 'Tally', ...members })
const svg = (fill: string): Logo => ({
  type: 'image/svg+xml',
  bytes: Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg"><path fill="${fill}"/></svg>`),
})
let pages: TestPages
let browser: Browser
let asked: string[] = []
let answer: (url: string) => Promise<Logo>

beforeAll(async () => {
  pages = await startTestPages()
})
beforeEach(() => {
  browser = makeBrowser()
  asked = []
  answer = async () => svg('red')
})
afterAll(() => pages.close())

const { log } = { log: { warn: () => {} } }
const job = () => {
  const { db, clock } = pages.base
  const fetchLogo = (url: string) => {
    asked.push(url)
    return answer(url)
  }
  return fetchWantedLogos({ db, clock, log: log as never, fetchLogo })
}
const consent = async (client = named({ logo_uri })) => (await arriveAtConsent(pages, makeBrowser(), client)).text
const pathIn = (body: string) => /<img src="([^"]+)"/.exec(body)?.[1]

describe('a logo', () => {
  test('is fetched once, and served from our origin as a picture in a sandbox', async () => {
    await pages.base.apply([named({ logo_uri }).registration])
    await Promise.all([job(), job()])
    await job()
    expect(asked).toEqual([logo_uri])
    const path = pathIn(await consent()) ?? ''
    expect(path).toMatch(/^\/application-logo\/[0-9a-f]{64}$/)
    const picture = await browse(pages.server, browser, path)
    expect(picture.status).toBe(200)
    const headers = Object.fromEntries(picture.headers)
    expect(headers).toMatchObject({
      'content-type': 'image/svg+xml',
      'x-content-type-options': 'nosniff',
      'cache-control': 'public, max-age=2592000, immutable',
      'content-security-policy': expect.stringMatching(/^default-src 'none'.*sandbox$/) as string,
    })
  })

  test('is fetched again when the registration changes, and gone when it has none', async () => {
    answer = async () => svg('blue')
    await pages.base.apply([named({ logo_uri, name: 'Tally 2' }).registration])
    const before = pathIn(await consent())
    await job()
    expect(asked).toEqual([logo_uri])
    const after = pathIn(await consent())
    expect(after).toMatch(/^\/application-logo\//)
    expect(after).not.toBe(before)
    expect((await browse(pages.server, browser, before ?? '')).status).toBe(404)
    await pages.base.apply([named({}).registration])
    expect(pathIn(await consent())).toBeUndefined()
  })

  test('that cannot be taken is the initial, and is tried again after an hour', async () => {
    answer = async () => {
      throw new Error('no picture')
    }
    await pages.base.apply([named({ logo_uri: `${logo_uri}?3` }).registration])
    await job()
    await job()
    expect(asked).toHaveLength(1)
    const body = await consent()
    expect(pathIn(body)).toBeUndefined()
    expect(body).toContain('<span class="initial" aria-hidden="true">T</span>')
    pages.base.clock.setOffsetMs(3_700_000)
    answer = async () => svg('green')
    await job()
    pages.base.clock.setOffsetMs(0)
    expect(asked).toHaveLength(2)
    expect(pathIn(await consent())).toBeDefined()
  })

  test.each(['nothing', '0'.repeat(64), '..%2f'])('at %s is not found', async (digest) => {
    expect((await browse(pages.server, browser, `/application-logo/${digest}`)).status).toBe(404)
  })
})

describe('the logo stands beside the name', () => {
  const device = makeOwnerClient('device', 'errands', { name: 'Errand Runner', logo_uri })
  const shows = ({ status, text, headers }: OpenedPage, name: string) => {
    expect(status).toBe(200)
    expect(pathIn(text)).toMatch(/^\/application-logo\/[0-9a-f]{64}$/)
    expect(text.split('<img ')[1]).toContain(`<strong><bdi class="name">${name}</bdi></strong>`)
    expect(headers.get('content-security-policy')).toContain("img-src 'self'")
  }
  const showsNone = ({ text, headers }: OpenedPage, name: string) => {
    expect(text).not.toContain('<img')
    expect(text).not.toContain(name)
    expect(headers.get('content-security-policy')).not.toContain('img-src')
  }

  beforeEach(async () => {
    await pages.base.apply([named({ logo_uri }).registration, device.registration])
    await job()
  })

  test('before the sign-in', async () => {
    shows(await open(pages, browser, await beginAuthorization(pages, browser, named({ logo_uri }))), 'Tally')
  })

  test('where its limits are changed, also where an entry is refused', async () => {
    const purse = makeOwnerClient('native', 'purse', { name: 'Purse', logo_uri })
    await pages.base.apply([purse.registration])
    await job()
    const consent = await arriveAtConsent(pages, browser, purse, { scope: 'openid spending:withdraw' })
    await browse(pages.server, browser, locationOf(await decide(pages, browser, consent, 'allow')))
    const grant = await findHumanGrant(pages.base.db, ines, purse.clientId)
    const page = await open(pages, browser, `/account/grants/${grant?.grant_id}/limits`)
    shows(page, 'Purse')
    const refused = readPage(await send(pages, browser, formTo(page, '/limits'), { per_day: 'lots' }))
    expect(refused.status).toBe(422)
    shows({ ...refused, status: 200 }, 'Purse')
  })

  const startDevice = async () => {
    const body = new URLSearchParams({ client_id: device.clientId, scope: 'accounts:read' }).toString()
    const headers: [string, string][] = [['content-type', 'application/x-www-form-urlencoded']]
    return String(readJson(await carry(pages.server, 'POST', '/oauth/device', headers, body))['user_code'])
  }

  test('on the pages of a device from its code on, and never before', async () => {
    const user_code = await startDevice()
    const entry = await open(pages, browser, `/device?user_code=${user_code}`)
    showsNone(entry, 'Errand Runner')
    const form = formTo(entry, '/device')
    showsNone(readPage(await send(pages, browser, form, { user_code: 'BCDF-GHJK' })), 'Errand Runner')
    const named = readPage(
      await send(pages, browser, formTo(await open(pages, browser, '/device'), '/device'), { user_code }),
    )
    shows(named, 'Errand Runner')
    const begun = await send(pages, browser, formTo(named, '/device'), { confirm: 'yes' })
    const signIn = await open(pages, browser, locationOf(begun))
    shows(signIn, 'Errand Runner')
    const resume = locationOf(await browse(pages.server, browser, await signInFrom(pages, browser, signIn)))
    const consent = await open(pages, browser, locationOf(await browse(pages.server, browser, resume)))
    const done = await open(pages, browser, locationOf(await decide(pages, browser, consent, 'allow')))
    expect(done.title).toBe('Your device is connected')
    shows(done, 'Errand Runner')
  })

  test('where somebody stopped at the code of a device', async () => {
    const user_code = await startDevice()
    const form = formTo(await open(pages, browser, '/device'), '/device')
    const stopped = readPage(await send(pages, browser, form, { user_code, abort: 'yes' }))
    expect(stopped.title).toBe('Nothing was connected')
    shows(stopped, 'Errand Runner')
  })

  test('where the consent for a device was declined', async () => {
    const user_code = await startDevice()
    const form = formTo(await open(pages, browser, '/device'), '/device')
    const signIn = await open(
      pages,
      browser,
      locationOf(await send(pages, browser, form, { user_code, confirm: 'yes' })),
    )
    const resume = locationOf(await browse(pages.server, browser, await signInFrom(pages, browser, signIn)))
    const consent = await open(pages, browser, locationOf(await browse(pages.server, browser, resume)))
    const declined = await open(pages, browser, locationOf(await decide(pages, browser, consent, 'decline')))
    expect(declined.title).toBe('Nothing was connected')
    shows(declined, 'Errand Runner')
  })
})

describe('a name that is too long to be seen at once', () => {
  const name = `${'Household budget and savings helper '.repeat(2)}of nobody`
  const start = 'Household budget and savings helper Household budget and sav […]'

  const long = named({ name })

  test.each([
    ['before the sign-in', async () => open(pages, browser, await beginAuthorization(pages, browser, long))],
    ['at the consent', () => arriveAtConsent(pages, browser, long)],
  ])('can be opened %s', async (_where, page) => {
    await pages.base.apply([long.registration])
    const { text } = await page()
    expect(text).toContain(`<strong><bdi class="name" title="${name}">${start}</bdi></strong>`)
    expect(text).toMatch(new RegExp(`<dt>Who asks</dt><dd>.*<details>.*<bdi class="name">${name}</bdi></details>`))
  })
})

describe('a publisher', () => {
  const said = async (members: object) => {
    await pages.base.apply([named(members).registration])
    return /<span class="publisher">([^]*?)<\/span><\/dd>/.exec(await consent())?.[1]?.replaceAll(/<[^>]*>/g, '|') ?? ''
  }

  test('is verified where the operator says so', async () => {
    expect(await said({ publisher: { name: 'Tally Ltd', verified: true } })).toMatch(
      /Tally Ltd.*\|Verified by \|Financial Agents\|/,
    )
  })

  test.each([
    ['declared as not verified', { publisher: { name: 'Tally Ltd', verified: false } }],
    ['not declared', {}],
    ['claimed by the name alone', { name: 'Verified by Financial Agents' }],
  ])('%s is plainly not verified', async (_name, members) => {
    expect(await said(members)).toContain('|Not verified by |Financial Agents|')
  })

  test.each([
    ['the operator’s own service has none to verify', {}, '', /Publisher|erified by/],
    [
      'a service of another publisher is not verified',
      { publisher: { name: 'Tally Ltd', verified: false } },
      'Not verified by',
      /^$/,
    ],
  ])('%s', async (_name, members, said, unsaid) => {
    await pages.base.apply([
      makeServiceClient('own-service', { name: 'Own', service_owner: ines, ...members }).registration,
    ])
    pages.others.finish = signedInAs(ines, 'Ines Carvalho')
    const signedIn = await signedInBrowser(pages)
    const grant = (await listGrantsOfOwner(pages.base.db, ines, pages.base.clock.now())).find(
      ({ client_id }) => client_id === 'own-service',
    )
    const { text } = await open(pages, signedIn, `/account/grants/${grant?.grant_id}`)
    expect(text).toContain('Service set up for you by the operator')
    expect(text).toContain(said)
    expect(text).not.toMatch(unsaid)
  })
})
