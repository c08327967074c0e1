/** The device grant (RFC 8628): the device shows a code; the person enters it elsewhere, signs in and consents. */

import * as openid from 'openid-client'
import { beforeAll, describe, expect, test } from 'vitest'
import { createKey } from '../contract/hand-client.ts'
import { type Browser, createBrowser } from './browser.ts'
import { freshClient } from './clients.ts'
import { auditOf } from './database.ts'
import { connectDevice, enterCode } from './device-journey.ts'
import { environment } from './environment.ts'
import { expectError, expectTokens } from './expectations.ts'
import { claimsOf } from './flow.ts'
import { type Answer, exchange, notingFetch } from './http.ts'
import { press, wordsOf } from './page.ts'
import { createParty, type Party, paths } from './party.ts'

let device: Party
let browser: Browser
beforeAll(() => {
  device = createParty(freshClient('device'))
  browser = createBrowser()
})

const ask = async (party = device) => {
  const answer = await party.askDevice()
  expect(answer.status, answer.text).toBe(200)
  return answer.body as { device_code: string; user_code: string }
}

describe('device authorization', () => {
  test('answers with the codes, where to enter them, ten minutes and five seconds', async () => {
    const answer = await device.askDevice()
    const { baseUrl } = environment()
    expect(answer.body).toEqual({
      device_code: expect.stringMatching(/^[\w-]{20,}$/),
      user_code: expect.stringMatching(/^[A-Z0-9]{4}-[A-Z0-9]{4}$/),
      verification_uri: `${baseUrl}/device`,
      expires_in: 600,
      interval: 5,
    })
    expect(answer.headers.get('cache-control')).toContain('no-store')
  })

  test.each([
    ['a scope beyond the ceiling', { scope: 'cards:manage' }, 'invalid_scope'],
    ['purchases:execute', { scope: 'purchases:execute' }, 'invalid_scope'],
    ['openid', { scope: 'openid' }, 'invalid_scope'],
    ['offline_access', { scope: 'operations:read offline_access' }, 'invalid_scope'],
    ['no scope', { scope: undefined }, 'invalid_scope'],
    ['a foreign resource', { resource: 'https://elsewhere.example' }, 'invalid_target'],
    ['two scopes parameters', { scope: ['operations:read', 'accounts:read'] }, 'invalid_request'],
    ['the claims parameter', { claims: '{}' }, 'invalid_request'],
    ['a request object', { request: 'eyJhbGciOiJub25lIn0.e30.' }, 'request_not_supported'],
    ['authorization_details', { authorization_details: '[]' }, 'invalid_authorization_details'],
  ])('refuses %s', async (_name, changes, error) => {
    expectError(await device.askDevice(changes), 400, error)
  })

  test('refuses an unknown client', async () => {
    expectError(await device.askDevice({ client_id: 'nobody-here' }), 401, 'invalid_client')
  })

  test.each(['GET', 'PUT'])('refuses the method %s', async (method) => {
    expect((await exchange(environment().baseUrl + paths.device, method)).status).toBe(405)
  })
})

describe('polling', () => {
  test('before the person is done is authorization_pending, and too soon again slow_down', async () => {
    const { device_code } = await ask()
    expectError(await device.pollDevice(device_code), 400, 'authorization_pending')
    let again: Answer
    // On a slow machine, the next poll may come late enough.
    do again = await device.pollDevice(device_code)
    while (again.body['error'] === 'authorization_pending')
    expectError(again, 400, 'slow_down')
  })

  test('by openid-client waits, and gets what was approved meanwhile', async () => {
    const { client } = createParty(freshClient('device'))
    const config = await openid.discovery(new URL(environment().baseUrl), client.client_id, {}, openid.None(), {
      execute: [openid.allowInsecureRequests],
      [openid.customFetch]: notingFetch,
    })
    const DPoP = openid.getDPoPHandle(config, await openid.randomDPoPKeyPair('ES256'))
    const codes = await openid.initiateDeviceAuthorization(config, { scope: 'operations:read' })
    await connectDevice(browser, codes.user_code)
    // The library waits before each poll, although the first poll may come at any time.
    const soon = { ...codes, interval: 1 }
    const tokens = await openid.pollDeviceAuthorizationGrant(config, soon, undefined, { DPoP })
    const url = new URL('/v1/operations', environment().baseUrl)
    const answer = await openid.fetchProtectedResource(config, tokens.access_token, url, 'GET', undefined, undefined, {
      DPoP,
    })
    expect(answer.status).toBe(200)
  })

  test('after approval gives an access and a refresh token, no ID token, once', async () => {
    const { device_code, user_code } = await ask()
    await connectDevice(browser, user_code)
    const answer = await device.pollDevice(device_code)
    expectTokens(answer)
    expect((await device.call(answer.body['access_token'], '/v1/operations')).status).toBe(200)
    expectTokens(await device.refresh(answer.body['refresh_token']))
    expectError(await device.refresh(answer.body['refresh_token'], {}, { key: createKey() }), 400, 'invalid_grant')
    expectError(await device.pollDevice(device_code), 400, 'invalid_grant')
  })

  test('after a refusal is access_denied', async () => {
    const party = createParty(freshClient('device'))
    const { device_code, user_code } = await ask(party)
    await connectDevice(browser, user_code, { consent: 'deny' })
    expectError(await party.pollDevice(device_code), 400, 'access_denied')
  })

  test('after a refused sign-in is access_denied', async () => {
    const party = createParty(freshClient('device'))
    const { device_code, user_code } = await ask(party)
    await connectDevice(createBrowser(), user_code, { signIn: 'decline' })
    expectError(await party.pollDevice(device_code), 400, 'access_denied')
  })

  test('after the person stopped at the code is access_denied', async () => {
    const { device_code, user_code } = await ask()
    const own = createBrowser()
    await own.press(await enterCode(own, user_code), /^no, stop$/i)
    expectError(await device.pollDevice(device_code), 400, 'access_denied')
  })

  test.each([
    ['an invented device code', { device_code: 'invented-device-code-invented-device-code-1' }, 'invalid_grant'],
    ['no device code', { device_code: undefined }, 'invalid_request'],
    ['two device codes', { device_code: ['one', 'two'] }, 'invalid_request'],
  ])('with %s is refused', async (_name, changes, error) => {
    expectError(await device.pollDevice('x', changes), 400, error)
  })

  test('by another client is refused', async () => {
    const { device_code, user_code } = await ask()
    await connectDevice(browser, user_code)
    expectError(await createParty(freshClient('device'), device.key).pollDevice(device_code), 400, 'invalid_grant')
  })

  test('without a proof is refused', async () => {
    const { device_code } = await ask()
    expectError(await device.pollDevice(device_code, {}, { proof: null }), 400, 'invalid_dpop_proof')
  })

  test('with the user code in the device code’s place is refused', async () => {
    const { user_code } = await ask()
    expectError(await device.pollDevice(user_code), 400, 'invalid_grant')
  })
})

describe('the page for the code', () => {
  test.each<[string, (code: string) => string]>([
    ['in small letters', (code) => code.toLowerCase()],
    ['without the hyphen', (code) => code.replace('-', '')],
    ['with spaces', (code) => ` ${code.replace('-', ' ')} `],
  ])('takes it %s', async (_name, spelt) => {
    const { device_code, user_code } = await ask()
    await connectDevice(browser, spelt(user_code))
    expectTokens(await device.pollDevice(device_code))
  })

  test('says that a wrong code is not known, and lets one try again', async () => {
    const page = await enterCode(browser, 'BBBB-BBBB')
    expect(wordsOf(page)).toMatch(/not known/i)
    expect(page.root.querySelector('input[name=user_code]')).toBeTruthy()
  })

  test('says that a used code was used', async () => {
    const { user_code } = await ask()
    await connectDevice(browser, user_code)
    expect(wordsOf(await enterCode(browser, user_code))).toMatch(/has been used/i)
  })

  test('shows the code and the client, and wants it confirmed, also when the address brings the code', async () => {
    const { user_code, device_code } = await ask()
    const opened = await browser.open(`${environment().baseUrl}/device?user_code=${user_code}`)
    if (!opened.page) throw new Error('no page')
    // The address only fills in the code. Opening it decides nothing.
    const confirm = wordsOf(opened.page).includes('codes are the same')
      ? opened.page
      : (await browser.press(opened.page, /^continue$/i)).page
    if (!confirm) throw new Error('no page')
    expect(wordsOf(confirm)).toContain(user_code)
    expect(wordsOf(confirm)).toContain(device.client.name)
    expectError(await device.pollDevice(device_code), 400, 'authorization_pending')
  })

  test('refuses a form that another site sends', async () => {
    const { user_code, device_code } = await ask()
    const entry = await browser.open(`${environment().baseUrl}/device`)
    if (!entry.page) throw new Error('no page')
    const submission = press(entry.page, /^continue$/i, { user_code })
    const forged = {
      ...submission,
      fields: [
        ['user_code', user_code],
        ['confirm', 'yes'],
      ] as [string, string][],
    }
    const answer = await browser.once(forged, undefined, [['origin', 'https://evil.example']])
    expect(answer.status).toBeGreaterThanOrEqual(400)
    expect(answer.status).toBeLessThan(500)
    expectError(await device.pollDevice(device_code), 400, 'authorization_pending')
  })

  test('asks for consent the first time, and for a sign-in where nobody is signed in', async () => {
    const party = createParty(freshClient('device'))
    const first = await ask(party)
    const flowEnd = await connectDevice(createBrowser(), first.user_code)
    expect(flowEnd.asked).toEqual(['sign-in', 'provider', 'consent'])
    expectTokens(await party.pollDevice(first.device_code))
  })
})

test('a dpop_jkt has no meaning for a device: whatever it is, the owner connects the device, and the audit has it', async () => {
  const party = createParty(freshClient('device'))
  const started = await party.askDevice({ dpop_jkt: '\u0000' })
  expect(started.status, started.text).toBe(200)
  const { page } = await connectDevice(createBrowser(), started.body['user_code'])
  expect(page?.status).toBe(200)
  expectTokens(await party.pollDevice(started.body['device_code']))
  const approved = (await auditOf(party.client.client_id)).find(({ event }) => event === 'device_approved')
  expect(approved).toMatchObject({ actor: 'owner', detail: { scope: 'operations:read' } })
  expect(approved?.detail).not.toHaveProperty('key_thumbprint')
})

test('the grant is the person’s: its subject is theirs for this client, its owner is in no token', async () => {
  const tokensOf = async (party: Party, person: 'ines' | 'amara') => {
    const { device_code, user_code } = await ask(party)
    await connectDevice(createBrowser(), user_code, { person })
    return claimsOf((await party.pollDevice(device_code)).body['access_token'])
  }
  const [one, other] = [createParty(freshClient('device')), createParty(freshClient('device'))]
  const mine = await tokensOf(one, 'ines')
  expect((await tokensOf(one, 'ines'))['sub']).toBe(mine['sub'])
  expect((await tokensOf(one, 'amara'))['sub']).not.toBe(mine['sub'])
  expect((await tokensOf(other, 'ines'))['sub']).not.toBe(mine['sub'])
})
