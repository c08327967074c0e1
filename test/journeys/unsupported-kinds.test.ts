/**
 * Every kind of operation at a provider that offers none, through all services: it is refused at acceptance, before
 * anything is written. Only the end of a connection is accepted, because an owner can always ask for it. It fails
 * without being sent.
 */

import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { portVersion } from '@financial-agents/provider-port/adapter'
import { providerReads } from '@financial-agents/provider-port/reads'
import { oracleKinds } from '@financial-agents/testkit/kinds-oracle'
import type { ServiceName } from '@financial-agents/testkit/stack-services'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ownerOf } from '../owner.test-helper.ts'
import { clientOf, providerOf, settledResource, startTestStack, type TestStack } from '../stack.test-helper.ts'
import { type Act, prepare, type World } from './kinds.test-helper.ts'

const scopes =
  'beneficiaries:read beneficiaries:write operations:read cards:read cards:manage spending:withdraw authorization:read'
const refusedKinds = oracleKinds.filter((kind) => kind !== 'transfer_grant_revoke')

/** The services that open an adapter. */
const opening = [
  'onboarding',
  'operations',
  'reconciler',
  'submitter',
  'beneficiaries',
  'cards',
  'spending',
  'catalog',
] as const satisfies readonly ServiceName[]

/** An adapter that declares no kind, and answers every call with `unavailable`. */
const bareAdapter = `
const unavailable = async () => ({ type: 'unavailable', reason: 'provider_unreachable' })
const members = { supports: () => false, mayAskApproval: () => false, deadlines: null, close: async () => {} }
const open = () => {
  const calls = ['submit', 'lookup', 'prepareApproval', 'pollApproval', 'startCardReveal', 'startIdentityCheck',
    'startDeviceAuthentication', 'pollDeviceAuthentication', ...${JSON.stringify(Object.keys(providerReads))}]
  return { ...Object.fromEntries(calls.map((call) => [call, unavailable])), ...members }
}
export default { portVersion: ${portVersion}, kinds: [], open }
`

let folder: string
let stack: TestStack
let database: pg.Pool
const acts: Record<string, Act> = {}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'financial-agents-bare-adapter-'))
  const home = join(folder, 'node_modules/bare-adapter')
  await mkdir(home, { recursive: true })
  const manifest = { name: 'bare-adapter', version: '1.0.0', type: 'module', exports: './index.js' }
  await Promise.all([
    writeFile(join(home, 'package.json'), JSON.stringify(manifest)),
    writeFile(join(home, 'index.js'), bareAdapter),
  ])
  stack = await startTestStack({ enabledCapabilities: ['transfers.execute', 'cards.reveal'] })
  database = new pg.Pool({ connectionString: stack.postgres.adminUrl })
  const client = await clientOf(stack, 'amara-agent', scopes)
  const world: World = {
    stack,
    database,
    client,
    owner: ownerOf(stack, 'amara'),
    payee: {
      name: 'Rui Prado',
      country: 'GB',
      currency: 'GBP',
      payout_schema_id: 'fps_gb_gbp',
      details: { sort_code: '601613', account_number: '31926819' },
    },
    currency: 'GBP',
    beneficiary_id: '',
    memo: 'Rent',
    person: 'daniel',
  }
  await (await prepare(world, 'beneficiary_create'))()
  world.beneficiary_id = (await client.request('GET', '/v1/beneficiaries')).body['items'][0].id
  await settledResource(client, `/v1/beneficiaries/${world.beneficiary_id}`, 'active')
  for (const kind of oracleKinds) acts[kind] = await prepare(world, kind)
  // All resources that the writes name exist. From here on, the provider offers no kind.
  const environment = { PROVIDER_ADAPTERS: 'fake=bare-adapter', PROVIDER_ADAPTERS_PATH: folder }
  for (const service of opening) {
    await stack.stopService(service)
    await stack.start(service, environment)
  }
})
afterAll(async () => {
  await database?.end()
  await stack?.close()
  await rm(folder, { recursive: true, force: true })
})

/** The number of rows of every table of the areas and of operations. */
async function countRows(): Promise<Record<string, number>> {
  const { rows } = await database.query<{ name: string }>(
    `SELECT format('%I.%I', schemaname, tablename) AS name FROM pg_tables
     WHERE schemaname IN ('operations', 'beneficiaries', 'cards', 'spending', 'submitter', 'reconciler')`,
  )
  const counts = rows.map(({ name }) => `SELECT '${name}' AS name, count(*)::int AS n FROM ${name}`)
  const counted = await database.query<{ name: string; n: number }>(counts.join(' UNION ALL '))
  return Object.fromEntries(counted.rows.map(({ name, n }) => [name, n]))
}

test.each(refusedKinds)('%s is refused, and nothing is written', async (kind) => {
  const before = await countRows()
  expect(Object.keys(before)).toContain('operations.operations')
  await expect(acts[kind]?.()).rejects.toThrow(
    /answered 403: .*does not offer this kind of operation.*"capability_unavailable"/,
  )
  // A background job may remove rows of earlier writes meanwhile.
  const after = await countRows()
  expect(Object.keys(after).filter((name) => (after[name] ?? 0) > (before[name] ?? 0))).toEqual([])
})

test('transfer_grant_revoke is accepted, fails unsent, and ends the connection', async () => {
  const id = await acts['transfer_grant_revoke']?.()
  const read = async () =>
    (await database.query('SELECT state, failure_code FROM operations.operations WHERE id = $1', [id])).rows[0]
  await expect.poll(read).toEqual({ state: 'failed', failure_code: 'operation_kind_unsupported' })
  expect(await providerOf(stack).ledger(id)).toEqual([])
})
