/**
 * One person begins and another signs in. Nothing that an attacker passes to a victim signs the attacker in as the
 * victim.
 */

import { describe, expect, test } from 'vitest'
import { type Browser, createBrowser } from './browser.ts'
import { freshClient } from './clients.ts'
import { connectDevice } from './device-journey.ts'
import { environment } from './environment.ts'
import { expectError, expectTokens } from './expectations.ts'
import { buttons, obtainCode, people } from './flow.ts'
import type { Page } from './page.ts'
import { createParty, type Party } from './party.ts'

const at = (path: string) => new URL(path, environment().baseUrl)
const begin = async (browser: Browser, party: Party, changes = {}): Promise<Page> =>
  (await browser.open(await party.authorizeUrl(party.request(changes)))).page as Page

async function whoIs(browser: Browser): Promise<unknown> {
  const answer = await browser.once({ url: at('/v1/session'), method: 'GET', fields: [] })
  return answer.body['display_name']
}

describe('an attacker', () => {
  test('who sends the provider’s page to somebody learns nothing from it after they approved', async () => {
    const [attacker, victim] = [createBrowser(), createBrowser()]
    const party = createParty(freshClient('spa'))
    const provider = (await attacker.press(await begin(attacker, party), buttons.signIn)).page as Page
    const received = (await victim.open(provider.url)).page as Page
    const arrived = await victim.press(received, buttons.approve, { test_user: people.ines })
    expect(arrived.page?.status).toBe(400)
    const { page } = await attacker.open(provider.url)
    expect(page?.status).toBe(410)
    expect(page?.text).not.toContain('/sign-in/return')
    expect([await whoIs(attacker), await whoIs(victim)]).toEqual([null, null])
  })

  test.each(['signed in as somebody', 'signed in as nobody'])(
    '%s who plants an authorization in a browser is not signed in as the person who signs in there',
    async (how) => {
      const [attacker, victim] = [createBrowser(), createBrowser()]
      const party = createParty(freshClient('spa'))
      if (how === 'signed in as somebody') await obtainCode(attacker, party, {}, { person: 'amara' })
      const page = await begin(attacker, party, { prompt: 'login' })
      // Another host of the domain could set the cookies with a path (`__Secure-`), but not the session's (`__Host-`).
      for (const cookie of await attacker.jar.getCookies(page.url.href))
        if (cookie.key !== 'session') await victim.jar.setCookie(cookie.toString(), page.url.href)
      const provider = await victim.press((await victim.open(page.url)).page as Page, buttons.signIn)
      await victim.press(provider.page as Page, buttons.approve, { test_user: people.ines })
      await attacker.open(page.url.href.replace('/interaction/', '/oauth/authorize/'))
      expect(await whoIs(attacker)).toBe(how === 'signed in as somebody' ? 'Amara Okafor' : null)
    },
  )

  test('who has somebody enter a code needs their consent, though they connected such a device before', async () => {
    const victim = createBrowser()
    const own = createParty(freshClient('device'))
    const ask = async () => (await own.askDevice()).body
    const first = await ask()
    await connectDevice(victim, first['user_code'])
    expectTokens(await own.pollDevice(first['device_code']))
    const stranger = await ask()
    const flowEnd = await connectDevice(victim, stranger['user_code'], { consent: 'deny' })
    expect(flowEnd.asked).toEqual(['consent'])
    expectError(await own.pollDevice(stranger['device_code']), 400, 'access_denied')
  })
})
