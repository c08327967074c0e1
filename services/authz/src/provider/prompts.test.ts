import { decodeJwt } from 'jose'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { changeInTurn } from '../store/changes.ts'
import { revokeGrant, suspendGrant, suspendGrantForOperator } from '../store/grant-status.ts'
import { findHumanGrant } from '../store/human-grants.ts'
import {
  addressOf,
  authorizeUrl,
  type Browser,
  browse,
  codeOf,
  connect,
  flow,
  locationOf,
  makeAttempt,
  makeBrowser,
  makeOwnerClient,
  redeem,
  redirectUri,
  refresh,
} from '../test-client.test-helper.ts'
import { startTestServer, type TestClient, type TestServer } from '../test-server.test-helper.ts'

const owner = '01980000-0000-7000-8000-0000000000aa'
const somebodyElse = '01980000-0000-7000-8000-0000000000bb'
const dayMs = 86_400_000
let clients = 0
let server: TestServer
const known: TestClient[] = []

beforeAll(async () => {
  server = await startTestServer({ dateFollowsClock: true })
})
beforeEach(() => server.clock.setOffsetMs(0))
afterAll(() => server.close())

/** A client that no owner has used. */
async function makeClient(profile: 'web' | 'spa' | 'native' = 'spa', members = {}): Promise<TestClient> {
  clients += 1
  const client = makeOwnerClient(profile, `prompts-${clients}`, members)
  known.push(client)
  await server.apply(known.map(({ registration }) => registration))
  return client
}

/** Returns the questions to the owner on the way, and the final address. */
async function ask(
  client: TestClient,
  browser: Browser,
  parameters: Record<string, string | undefined> = {},
  as = owner,
) {
  const seen: string[] = []
  const attempt = await makeAttempt(client, parameters)
  const url = await authorizeUrl(server.replicas[0], client, attempt)
  const location = new URL(await flow(server.replicas[1], browser, url, { seen, owner: as }))
  return { seen, location, attempt, error: location.searchParams.get('error') }
}

const why = { reason: 'under_review', by: 'operator', request_id: null } as const

describe.each(['web', 'spa'] as const)('the owner of a %s client', (profile) => {
  test('signs in and consents the first time, and is asked nothing the second', async () => {
    const client = await makeClient(profile)
    const browser = makeBrowser()
    expect((await ask(client, browser)).seen).toEqual(['login', 'consent'])
    const again = await ask(client, browser)
    expect([again.seen, again.error]).toEqual([[], null])
  })
})

describe('a native client', () => {
  const askedAgain = async (redirect_uris: string[], redirect_uri = redirect_uris[0]) => {
    const client = await makeClient('native', { redirect_uris })
    const browser = makeBrowser()
    const first = await ask(client, browser, { redirect_uri })
    expect(first.seen).toEqual(['login', 'consent'])
    // Each request brings a challenge and a key of its own, as any program on the owner's computer can.
    const again = await ask(client, browser, { redirect_uri })
    const silent = await ask(client, browser, { redirect_uri, prompt: 'none' })
    expect(silent.seen).toEqual([])
    return [again.seen, silent.error]
  }

  test.each([
    ['a private scheme', ['com.example.app:/callback']],
    ['a loopback address', ['http://127.0.0.1/callback']],
    ['a loopback address of IPv6', ['http://[::1]/callback']],
    ['a name of the loopback address', ['https://app.localhost/callback']],
  ])('that answers at %s is consented to each time, and never silently', async (_what, uris) => {
    expect(await askedAgain(uris)).toEqual([['consent'], 'consent_required'])
  })

  test('that answers at another port of its loopback address is likewise asked for', async () => {
    expect(await askedAgain(['http://127.0.0.1/callback'], 'http://127.0.0.1:49152/callback')).toEqual([
      ['consent'],
      'consent_required',
    ])
  })

  test('that an https address identifies is remembered there, and only there', async () => {
    const uris = ['https://app.example/callback', 'com.example.app:/callback']
    expect(await askedAgain(uris)).toEqual([[], null])
    expect(await askedAgain(uris, uris[1])).toEqual([['consent'], 'consent_required'])
  })
})

describe('consent', () => {
  test('holds in another browser, where only the sign-in is asked', async () => {
    const client = await makeClient()
    await ask(client, makeBrowser())
    expect((await ask(client, makeBrowser())).seen).toEqual(['login'])
  })

  test('is asked for a scope that was not granted, and adds to what was', async () => {
    const client = await makeClient()
    const browser = makeBrowser()
    await ask(client, browser)
    expect((await ask(client, browser, { scope: 'openid operations:read' })).seen).toEqual(['consent'])
    expect((await ask(client, browser, { scope: 'openid operations:read accounts:read' })).seen).toEqual([])
    const grant = await findHumanGrant(server.db, owner, client.clientId)
    expect(grant?.scopes.toSorted()).toEqual(['accounts:read', 'operations:read'])
  })

  test('is asked again by prompt=consent, and signing in by prompt=login, and both by both', async () => {
    const client = await makeClient()
    const browser = makeBrowser()
    await ask(client, browser)
    expect((await ask(client, browser, { prompt: 'consent' })).seen).toEqual(['consent'])
    expect((await ask(client, browser, { prompt: 'login' })).seen).toEqual(['login'])
    expect((await ask(client, browser, { prompt: 'login consent' })).seen).toEqual(['login', 'consent'])
  })

  test('lasts until the day of its page: a sign-in, prompt=none and a refresh leave it, another consent moves it', async () => {
    const client = await makeClient()
    const { browser, body, proofKey } = await connect(server.replicas[0], client)
    const found = async () => findHumanGrant(server.db, owner, client.clientId)
    const before = await found()
    server.clock.setOffsetMs(10 * dayMs)
    expect((await ask(client, browser)).seen).toEqual(['login'])
    expect((await ask(client, browser, { prompt: 'none' })).error).toBeNull()
    expect((await refresh(server.replicas[0], client, proofKey, String(body['refresh_token']))).status).toBe(200)
    expect(await found()).toEqual(before)
    expect((await ask(client, browser, { prompt: 'consent' })).seen).toEqual(['consent'])
    const after = await found()
    expect(after?.grant_id).toBe(before?.grant_id)
    const moved = (after?.expires_at.getTime() ?? 0) - (before?.expires_at.getTime() ?? 0)
    expect(Math.round(moved / dayMs)).toBe(10)
  })

  test('is asked anew after the grant has expired or was revoked', async () => {
    const client = await makeClient()
    const browser = makeBrowser()
    await ask(client, browser)
    const grant = await findHumanGrant(server.db, owner, client.clientId)
    await revokeGrant(server.db, grant?.grant_id ?? '', { ...why, reason: 'revoked_by_owner' }, server.clock.now())
    expect((await ask(client, browser)).seen).toEqual(['consent'])
    server.clock.setOffsetMs(91 * dayMs)
    expect((await ask(client, makeBrowser())).seen).toEqual(['login', 'consent'])
  })
})

describe('prompt=none', () => {
  test('fails without a sign-in, and with one without consent; with both it answers a code', async () => {
    const client = await makeClient()
    const browser = makeBrowser()
    const none = { prompt: 'none' }
    expect((await ask(client, browser, none)).error).toBe('login_required')
    await ask(await makeClient(), browser)
    expect((await ask(client, browser, none)).error).toBe('consent_required')
    await ask(client, browser)
    expect((await ask(client, browser, { ...none, scope: 'openid operations:read' })).error).toBe('consent_required')
    const answered = await ask(client, browser, none)
    expect([answered.error, answered.seen]).toEqual([null, []])
  })

  test('fails when the sign-in is older than max_age', async () => {
    const client = await makeClient()
    const browser = makeBrowser()
    await ask(client, browser)
    server.clock.setOffsetMs(120_000)
    expect((await ask(client, browser, { prompt: 'none', max_age: '60' })).error).toBe('login_required')
    expect((await ask(client, browser, { prompt: 'none', max_age: '600' })).error).toBeNull()
    expect((await ask(client, browser, { max_age: '60' })).seen).toEqual(['login'])
    expect((await ask(client, browser, { max_age: '0' })).seen).toEqual(['login'])
  })

  test('fails twelve hours after the sign-in, however often the session was used', async () => {
    const client = await makeClient()
    const browser = makeBrowser()
    await ask(client, browser)
    const useAfter = async (minutes: number) => {
      server.clock.setOffsetMs(minutes * 60_000)
      return (await ask(client, browser, { prompt: 'none' })).error
    }
    for (let minutes = 45; minutes < 720; minutes += 45) expect(await useAfter(minutes)).toBeNull()
    expect(await useAfter(721)).toBe('login_required')
    expect((await ask(client, browser)).seen).toEqual(['login'])
    expect((await ask(client, browser, { prompt: 'none' })).error).toBeNull()
  })

  test.each(['select_account', 'create', 'none login', 'nonsense'])('and prompt=%s is refused', async (prompt) => {
    expect((await ask(await makeClient(), makeBrowser(), { prompt })).error).toBe('invalid_request')
  })
})

describe.each(['web', 'spa', 'native'] as const)('max_age without openid, of a %s client', (profile) => {
  const signInOnly = { scope: 'accounts:read', nonce: undefined }
  /** Also a native client is one that can be known, so that nothing but `max_age` asks. */
  const makeKnown = () => makeClient(profile, profile === 'native' ? { redirect_uris: [redirectUri] } : {})

  test('asks for a sign-in where the last one is older, and for nothing where it is not', async () => {
    const client = await makeKnown()
    const browser = makeBrowser()
    const first = await ask(client, browser, { ...signInOnly, max_age: '60' })
    expect([first.seen, first.error]).toEqual([['login', 'consent'], null])
    server.clock.setOffsetMs(120_000)
    expect((await ask(client, browser, { ...signInOnly, max_age: '600' })).seen).toEqual([])
    const again = await ask(client, browser, { ...signInOnly, max_age: '60' })
    expect([again.seen, again.error]).toEqual([['login'], null])
    const { body } = await redeem(server.replicas[0], client, again.attempt, codeOf(again.location.href))
    expect(body).toMatchObject({ scope: 'accounts:read' })
    expect(body).not.toHaveProperty('id_token')
  })

  test('0 asks for a sign-in each time, once, also in the second of the last one', async () => {
    const client = await makeKnown()
    const browser = makeBrowser()
    expect((await ask(client, browser, { ...signInOnly, max_age: '0' })).seen).toEqual(['login', 'consent'])
    expect((await ask(client, browser, { ...signInOnly, max_age: '0' })).seen).toEqual(['login'])
    const both = { ...signInOnly, max_age: '0', prompt: 'login consent' }
    expect((await ask(client, browser, both)).seen).toEqual(['login', 'consent'])
  })

  test('with prompt=none is login_required where the sign-in is older, and with 0 always', async () => {
    const client = await makeKnown()
    const browser = makeBrowser()
    await ask(client, browser)
    const none = { ...signInOnly, prompt: 'none' }
    expect((await ask(client, browser, { ...none, max_age: '0' })).error).toBe('login_required')
    server.clock.setOffsetMs(120_000)
    expect((await ask(client, browser, { ...none, max_age: '60' })).error).toBe('login_required')
    expect((await ask(client, browser, { ...none, max_age: '600' })).error).toBeNull()
    expect((await ask(client, makeBrowser(), { ...none, max_age: '600' })).error).toBe('login_required')
  })
})

const oddAges = [
  '-1',
  '-0',
  '1.5',
  '60.0',
  '1e2',
  '0x10',
  '%2B60',
  '%2060',
  '60%20',
  '6%200',
  'soon',
  'NaN',
  '%D9%A6',
  '1e999',
  '9007199254740992',
]

test.each(oddAges)('max_age %s is refused by name with openid, too', async (value) => {
  const { parameters } = await makeAttempt(await makeClient())
  const refused = locationOf(
    await browse(server.replicas[0], makeBrowser(), `${addressOf(parameters)}&max_age=${value}`),
  )
  expect(Object.fromEntries(new URL(refused).searchParams)).toMatchObject({
    error: 'invalid_request',
    error_description: expect.stringContaining('max_age'),
    state: 'state-1',
  })
})

test('an empty max_age counts as omitted', async () => {
  const { parameters } = await makeAttempt(await makeClient())
  const begun = locationOf(await browse(server.replicas[0], makeBrowser(), `${addressOf(parameters)}&max_age=`))
  expect(begun).toMatch(/^\/interaction\//)
})

describe('max_age without openid, sent directly', () => {
  const signInOnly = { scope: 'accounts:read', nonce: undefined }
  const answer = async (more: string) => {
    const { parameters } = await makeAttempt(await makeClient(), signInOnly)
    return locationOf(await browse(server.replicas[0], makeBrowser(), `${addressOf(parameters)}${more}`))
  }
  const refusal = async (more: string) => Object.fromEntries(new URL(await answer(more)).searchParams)

  test.each(oddAges)('%s is refused by name', async (value) => {
    expect(await refusal(`&max_age=${value}`)).toMatchObject({
      error: 'invalid_request',
      error_description: expect.stringMatching(/^max_age /),
      state: 'state-1',
    })
  })

  test('twice is refused by name', async () => {
    const twice = {
      error: 'invalid_request',
      error_description: expect.stringContaining("'max_age' parameter must not"),
    }
    expect(await refusal('&max_age=1&max_age=2')).toMatchObject(twice)
  })

  test('is not set by the name that it is kept under', async () => {
    expect(await answer('&max_age_alone=-1&max_age_alone=2')).toMatch(/^\/interaction\//)
    const client = await makeClient()
    const browser = makeBrowser()
    await ask(client, browser)
    expect((await ask(client, browser, { max_age_alone: '0' })).seen).toEqual([])
    expect((await ask(client, browser, { ...signInOnly, max_age_alone: '0' })).seen).toEqual([])
  })
})

describe('a suspended grant', () => {
  test('gives nothing, and is only replaced after a fresh sign-in and consent', async () => {
    const client = await makeClient()
    const { browser, body, proofKey } = await connect(server.replicas[0], client)
    const before = await findHumanGrant(server.db, owner, client.clientId)
    server.clock.setOffsetMs(5_000)
    await suspendGrant(server.db, before?.grant_id ?? '', why, server.clock.now())
    const refused = await refresh(server.replicas[0], client, proofKey, String(body['refresh_token']))
    expect(refused).toMatchObject({ status: 400, body: { error: 'invalid_grant' } })
    expect((await ask(client, browser, { prompt: 'none' })).error).toBe('login_required')

    server.clock.setOffsetMs(10_000)
    const again = await ask(client, browser)
    expect(again.seen).toEqual(['login', 'consent'])
    const tokens = await redeem(server.replicas[0], client, again.attempt, codeOf(again.location.href))
    const after = await findHumanGrant(server.db, owner, client.clientId)
    expect(after?.grant_id).not.toBe(before?.grant_id)
    expect(decodeJwt(String(tokens.body['access_token']))['grant_id']).toBe(after?.grant_id)
  })

  test('that another declaration of the client ended is likewise only replaced after a fresh sign-in', async () => {
    const client = await makeClient()
    const browser = makeBrowser()
    await ask(client, browser)
    const grant = await findHumanGrant(server.db, owner, client.clientId)
    const by = { operator: 'jonas', words: 'It pays to strangers.', request_id: null }
    server.clock.setOffsetMs(5_000)
    const now = server.clock.now()
    await changeInTurn(server.db, (tx) => suspendGrantForOperator(tx, grant?.grant_id ?? '', by, now))
    const moved = { ...client.registration, sector_identifier: 'another.example' }
    await server.apply(known.map(({ registration }) => (registration === client.registration ? moved : registration)))
    expect(await findHumanGrant(server.db, owner, client.clientId)).toBeUndefined()
    server.clock.setOffsetMs(10_000)
    expect((await ask(client, browser, { prompt: 'none' })).error).toBe('login_required')
    expect((await ask(client, browser)).seen).toEqual(['login', 'consent'])
    expect((await ask(client, browser)).seen).toEqual([])
  })

  test('is not given by prompt=none to one who signed in since', async () => {
    const client = await makeClient()
    const browser = makeBrowser()
    await ask(client, browser)
    const grant = await findHumanGrant(server.db, owner, client.clientId)
    server.clock.setOffsetMs(5_000)
    await suspendGrant(server.db, grant?.grant_id ?? '', why, server.clock.now())
    server.clock.setOffsetMs(10_000)
    await ask(await makeClient(), browser, { prompt: 'login' })
    expect((await ask(client, browser, { prompt: 'none' })).error).toBe('consent_required')
  })
})

test('somebody else who signs in takes over the browser, with their own grant and subject', async () => {
  const client = await makeClient()
  const first = await connect(server.replicas[0], client)
  const other = await ask(client, first.browser, { prompt: 'login' }, somebodyElse)
  expect(other.seen).toEqual(['login', 'consent'])
  const { body } = await redeem(server.replicas[0], client, other.attempt, codeOf(other.location.href))
  const [one, two] = [first.body, body].map((tokens) => decodeJwt(String(tokens['access_token'])))
  expect(one?.sub).not.toBe(two?.sub)
  expect(one?.['grant_id']).not.toBe(two?.['grant_id'])
  expect((await ask(client, first.browser)).seen).toEqual([])
  expect((await ask(client, first.browser, { prompt: 'none' })).error).toBeNull()
})

test('a session is over after an hour without use', async () => {
  const client = await makeClient()
  const browser = makeBrowser()
  await ask(client, browser)
  server.clock.setOffsetMs(59 * 60_000)
  expect((await ask(client, browser)).seen).toEqual([])
  server.clock.setOffsetMs(120 * 60_000)
  expect((await ask(client, browser)).seen).toEqual(['login'])
})

test('a client of another sector knows the owner by another subject, one of the same by the same', async () => {
  const native = await makeClient('native')
  const [one, same] = [await makeClient('spa'), await makeClient('web')]
  const subjects: unknown[] = []
  for (const client of [native, one, same])
    subjects.push(decodeJwt(String((await connect(server.replicas[0], client)).body['id_token'])).sub)
  expect(subjects[1]).toBe(subjects[2])
  expect(subjects[0]).not.toBe(subjects[1])
})

test('the address of an authorization is not the authorization of another browser', async () => {
  const client = await makeClient()
  const { parameters } = await makeAttempt(client)
  const seen: string[] = []
  await expect(
    flow(server.replicas[0], makeBrowser(), addressOf(parameters), { seen }).then(async () => {
      await flow(server.replicas[0], makeBrowser(), '/oauth/authorize/some-uid')
    }),
  ).rejects.toThrow('no redirect: 400')
})
