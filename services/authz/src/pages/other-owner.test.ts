import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { findHumanGrant } from '../store/human-grants.ts'
import { type Browser, browse, locationOf, makeBrowser, makeOwnerClient, textOf } from '../test-client.test-helper.ts'
import { beginAuthorization } from './authorizing.test-helper.ts'
import {
  amara,
  formTo,
  ines,
  type OpenedPage,
  open,
  send,
  signedInAs,
  signedInBrowser,
  signInFrom,
  startTestPages,
  type TestPages,
} from './pages.test-helper.ts'

const client = makeOwnerClient('spa', 'board', { name: 'Pocket Board' })
const session = '__Host-session'
const interactionCookie = '__Secure-interaction'
let pages: TestPages

beforeAll(async () => {
  pages = await startTestPages()
  await pages.base.apply([client.registration])
})
beforeEach(() => asInes())
afterAll(() => pages.close())

const asInes = () => {
  pages.others.finish = signedInAs(ines, 'Ines Carvalho')
}
const asAmara = () => {
  pages.others.finish = signedInAs(amara, 'Amara Okafor')
}

const begin = (browser: Browser, wrong = {}) => beginAuthorization(pages, browser, client, wrong)

/** Signs in from the page of an interaction. Returns the address after the sign-in. */
async function signInAt(browser: Browser, interaction: string): Promise<string> {
  const signedIn = await signInFrom(pages, browser, await open(pages, browser, interaction))
  return locationOf(await browse(pages.server, browser, signedIn))
}

/** Returns the owner of a session cookie. */
async function whoIs(cookie: string | undefined): Promise<unknown> {
  const browser: Browser = { cookies: new Map([[session, cookie ?? '']]) }
  const answer = JSON.parse(textOf(await browse(pages.server, browser, '/v1/session'))) as Record<string, unknown>
  return answer['display_name']
}

describe('when somebody else signs in', () => {
  test('a session that another browser holds never becomes theirs', async () => {
    // The attacker is signed in, begins, and leaves the interaction (not the session) in the victim's browser.
    const attacker = await signedInBrowser(pages)
    const interaction = await begin(attacker, { prompt: 'login' })
    const victim = makeBrowser()
    for (const [name, value] of attacker.cookies) if (name !== session) victim.cookies.set(name, value)
    asAmara()
    await signInAt(victim, interaction).catch(() => undefined)
    expect(await whoIs(attacker.cookies.get(session))).not.toBe('Amara Okafor')
  })

  test('a browser that only knows the interaction is not signed in by it', async () => {
    // Nobody was signed in at the start, so only the cookies with a path bind the interaction to a browser.
    const attacker = makeBrowser()
    const interaction = await begin(attacker)
    const victim: Browser = { cookies: new Map([[interactionCookie, attacker.cookies.get(interactionCookie) ?? '']]) }
    asAmara()
    const resume = await signInAt(victim, interaction)
    const answer = await browse(pages.server, attacker, resume)
    expect(answer.status).toBe(400)
    expect(await whoIs(attacker.cookies.get(session))).not.toBe('Amara Okafor')
  })

  test('an attacker who signs out first is not signed in by it either', async () => {
    const attacker = await signedInBrowser(pages)
    const interaction = await begin(attacker, { prompt: 'login' })
    const victim: Browser = { cookies: new Map([[interactionCookie, attacker.cookies.get(interactionCookie) ?? '']]) }
    asAmara()
    const resume = await signInAt(victim, interaction).catch(() =>
      interaction.replace('/interaction', '/oauth/authorize'),
    )
    await browse(pages.server, attacker, resume)
    attacker.cookies.delete(session)
    await browse(pages.server, attacker, resume)
    expect(await whoIs(attacker.cookies.get(session))).not.toBe('Amara Okafor')
  })

  test('the session cookie that was known before is worth nothing, even before the way back', async () => {
    const browser = await signedInBrowser(pages)
    const before = browser.cookies.get(session)
    asAmara()
    await signInAt(browser, await begin(browser, { prompt: 'login' }))
    expect(await whoIs(before)).toBe(null)
    expect(await whoIs(browser.cookies.get(session))).toBe('Amara Okafor')
  })

  test('a consent page that names the one before records nothing for the new one', async () => {
    const browser = await signedInBrowser(pages)
    const page: OpenedPage = await open(pages, browser, await begin(browser))
    expect(page.text).toContain('Ines Carvalho')
    const own = browser.cookies.get(interactionCookie) ?? ''
    asAmara()
    await signInAt(browser, await begin(browser, { prompt: 'login' }))
    // Each interaction has its own cookie, separated by its path.
    browser.cookies.set(interactionCookie, own)
    const answer = await send(pages, browser, formTo(page, '/consent'), { decision: 'allow' })
    expect(await findHumanGrant(pages.base.db, amara, client.clientId)).toBeUndefined()
    expect(answer.status).toBe(400)
  })

  test('a form of the account page of the one before is refused', async () => {
    const browser = await signedInBrowser(pages)
    pages.others.bindings = [
      {
        owner_id: ines,
        binding_id: 'binding-1',
        status: 'connected',
        provider_name: 'Fake provider',
        source: 'sign_in',
        connected_at: new Date().toISOString(),
      },
    ]
    const page = await open(pages, browser, '/account/disconnect')
    asAmara()
    await signInAt(browser, await begin(browser, { prompt: 'login' }))
    const answer = await send(pages, browser, formTo(page, '/account/disconnect'))
    expect(answer.status).toBe(403)
    expect(pages.others.disconnected).toEqual([])
  })
})

describe('a session that was ended', () => {
  test('does not come back by a request that had read it before', async () => {
    const browser = await signedInBrowser(pages)
    const id = browser.cookies.get(session) ?? ''
    const { Session } = pages.server.provider()
    const read = await Session.find(id)
    await send(pages, browser, formTo(await open(pages, browser, '/account'), '/sign-out'))
    await read?.save(3_600).catch(() => undefined)
    expect(await whoIs(id)).toBe(null)
  })
})
