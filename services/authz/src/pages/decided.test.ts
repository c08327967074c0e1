import { createFrozenClock } from '@financial-agents/runtime/clock'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { revokeGrant } from '../store/grant-status.ts'
import { findHumanGrant } from '../store/human-grants.ts'
import {
  authorizeUrl,
  type Browser,
  browse,
  exchange,
  locationOf,
  makeAttempt,
  makeBrowser,
  makeOwnerClient,
  redeem,
  textOf,
} from '../test-client.test-helper.ts'
import { carry, makeProofKey, readJson, type TestClient } from '../test-server.test-helper.ts'
import { decide, leaveOrigin } from './authorizing.test-helper.ts'
import {
  amara,
  formTo,
  ines,
  type OpenedPage,
  open,
  readPage,
  send,
  signedInAs,
  signInFrom,
  startTestPages,
  type TestPages,
} from './pages.test-helper.ts'

const device = makeOwnerClient('device', 'teller', { name: 'Teller' })
const known: TestClient[] = [device]
let pages: TestPages
let browser: Browser
let client: TestClient

beforeAll(async () => {
  pages = await startTestPages({ dateFollowsClock: true, clock: createFrozenClock() })
})
beforeEach(async () => {
  browser = makeBrowser()
  pages.base.clock.setOffsetMs(0)
  pages.others.finish = signedInAs(ines, 'Ines Carvalho')
  client = makeOwnerClient('spa', `decided-${known.length}`, { name: 'Board' })
  known.push(client)
  await pages.base.apply(known.map(({ registration }) => registration))
})
afterAll(() => pages.close())

const grantOf = async (owner = ines, of = client) => findHumanGrant(pages.base.db, owner, of.clientId)
const leave = (location: string, who = browser) => leaveOrigin(pages, who, location)

/** Goes on from an interaction's address to the consent page. Returns the page and its address. */
async function toConsent(begun: string, who = browser) {
  const resume = await signInFrom(pages, who, await open(pages, who, begun))
  const signedIn = locationOf(await browse(pages.server, who, resume))
  const address = locationOf(await browse(pages.server, who, signedIn))
  return { address, page: await open(pages, who, address) }
}

async function arrive(wrong: Record<string, string> = {}) {
  const attempt = await makeAttempt(client, wrong)
  const url = await authorizeUrl(pages.server, client, attempt)
  return { attempt, ...(await toConsent(locationOf(await browse(pages.server, browser, url)))) }
}

const say = (page: OpenedPage, decision: 'allow' | 'decline', who = browser) => decide(pages, who, page, decision)

/** Sends an answer and expects the page that tells what was decided. */
async function sayLate(page: OpenedPage, address: string, decision: 'allow' | 'decline', who = browser) {
  expect(locationOf(await say(page, decision, who))).toBe(address)
  return open(pages, who, address)
}

const endedByOwner = { reason: 'revoked_by_owner', by: 'owner', request_id: null } as const

describe('a consent', () => {
  test('that was given is not declined by a later answer: the client gets the code, and the page says so', async () => {
    const { page, address } = await arrive()
    const first = locationOf(await say(page, 'allow'))
    const grant = await grantOf()
    const reported = await sayLate(page, address, 'decline')
    expect([reported.status, reported.title]).toEqual([200, 'You allowed this application'])
    expect(reported.text).toContain(`href="/account/grants/${grant?.grant_id}"`)
    expect(reported.text).toContain(`href="${address}/answer"`)
    expect((await leave(first)).searchParams.get('code')).toMatch(/\S/)
    expect(await grantOf()).toMatchObject({ grant_id: grant?.grant_id, status: 'active' })
  })

  test('that was declined is not given by a later answer, and the client hears the same each time', async () => {
    const { page, address } = await arrive()
    const first = locationOf(await say(page, 'decline'))
    const reported = await sayLate(page, address, 'allow')
    expect(reported.title).toBe('You did not allow this application')
    expect(await grantOf()).toBeUndefined()
    const back = await leave(first)
    expect(back.searchParams.get('error')).toBe('access_denied')
    expect((await leave(locationOf(await say(page, 'decline')))).href).toBe(back.href)
    expect((await open(pages, browser, address)).title).toBe('You did not allow this application')
    expect(await grantOf()).toBeUndefined()
  })

  test('that is given again leads on as the first time: with the same code, until it was redeemed', async () => {
    const { page, address, attempt } = await arrive()
    await say(page, 'allow')
    const back = await leave(locationOf(await say(page, 'allow')))
    const code = back.searchParams.get('code') ?? ''
    expect(code).toMatch(/\S/)
    // The browser interrupted the redirect: it sends the form again, and goes on from the page that Back shows.
    expect((await leave(locationOf(await say(page, 'allow')))).href).toBe(back.href)
    expect((await leave(`${address}/answer`)).href).toBe(back.href)
    expect((await redeem(pages.server, client, attempt, code)).status).toBe(200)
    // A client that gets its code twice would lose the access.
    expect(locationOf(await say(page, 'allow'))).toBe(`${address}/answer`)
    expect(locationOf(await browse(pages.server, browser, `${address}/answer`))).toBe(address)
    const reported = await open(pages, browser, address)
    expect(reported.title).toBe('You allowed this application')
    expect(reported.text).not.toContain('/answer')
    expect(await grantOf()).toMatchObject({ status: 'active' })
  })

  test('whose code has expired is reported on a page, not to the client', async () => {
    const { page, address } = await arrive()
    await leave(locationOf(await say(page, 'allow')))
    pages.base.clock.setOffsetMs(60_000)
    expect((await open(pages, browser, address)).text).not.toContain('/answer')
    expect(locationOf(await browse(pages.server, browser, `${address}/answer`))).toBe(address)
  })

  test('leads on also where the interrupted redirect took the new cookie with it', async () => {
    const { page, address } = await arrive()
    const before = { cookies: new Map(browser.cookies) }
    const back = await leave(locationOf(await say(page, 'allow')))
    expect((await leave(locationOf(await say(page, 'allow', before)), before)).href).toBe(back.href)
    // The library's own address, reached twice, leads to the same answer.
    const uid = address.split('/').at(-1) ?? ''
    const again = { cookies: new Map(before.cookies) }
    const led = await browse(pages.server, again, `/oauth/authorize/${uid}`)
    expect(locationOf(led)).toBe(`${address}/answer`)
    expect((await leave(`${address}/answer`, again)).href).toBe(back.href)
  })

  test('that is answered by a form of the client is answered so again', async () => {
    const { page, address } = await arrive({ response_mode: 'form_post' })
    const resume = locationOf(await say(page, 'allow'))
    const first = await browse(pages.server, browser, resume)
    expect(textOf(first)).toContain('name="code"')
    const again = await browse(pages.server, browser, locationOf(await say(page, 'allow')))
    expect([again.status, textOf(again)]).toEqual([first.status, textOf(first)])
    const policy = (answer: typeof first) => answer.headers.find(([name]) => name === 'content-security-policy')?.[1]
    expect(policy(again)).toBe(policy(first))
    expect((await open(pages, browser, address)).title).toBe('You allowed this application')
  })

  test('of answers at once is decided once, and the client and the grant agree', async () => {
    for (let round = 0; round < 5; round += 1) {
      const { page } = await arrive({ prompt: 'login consent' })
      const before = await grantOf()
      if (before) await revokeGrant(pages.base.db, before.grant_id, endedByOwner, pages.base.clock.now())
      const answers = await Promise.all(
        Array.from({ length: 8 }, (_, index) => say(page, (index + round) % 2 ? 'allow' : 'decline')),
      )
      expect(answers.every(({ status }) => status === 303)).toBe(true)
      const onward = answers.map(locationOf).find((location) => location.includes('/oauth/authorize/')) ?? ''
      const back = await leave(onward)
      expect((await grantOf()) === undefined).toBe(back.searchParams.get('error') === 'access_denied')
      expect(back.searchParams.has('code')).toBe((await grantOf()) !== undefined)
    }
  })

  test('whose access has ended since says so', async () => {
    const { page, address } = await arrive()
    await leave(locationOf(await say(page, 'allow')))
    const grant = await grantOf()
    await revokeGrant(pages.base.db, grant?.grant_id ?? '', endedByOwner, pages.base.clock.now())
    const reported = await open(pages, browser, address)
    expect(reported.text).toContain('The access that you gave does not work any more.')
    expect(reported.text).not.toContain('/answer')
  })

  test('is shown to nobody else: another person, another browser, and a browser that signed out', async () => {
    const { page, address } = await arrive()
    await leave(locationOf(await say(page, 'allow')))
    const over = { status: 400, title: 'This request is over' }
    expect(await open(pages, makeBrowser(), address)).toMatchObject(over)
    const account = await open(pages, browser, '/account')
    await send(pages, browser, formTo(account, '/sign-out'))
    expect(await open(pages, browser, address)).toMatchObject(over)
    expect(readPage(await say(page, 'allow'))).toMatchObject(over)
    pages.others.finish = signedInAs(amara, 'Amara Okafor')
    await signInFrom(pages, browser, await open(pages, browser, '/account'))
    expect(await open(pages, browser, address)).toMatchObject(over)
  })

  test('takes no later answer without the token of its form', async () => {
    const { page } = await arrive()
    const { action } = formTo(page, '/consent')
    await say(page, 'allow')
    const forged = await send(pages, browser, { action, fields: {} }, { decision: 'allow' })
    expect(forged.status).toBe(403)
  })
})

test('a sign-in that was declined is not finished by a later one', async () => {
  const url = await authorizeUrl(pages.server, client, await makeAttempt(client))
  const begun = locationOf(await browse(pages.server, browser, url))
  const page = await open(pages, browser, begun)
  const signedIn = await signInFrom(pages, browser, page)
  const onward = locationOf(await send(pages, browser, formTo(page, '/decline')))
  expect(locationOf(await browse(pages.server, browser, signedIn))).toBe(begun)
  expect(locationOf(await send(pages, browser, formTo(page, '/sign-in')))).toBe(begun)
  const back = await leave(onward)
  expect(back.searchParams.get('error')).toBe('access_denied')
  expect((await leave(locationOf(await send(pages, browser, formTo(page, '/decline'))))).href).toBe(back.href)
})

describe('a device', () => {
  const form: [string, string] = ['content-type', 'application/x-www-form-urlencoded']

  async function begin() {
    const body = new URLSearchParams({ client_id: device.clientId, scope: 'accounts:read' }).toString()
    const started = readJson(await carry(pages.server, 'POST', '/oauth/device', [form], body))
    return { deviceCode: String(started['device_code']), userCode: String(started['user_code']) }
  }
  /** Enters the code. Returns the answer to the form that goes on, or stops. */
  async function enter(userCode: string, act: 'confirm' | 'abort', who = browser) {
    const entry = await open(pages, who, '/device')
    return send(pages, who, formTo(entry, '/device'), { user_code: userCode, [act]: 'yes' })
  }
  const poll = (code: string) =>
    exchange(pages.server, device, makeProofKey(), {
      grant_type: 'urn:ietf:params:oauth:grant-type:device_code',
      device_code: code,
    })

  test('that was allowed in one tab is not stopped in another, and hears the same', async () => {
    const { deviceCode, userCode } = await begin()
    const second = makeBrowser()
    const one = await toConsent(locationOf(await enter(userCode, 'confirm')))
    const two = await toConsent(locationOf(await enter(userCode, 'confirm', second)), second)
    const first = locationOf(await say(one.page, 'allow'))
    expect(await sayLate(two.page, two.address, 'decline', second)).toMatchObject({
      title: 'You allowed this application',
    })
    const stopped = readPage(await enter(userCode, 'abort', makeBrowser()))
    expect(stopped.text).toContain(
      'This code has been used. If you allowed something by it, end that on your account page.',
    )
    expect((await open(pages, browser, first)).title).toBe('Your device is connected')
    // Reloading the last page, or pressing the button again, says what holds.
    expect((await open(pages, browser, locationOf(await browse(pages.server, browser, first)))).status).toBe(303)
    expect((await open(pages, browser, one.address)).title).toBe('You allowed this application')
    expect((await poll(deviceCode)).status).toBe(200)
    expect(await grantOf(ines, device)).toMatchObject({ status: 'active' })
  })

  test('that was stopped, at the code or at the consent, is not allowed by a page that is open elsewhere', async () => {
    for (const how of ['code', 'consent'] as const) {
      const { deviceCode, userCode } = await begin()
      const [mine, theirs] = [makeBrowser(), makeBrowser()]
      const mineOpen = await toConsent(locationOf(await enter(userCode, 'confirm', mine)), mine)
      const before = await grantOf(ines, device)
      if (how === 'code') await enter(userCode, 'abort', theirs)
      else
        await say(
          (await toConsent(locationOf(await enter(userCode, 'confirm', theirs)), theirs)).page,
          'decline',
          theirs,
        )
      const late = await say(mineOpen.page, 'allow', mine)
      const reported = late.status === 303 ? await open(pages, mine, locationOf(late)) : readPage(late)
      expect(reported.title).toBe(how === 'code' ? 'This request is over' : 'You did not allow this application')
      expect(readPage(await enter(userCode, 'confirm', makeBrowser())).title).toBe('Nothing was connected')
      expect(await grantOf(ines, device)).toEqual(before)
      // Also where the browser that declined went no further.
      expect(await poll(deviceCode)).toMatchObject({ status: 400, body: { error: 'access_denied' } })
    }
  })

  test('whose code somebody else allowed takes nothing from me', async () => {
    const { deviceCode, userCode } = await begin()
    const other = makeBrowser()
    const mine = await toConsent(locationOf(await enter(userCode, 'confirm')))
    pages.others.finish = signedInAs(amara, 'Amara Okafor')
    const theirs = await toConsent(locationOf(await enter(userCode, 'confirm', other)), other)
    const before = await grantOf(ines, device)
    const onward = locationOf(await say(theirs.page, 'allow', other))
    expect(readPage(await say(mine.page, 'allow'))).toMatchObject({ status: 400, title: 'This request is over' })
    expect(await grantOf(ines, device)).toEqual(before)
    expect((await open(pages, other, onward)).title).toBe('Your device is connected')
    expect((await poll(deviceCode)).status).toBe(200)
  })

  test('whose code has expired is allowed nothing', async () => {
    const { userCode } = await begin()
    const { address, page } = await toConsent(locationOf(await enter(userCode, 'confirm')))
    const before = await grantOf(ines, device)
    pages.base.clock.setOffsetMs(601_000)
    for (const reported of [readPage(await say(page, 'allow')), await open(pages, browser, address)]) {
      expect(reported).toMatchObject({ status: 400, title: 'This request is over' })
      expect(reported.text).toContain('Let the device show a new code')
    }
    expect(await grantOf(ines, device)).toEqual(before)
  })

  test('whose form is sent twice goes on with the same code', async () => {
    const { userCode } = await begin()
    const entry = formTo(await open(pages, browser, '/device'), '/device')
    const twice = { user_code: userCode, confirm: 'yes' }
    expect(locationOf(await send(pages, browser, entry, twice))).toMatch(/^\/interaction\//)
    const again = readPage(await send(pages, browser, entry, twice))
    expect(again.text).toContain('Enter the code once more.')
    const form = formTo(again, '/device')
    expect(form.fields['user_code']).toBe(userCode)
    expect(readPage(await send(pages, browser, form)).title).toBe('Is this the code on your device?')
  })
})
