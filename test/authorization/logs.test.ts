/**
 * The logs contain no token, code, proof, assertion, verifier, cookie or user code. This file checks one flow of every
 * profile. global-setup.ts checks the values of all tests of this folder at their end.
 */

import { randomUUID } from 'node:crypto'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createBrowser } from './browser.ts'
import { clientNamed, freshClient } from './clients.ts'
import { connectDevice } from './device-journey.ts'
import { environment } from './environment.ts'
import { obtainCode, obtainTokens } from './flow.ts'
import { exchange, until } from './http.ts'
import { findLeaks } from './leaks.ts'
import { createParty, secret } from './party.ts'

/** Waits until the gateway's log contains a request made now. */
async function untilWritten(): Promise<string> {
  const id = randomUUID()
  const { baseUrl, logFolder } = environment()
  await exchange(`${baseUrl}/v1/nothing`, 'GET', [['x-request-id', id]])
  const log = () => Promise.resolve(readFileSync(join(logFolder, 'gateway.log'), 'utf8'))
  await until(log, (text) => text.includes(id))
  return id
}

test('the search finds what is in a log', async () => {
  const id = await untilWritten()
  const file = join(environment().folder, `planted-${id}`)
  writeFileSync(file, id)
  expect(findLeaks(environment().logFolder, file).join()).toContain('gateway.log')
})

test('a flow of every profile, with good and bad requests, leaves no secret in any log', async () => {
  const browser = createBrowser()
  for (const profile of ['web', 'spa', 'native'] as const) {
    const party = createParty(freshClient(profile))
    const tokens = await obtainTokens(browser, party)
    await party.call(tokens.access_token, '/v1/operations')
    await party.refresh(tokens.refresh_token)
    await party.refresh(`${tokens.refresh_token}x`)
    const { code, request } = await obtainCode(browser, party)
    await party.redeem(code, request, { code_verifier: `${request.verifier}x` })
    await party.redeem(code, request, { redirect_uri: 'https://elsewhere.example' })
    await party.redeem(code, request)
    await party.redeem(code, request)
    await party.revoke(tokens.refresh_token)
    await party.call(tokens.access_token, '/v1/operations')
    await exchange(`${environment().baseUrl}/v1/operations?access_token=${tokens.access_token}`, 'GET')
    await exchange(`${environment().baseUrl}/v1/${tokens.refresh_token}`, 'GET')
  }
  const device = createParty(freshClient('device'))
  const { body } = await device.askDevice()
  await connectDevice(browser, body['user_code'])
  await device.pollDevice(body['device_code'])
  await device.pollDevice(body['device_code'])
  const agent = createParty(clientNamed('ines-agent'))
  await agent.token({ grant_type: 'client_credentials' })
  await agent.token({ grant_type: 'client_credentials' }, { assertion: `${agent.assertion()}x` })
  await untilWritten()
  const { logFolder, secretsFile } = environment()
  expect(readdirSync(logFolder)).toEqual(expect.arrayContaining(['authz.log', 'gateway.log', 'onboarding.log']))
  expect(readFileSync(secretsFile, 'utf8').split('\n').length).toBeGreaterThan(100)
  expect(findLeaks(logFolder, secretsFile)).toEqual([])
})

test('no refusal repeats the secret that it was sent', async () => {
  const [web, spa, device] = [
    createParty(freshClient('web')),
    createParty(freshClient('spa')),
    createParty(freshClient('device')),
  ]
  const value = secret()
  const { baseUrl } = environment()
  const request = web.request()
  const answers = [
    await web.refresh(value),
    await spa.refresh(value),
    await spa.redeem(value, spa.request()),
    await spa.redeem('x', spa.request(), { code_verifier: value }),
    await device.pollDevice(value),
    await web.refresh('x', {}, { assertion: value }),
    await web.refresh('x', {}, { proof: value }),
    await web.push(request.parameters, { assertion: value }),
    await web.revoke(value, {}, { assertion: null }),
    await exchange(`${baseUrl}/v1/operations`, 'GET', [
      ['authorization', `DPoP ${value}`],
      ['dpop', value],
    ]),
    await exchange(`${baseUrl}/v1/operations?access_token=${value}`, 'GET'),
    await exchange(`${baseUrl}/oauth/authorize?client_id=${spa.client.client_id}&request_uri=${value}`, 'GET'),
    await exchange(`${baseUrl}/oauth/authorize?client_id=${value}`, 'GET', [['accept', 'text/html']]),
  ]
  for (const { status, text, headers } of answers) {
    expect(status).toBeGreaterThanOrEqual(400)
    expect(text).not.toContain(value)
    for (const [, header] of headers) expect(header).not.toContain(value)
  }
})
