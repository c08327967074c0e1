/**
 * The hosted sign-in page over HTTP, as a browser without JavaScript uses it, and the result that the application
 * reads.
 */

import { createHash } from 'node:crypto'
import type { PolledDeviceAuthentication } from '@financial-agents/provider-port/device-authentication'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { createServer } from './server.ts'
import { type StartedProvider, startProvider } from './started.test-helper.ts'
import { testUsers } from './test-users.ts'

let fake: StartedProvider
beforeAll(async () => {
  fake = await startProvider()
})
afterEach(async () => {
  await fake.control('DELETE', '/control/faults')
  await fake.control('PUT', '/control/clock', { offset_ms: 0 })
})
afterAll(() => fake.close())

const returnUrl = 'http://127.0.0.1:4000/sign-in/return?state=a%2Bb&x="><script>alert(1)</script>'
let count = 0

async function start(reference = `reference-${count++}`, url = returnUrl) {
  const started = await fake.provider.startDeviceAuthentication({ reference, returnUrl: url, timeoutMs: 60_000 })
  if (started.type !== 'started') throw new Error(`not started: ${started.reason}`)
  return started
}

const poll = (authentication: string): Promise<PolledDeviceAuthentication> =>
  fake.provider.pollDeviceAuthentication({ authentication, timeoutMs: 60_000 })

const decide = (url: string, form: Record<string, string>) =>
  fetch(url, { method: 'POST', body: new URLSearchParams(form), redirect: 'manual' })

describe('the page', () => {
  it('lists every test user with name, country and what is special, in one form without JavaScript', async () => {
    const { hostedUrl } = await start()
    const response = await fetch(hostedUrl)
    const page = await response.text()
    expect(response.status).toBe(200)
    for (const { id, name, countryName, about } of testUsers) {
      expect(page).toContain(`name="test_user" value="${id}"`)
      for (const text of [name, countryName, about]) expect(page).toContain(text)
    }
    expect(page).toContain('Fake provider')
    expect(page).not.toContain('<script')
    for (const { credentials } of testUsers) expect(page).not.toContain(credentials)
  })

  it('may load nothing but its own style and be framed by nobody, and a form may end anywhere on the web', async () => {
    const { hostedUrl } = await start()
    const response = await fetch(hostedUrl)
    const style = /<style>(.*)<\/style>/s.exec(await response.text())?.[1] ?? ''
    const digest = createHash('sha256').update(style).digest('base64')
    expect(response.headers.get('content-security-policy')).toBe(
      `default-src 'none'; style-src 'sha256-${digest}'; form-action 'self' http: https:; base-uri 'none'; frame-ancestors 'none'`,
    )
    expect(response.headers.get('cache-control')).toBe('no-store')
    expect(response.headers.get('referrer-policy')).toBe('no-referrer')
  })

  it('tells nobody the way back but the browser that decides, whoever else has its address', async () => {
    const { hostedUrl } = await start()
    const pages = [await fetch(hostedUrl), await decide(hostedUrl, { decision: 'approve' })]
    await decide(hostedUrl, { test_user: 'per_ines', decision: 'approve' })
    pages.push(await fetch(hostedUrl), await decide(hostedUrl, { test_user: 'per_ines', decision: 'approve' }))
    expect(pages.map(({ status }) => status)).toEqual([200, 422, 410, 410])
    for (const page of pages) {
      expect(page.headers.get('location')).toBeNull()
      expect(await page.text()).not.toContain('state=')
    }
  })

  it('of an unknown token is a 404 that says what to do', async () => {
    for (const method of ['GET', 'POST']) {
      const response = await fetch(`${fake.baseUrl}/hosted/sign-in/nobodys`, { method })
      expect(response.status).toBe(404)
      expect(await response.text()).toContain('There is no such request')
    }
  })
})

describe('a decision', () => {
  it('to approve hands out the credentials and the customer, and sends the browser back with nothing added', async () => {
    const { hostedUrl, authentication } = await start()
    expect(await poll(authentication)).toEqual({ type: 'pending' })
    const response = await decide(hostedUrl, { test_user: 'per_daniel', decision: 'approve' })
    expect([response.status, response.headers.get('location')]).toEqual([303, returnUrl])
    const approved = {
      type: 'approved',
      credentials: 'test-user-daniel-reyes-tucson',
      customer: {
        reference: 'per_daniel',
        display_name: 'Daniel Reyes',
        locale: 'en-US',
        timezone: 'America/Phoenix',
      },
    }
    expect(await poll(authentication)).toEqual(approved)
    expect(await poll(authentication)).toEqual(approved)
  })

  it('to decline is final and sends the browser back', async () => {
    const { hostedUrl, authentication } = await start()
    expect((await decide(hostedUrl, { decision: 'decline' })).headers.get('location')).toBe(returnUrl)
    expect(await poll(authentication)).toEqual({ type: 'declined' })
  })

  it('is taken once, and the page then says so', async () => {
    const { hostedUrl, authentication } = await start()
    const answers = await Promise.all(
      testUsers.map(({ id }) => decide(hostedUrl, { test_user: id, decision: 'approve' })),
    )
    expect(answers.filter(({ status }) => status === 303)).toHaveLength(1)
    expect(answers.filter(({ status }) => status === 410)).toHaveLength(testUsers.length - 1)
    expect((await decide(hostedUrl, { decision: 'decline' })).status).toBe(410)
    expect(await poll(authentication)).toMatchObject({ type: 'approved' })
    const page = await fetch(hostedUrl)
    expect(page.status).toBe(410)
    expect(await page.text()).toContain('This request has been decided')
  })

  it.each([
    ['no person', { decision: 'approve' }],
    ['a person who does not exist', { decision: 'approve', test_user: 'per_nobody' }],
    ['no decision', { test_user: 'per_ines' }],
  ])('with %s decides nothing and says what is missing', async (_name, form: Record<string, string>) => {
    const { hostedUrl, authentication } = await start()
    const response = await decide(hostedUrl, form)
    expect(response.status).toBe(422)
    expect(await response.text()).toContain('role="alert"')
    expect(await poll(authentication)).toEqual({ type: 'pending' })
  })

  it('comes too late after ten minutes of the provider’s clock, and an approval stays one', async () => {
    const [late, approved] = [await start(), await start()]
    await decide(approved.hostedUrl, { test_user: 'per_ines', decision: 'approve' })
    await fake.control('PUT', '/control/clock', { offset_ms: 10 * 60_000 })
    expect(await poll(late.authentication)).toEqual({ type: 'expired' })
    const response = await decide(late.hostedUrl, { test_user: 'per_ines', decision: 'approve' })
    expect(response.status).toBe(410)
    expect(await response.text()).toContain('This request has expired')
    expect(await poll(late.authentication)).toEqual({ type: 'expired' })
    expect(await poll(approved.authentication)).toMatchObject({ type: 'approved' })
  })
})

describe('starting', () => {
  it('again with the same reference gives the same one, and with another return URL is refused', async () => {
    const first = await start('again')
    expect(await start('again')).toEqual(first)
    await expect(start('again', 'http://127.0.0.1:4000/other')).rejects.toThrow('provider_refused')
  })

  it('gives a page address that tells nothing by which the result could be read', async () => {
    const { hostedUrl, authentication } = await start()
    const token = hostedUrl.split('/').at(-1) ?? ''
    expect(token).toMatch(/^[A-Za-z0-9_-]{43}$/)
    expect(authentication).not.toContain(token)
    expect(await poll(token)).toEqual({ type: 'unavailable', reason: 'provider_refused' })
  })

  it('gives the address at which a browser reaches the page, where that is another', async () => {
    const server = createServer({ latencyMs: 0, publicUrl: 'https://fake.example' })
    const payload = JSON.stringify({ client_reference: 'public', return_url: returnUrl })
    const response = await server.inject({ method: 'POST', url: '/provider/v1/device-authentications', payload })
    expect(response.json().data.hosted_url).toMatch(/^https:\/\/fake\.example\/hosted\/sign-in\/.{43}$/)
  })

  it.each(['javascript:alert(1)', 'ftp://x/y', '/relative'])('refuses to send a browser to %s', async (url) => {
    await expect(start('odd', url)).rejects.toThrow('provider_refused')
  })
})

describe('scripts', () => {
  const fault = (script: string, kind: string, options = {}) =>
    fake.control('POST', '/control/faults', { script, match: { kind }, options })

  it('drop_before_accept: unavailable, at the start and at the read', async () => {
    const { authentication } = await start()
    await fault('drop_before_accept', 'device_authentication')
    await fault('drop_before_accept', 'device_authentication_read')
    await expect(start()).rejects.toThrow('provider_connection_lost')
    expect(await poll(authentication)).toEqual({ type: 'unavailable', reason: 'provider_connection_lost' })
  })

  it('accept_drop_reply: the same reference finds what was started', async () => {
    const created = await fault('accept_drop_reply', 'device_authentication')
    expect(created.status).toBe(201)
    await expect(start('dropped')).rejects.toThrow('provider_connection_lost')
    await fake.control('DELETE', '/control/faults')
    expect(await start('dropped')).toMatchObject({ type: 'started' })
  })

  it('slow: unavailable for who does not wait', async () => {
    const { authentication } = await start()
    await fault('slow', 'device_authentication_read', { delay_ms: 1_000 })
    const polled = await fake.provider.pollDeviceAuthentication({ authentication, timeoutMs: 100 })
    expect(polled).toEqual({ type: 'unavailable', reason: 'provider_timeout' })
  })

  it('expire and decline: over before anybody has seen the page', async () => {
    await fault('expire', 'device_authentication')
    expect(await poll((await start()).authentication)).toEqual({ type: 'expired' })
    await fake.control('DELETE', '/control/faults')
    await fault('decline', 'device_authentication')
    expect(await poll((await start()).authentication)).toEqual({ type: 'declined' })
  })

  it('that name no kind leave sign-ins alone, and those that make no sense for a kind are refused', async () => {
    await fake.control('POST', '/control/faults', { script: 'drop_before_accept' })
    expect((await start()).type).toBe('started')
    expect((await fault('settle_later', 'device_authentication')).status).toBe(400)
    expect((await fault('expire', 'beneficiary_create')).status).toBe(400)
  })
})
