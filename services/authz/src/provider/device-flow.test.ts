import { statement } from '@financial-agents/postgres/database'
import { createFrozenClock } from '@financial-agents/runtime/clock'
import { decodeJwt } from 'jose'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createArtifactStore } from '../store/artifacts.ts'
import { findHumanGrant } from '../store/human-grants.ts'
import {
  type Browser,
  browse,
  exchange,
  locationOf,
  makeBrowser,
  makeOwnerClient,
  refresh,
  textOf,
} from '../test-client.test-helper.ts'
import {
  baseUrl,
  carry,
  makeProofKey,
  type ProofKey,
  readJson,
  startTestServer,
  type TestClient,
  type TestServer,
} from '../test-server.test-helper.ts'

const owner = '01980000-0000-7000-8000-0000000000aa'
const second = '01980000-0000-7000-8000-0000000000bb'
const device = makeOwnerClient('device', 'device-one')
const other = makeOwnerClient('device', 'device-other')
const spa = makeOwnerClient('spa', 'device-spa')
let server: TestServer
let offsetMs = 0
/** Only the tests decide if a poll comes too soon, on a machine of any speed. */
const clock = createFrozenClock()

beforeAll(async () => {
  server = await startTestServer({ clients: [device, other, spa], dateFollowsClock: true, clock })
})
beforeEach(() => later(0, 0))
afterAll(() => server.close())

/** Moves the time forward. A device waits, so time advances only within a test. */
function later(ms: number, from = offsetMs): void {
  offsetMs = from + ms
  clock.setOffsetMs(offsetMs)
}

type Started = { device_code: string; user_code: string } & Record<string, unknown>

async function start(client: TestClient = device, more: Record<string, string> = {}) {
  const body = new URLSearchParams({ client_id: client.clientId, scope: 'accounts:read', ...more }).toString()
  const headers: [string, string][] = [['content-type', 'application/x-www-form-urlencoded']]
  const answer = await carry(server.replicas[0], 'POST', '/oauth/device', headers, body)
  return { status: answer.status, body: readJson(answer) as Started }
}

function poll(code: string, proofKey: ProofKey = makeProofKey(), client = device, replica = server.replicas[0]) {
  const grant_type = 'urn:ietf:params:oauth:grant-type:device_code'
  return exchange(replica, client, proofKey, { grant_type, device_code: code })
}

async function submit(browser: Browser, members: Record<string, string>, replica = server.replicas[0]) {
  const page = await browse(replica, browser, '/device')
  const xsrf = /name="xsrf" value="([0-9a-f]+)"/.exec(textOf(page))?.[1] ?? ''
  const headers: [string, string][] = [['origin', baseUrl]]
  const body = new URLSearchParams({ xsrf, ...members }).toString()
  return browse(replica, browser, '/device', { method: 'POST', body, headers })
}

/** Enters a code, signs in and consents. */
async function approve(userCode: string, browser: Browser = makeBrowser(), as = owner) {
  return finish(browser, locationOf(await submit(browser, { user_code: userCode, confirm: 'yes' })), as)
}

/** Signs in and consents. Returns the page on which the flow of the device ended. */
async function finish(browser: Browser, entered: string, as = owner) {
  const [replica] = server.replicas
  let location = entered
  for (;;) {
    if (!location.startsWith('/interaction/')) return browse(replica, browser, location)
    const { prompt } = readJson(await browse(replica, browser, location))
    const act = prompt === 'login' ? 'sign-in' : 'consent'
    const next = await browse(replica, browser, `${location}?act=${act}&owner=${as}`, { method: 'POST' })
    const back = await browse(replica, browser, locationOf(next))
    if (!back.headers.some(([name]) => name === 'location')) return back
    location = locationOf(back)
  }
}

describe('a second device', () => {
  test('has nothing before its owner consents again, also where the first one has it all', async () => {
    const browser = makeBrowser()
    await approve((await start()).body.user_code, browser)
    const { body } = await start()
    const location = locationOf(await submit(browser, { user_code: body.user_code, confirm: 'yes' }))
    expect(readJson(await browse(server.replicas[0], browser, location))).toMatchObject({
      prompt: 'consent',
      reasons: ['device'],
    })
    expect((await poll(body.device_code)).body['error']).toBe('authorization_pending')
  })
})

describe('a device', () => {
  test('shows a code, waits, and has tokens without an ID token after its owner approved', async () => {
    const { status, body } = await start()
    expect(status).toBe(200)
    expect(body).toEqual({
      device_code: expect.any(String),
      user_code: expect.stringMatching(/^[BCDFGHJKLMNPQRSTVWXZ]{4}-[BCDFGHJKLMNPQRSTVWXZ]{4}$/),
      verification_uri: `${baseUrl}/device`,
      expires_in: 600,
      interval: 5,
    })
    const proofKey = makeProofKey()
    expect(await poll(body.device_code, proofKey)).toMatchObject({
      status: 400,
      body: { error: 'authorization_pending' },
    })
    const done = await approve(body.user_code)
    expect(textOf(done)).toContain('Your device is connected')
    later(5_000)
    const answer = await poll(body.device_code, proofKey, device, server.replicas[1])
    expect(Object.keys(answer.body).toSorted()).toEqual([
      'access_token',
      'expires_in',
      'refresh_token',
      'scope',
      'token_type',
    ])
    const claims = decodeJwt(String(answer.body['access_token']))
    expect(claims['scope']).toBe('accounts:read')
    expect(claims.sub).not.toContain(owner)
    const token = String(answer.body['refresh_token'])
    expect((await refresh(server.replicas[0], device, proofKey, token)).status).toBe(200)
    expect((await refresh(server.replicas[0], device, makeProofKey(), token)).status).toBe(400)
  })

  test('that asks too soon hears slow_down each time, at whichever replica, and goes on when it waits', async () => {
    const { body } = await start()
    const key = makeProofKey()
    const asked: unknown[] = []
    for (const [afterMs, replica] of [
      [0, 0],
      [1_000, 1],
      [4_000, 0],
      [5_000, 1],
    ] as const) {
      later(afterMs)
      asked.push((await poll(body.device_code, key, device, server.replicas[replica])).body['error'])
    }
    expect(asked).toEqual(['authorization_pending', 'slow_down', 'slow_down', 'authorization_pending'])
  })

  test('with an approved code that asks 50 times at once has tokens once', async () => {
    const { body } = await start()
    await approve(body.user_code)
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, index) =>
        poll(body.device_code, makeProofKey(), device, server.replicas[index % 2] ?? server.replicas[0]),
      ),
    )
    expect(answers.filter(({ status }) => status === 200).length).toBeLessThanOrEqual(1)
    later(5_000)
    const last = await poll(body.device_code)
    const issued = [...answers, last].filter(({ status }) => status === 200)
    expect(issued).toHaveLength(1)
    const token = String(issued[0]?.body['refresh_token'])
    expect(token).toMatch(/^.{40,}$/)
    expect(last.status === 200 || last.body['error'] === 'invalid_grant').toBe(true)
    const grant = await findHumanGrant(server.db, owner, device.clientId)
    expect(grant?.status).toBe('active')
  })

  test('hears expired_token after ten minutes, and its code cannot be entered any more', async () => {
    const { body } = await start()
    later(601_000)
    expect(await poll(body.device_code)).toMatchObject({ status: 400, body: { error: 'expired_token' } })
    const page = await submit(makeBrowser(), { user_code: body.user_code })
    expect(page.status).toBe(400)
    expect(textOf(page)).toContain('This code has expired')
  })

  test('hears access_denied when its owner stops, at the code or at the consent', async () => {
    const first = await start()
    expect(textOf(await submit(makeBrowser(), { user_code: first.body.user_code, abort: 'yes' }))).toContain(
      'Nothing was connected',
    )
    expect(await poll(first.body.device_code)).toMatchObject({ status: 400, body: { error: 'access_denied' } })

    const next = await start()
    const browser = makeBrowser()
    const location = locationOf(await submit(browser, { user_code: next.body.user_code, confirm: 'yes' }))
    const back = await browse(server.replicas[0], browser, `${location}?act=deny`, { method: 'POST' })
    const page = await browse(server.replicas[0], browser, locationOf(back))
    expect(textOf(page)).toContain('Nothing was connected')
    expect(await poll(next.body.device_code)).toMatchObject({ status: 400, body: { error: 'access_denied' } })
  })

  test('cannot use the code of another, and no other client this grant', async () => {
    const { body } = await start()
    await approve(body.user_code)
    expect(await poll(body.device_code, makeProofKey(), other)).toMatchObject({ body: { error: 'invalid_grant' } })
    expect(await poll(body.device_code, makeProofKey(), spa)).toMatchObject({ body: { error: 'unauthorized_client' } })
    expect(await start(spa)).toMatchObject({ status: 400, body: { error: 'unauthorized_client' } })
  })

  test('with max_age has its owner sign in again where the sign-in is older, and hears of one that is wrong', async () => {
    const browser = makeBrowser()
    await approve((await start()).body.user_code, browser)
    const promptAt = async (max_age: string) => {
      const { body } = await start(device, { max_age })
      const location = locationOf(await submit(browser, { user_code: body.user_code, confirm: 'yes' }))
      const { prompt } = readJson(await browse(server.replicas[1], browser, location))
      expect(textOf(await approve((await start(device, { max_age })).body.user_code, browser))).toContain(
        'is connected',
      )
      return prompt
    }
    expect([await promptAt('600'), await promptAt('0')]).toEqual(['consent', 'login'])
    expect(await start(device, { max_age: '-1' })).toMatchObject({
      status: 400,
      body: { error: 'invalid_request', error_description: expect.stringMatching(/^max_age /) },
    })
  })

  test.each(['openid accounts:read', 'cards:manage', 'nonsense', ''])(
    'may not ask for the scope "%s"',
    async (scope) => {
      expect(await start(device, { scope })).toMatchObject({ status: 400, body: { error: 'invalid_scope' } })
    },
  )
})

describe('an approval', () => {
  type Line = { event: string; owner_id: string; grant_id: string; actor: string; detail: object }
  const approvals = () =>
    server.db.rows<Line>(
      statement('test_approvals', `SELECT * FROM audit WHERE client_id = $1 AND event = 'device_approved' ORDER BY id`),
      [device.clientId],
    )
  const run = (text: string) => server.db.rows(statement('', text))

  test('is written down once, with its grant and scope and nothing else that the device sent', async () => {
    const before = (await approvals()).length
    for (const dpop_jkt of ['\0', 'A'.repeat(43)]) {
      const { status, body } = await start(device, { dpop_jkt })
      expect(status).toBe(200)
      const code = await createArtifactStore(server.db, server.sealer, 'DeviceCode').find(body.device_code)
      expect(code?.payload['params']).toMatchObject({ scope: 'accounts:read' })
      expect(code?.payload['params']).not.toHaveProperty('dpop_jkt')
      const done = await approve(body.user_code)
      expect([done.status, textOf(done).includes('Your device is connected')]).toEqual([200, true])
      expect(await poll(body.device_code)).toMatchObject({ status: 200 })
    }
    const { grant_id } = (await findHumanGrant(server.db, owner, device.clientId)) ?? {}
    const line = {
      owner_id: owner,
      grant_id,
      actor: 'owner',
      request_id: 'request-of-test',
      remote_address: '192.0.2.7',
    }
    const written = (await approvals()).slice(before)
    expect(written).toMatchObject([line, line])
    const detail = { scope: 'accounts:read' }
    expect(written.map((entry) => entry.detail)).toEqual([detail, detail])
  })

  test('that cannot be written down gives the device nothing', async () => {
    const before = (await approvals()).length
    const { body } = await start()
    await run(`ALTER TABLE audit ADD CONSTRAINT out_of_order CHECK (event <> 'device_approved') NOT VALID`)
    const page = await approve(body.user_code)
    await run('ALTER TABLE audit DROP CONSTRAINT out_of_order')
    expect(page.status).toBe(400)
    expect(textOf(page)).toContain('This could not be completed.')
    const answer = await poll(body.device_code)
    expect([answer.status, answer.body['error']]).toEqual([400, 'temporarily_unavailable'])
    expect(answer.body).not.toHaveProperty('access_token')
    expect(await approvals()).toHaveLength(before)
  })
})

/** ASCII characters in their full-width forms. */
const wide = (text: string) => text.replace(/[!-~]/g, (one) => String.fromCharCode(one.charCodeAt(0) + 0xfee0))

describe('a user code', () => {
  test.each([
    ['in small letters', (code: string) => code.toLowerCase()],
    ['without its hyphen', (code: string) => code.replace('-', '')],
    ['with spaces', (code: string) => ` ${code.replace('-', ' ')} `],
    ['in full-width letters', (code: string) => wide(code)],
    ['in small full-width letters', (code: string) => wide(code.toLowerCase())],
    ['with a soft hyphen', (code: string) => code.replace('-', '\u00ad')],
    ['with soft hyphens and its own', (code: string) => code.split('').join('\u00ad')],
    ['with characters that nobody sees', (code: string) => `\ufeff${code.split('').join('\u200b\u2060')}\u200d\u200f`],
    ['with other spaces and line breaks', (code: string) => `\u3000${code.replace('-', '\u00a0\u2009')}\r\n\t`],
    ['with other dashes', (code: string) => code.replace('-', ' \u2013\u2011\u2212\uff0d ')],
    ['with dots and lines', (code: string) => `.${code.replace('-', '_')}.`],
  ])('is recognised %s', async (_name, write) => {
    const { body } = await start()
    const page = await submit(makeBrowser(), { user_code: write(body.user_code) })
    expect(page.status).toBe(200)
    expect(textOf(page)).toContain(body.user_code)
  })

  test.each([
    ['no code', '', 'Enter the code'],
    ['an unknown one', 'BBBB-BBBB', 'This code is not known'],
  ])('%s is explained', async (_name, user_code, words) => {
    const page = await submit(makeBrowser(), { user_code })
    expect(page.status).toBe(400)
    expect(textOf(page)).toContain(words)
  })

  test('in the address is filled in, and nothing happens by itself', async () => {
    const { body } = await start()
    const page = textOf(await browse(server.replicas[0], makeBrowser(), `/device?user_code=${body.user_code}`))
    expect(page).toContain(`value="${body.user_code}"`)
    expect(page).not.toContain('<script')
  })

  test('entered in a browser that was closed at the sign-in is entered again, and approved', async () => {
    const { body } = await start()
    expect(locationOf(await submit(makeBrowser(), { user_code: body.user_code, confirm: 'yes' }))).toMatch(
      /^\/interaction\//,
    )
    const page = await submit(makeBrowser(), { user_code: body.user_code })
    expect(textOf(page)).toContain(body.user_code)
    await approve(body.user_code)
    later(6_000)
    expect(await poll(body.device_code)).toMatchObject({ status: 200 })
  })

  test('entered by two owners, one after the other, belongs to the first who approves it', async () => {
    const { body } = await start()
    const first = makeBrowser()
    const entered = locationOf(await submit(first, { user_code: body.user_code, confirm: 'yes' }))
    await approve(body.user_code, makeBrowser(), second)
    await expect(finish(first, entered)).resolves.toMatchObject({ status: 400 })
    const { grant_id } = decodeJwt(String((await poll(body.device_code)).body['access_token']))
    expect(await findHumanGrant(server.db, second, device.clientId)).toMatchObject({ grant_id })
  })

  test('approved by two owners at once belongs to one of them', async () => {
    const { body } = await start()
    const browsers = [makeBrowser(), makeBrowser()] as const
    const entered = await Promise.all(
      browsers.map((browser) => submit(browser, { user_code: body.user_code, confirm: 'yes' })),
    )
    const going = entered.flatMap(({ headers }, index) => {
      const location = headers.find(([name]) => name === 'location')?.[1]
      return location === undefined
        ? []
        : [{ browser: browsers[index] ?? browsers[0], location, as: index ? second : owner }]
    })
    expect(going.length).toBeGreaterThan(0)
    const ended = await Promise.all(going.map(({ browser, location, as }) => finish(browser, location, as)))
    expect(ended.filter(({ status }) => status === 200)).toHaveLength(1)
  })

  test('once approved is not approved again by somebody else', async () => {
    const { body } = await start()
    await approve(body.user_code)
    const page = await submit(makeBrowser(), { user_code: body.user_code, confirm: 'yes' })
    expect(textOf(page)).toContain('This code has been used')
    await expect(approve(body.user_code, makeBrowser(), second)).rejects.toThrow('no redirect')
  })

  test('is refused from another origin and without the secret of the page', async () => {
    const { body } = await start()
    const form = new URLSearchParams({ user_code: body.user_code, confirm: 'yes' }).toString()
    const foreign: [string, string][] = [['origin', 'https://evil.test']]
    const crossed = await browse(server.replicas[0], makeBrowser(), '/device', {
      method: 'POST',
      body: form,
      headers: foreign,
    })
    expect(crossed.status).toBe(403)
    const forged = await browse(server.replicas[0], makeBrowser(), '/device', { method: 'POST', body: form })
    expect(forged.status).toBe(400)
    expect((await browse(server.replicas[0], makeBrowser(), '/device/some-uid')).status).toBe(400)
    expect((await poll(body.device_code)).body['error']).toBe('authorization_pending')
  })
})
