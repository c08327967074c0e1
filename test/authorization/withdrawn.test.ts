/**
 * What is withdrawn from a person's application, by whichever hand: every gateway refuses it in under a second, and keeps
 * refusing what ended by itself. Two replicas of authz and two gateways serve all of it.
 */

import { execFile } from 'node:child_process'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { parse, stringify } from 'yaml'
import { type Browser, createBrowser } from './browser.ts'
import { freshClient } from './clients.ts'
import { moveClock } from './clock.ts'
import { query } from './database.ts'
import { environment } from './environment.ts'
import { expectError, expectTokenRefused } from './expectations.ts'
import { type Answer, until } from './http.ts'
import { createParty, type Party } from './party.ts'
import { claimsOf, obtainTokens, type Tokens } from './walk.ts'

const run = promisify(execFile)
const path = '/v1/operations'

let browser: Browser
let party: Party
let tokens: Tokens
beforeEach(async () => {
  browser = createBrowser()
  party = createParty(freshClient('web'))
  tokens = await obtainTokens(browser, party, { scope: 'openid operations:read beneficiaries:read' })
})
afterEach(() => moveClock(0))

const gateways = () => [environment().baseUrl, environment().secondUrl]
const call = (at: string, target = path) => party.call(tokens.access_token, target, { at })
const grantId = () => claimsOf(tokens.access_token)['grant_id'] as string

/** Both gateways have believed the grant; both answer otherwise in under a second. */
async function expectWithdrawn(withdraw: () => Promise<unknown>, wanted: (answer: Answer) => boolean, target = path) {
  for (const at of gateways()) expect((await call(at, target)).status).toBe(200)
  await withdraw()
  const found = await Promise.all(gateways().map((at) => until(() => call(at, target), wanted)))
  for (const { afterMs } of found) expect(afterMs).toBeLessThan(1_000)
  return found.map(({ value }) => value)
}

const isRefused = ({ status }: Answer) => status !== 200

/** Applies the registrations of the tests after a change, as an operator would. */
async function declare(change: (client: Record<string, unknown>) => Record<string, unknown>[]): Promise<void> {
  const { clientsFile, folder, commandEnvironment } = environment()
  const declared = parse(await readFile(clientsFile, 'utf8')) as { clients: Record<string, unknown>[] }
  const clients = declared.clients.flatMap((client) =>
    client['client_id'] === party.client.client_id ? change(client) : [client],
  )
  const file = join(folder, 'changed-clients.yaml')
  await writeFile(file, stringify({ clients }, { aliasDuplicateObjects: false }))
  const cwd = join(import.meta.dirname, '../../services/authz')
  await run(process.execPath, ['src/apply-clients.ts', file], { cwd, env: commandEnvironment })
}

test('a grant that its owner ends on the account page', async () => {
  const end = async () => {
    const { page } = await browser.open(`${environment().baseUrl}/account`)
    const action = `/account/grants/${grantId()}/revoke`
    const form = page?.root.querySelector(`form[action="${action}"]`)
    const csrf_token = form?.querySelector('input[name=csrf_token]')?.getAttribute('value') ?? ''
    const fields: [string, string][] = [['csrf_token', csrf_token]]
    await browser.send({ url: new URL(action, environment().baseUrl), method: 'POST', fields }, page)
  }
  for (const answer of await expectWithdrawn(end, isRefused)) expectTokenRefused(answer)
  expectError(await party.refresh(tokens.refresh_token), 400, 'invalid_grant')
})

test('a client that is no longer declared, and it is served again once it is', async () => {
  for (const answer of await expectWithdrawn(() => declare(() => []), isRefused)) expectTokenRefused(answer)
  expectError(await party.refresh(tokens.refresh_token), 401, 'invalid_client')
  await declare((client) => [client])
  for (const at of gateways())
    await until(
      () => call(at),
      ({ status }) => status === 200,
    )
})

test('a scope that the client’s registration lost is out of the token, and the others stay', async () => {
  const narrow = () => declare((client) => [{ ...client, scopes: ['openid', 'beneficiaries:read'] }])
  for (const answer of await expectWithdrawn(narrow, isRefused)) {
    expect([answer.status, answer.body['code']]).toEqual([403, 'insufficient_scope'])
    expect(answer.headers.get('www-authenticate')).toContain('scope="operations:read"')
  }
  for (const at of gateways()) expect((await call(at, '/v1/beneficiaries')).status).toBe(200)
  await declare((client) => [client])
})

test('a grant whose time is over, from the very moment and without a word of authz', async () => {
  // No gateway has seen the grant: what each reads has this end.
  await query(`UPDATE grants SET expires_at = now() + interval '100 seconds' WHERE grant_id = $1`, [grantId()])
  await moveClock(90_000)
  for (const at of gateways()) expect((await call(at)).status).toBe(200)
  await moveClock(101_000)
  for (const at of gateways()) expectTokenRefused(await call(at))
})
