/**
 * Ways to lose authority without revocation or suspension: a scope leaves the client's registration, or the grant
 * expires. Every gateway knows, within a second or at that very moment.
 */

import { afterEach, beforeEach, expect, test } from 'vitest'
import { createBrowser } from './browser.ts'
import { freshClient } from './clients.ts'
import { moveClock } from './clock.ts'
import { query } from './database.ts'
import { declare, declareWith } from './declare.ts'
import { environment } from './environment.ts'
import { expectTokenRefused } from './expectations.ts'
import { claimsOf, obtainTokens, type Tokens } from './flow.ts'
import { until } from './http.ts'
import { createParty, type Party } from './party.ts'

const path = '/v1/operations'

let party: Party
let tokens: Tokens
beforeEach(async () => {
  party = createParty(freshClient('web'))
  tokens = await obtainTokens(createBrowser(), party, { scope: 'openid operations:read beneficiaries:read' })
})
afterEach(() => moveClock(0))

const gateways = () => [environment().baseUrl, environment().secondUrl]
const call = (at: string, target = path) => party.call(tokens.access_token, target, { at })
const grantId = () => claimsOf(tokens.access_token)['grant_id'] as string

test('a scope that the client’s registration lost is out of the token, and the others stay', async () => {
  for (const at of gateways()) expect((await call(at)).status).toBe(200)
  await declareWith(party.client.client_id, { scopes: ['openid', 'beneficiaries:read'] })
  const found = await Promise.all(
    gateways().map((at) =>
      until(
        () => call(at),
        ({ status }) => status !== 200,
      ),
    ),
  )
  for (const answer of found) {
    expect([answer.status, answer.body['code']]).toEqual([403, 'insufficient_scope'])
    expect(answer.headers.get('www-authenticate')).toContain('scope="operations:read"')
  }
  for (const at of gateways()) expect((await call(at, '/v1/beneficiaries')).status).toBe(200)
  await declare()
})

test('a grant whose time is over, from the very moment and without a word of authz', async () => {
  // No gateway has read the grant yet, so each reads it with this expiry.
  await query(`UPDATE grants SET expires_at = now() + interval '100 seconds' WHERE grant_id = $1`, [grantId()])
  await moveClock(75_000)
  for (const at of gateways()) expect((await call(at)).status).toBe(200)
  await moveClock(101_000)
  for (const at of gateways()) expectTokenRefused(await call(at))
})
