/** The conclusion from each answer about a device authentication. The fake provider's own tests cover its page. */

import { afterEach, describe, expect, it } from 'vitest'
import { createHttpAdapter } from './adapter.ts'
import { answer, startRawServer } from './raw-server.test-helper.ts'

const closing: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0)) await close()
})

async function answering(bytes: string) {
  const server = await startRawServer((socket) => socket.write(bytes))
  const baseUrl = `http://127.0.0.1:${server.port}`
  const provider = createHttpAdapter({ baseUrl, connections: 2, connectTimeoutMs: 10_000 })
  closing.push(
    () => provider.close(),
    () => server.close(),
  )
  return { provider, server }
}

const of = (data: unknown) => ({ data })
const started = {
  reference: 'dva_1',
  client_reference: 'ours',
  hosted_url: 'https://provider.example/page',
  expires_at: '2026-01-02T03:04:05.000Z',
}
const customer = { reference: 'cus_1', display_name: 'Ada Example', locale: 'de-AT', timezone: 'Europe/Vienna' }
const approved = { status: 'approved', credentials: 'secret-of-ada', customer }
const invalid = { type: 'unavailable', reason: 'provider_response_invalid' }
const refused = { type: 'unavailable', reason: 'provider_refused' }
const failed = { type: 'unavailable', reason: 'provider_error' }

describe('start', () => {
  const rows: [name: string, bytes: string, result: unknown][] = [
    [
      'what was started',
      answer(201, of(started)),
      {
        type: 'started',
        authentication: 'dva_1',
        hostedUrl: started.hosted_url,
        expiresAt: new Date(started.expires_at),
      },
    ],
    ['an answer about another reference', answer(201, of({ ...started, client_reference: 'theirs' })), invalid],
    ['a page that is no web page', answer(201, of({ ...started, hosted_url: 'javascript:alert(1)' })), invalid],
    ['a time that is none', answer(201, of({ ...started, expires_at: 'soon' })), invalid],
    ['a reference that would not fit into a path', answer(201, of({ ...started, reference: '../x' })), invalid],
    ['no JSON', answer(201, '<html>'), invalid],
    ['a redirect', answer(302, '', 'location: /x\r\n'), invalid],
    ['a refusal', answer(409, { error: { code: 'reference_reused' } }), refused],
    ['a failure', answer(502, ''), failed],
  ]
  it.each(rows)('%s', async (_name, bytes, result) => {
    const { provider, server } = await answering(bytes)
    const returnUrl = 'https://api.example/return'
    expect(await provider.startDeviceAuthentication({ reference: 'ours', returnUrl, timeoutMs: 60_000 })).toEqual(
      result,
    )
    expect(server.requests).toHaveLength(1)
    expect(server.requests[0]).not.toMatch(/authorization/i)
  })
})

describe('poll', () => {
  const rows: [name: string, bytes: string, result: unknown][] = [
    ['pending', answer(200, of({ status: 'pending' })), { type: 'pending' }],
    ['declined', answer(200, of({ status: 'declined' })), { type: 'declined' }],
    ['expired', answer(200, of({ status: 'expired' })), { type: 'expired' }],
    [
      'approved',
      answer(200, of(approved)),
      {
        type: 'approved',
        credentials: 'secret-of-ada',
        customer: { reference: 'cus_1', display_name: 'Ada Example', locale: 'de-AT', timezone: 'Europe/Vienna' },
      },
    ],
    ['approved without credentials', answer(200, of({ ...approved, credentials: undefined })), invalid],
    ['credentials that no header could carry', answer(200, of({ ...approved, credentials: 'a\nb' })), invalid],
    ['approved without a customer', answer(200, of({ status: 'approved', credentials: 'x' })), invalid],
    ['a locale that is none', answer(200, of({ ...approved, customer: { ...customer, locale: 'x' } })), invalid],
    ['a timezone that is none', answer(200, of({ ...approved, customer: { ...customer, timezone: 'Mars' } })), invalid],
    [
      'a name with control characters',
      answer(200, of({ ...approved, customer: { ...customer, display_name: 'A\u0000' } })),
      invalid,
    ],
    ['an unknown status', answer(200, of({ status: 'done' })), invalid],
    ['an unknown authentication', answer(404, { error: { code: 'unknown_authentication' } }), refused],
    ['a failure, whatever it says', answer(500, of(approved)), failed],
  ]
  it.each(rows)('%s', async (_name, bytes, result) => {
    const { provider } = await answering(bytes)
    expect(await provider.pollDeviceAuthentication({ authentication: 'dva_1', timeoutMs: 60_000 })).toEqual(result)
  })

  it('a customer without a name has none', async () => {
    const { provider } = await answering(
      answer(200, of({ ...approved, customer: { ...customer, display_name: null } })),
    )
    const polled = await provider.pollDeviceAuthentication({ authentication: 'dva_1', timeoutMs: 60_000 })
    expect(polled).toMatchObject({ customer: { display_name: null } })
  })

  it('a connection that is refused or breaks, and an answer that never comes, are unavailable', async () => {
    // Breaks the connection of the first request, and answers the second one, so that the third has a connection.
    const silent = await startRawServer((socket, number) => {
      if (number === 1) socket.destroy()
      if (number === 2) socket.write(answer(200, of({ status: 'pending' })))
    })
    const provider = createHttpAdapter({
      baseUrl: `http://127.0.0.1:${silent.port}`,
      connections: 1,
      connectTimeoutMs: 60_000,
    })
    closing.push(() => provider.close())
    const poll = (timeoutMs = 60_000) => provider.pollDeviceAuthentication({ authentication: 'dva_1', timeoutMs })
    expect(await poll()).toEqual({ type: 'unavailable', reason: 'provider_connection_lost' })
    expect(await poll()).toEqual({ type: 'pending' })
    expect(await poll(200)).toEqual({ type: 'unavailable', reason: 'provider_timeout' })
    await silent.close()
    expect(await poll()).toEqual({ type: 'unavailable', reason: 'provider_unreachable' })
  })
})
