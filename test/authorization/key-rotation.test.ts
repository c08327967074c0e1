/**
 * Rotation of the signing key with two replicas of authz and two gateways. At every moment each token within its five
 * minutes is accepted everywhere, and each new token is accepted at once.
 */

import { decodeJwt, decodeProtectedHeader } from 'jose'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { clientNamed } from './clients.ts'
import { moveClock } from './clock.ts'
import { runAuthzCommand } from './command.ts'
import { environment } from './environment.ts'
import { expectTokenRefused } from './expectations.ts'
import { exchange, until } from './http.ts'
import { createParty, type Party } from './party.ts'

let party: Party

beforeAll(() => {
  party = createParty(clientNamed('ines-agent'))
})
afterAll(() => moveClock(0))

/** Moves the clock to this age of a token, however long the test took until now. */
function moveToAge(token: string, ageMs: number): Promise<void> {
  return moveClock(Number(decodeJwt(token).iat) * 1_000 + ageMs - Date.now())
}

async function issue(): Promise<{ token: string; kid: string }> {
  const { body } = await party.token({ grant_type: 'client_credentials', scope: 'operations:read' })
  const token = body['access_token'] as string
  return { token, kid: decodeProtectedHeader(token).kid as string }
}

async function expectBelieved(token: string): Promise<void> {
  for (const at of [environment().baseUrl, environment().secondUrl])
    expect((await party.call(token, '/v1/operations', { at })).status).toBe(200)
}

async function publishedKids(): Promise<string[]> {
  const { body } = await exchange(`${environment().baseUrl}/oauth/jwks`, 'GET')
  return body['keys'].map(({ kid }: { kid: string }) => kid)
}

test('no token is refused while the key is rotated, and the old key stays until its tokens are dead', async () => {
  const before = await issue()
  await expectBelieved(before.token)
  await runAuthzCommand('keys', 'rotate', '--lead-seconds', '90')

  // The new key is published first: both replicas show it, and still sign with the old key.
  const kids = await until(publishedKids, (found) => found.length > 1)
  expect(kids).toContain(before.kid)
  expect((await issue()).kid).toBe(before.kid)

  await moveClock(91_000)
  const seen = new Set<string>()
  await until(
    async () => {
      const issued = await issue()
      seen.add(issued.kid)
      // Both gateways accept the token at once, with either key of either replica.
      await expectBelieved(issued.token)
      await expectBelieved(before.token)
      return issued.kid
    },
    (kid) => kid !== before.kid,
  )
  for (let round = 0; round < 20; round += 1) {
    const issued = await issue()
    seen.add(issued.kid)
    await expectBelieved(issued.token)
  }
  expect([...seen].every((kid) => kids.includes(kid))).toBe(true)

  await moveToAge(before.token, 270_000)
  await expectBelieved(before.token)
  expect(await publishedKids()).toContain(before.kid)
  await moveToAge(before.token, 306_000)
  expectTokenRefused(await party.call(before.token, '/v1/operations'))
  await expectBelieved((await issue()).token)
})
