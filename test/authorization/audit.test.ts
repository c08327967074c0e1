/**
 * The audit table records who authorized, refreshed and revoked what, and when. Rows are only added, and no row holds a
 * token or code.
 */

import { readFileSync } from 'node:fs'
import { beforeAll, describe, expect, test } from 'vitest'
import { createBrowser } from './browser.ts'
import { clientNamed, freshClient } from './clients.ts'
import { auditOf, query } from './database.ts'
import { connectDevice } from './device-journey.ts'
import { environment } from './environment.ts'
import { authorize, claimsOf, obtainTokens, type Tokens } from './flow.ts'
import { createParty, type Party } from './party.ts'

let web: Party
let tokens: Tokens
beforeAll(async () => {
  web = createParty(freshClient('web'))
  tokens = await obtainTokens(createBrowser(), web)
  await web.refresh(tokens.refresh_token)
  const denied = web.request({ prompt: 'consent' })
  await authorize(createBrowser(), web, denied, { consent: 'deny' })
  await web.revoke(tokens.refresh_token)
})

const eventsOf = async (clientId: string) => (await auditOf(clientId)).map(({ event }) => event)

describe('the audit of a client', () => {
  test.each(['authorized', 'grant_created', 'token_issued', 'token_refreshed', 'consent_denied', 'grant_revoked'])(
    'says that it was %s',
    async (event) => {
      expect(await eventsOf(web.client.client_id)).toContain(event)
    },
  )

  test('names the grant, the owner, who did it and the request', async () => {
    const rows = await auditOf(web.client.client_id)
    const { grant_id } = claimsOf(tokens.access_token)
    const of = (event: string) => rows.find((row) => row.event === event)
    for (const event of ['grant_created', 'token_issued', 'token_refreshed', 'grant_revoked']) {
      expect(of(event), event).toMatchObject({ grant_id, owner_id: expect.any(String), request_id: expect.any(String) })
      expect(Math.abs(Date.now() - new Date(of(event)?.['at'] as string).getTime())).toBeLessThan(300_000)
    }
    expect(of('grant_revoked')?.['actor']).toBe('client')
    expect(of('grant_created')?.['actor']).toBe('owner')
  })

  test('of a device says that it was approved and given tokens', async () => {
    const device = createParty(freshClient('device'))
    const { body } = await device.askDevice()
    await connectDevice(createBrowser(), body['user_code'])
    await device.pollDevice(body['device_code'])
    expect(await eventsOf(device.client.client_id)).toEqual(expect.arrayContaining(['device_approved', 'token_issued']))
  })

  test('of a service account says which tokens were issued', async () => {
    const agent = createParty(clientNamed('ines-agent'))
    const before = (await eventsOf('ines-agent')).filter((event) => event === 'token_issued').length
    await agent.token({ grant_type: 'client_credentials', scope: 'operations:read' })
    const after = (await eventsOf('ines-agent')).filter((event) => event === 'token_issued').length
    expect(after).toBe(before + 1)
  })
})

test('nothing in the audit can be changed or removed by the service', async () => {
  await expect(query('UPDATE audit SET client_id = $1', ['x'])).rejects.toThrow(/permission denied/)
  await expect(query('DELETE FROM audit')).rejects.toThrow(/permission denied/)
  await expect(query('TRUNCATE audit')).rejects.toThrow(/permission denied/)
})

test('no secret of this run is readable anywhere in the database', async () => {
  const secrets = new Set(readFileSync(environment().secretsFile, 'utf8').split('\n'))
  secrets.delete('')
  const tables = await query<{ name: string }>(
    `SELECT quote_ident(table_name) AS name FROM information_schema.tables WHERE table_schema = current_schema() AND table_type = 'BASE TABLE'`,
  )
  expect(tables.length).toBeGreaterThan(5)
  for (const { name } of tables) {
    const rows = await query<{ row: string }>(`SELECT to_jsonb(t)::text AS row FROM ${name} t`)
    const words = new Set(rows.flatMap(({ row }) => row.match(/[\w-]{8,}/g) ?? []))
    expect(
      [...words].filter((word) => secrets.has(word)),
      name,
    ).toEqual([])
  }
})
