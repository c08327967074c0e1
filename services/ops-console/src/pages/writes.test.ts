import { type FakeIdentityProvider, startFakeIdentityProvider } from '@financial-agents/testkit/fake-identity-provider'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createBrowser } from '../browser.test-helper.ts'
import { type Stack, startStack } from '../console.test-helper.ts'
import { consoleUrl } from '../operator-client.test-helper.ts'

let provider: FakeIdentityProvider
let stack: Stack
let browser: ReturnType<typeof createBrowser>

const configOf = (idp: FakeIdentityProvider) => ({
  OPERATOR_IDP_ISSUER: idp.issuer,
  OPERATOR_IDP_CLIENT_ID: idp.clientId,
  OPERATOR_IDP_CLIENT_SECRET: idp.clientSecret,
  RUNBOOK_BASE_URL: 'https://runbooks.example/pages/',
})

beforeAll(async () => {
  provider = await startFakeIdentityProvider({ redirectUris: [`${consoleUrl}/ops/signed-in`] })
  stack = await startStack({ config: configOf(provider) })
  browser = createBrowser(stack.gateway)
  await browser.signIn('jonas.brandt')
})
afterAll(async () => {
  await stack.stop()
  await provider.stop()
})

const since = '2026-11-20T20:18:05.000Z'
const none = { from: null, to: null, transactions: null }
const lostTime = { from: '2026-11-20T19:00:00.000Z', to: '2026-11-20T19:10:00.000Z', transactions: 7 }

let minutes = 0
/** What the services say now: the console keeps an answer for seconds. */
function say(closed: Stack['known']['closed'], lost: Stack['known']['lost'] = null): void {
  Object.assign(stack.known, { closed, lost })
  minutes += 1
  stack.clock.setOffsetMs(minutes * 60_000)
}

/** The visible text of a page, in one line. */
async function textOf(path: string): Promise<string> {
  const { text } = await browser.ask(path)
  return text.replaceAll(/<style>.*?<\/style>|<[^>]*>/gs, ' ').replaceAll(/\s+/g, ' ')
}

test('while writes are open no page has the banner', async () => {
  say({ operations: null, submitter: null })
  expect(await textOf('/ops')).not.toContain('Writes are')
  expect(await textOf('/ops/writes')).toContain('Writes are open.')
})

test('while writes are closed every page says since when, why, what was lost, and the next step', async () => {
  const operation_id = '0190c000-0000-7000-8000-000000000000'
  const at = '2026-11-20T19:09:00.000Z'
  const who = { owner_id: 'internal', client_id: 'tally' }
  const named = { ...who, operation_id, kind: 'transfer', state: 'submitted', at, upstream_reference: 'tr_7' } as const
  say(
    {
      operations: { reason: 'elsewhere', since: '2026-11-20T20:18:07.000Z', ...lostTime },
      submitter: { reason: 'loss', since, ...lostTime },
    },
    { count: 3, operations: [named] },
  )
  for (const path of [
    '/ops',
    '/ops/operations',
    '/ops/grants',
    '/ops/audit',
    '/ops/provider',
    `/ops/operations/${operation_id}`,
  ])
    for (const headers of [{}, { 'x-refresh': '1' }]) {
      const { text } = await browser.ask(path, { headers })
      expect(text, path).toContain('Writes are closed.')
      expect(text, path).toContain(`<time datetime="${since}">`)
      expect(text, path).toContain(`<time datetime="${lostTime.from}">`)
      expect(text, path).toContain(`<time datetime="${lostTime.to}">`)
      expect(text, path).toContain('7 transactions. Events name 3 lost operations.')
      expect(text, path).toContain('it went back in time')
      expect(text, path).toContain('href="https://runbooks.example/pages/WritesClosed.md"')
      expect(text, path).toContain('<code>recover</code>')
    }
  const page = await textOf('/ops/writes')
  for (const words of [operation_id, 'Submitted', 'tr_7', 'tally', '2 more.', '( loss )', '( elsewhere )'])
    expect(page).toContain(words)
  expect(page).not.toContain('internal')
  expect((await stack.audit()).map(({ action }) => action)).toContain('viewWrites')
})

test.each([
  ['operations', 'Nothing new is accepted.'],
  ['submitter', 'What is accepted waits'],
] as const)('if %s alone is closed, the banner says what still goes on', async (service, words) => {
  say({ operations: null, submitter: null, [service]: { reason: 'unreachable', since, ...none } })
  const text = await textOf('/ops')
  expect(text).toContain(words)
  expect(text).not.toContain('Command')
  expect(await textOf('/ops/writes')).toContain('Nothing is proven to be lost.')
})

test('however many pages are shown, the services are asked once in five seconds', async () => {
  say({ operations: null, submitter: null })
  const asked = () => stack.known.asked.filter((name) => name === 'witness').length
  const before = asked()
  for (let pages = 0; pages < 5; pages += 1) await textOf('/ops/grants')
  expect(asked()).toBe(before + 1)
})

test('a console whose services do not answer says so, and still shows its pages', async () => {
  const without = await startStack({ silent: ['submitter'], config: configOf(provider) })
  const other = createBrowser(without.gateway)
  await other.signIn('jonas.brandt')
  const { status, text } = await other.ask('/ops')
  expect(status).toBe(200)
  expect(text).toContain('It is not known if writes are open.')
  expect((await other.ask('/ops/writes')).text).toContain('Unknown')
  await without.stop()
})
