/** The Job `streams` while the migrations of the schemas that have a witness are late. */

import { startTestNats, type TestNats } from '@financial-agents/bus/testing/nats'
import { readConfig } from '@financial-agents/runtime/config'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { config, provision } from '../../services/operations/src/commands/provision-streams.ts'
import { type Roles, startProvisioned, urlOf } from './roles.test-helper.ts'

const longMs = 240_000
let postgres: Awaited<ReturnType<typeof startProvisioned>>
let nats: TestNats

beforeAll(async () => {
  ;[postgres, nats] = await Promise.all([startProvisioned({ migrated: false }), startTestNats()])
})
afterAll(async () => {
  await nats?.stop()
  await postgres?.stop()
})

const rolesOf = (service: string) => postgres.roles.find((role) => role.service === service) as Roles

function provisionWithin(waitMs: number): Promise<string[]> {
  const environment = {
    NATS_URL: nats.server.url,
    NATS_NKEY_SEED: nats.seeds.provisioner,
    STREAM_REPLICAS: '1',
    OPERATIONS_DATABASE_URL: urlOf(postgres.adminUrl, rolesOf('operations'), 'runtime'),
    SUBMITTER_DATABASE_URL: urlOf(postgres.adminUrl, rolesOf('submitter'), 'runtime'),
  }
  return provision(readConfig(config, environment), waitMs)
}

const notMigrated = (schema: string) =>
  `cannot make the witnesses: the schema of ${schema} is not migrated: run its migrations, then this again`

test('it fails in words while a schema is not migrated, waits for late migrations, and may be run again at any time', async () => {
  await expect(provisionWithin(0)).rejects.toThrow(/the schema of (operations|submitter) is not migrated/)
  await postgres.migrateSchema(rolesOf('operations'))
  await expect(provisionWithin(0)).rejects.toThrow(notMigrated('submitter'))
  const waiting = provisionWithin(longMs)
  await postgres.migrateSchema(rolesOf('submitter'))
  expect(await waiting).toEqual(
    expect.arrayContaining([expect.stringMatching(/^witness of operations: /), 'witness of submitter: made']),
  )
  const asItIs = ['operations', 'submitter'].map((schema) => `witness of ${schema}: as it should be`)
  expect(await provisionWithin(0)).toEqual(expect.arrayContaining(asItIs))
})
