/** Runs the commands as operators do, on one database. */

import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { callProgram } from '@financial-agents/runtime/program'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { stringify } from 'yaml'
import { service } from './service.ts'
import { openTestStore, serviceOf, spaOf, type TestStore } from './store/test-store.test-helper.ts'

const key = Buffer.alloc(32, 7).toString('base64')
let store: TestStore
let directory: string

beforeAll(async () => {
  ;[store, directory] = await Promise.all([openTestStore(), mkdtemp(join(tmpdir(), 'authz-'))])
})
afterAll(async () => {
  await Promise.all([store.close(), rm(directory, { recursive: true })])
})

function call(name: string, args: string[]) {
  // In a test, the schema does not have the service's name.
  const url = new URL(store.connectionString)
  url.searchParams.set('options', `-c search_path=${store.schema}`)
  const env = { DATABASE_URL: url.href, PAIRWISE_KEY: key, SEALING_KEYS: `a:${key}` }
  return callProgram(service.program, [name, ...args], env)
}

/** Returns the lines that the command printed. */
async function run(name: string, args: string[]): Promise<string[]> {
  const { stdout, stderr } = await call(name, args)
  expect(stderr).toBe('')
  return stdout.split('\n').filter((line) => line !== '')
}

async function declare(...clients: unknown[]): Promise<string> {
  const file = join(directory, 'clients.yaml')
  await writeFile(file, stringify({ clients }))
  return file
}

test('clients are applied, listed with what they hold, suspended when they are declared no more', async () => {
  const agent = serviceOf()
  const file = await declare(spaOf(), agent)
  expect(await run('apply-clients', [file])).toEqual([
    'client app: registered as spa',
    'client agent: registered as service',
    expect.stringMatching(/^client agent: grant [0-9a-f-]{36} created$/),
  ])
  expect(await run('apply-clients', [file])).toEqual([])
  const removed = ['client app: suspended (no longer declared)']
  // No authz runs, so no fence is confirmed.
  const unconfirmed = expect.stringMatching(/^not confirmed: .* may still be sent\. .*apply the file again/)
  const fewer = await declare(agent)
  expect(await run('apply-clients', [fewer])).toEqual([...removed, unconfirmed])
  const asking = run('apply-clients', [fewer])
  await store.read(`UPDATE fences SET confirmed_version = version`)
  expect(await asking).toEqual(expect.not.arrayContaining([unconfirmed]))
  expect(await run('apply-clients', [fewer])).toEqual([])
  const [head, ...rows] = await run('list-clients', [])
  expect(head).toMatch(/^client +profile +status +scopes +grants active +name$/)
  expect(rows.map((row) => row.split(/ {2,}/))).toEqual([
    ['agent', 'service', 'active', '2', '1', 'An agent'],
    ['app', 'spa', 'suspended', '5', '0', 'An app'],
  ])
  const listed = JSON.parse((await run('list-clients', ['--json'])).join('')) as { client_id: string }[]
  expect(listed).toMatchObject([
    { client_id: 'agent', scopes: ['operations:read', 'beneficiaries:read'], active_grants: 1 },
    { client_id: 'app', status: 'suspended', active_grants: 0 },
  ])
})

test('keys are rotated and listed without their private part; a second rotation waits', async () => {
  const [first] = await run('keys', ['rotate'])
  const [, old] = /^key (\S+): published, signs from \S+Z$/.exec(first ?? '') ?? []
  const [second] = await run('keys', ['rotate', '--lead-seconds', '60'])
  expect(await call('keys', ['rotate'])).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/^authz keys: key \S+ is published and signs from \S+Z: rotate after that\n$/),
  })
  const [head, ...rows] = await run('keys', ['list'])
  expect(head).toMatch(/^kid +stage +published +signs from +retires +removed after$/)
  expect(rows.map((row) => row.split(/ {2,}/).slice(0, 2))).toEqual([
    [second?.split(/[ :]/)[1], 'next'],
    [old, 'signing'],
  ])
  const json = (await run('keys', ['list', '--json'])).join('')
  expect(JSON.parse(json)).toHaveLength(2)
  expect(json).not.toContain('"d"')
})
