import { randomUUID } from 'node:crypto'
import { accountPageClient } from '@financial-agents/contract/principal'
import { mandateOf } from '@financial-agents/owner-pages/testing/mandate-of'
import { pagePaths, pathTo } from '@financial-agents/pages/page-paths'
import { statement } from '@financial-agents/postgres/database'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { suspendForOperator } from '../calls/suspend-grant.ts'
import { registeredPolicy } from '../policy/grant-policy.ts'
import { readAuditOfGrant } from '../store/audit.test-helper.ts'
import { revokeGrant, suspendGrant } from '../store/grant-status.ts'
import { findHumanGrant, grantLifetimeMs, recordConsent } from '../store/human-grants.ts'
import { type Browser, browse, locationOf, makeBrowser, makeOwnerClient, textOf } from '../test-client.test-helper.ts'
import { makeServiceClient } from '../test-server.test-helper.ts'
import {
  amara,
  formTo,
  ines,
  open,
  readPage,
  send,
  signedInAs,
  signedInBrowser,
  signInFrom,
  startTestPages,
  type TestPages,
} from './pages.test-helper.ts'

const hostile = '<script>alert(1)</script> & "Co"'
const client = makeOwnerClient('web', 'ledger', {
  name: hostile,
  policy: { withdrawal_ceilings: { per_day: { amount: '300.00', currency: 'EUR' } } },
})
const agent = makeServiceClient('agent', { name: 'The agent' })
const connected = {
  binding_id: 'binding-1',
  owner_id: ines,
  status: 'connected',
  provider_name: 'Bank <i>of</i> Test',
  source: 'sign_in',
  connected_at: '2026-10-01T00:00:00.000Z',
} as const
let pages: TestPages
let browser: Browser

beforeAll(async () => {
  pages = await startTestPages()
  await pages.base.apply([client.registration, agent.registration])
})
beforeEach(async () => {
  pages.others.finish = signedInAs(ines, 'Ines Carvalho')
  pages.others.bindings = []
  browser = await signedInBrowser(pages)
})
afterAll(() => pages.close())

async function grantTo(owner: string): Promise<string> {
  const now = pages.base.clock.now()
  const { grant_id } = await recordConsent(
    pages.base.db,
    {
      owner_id: owner,
      client_id: client.clientId,
      subject: `subject of ${owner}`,
      scopes: ['accounts:read', 'spending:withdraw'],
      openid: false,
      policy: registeredPolicy(client.registration),
      mandate_ids: [],
      authenticated_at: now,
      expires_at: new Date(now.getTime() + grantLifetimeMs),
      request_id: null,
    },
    now,
  )
  return grant_id
}

describe('somebody who is not signed in', () => {
  test('is offered to sign in, and comes back to the account', async () => {
    const page = await open(pages, makeBrowser(), '/account')
    expect(page).toMatchObject({ status: 200, title: 'Your account' })
    expect(page.forms.map(({ action }) => action)).toEqual(['/account/sign-in'])
  })

  test('cannot be signed in by another site', async () => {
    const other = makeBrowser()
    const { action } = formTo(await open(pages, other, '/account'), '/sign-in')
    const { fields } = formTo(await open(pages, makeBrowser(), '/account'), '/sign-in')
    expect((await send(pages, other, { action, fields })).status).toBe(403)
  })

  test('cannot revoke, disconnect or sign out', async () => {
    const grantId = await grantTo(ines)
    for (const action of [`/account/grants/${grantId}/revoke`, '/account/disconnect', '/sign-out'])
      expect((await send(pages, makeBrowser(), { action, fields: {} })).status).toBe(403)
    expect(await findHumanGrant(pages.base.db, ines, client.clientId)).toMatchObject({ status: 'active' })
  })

  test('gets a new session id with each sign-in, and the old one is worth nothing', async () => {
    const before = new Map(browser.cookies)
    pages.others.finish = signedInAs(amara, 'Amara Okafor')
    const other = { cookies: new Map(browser.cookies) }
    await send(pages, other, formTo(await open(pages, other, '/account'), '/sign-out'))
    expect(await open(pages, { cookies: before }, '/account')).toMatchObject({ title: 'Your account' })
    expect((await open(pages, { cookies: before }, '/account')).text).not.toContain('Signed in as')
    await signInFrom(pages, other, await open(pages, other, '/account'))
    expect((await open(pages, other, '/account')).text).toContain('Amara Okafor')
    expect(other.cookies.get('__Host-session')).not.toBe(before.get('__Host-session'))
  })
})

describe('the account page', () => {
  test('shows who may do what, in words, names of applications as text, service accounts too', async () => {
    await grantTo(ines)
    const page = await open(pages, browser, '/account')
    expect(page.text).toContain('Signed in as <strong><bdi>Ines Carvalho</bdi></strong>')
    expect(page.text).toContain('&lt;script&gt;alert(1)&lt;/script&gt; &amp; &quot;Co&quot;')
    expect(page.text).not.toContain('<script')
    expect(page.text).toContain('Move money, up to EUR 300.00 a day')
    expect(page.text).toContain('The agent')
    expect(page.text).toContain('It cannot move money.')
  })

  test('never shows what another owner has', async () => {
    pages.others.finish = signedInAs(amara, 'Amara Okafor')
    const theirs = await signedInBrowser(pages)
    const page = await open(pages, theirs, '/account')
    expect(page.text).toContain('No application can do anything for you.')
    expect(page.text).not.toContain('The agent')
  })

  test('is honest about operations: what is under way, and what nobody knows yet', async () => {
    const grant_id = await grantTo(ines)
    const at = pages.base.clock.now().toISOString()
    const operation = {
      operation_id: randomUUID(),
      client_id: client.clientId,
      grant_id,
      resource_type: 'withdrawal',
      resource_id: 'withdrawal-1',
      failure_code: null,
      upstream_reference: null,
      payment: { amount: '12.5', currency: 'EUR', beneficiary_id: 'payee-1', mandate_id: null },
      approval: null,
      kind: 'transfer',
      submission_uncertain: true,
      created_at: at,
      updated_at: at,
    } as const
    const done = { ...operation, kind: 'beneficiary_create', state: 'succeeded', resource_type: 'beneficiary' } as const
    pages.others.activity = { in_flight: [{ ...operation, state: 'indeterminate' }], latest: [done], intents: [] }
    const page = await open(pages, browser, '/account')
    expect(page.text).toContain('We do not know yet whether your provider did this.')
    expect(page.text).toContain('nothing will be sent again')
    expect(page.text).toContain('Add somebody to pay')
    pages.others.activity = { in_flight: [], latest: [], intents: [] }
    const didLast = (text: string) => /<dt>Did last<\/dt><dd>(.*?)<\/dd>/s.exec(text)?.[1]?.replaceAll(/<[^>]*>/g, ' ')
    pages.others.activity.latest = [{ ...operation, state: 'succeeded' }]
    pages.others.payees = [{ id: 'payee-1', beneficiary_name: 'Rui Prado' }]
    const path = pathTo(pagePaths.accountApplication, { grantId: grant_id })
    for (const { text } of [await open(pages, browser, '/account'), await open(pages, browser, path)])
      expect(didLast(text)).toMatch(/Pay somebody: .*Done.*EUR 12\.50.*Rui Prado/s)
    pages.others.activity.latest = []
    pages.others.payees = []
  })

  test('says what it cannot show, and lets access be ended all the same', async () => {
    const lonely = await startTestPages()
    await lonely.base.apply([agent.registration])
    const who = await signedInBrowser(lonely)
    await lonely.stopOperations()
    const page = await open(lonely, who, '/account')
    expect(page.status).toBe(200)
    expect(page.text).toContain('cannot be shown now')
    const other = await open(lonely, who, `/confirm/${randomUUID()}`)
    expect(other).toMatchObject({ status: 503, title: 'This cannot be shown now' })
    const form = formTo(page, '/revoke')
    const sure = { ...form, fields: { ...form.fields, sure: 'yes' } }
    expect(locationOf(await send(lonely, who, sure))).toBe('/account')
    expect((await open(lonely, who, '/account')).text).toMatch(/Access ended\..*You ended it\./s)
    await lonely.close()
  })

  test('ends access with one click, says so once, and lists it as ended', async () => {
    const grantId = await grantTo(ines)
    const page = await open(pages, browser, '/account')
    const answer = await send(pages, browser, formTo(page, `/${grantId}/revoke`))
    expect(answer.status).toBe(303)
    expect(locationOf(answer)).toBe('/account')
    const after = await open(pages, browser, '/account')
    expect(after.text).toContain('Access ended.')
    expect(pages.others.fenced).toContain(grantId)
    expect(after.text).toContain('You ended it.')
    expect((await open(pages, browser, '/account')).text).not.toContain('Access ended.')
    expect(await findHumanGrant(pages.base.db, ines, client.clientId)).toBeUndefined()
    expect((await readAuditOfGrant(pages.base.db, grantId))[0]).toMatchObject({
      event: 'grant_revoked',
      actor: 'owner',
    })
    // The form is sent again, from a page that was still open.
    await send(pages, browser, formTo(page, `/${grantId}/revoke`))
    expect((await open(pages, browser, '/account')).text).toContain('had already ended')
  })

  test('does not say that access ended before nothing of it can be sent any more, nor when asked again', async () => {
    const silent = await startTestPages()
    await silent.base.apply([agent.registration])
    const who = await signedInBrowser(silent)
    const asked = formTo(await open(silent, who, '/account'), '/revoke')
    const form = { ...asked, fields: { ...asked.fields, sure: 'yes' } }
    await silent.stopSubmitter()
    for (let times = 0; times < 2; times += 1) {
      expect(locationOf(await send(silent, who, form))).toBe('/account')
      const after = await open(silent, who, '/account')
      expect(after.text).toContain('Access is ending.')
      expect(after.text).toContain('not confirmed yet')
      expect(after.text).not.toMatch(/Access ended|had already ended/)
    }
    await silent.close()
  })

  test('ends the access of nobody else, and of nothing that does not exist', async () => {
    const theirs = await grantTo(amara)
    await grantTo(ines)
    const { fields } = formTo(await open(pages, browser, '/account'), '/revoke')
    for (const id of [theirs, randomUUID(), 'nonsense', '%00'])
      expect((await send(pages, browser, { action: `/account/grants/${id}/revoke`, fields })).status).toBe(404)
    expect(await findHumanGrant(pages.base.db, amara, client.clientId)).toMatchObject({ status: 'active' })
  })

  test('takes no form without its token, with that of another session, or from another site', async () => {
    await grantTo(ines)
    const form = formTo(await open(pages, browser, '/account'), '/revoke')
    const other = formTo(await open(pages, await signedInBrowser(pages), '/account'), '/revoke').fields
    for (const fields of [{}, other]) expect((await send(pages, browser, { ...form, fields })).status).toBe(403)
    const evil: [string, string][] = [['origin', 'https://evil.example']]
    expect((await send(pages, browser, form, {}, evil)).status).toBe(403)
    expect(await findHumanGrant(pages.base.db, ines, client.clientId)).toMatchObject({ status: 'active' })
  })

  test('asks once before it ends the access of a service account, which nobody can give again', async () => {
    const lonely = await startTestPages()
    await lonely.base.apply([agent.registration])
    const who = await signedInBrowser(lonely)
    const statuses = statement('test_service_grants', `SELECT status FROM grants WHERE kind = 'service'`)
    const statusOf = () => lonely.base.db.rows(statuses)
    const asking = readPage(await send(lonely, who, formTo(await open(lonely, who, '/account'), '/revoke')))
    expect(asking.text).toContain('This cannot be taken back.')
    expect(asking.text).not.toContain('/pause')
    expect(await statusOf()).toEqual([{ status: 'active' }])
    expect(locationOf(await send(lonely, who, formTo(asking, '/revoke')))).toBe('/account')
    expect((await open(lonely, who, '/account')).text).toContain('Access ended.')
    await lonely.base.apply([])
    await lonely.base.apply([agent.registration])
    expect(await statusOf()).toEqual([{ status: 'revoked' }])
    await lonely.close()
  })

  test('pauses an access until a new sign-in and consent, and reports it only once its fence holds', async () => {
    const grantId = await grantTo(ines)
    const form = formTo(await open(pages, browser, '/account'), `/${grantId}/pause`)
    expect(locationOf(await send(pages, browser, form))).toBe('/account')
    expect(pages.others.fenced).toContain(grantId)
    const after = await open(pages, browser, '/account')
    expect(after.text).toContain('Access paused.')
    expect(after.text).toContain('Paused by you')
    expect(after.text).toContain('sign in through the application anew')
    expect(after.text).not.toContain(`/${grantId}/pause`)
    expect((await readAuditOfGrant(pages.base.db, grantId))[0]).toMatchObject({
      event: 'grant_suspended',
      actor: 'owner',
      detail: { reason: 'paused_by_owner' },
    })
    // Sent again from a page that was still open, and for an access that has ended.
    await send(pages, browser, form)
    expect((await open(pages, browser, '/account')).text).toContain('Access paused.')
    await send(pages, browser, formTo(after, `/${grantId}/revoke`))
    await send(pages, browser, form)
    expect((await open(pages, browser, '/account')).text).toContain('had already ended')
  })

  test('shows a suspended access as suspended', async () => {
    const grantId = await grantTo(ines)
    const why = { reason: 'test', by: 'operator', request_id: null } as const
    await suspendGrant(pages.base.db, grantId, why, pages.base.clock.now())
    expect((await open(pages, browser, '/account')).text).toContain('Suspended')
  })

  test('says that an operator suspended an access, and when, with the words for the owner and never the note', async () => {
    const { db, clock } = pages.base
    const note = { operator: 'jonas-brandt', reason: 'A suspicion of laundering.' }
    for (const reason_for_owner of [undefined, 'It <b>pays</b> strangers.']) {
      const grant_id = await grantTo(ines)
      await suspendForOperator(
        { db, clock },
        { grant_id, ...note, ...(reason_for_owner && { reason_for_owner }) },
        null,
      )
      for (const path of ['/account', `/account/grants/${grant_id}`, '/account/activity']) {
        const { text } = await open(pages, browser, path)
        expect(text).not.toMatch(/laundering|jonas-brandt/)
        if (path === '/account/activity') continue
        expect(text).toContain('By the operator of this service')
        expect(text.includes('The operator’s reason')).toBe(reason_for_owner !== undefined)
        if (reason_for_owner) expect(text).toContain('It &lt;b&gt;pays&lt;/b&gt; strangers.')
      }
      const why = { reason: 'revoked_by_owner', by: 'owner', request_id: null } as const
      await revokeGrant(db, grant_id, why, clock.now())
    }
  })
})

describe('repeated payments', () => {
  const mandate = mandateOf({
    beneficiary_name: '<b>Rui</b>',
    client_id: client.clientId,
    authorized_clients: [client.clientId, 'unknown-client'],
  })
  const payableBy = (grant_id: string) => ({ ...mandate, authorities: [{ client_id: client.clientId, grant_id }] })
  const words = (text: string) => text.replaceAll(/<[^>]*>/g, ' ').replaceAll(/\s+/g, ' ')

  test('are shown with whom they pay, by whom, until when, and what is left of every bound', async () => {
    pages.others.mandates = [payableBy(await grantTo(ines))]
    pages.others.bindings = [connected]
    const { text } = await open(pages, browser, '/account')
    expect(text).toContain('To <bdi class="name">&lt;b&gt;Rui&lt;/b&gt;</bdi>')
    const shown = words(text)
    expect(shown).toContain('In force')
    expect(shown).toContain('At most EUR 50.00')
    expect(shown).toContain('EUR 87.50 left of EUR 100.00')
    expect(shown).toContain('EUR 200.50 left of EUR 200.50')
    expect(shown).toContain('EUR 0.00 left of EUR 300.00')
    expect(shown).toContain('EUR 0.000000000000000001 left of EUR 400.00')
    expect(shown).toContain('9 left of 10')
    expect(shown).toContain('24 December 2026')
    const name = '&lt;script&gt;alert(1)&lt;/script&gt; &amp; &quot;Co&quot;'
    const page = await open(pages, browser, `/account/mandates/${mandate.id}`)
    expect(words(page.text)).toContain(`Asked for by ${name} Named in it ${name} unknown-client`)
    expect(shown).toContain(`Can pay now ${name} Each time`)
    pages.others.mandates = []
  })

  test('can be made by nobody while the owner is not connected to the provider', async () => {
    pages.others.mandates = [payableBy(await grantTo(ines))]
    for (const bindings of [[], [{ ...connected, status: 'disconnecting' as const }]]) {
      pages.others.bindings = bindings
      const shown = words((await open(pages, browser, '/account')).text)
      expect(shown).toContain('In force')
      expect(shown).toContain('Can pay now Nobody')
      expect(shown).toContain('It can see and do nothing at your provider while you are not connected.')
      expect(shown).not.toContain('Active')
    }
    pages.others.mandates = []
  })

  test('are stopped once no grant that may pay is active, whoever is named and whatever grant there is now', async () => {
    const first = await grantTo(ines)
    pages.others.mandates = [payableBy(first)]
    const page = await open(pages, browser, '/account')
    expect(words(page.text)).toContain('In force')
    await send(pages, browser, formTo(page, `${first}/revoke`))
    await grantTo(ines)
    for (const state of ['active', 'pending', 'exhausted'] as const) {
      pages.others.mandates = [{ ...payableBy(first), state }]
      const shown = words((await open(pages, browser, '/account')).text)
      expect(shown).toContain('Stopped')
      expect(shown).toContain('Can pay now Nobody')
      expect(shown).not.toContain('In force')
    }
    pages.others.mandates = [{ ...payableBy(first), state: 'suspended' }]
    expect(words((await open(pages, browser, '/account')).text)).toContain('Paused')
    pages.others.mandates = []
  })

  test('are all shown, however many there are', async () => {
    const grant = await grantTo(ines)
    const one = (index: number) => ({
      ...payableBy(grant),
      id: `mandate-${index}`,
      beneficiary_name: `Payee ${index}.`,
    })
    pages.others.mandates = Array.from({ length: 230 }, (_, index) => one(index))
    const { text } = await open(pages, browser, '/account')
    expect(text.match(/<h3>To <bdi class="name">Payee \d+\.<\/bdi>/g)).toHaveLength(230)
    pages.others.mandates = []
  })

  test('that are over are told apart, and each state has words of its own', async () => {
    const states = ['pending', 'suspending', 'suspended', 'revoking', 'revocation_failed', 'exhausted'] as const
    const over = ['revoked', 'expired', 'failed'] as const
    const some = payableBy(await grantTo(ines))
    pages.others.mandates = [...states, ...over].map((state) => ({ ...some, id: state, state }))
    const shown = words((await open(pages, browser, '/account')).text)
    for (const word of ['Being set up', 'Being paused', 'Paused', 'Being ended', 'Could not be ended', 'Used up'])
      expect(shown).toContain(word)
    expect(shown).toContain('Those that are over (3)')
    pages.others.mandates = []
  })

  test('cannot be shown without beneficiaries, and the page says so', async () => {
    const lonely = await startTestPages()
    const who = await signedInBrowser(lonely)
    expect((await open(lonely, who, '/account')).text).toContain('No application can make repeated payments')
    await lonely.stopBeneficiaries()
    const page = await open(lonely, who, '/account')
    expect(page.status).toBe(200)
    expect(words(page.text)).toContain('Repeated payments cannot be shown now')
    await lonely.close()
  })
})

describe('the connection', () => {
  beforeEach(() => {
    pages.others.bindings = [connected]
  })

  test('is ended only after a page that says what stops', async () => {
    await grantTo(ines)
    expect((await open(pages, browser, '/account')).text).toContain('Bank &lt;i&gt;of&lt;/i&gt; Test')
    const page = await open(pages, browser, '/account/disconnect')
    expect(page.text).toContain('The agent')
    expect(page.text).not.toContain('No application uses the connection')
    expect(page.text).toContain('&lt;script&gt;')
    expect(locationOf(await send(pages, browser, formTo(page, '/disconnect')))).toBe('/account')
    expect(pages.others.disconnected).toEqual([ines])
    expect((await open(pages, browser, '/account')).text).toContain('Disconnected.')
  })

  test('is ended under a subject of the owner’s own, by which operators tell owners apart', async () => {
    await send(pages, browser, formTo(await open(pages, browser, '/account/disconnect'), '/disconnect'))
    pages.others.finish = signedInAs(amara, 'Amara Okafor')
    pages.others.bindings = pages.others.bindings.map((binding) => ({ ...binding, owner_id: amara }))
    const theirs = await signedInBrowser(pages)
    await send(pages, theirs, formTo(await open(pages, theirs, '/account/disconnect'), '/disconnect'))
    const subjects = [ines, amara].map((owner) => pages.others.subjects.get(owner))
    expect(new Set([...subjects, accountPageClient, ines, amara]).size).toBe(5)
    for (const subject of subjects) expect(subject).toMatch(/^[\w-]{43}$/)
  })

  test('is not said to be ended before the submitter sends nothing more over it', async () => {
    pages.others.fencesBindings = false
    const page = await open(pages, browser, '/account/disconnect')
    expect(locationOf(await send(pages, browser, formTo(page, '/disconnect')))).toBe('/account')
    pages.others.fencesBindings = true
    const { text } = await open(pages, browser, '/account')
    expect(text).toContain('The connection is ending.')
    expect(text).not.toContain('Disconnected.')
  })

  test.each(['acceptance_unknown', 'resource_busy'] as const)(
    'that may be ending is not said to be ended (%s)',
    async (code) => {
      pages.others.refuseDisconnect = code
      const page = await open(pages, browser, '/account/disconnect')
      expect(locationOf(await send(pages, browser, formTo(page, '/disconnect')))).toBe('/account')
      pages.others.refuseDisconnect = undefined
      const { text } = await open(pages, browser, '/account')
      expect(text).toContain('may be ending already')
      expect(text).not.toContain('Disconnected.')
    },
  )

  test('that is ending says so, and who asked for the operation under way', async () => {
    const [binding] = pages.others.bindings
    if (binding) pages.others.bindings = [{ ...binding, status: 'disconnecting' }]
    const at = '2026-10-02T00:00:00.000Z'
    pages.others.activity = {
      in_flight: [
        {
          operation_id: '01980000-0000-7000-8000-0000000000d1',
          client_id: accountPageClient,
          grant_id: accountPageClient,
          kind: 'transfer_grant_revoke',
          state: 'submitting',
          resource_type: 'service_connection',
          resource_id: 'connection-1',
          failure_code: null,
          upstream_reference: null,
          payment: null,
          approval: null,
          submission_uncertain: false,
          created_at: at,
          updated_at: at,
        },
      ],
      latest: [],
      intents: [],
    }
    const { text } = await open(pages, browser, '/account')
    pages.others.activity = { in_flight: [], latest: [], intents: [] }
    for (const words of ['Being ended', 'End the permission for transfers', 'You, on this page'])
      expect(text).toContain(words)
    expect(text).not.toContain('Disconnect…')
  })

  test('is not ended by a forged form', async () => {
    pages.others.disconnected.length = 0
    expect((await send(pages, browser, { action: '/account/disconnect', fields: {} })).status).toBe(403)
    expect(pages.others.disconnected).toEqual([])
  })

  test('that does not exist has no such page', async () => {
    pages.others.bindings = []
    expect(locationOf(await browse(pages.server, browser, '/account/disconnect'))).toBe('/account')
    expect((await open(pages, browser, '/account')).text).toContain('You are not connected')
  })
})

describe('GET /v1/session', () => {
  const read = async (who: Browser) => JSON.parse(textOf(await browse(pages.server, who, '/v1/session'))) as unknown

  test('says that nobody is signed in, and sets no cookie', async () => {
    const who = makeBrowser()
    const nobody = { authenticated: false, display_name: null, csrf_token: null, expires_at: null }
    expect(await read(who)).toEqual(nobody)
    expect(who.cookies.size).toBe(0)
    expect(await read({ cookies: new Map([['__Host-session', 'nonsense']]) })).toEqual(nobody)
  })

  test('says who is, until when, and the token that forms take', async () => {
    await grantTo(ines)
    const session = await read(browser)
    const { csrf_token } = session as { csrf_token: string }
    expect(session).toMatchObject({ authenticated: true, display_name: 'Ines Carvalho' })
    expect(formTo(await open(pages, browser, '/account'), '/revoke').fields).toEqual({ csrf_token })
  })

  test('is never stored and never shared with another origin', async () => {
    const answer = await browse(pages.server, browser, '/v1/session', { headers: [['origin', 'https://evil.example']] })
    const headers = new Map(answer.headers)
    expect(headers.get('cache-control')).toBe('no-store')
    expect(headers.has('access-control-allow-origin')).toBe(false)
  })
})

describe('every other address and method is a page too', () => {
  test.each([
    ['GET', '/account/nothing', 404],
    ['GET', '/interaction', 404],
    ['GET', '/sign-in/', 404],
    ['POST', '/account', 405],
    ['GET', '/sign-out', 405],
    ['PUT', '/account/disconnect', 405],
    ['GET', '/confirm/nonsense', 404],
  ])('%s %s answers %i', async (method, path, status) => {
    const answer = readPage(await browse(pages.server, browser, path, { method }))
    expect(answer.status).toBe(status)
    expect(answer.headers.get('content-type')).toBe('text/html; charset=utf-8')
    expect(answer.headers.has('allow')).toBe(status === 405)
  })
})
