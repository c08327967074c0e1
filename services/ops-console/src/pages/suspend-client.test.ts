import { type FakeIdentityProvider, startFakeIdentityProvider } from '@financial-agents/testkit/fake-identity-provider'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createBrowser, hiddenFields } from '../browser.test-helper.ts'
import { type Stack, startStack } from '../console.test-helper.ts'
import { consoleUrl } from '../operator-client.test-helper.ts'
import { groupScopes } from '../sign-in/group-scopes.ts'
import { grantRow } from '../stub-services.test-helper.ts'

let provider: FakeIdentityProvider
const stacks: Record<'one' | 'two', Stack> = {} as never
const path = '/ops/clients/client-one/suspend'

beforeAll(async () => {
  provider = await startFakeIdentityProvider({ redirectUris: [`${consoleUrl}/ops/signed-in`] })
  const config = {
    OPERATOR_IDP_ISSUER: provider.issuer,
    OPERATOR_IDP_CLIENT_ID: provider.clientId,
    OPERATOR_IDP_CLIENT_SECRET: provider.clientSecret,
    // Both people of the fake provider may suspend.
    OPERATOR_GROUPS: groupScopes.parse('viewers=ops:read ops:suspend;responders=ops:read ops:suspend'),
  }
  stacks.one = await startStack({ config })
  stacks.two = await startStack({ config: { ...config, CLIENT_SUSPENSION_BY_TWO: true } })
})
afterAll(async () => {
  for (const stack of Object.values(stacks)) await stack.stop()
  await provider.stop()
})

beforeEach(() => {
  for (const { known } of Object.values(stacks)) {
    const other = { id: 'other', name: 'Other', profile: 'web' } as const
    known.grants = [...Array.from({ length: 103 }, (_, n) => grantRow(n)), grantRow(200, { client: other })]
    known.suspend = async ({ grant_id, operator, reason, reason_for_owner = null }) => {
      const grant = known.grants.find((one) => one.grant_id === grant_id)
      if (!grant) return { outcome: 'not_found' }
      const suspended = { at: grant.created_at, by: operator, reason, reason_for_owner }
      Object.assign(grant, { status: 'suspended', suspended })
      return { outcome: 'suspended', grant }
    }
  }
})

const activeOf = ({ known }: Stack) =>
  known.grants.filter(({ status }) => status === 'active').map(({ client }) => client.id)

async function visit(stack: Stack, person: string, at = path) {
  const browser = createBrowser(stack.gateway)
  await browser.signIn(person)
  const page = await browser.ask(at)
  const send = (form: Record<string, string>) =>
    browser.ask(path, { form: { ...hiddenFields(page.text, '/ops/sign-out'), ...form } })
  return { browser, page, send }
}

describe('every grant of a client', () => {
  test('is counted, and suspended 100 at a time, and no grant of another client is', async () => {
    const { page, send } = await visit(stacks.one, 'jonas.brandt')
    expect(page.text).toContain('103 active grants')
    const some = await send({ reason: 'It drains accounts.' })
    expect(some.text).toContain('100 suspended, 0 not confirmed yet, 3 active.')
    const rest = await send({ reason: 'It drains accounts.' })
    expect(rest.text).toContain('Every grant is suspended.')
    expect(activeOf(stacks.one)).toEqual(['other'])
    expect(stacks.one.known.grants[0]?.suspended).toMatchObject({ by: 'jonas.brandt', reason: 'It drains accounts.' })
    const entries = await stacks.one.audit()
    expect(
      entries.filter(({ action, outcome }) => action === 'suspendOperatorGrant' && outcome === 'suspended'),
    ).toHaveLength(103)
    expect(entries.filter(({ action }) => action === 'suspendClient')).toHaveLength(2)
  })

  test('is not suspended without a reason, and an unknown client has no page', async () => {
    const { browser, send } = await visit(stacks.one, 'jonas.brandt')
    expect((await send({ reason: ' x ' })).status).toBe(422)
    const short = await send({ reason: 'It drains accounts.', reason_for_owner: 'x' })
    expect([short.status, short.text.includes('It drains accounts.')]).toEqual([422, true])
    expect((await browser.ask('/ops/clients/nobody/suspend')).status).toBe(404)
    expect(activeOf(stacks.one)).toHaveLength(104)
  })
})

describe('with two persons', () => {
  test('the first asks, cannot confirm, and the second suspends with both names', async () => {
    const first = await visit(stacks.two, 'jonas.brandt')
    const asked = await first.send({ reason: 'It drains accounts.', reason_for_owner: 'We look into an error.' })
    expect(asked.status).toBe(303)
    expect(activeOf(stacks.two)).toHaveLength(104)
    const link = asked.headers.get('location') ?? ''
    const own = await visit(stacks.two, 'jonas.brandt', link)
    expect(own.page.text).toContain('Give a colleague the address of this page.')
    const request = new URL(link, consoleUrl).searchParams.get('request') ?? ''
    expect((await own.send({ request })).text).toContain('Give a colleague')
    expect(activeOf(stacks.two)).toHaveLength(104)

    const second = await visit(stacks.two, 'marta.vidal', link)
    expect(second.page.text).toContain('It drains accounts.')
    expect(second.page.text).toContain('Reason for the owner: We look into an error.')
    await second.send({ request })
    expect(activeOf(stacks.two)).toHaveLength(4)
    expect(stacks.two.known.grants.find(({ suspended }) => suspended)?.suspended).toMatchObject({
      by: 'marta.vidal',
      reason: 'It drains accounts. (asked for by jonas.brandt)',
      reason_for_owner: 'We look into an error.',
    })
  })

  test('a link that is old, changed or of another client suspends nothing', async () => {
    const first = await visit(stacks.two, 'jonas.brandt')
    const link = (await first.send({ reason: 'It drains accounts.' })).headers.get('location') ?? ''
    const request = new URL(link, consoleUrl).searchParams.get('request') ?? ''
    const second = await visit(stacks.two, 'marta.vidal', link)
    expect((await second.browser.ask(`/ops/clients/other/suspend?request=${request}`)).text).toContain(
      'not valid any more',
    )
    expect((await second.send({ request: `${request}A` })).text).toContain('not valid any more')
    stacks.two.clock.setOffsetMs(61 * 60_000)
    const later = await visit(stacks.two, 'marta.vidal', link)
    expect((await later.send({ request })).text).toContain('not valid any more')
    stacks.two.clock.setOffsetMs(0)
    expect(activeOf(stacks.two)).toHaveLength(104)
  })
})
