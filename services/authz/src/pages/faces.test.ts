/**
 * The face of an application on the pages: its logo from our origin, fetched once for a registration, and its publisher, verified by
 * the operator's declaration alone.
 */

import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { fetchWantedLogos } from '../background/logos.ts'
import type { Logo } from '../registration/fetch-logo.ts'
import { type Browser, browse, makeBrowser, makeOwnerClient } from '../test-client.test-helper.ts'
import { arriveAtConsent } from './authorizing.test-helper.ts'
import { startTestPages, type TestPages } from './pages.test-helper.ts'

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
const sweep = () => {
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
    await Promise.all([sweep(), sweep()])
    await sweep()
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
    await sweep()
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
    await sweep()
    await sweep()
    expect(asked).toHaveLength(1)
    const body = await consent()
    expect(pathIn(body)).toBeUndefined()
    expect(body).toContain('<span class="initial" aria-hidden="true">T</span>')
    pages.base.clock.setOffsetMs(3_700_000)
    answer = async () => svg('green')
    await sweep()
    pages.base.clock.setOffsetMs(0)
    expect(asked).toHaveLength(2)
    expect(pathIn(await consent())).toBeDefined()
  })

  test.each(['nothing', '0'.repeat(64), '..%2f'])('at %s is not found', async (digest) => {
    expect((await browse(pages.server, browser, `/application-logo/${digest}`)).status).toBe(404)
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
})
