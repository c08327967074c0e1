import { statement } from '@financial-agents/postgres/database'
import { type FakeIdentityProvider, startFakeIdentityProvider } from '@financial-agents/testkit/fake-identity-provider'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { createBrowser, hiddenFields } from '../browser.test-helper.ts'
import { breakAudit, type Stack, startStack } from '../console.test-helper.ts'
import { consoleUrl } from '../operator-client.test-helper.ts'

let provider: FakeIdentityProvider
let stack: Stack

beforeAll(async () => {
  provider = await startFakeIdentityProvider({ redirectUris: [`${consoleUrl}/ops/signed-in`] })
  stack = await startStack({
    config: {
      OPERATOR_IDP_ISSUER: provider.issuer,
      OPERATOR_IDP_CLIENT_ID: provider.clientId,
      OPERATOR_IDP_CLIENT_SECRET: provider.clientSecret,
    },
  })
})
afterAll(async () => {
  await stack.stop()
  await provider.stop()
})
afterEach(() => stack.clock.setOffsetMs(0))

const minuteMs = 60_000
const browser = () => createBrowser(stack.gateway)
const last = async () => (await stack.audit()).at(-1)

/** Checks the audit entry of the last sign-in, and that nobody is signed in. */
async function expectRefused(from: ReturnType<typeof browser>, answer: { status: number; text: string }, code: string) {
  expect(answer.text).toContain(`<code>${code}</code>`)
  expect(await last()).toMatchObject({ action: 'signIn', outcome: code, remote_address: '192.0.2.7' })
  expect((await from.ask('/ops')).status).toBe(303)
}

/** Checks that the return is logged, leaves no audit entry, and signs nobody in. */
async function expectStale(from: ReturnType<typeof browser>, back: string) {
  const [entries, lines] = [(await stack.audit()).length, stack.logLines.length]
  const answer = await from.ask(back)
  expect([answer.status, answer.text]).toEqual([400, expect.stringContaining('<code>stale_sign_in</code>')])
  expect(stack.logLines.slice(lines).join('')).toContain('belongs to no sign-in')
  expect(await stack.audit()).toHaveLength(entries)
  expect((await from.ask('/ops')).status).toBe(303)
}

describe('signing in', () => {
  test('leads back to where the operator wanted, and is in the audit', async () => {
    const marta = browser()
    const wanted = await marta.ask('/ops?state=failed')
    expect(wanted.headers.get('location')).toBe('/ops/sign-in?next=%2Fops%3Fstate%3Dfailed')
    const answer = await marta.signIn('marta.vidal', '/ops?state=failed')
    expect(answer.headers.get('location')).toBe('/ops?state=failed')
    expect(await last()).toMatchObject({
      action: 'signIn',
      operator_id: 'marta.vidal',
      operator_name: 'Marta Vidal',
      detail: { scopes: ['ops:read'] },
      outcome: 'signed_in',
    })
    const page = await marta.ask('/ops')
    expect(page.status).toBe(200)
    expect(page.text).toContain('Marta Vidal')
    const looks = (await stack.audit()).filter(({ action }) => action === 'viewOverview')
    expect(looks).toMatchObject([{ operator_id: 'marta.vidal', outcome: 'answered' }])
  })

  test('sets a cookie that no script reads, under a name that no other host can plant behind https', async () => {
    const { headers } = await browser().signIn('marta.vidal')
    const cookie = headers.getSetCookie().find((one) => one.startsWith('ops_session='))
    expect(cookie).toMatch(/^ops_session=[\w-]{43}; Path=\/; SameSite=lax; HttpOnly$/)
  })

  test.each(['https://elsewhere.test/ops', '//elsewhere.test/ops', '/opsecure', '/account', '/ops/\\elsewhere.test\n'])(
    'leads to the overview in place of %j',
    async (next) => {
      const answer = await browser().signIn('marta.vidal', next)
      expect(answer.headers.get('location')).toBe('/ops')
    },
  )

  test('gives the scopes of all groups', async () => {
    await browser().signIn('jonas.brandt')
    expect((await last())?.detail).toEqual({ scopes: ['ops:read', 'ops:suspend'] })
  })

  test('of somebody in no group ends in a page that says so', async () => {
    const lena = browser()
    const answer = await lena.signIn('lena.okoye')
    expect(answer.status).toBe(403)
    await expectRefused(lena, answer, 'no_group')
    expect((await last())?.operator_id).toBe('lena.okoye')
  })

  test('ends in a page where the operator went back', async () => {
    const nobody = browser()
    await expectRefused(nobody, await nobody.signIn('nobody'), 'sign_in_declined')
  })

  test('whose audit entry cannot be written signs nobody in', async () => {
    const marta = browser()
    const back = await marta.choose(await marta.begin(), 'marta.vidal')
    const mend = await breakAudit(stack.db)
    expect((await marta.ask(back)).status).toBe(503)
    await mend()
    expect((await marta.ask('/ops')).status).toBe(303)
  })
})

describe('what comes back', () => {
  test('is good once', async () => {
    const marta = browser()
    const back = await marta.choose(await marta.begin(), 'marta.vidal')
    const answers = await Promise.all([marta.ask(back), marta.ask(back), marta.ask(back)])
    expect(answers.filter((answer) => answer.status === 303)).toHaveLength(1)
    expect(answers.filter((answer) => answer.status === 400)).toHaveLength(2)
  })

  test('is good in the browser that it began in alone', async () => {
    const [marta, other] = [browser(), browser()]
    await other.begin()
    const back = await marta.choose(await marta.begin(), 'marta.vidal')
    await expectStale(other, back)
    await expectStale(browser(), back)
    expect((await marta.ask(back)).status).toBe(303)
  })

  test('is good for ten minutes', async () => {
    const marta = browser()
    const back = await marta.choose(await marta.begin(), 'marta.vidal')
    stack.clock.setOffsetMs(10 * minuteMs)
    await expectStale(marta, back)
  })

  test('belongs to a sign-in that was begun, or leaves no entry in the audit, however often it is sent', async () => {
    for (const back of ['/ops/signed-in', '/ops/signed-in?state=none&code=none', '/ops/signed-in?state=&error=x'])
      await expectStale(browser(), back)
  })

  test('with the code of another sign-in signs nobody in', async () => {
    const marta = browser()
    const first = await marta.choose(await marta.begin(), 'marta.vidal')
    const second = await marta.choose(await marta.begin(), 'marta.vidal')
    const mixed = new URL(second, consoleUrl)
    mixed.searchParams.set('code', new URL(first, consoleUrl).searchParams.get('code') ?? '')
    await expectRefused(marta, await marta.ask(mixed.pathname + mixed.search), 'invalid_sign_in')
  })

  test.each([['nonce', 'another-nonce'] as const, ['code_challenge', 'a'.repeat(43)] as const])(
    'of a sign-in whose %s is another signs nobody in',
    async (name, value) => {
      const marta = browser()
      const url = new URL(await marta.begin())
      url.searchParams.set(name, value)
      await expectRefused(marta, await marta.ask(await marta.choose(url.href, 'marta.vidal')), 'invalid_sign_in')
    },
  )

  test('leaves no code, token, verifier or cookie in the log, the audit or in the clear in the tables', async () => {
    const marta = browser()
    const back = await marta.choose(await marta.begin(), 'marta.vidal')
    const { searchParams } = new URL(back, consoleUrl)
    await marta.ask(back)
    await marta.ask(back)
    const other = new URL(await marta.begin())
    other.searchParams.set('nonce', 'another-nonce')
    const refused = await marta.choose(other.href, 'marta.vidal')
    await marta.ask(refused)
    const { searchParams: refusedParams } = new URL(refused, consoleUrl)
    const tables = await Promise.all(
      ['sessions', 'sign_ins', 'audit'].map((table) =>
        stack.db.rows(statement(`test_all_${table}`, `SELECT t::text AS row FROM ${table} t`)),
      ),
    )
    const written = [...stack.logLines, JSON.stringify(await stack.audit()), JSON.stringify(tables)].join('\n')
    const ofSignIns = [searchParams, refusedParams].flatMap((some) => [some.get('code'), some.get('state')])
    for (const secret of [...ofSignIns, ...marta.cookies.values()]) {
      expect(secret).toBeTruthy()
      expect(written).not.toContain(secret)
    }
  })
})

describe('a forged form', () => {
  test.each([
    ['without its token', {}, {}],
    ['with the token of another browser', { csrf_token: 'A'.repeat(43) }, {}],
    ['of another origin', undefined, { origin: 'https://elsewhere.test' }],
    ['of another site', undefined, { 'sec-fetch-site': 'cross-site' }],
  ])('%s starts no sign-in', async (_name, fields, headers) => {
    const marta = browser()
    const page = await marta.ask('/ops/sign-in')
    const answer = await marta.ask('/ops/sign-in', { form: fields ?? hiddenFields(page.text), headers })
    expect(answer.status).toBe(403)
    expect(answer.text).toContain('forged_form')
  })

  test('signs nobody out', async () => {
    const marta = browser()
    await marta.signIn('marta.vidal')
    const own = hiddenFields((await marta.ask('/ops')).text, '/ops/sign-out')
    expect(own['csrf_token']).toBeTruthy()
    const other = browser()
    await other.signIn('jonas.brandt')
    for (const [fields, headers] of [
      [{}, {}],
      [own, { origin: 'null' }],
      [hiddenFields((await other.ask('/ops')).text, '/ops/sign-out'), {}],
    ] as const)
      expect((await marta.ask('/ops/sign-out', { form: fields, headers })).status).toBe(403)
    expect((await marta.ask('/ops')).status).toBe(200)
  })
})

describe('a session', () => {
  test('ends when the operator signs out, which the audit knows', async () => {
    const marta = browser()
    await marta.signIn('marta.vidal')
    const cookie = marta.cookies.get('ops_session') ?? ''
    const form = hiddenFields((await marta.ask('/ops')).text, '/ops/sign-out')
    const answer = await marta.ask('/ops/sign-out', { form })
    expect(answer.headers.get('location')).toBe('/ops/sign-in?signed_out')
    expect(await last()).toMatchObject({ action: 'signOut', operator_id: 'marta.vidal' })
    expect((await marta.ask('/ops/sign-in?signed_out')).text).toContain('You are signed out')
    marta.cookies.set('ops_session', cookie)
    expect((await marta.ask('/ops')).status).toBe(303)
  })

  test('is over after 15 minutes without use; requests of the page itself are not a use', async () => {
    const marta = browser()
    await marta.signIn('marta.vidal')
    stack.clock.setOffsetMs(14 * minuteMs)
    expect((await marta.ask('/ops')).status).toBe(200)
    stack.clock.setOffsetMs(28 * minuteMs)
    expect((await marta.ask('/ops', { headers: { 'x-refresh': '1' } })).status).toBe(200)
    stack.clock.setOffsetMs(29 * minuteMs)
    expect((await marta.ask('/ops', { headers: { 'x-refresh': '1' } })).status).toBe(401)
    expect((await marta.ask('/ops')).status).toBe(303)
  })

  test('is over after eight hours, however much it is used', async () => {
    const marta = browser()
    await marta.signIn('marta.vidal')
    for (let minutes = 14; minutes < 480; minutes += 14) {
      stack.clock.setOffsetMs(minutes * minuteMs)
      expect((await marta.ask('/ops')).status).toBe(200)
    }
    stack.clock.setOffsetMs(480 * minuteMs)
    expect((await marta.ask('/ops')).status).toBe(303)
  })

  test('has a new id after each sign-in, and the one before is over', async () => {
    const marta = browser()
    await marta.signIn('marta.vidal')
    const before = marta.cookies.get('ops_session') ?? ''
    await marta.signIn('jonas.brandt')
    expect(marta.cookies.get('ops_session')).not.toBe(before)
    marta.cookies.set('ops_session', before)
    expect((await marta.ask('/ops')).status).toBe(303)
  })
})

test('if the identity provider is down, the page says so', async () => {
  const without = await startStack()
  const marta = createBrowser(without.gateway)
  const page = await marta.ask('/ops/sign-in')
  expect(page.status).toBe(200)
  const answer = await marta.ask('/ops/sign-in', { form: hiddenFields(page.text) })
  expect(answer.status).toBe(503)
  expect(answer.text).toContain('identity_provider_unavailable')
  await without.stop()
})
