/**
 * The port and its cases as they are published: their packages name nothing else of the workspace, and install into an empty folder. An
 * adapter that was written against the port by somebody else passes the cases. As a package of its own, in a mounted folder, it serves an owner beside the
 * default adapter.
 */

import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { amara as amaraToken } from '@financial-agents/provider-http/testing/test-users'
import type { ApiClient } from '@financial-agents/testkit/client'
import { type FakeProvider, startFakeProvider } from '@financial-agents/testkit/fake-provider'
import pg from 'pg'
import { publint } from 'publint'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { clientOf, create, pollUntil, startTestStack, type TestStack } from '../stack.test-helper.ts'
import { type Bank, startBank } from './third-party/bank.ts'
import {
  compile,
  conform,
  filesOf,
  installAdapter,
  type Packed,
  packPort,
  publishedNames,
  remove,
} from './third-party/packed.ts'

const scopes = 'beneficiaries:read beneficiaries:write operations:read services:read cards:manage'

let packed: Packed
let stack: TestStack
let database: pg.Client
let fake: FakeProvider
let bank: Bank
/** A client of an owner of each provider. */
let ines: ApiClient
let amara: ApiClient

beforeAll(async () => {
  ;[packed, fake, bank] = await Promise.all([packPort(), startFakeProvider(), startBank(new Set([amaraToken]))])
  await compile(packed.project)
  stack = await startTestStack({
    environment: {
      all: {
        PROVIDER_ADAPTERS: 'fake=http,acme=@acme/bank-adapter',
        PROVIDER_ADAPTERS_PATH: await installAdapter(packed),
        PROVIDER_FAKE__URL: fake.url,
        PROVIDER_ACME__URL: bank.url,
      },
    },
  })
  ines = await clientOf(stack, 'ines-agent', scopes)
  amara = await clientOf(stack, 'amara-agent', scopes)
  // The seeds bind every owner to the first provider. No service has asked for credentials yet.
  database = new pg.Client({ connectionString: stack.postgres.adminUrl })
  await database.connect()
  const moved = await database.query(
    `UPDATE onboarding.bindings SET provider = 'acme' WHERE owner_id = '01980000-0000-7000-8000-000000000002'`,
  )
  expect(moved.rowCount).toBe(1)
})
afterAll(async () => {
  await database?.end()
  await stack?.close()
  await Promise.all([fake?.stop(), bank?.close()])
  if (packed) await remove(packed)
})

test.each(publishedNames)(
  'the package provider-%s names what it depends on, and every entry has its code and its types',
  async (of) => {
    const folder = join(packed.project, `node_modules/@financial-agents/provider-${of}`)
    const manifest = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'))
    const allowed = of === 'port' ? ['zod'] : ['@financial-agents/provider-port']
    expect(Object.keys(manifest.dependencies)).toEqual(allowed)
    expect(manifest.private).toBeUndefined()
    const files = await filesOf(folder)
    const texts = await Promise.all(files.map((file) => readFile(file, 'utf8')))
    for (const [index, file] of files.entries()) {
      if (!/\.(?:js|d\.ts)$/.test(file)) continue
      const named = [...(texts[index] ?? '').matchAll(/(?:from|import\()\s*['"]([^'".][^'"]*)['"]/g)].map(
        ([, name]) => name,
      )
      expect(
        named.filter(
          (name) => !name?.startsWith('node:') && !allowed.some((other) => `${name}/`.startsWith(`${other}/`)),
        ),
        file,
      ).toEqual([])
    }
    const source = JSON.parse(
      await readFile(join(import.meta.dirname, `../../libs/provider/${of}/package.json`), 'utf8'),
    )
    expect(Object.keys(manifest.exports)).toEqual([...Object.keys(source.exports), './package.json'])
    const { messages } = await publint({ pkgDir: folder, strict: true })
    expect(messages).toEqual([])
    expect(files.filter((file) => /\.test\.|test-helper|tsconfig|\.ts$/.test(file) && !file.endsWith('.d.ts'))).toEqual(
      [],
    )
  },
)

test('an adapter that somebody else wrote against it passes every published case of its kinds and reads', async () => {
  const report = await conform(packed.project)
  expect(report.match(/^not ok .*$/gm)).toBeNull()
  expect(report.match(/^ok (?!.* # SKIP )/gm)).toHaveLength(55)
  // The bank promises nothing about deadlines.
  expect(report.match(/^ok .* # SKIP the provider promises nothing about deadlines$/gm)).toHaveLength(3)
})

const lies: [adapter: string, honest: string, lie: string, caughtBy: string[]][] = [
  [
    'calls every doubt a failure',
    "type: 'uncertain'",
    "type: 'failed'",
    ['a lost answer is uncertain', 'an answer that nobody can read is uncertain'],
  ],
  [
    'calls a failure inside its bank a refusal',
    'const refused = refusals[answer.status]',
    "const refused = answer.status >= 500 ? 'provider_refused' : refusals[answer.status]",
    [
      'a failure inside the provider is uncertain',
      'a failure inside the provider that executed nothing is as uncertain',
    ],
  ],
  [
    'promises what its bank does not keep',
    'deadlines: null',
    'deadlines: { refusesAfterDeadline: true, completeByReference: true, clockMarginMs: 1000 }',
    [
      'a request that arrives after its deadline is failed',
      'deadlines: a promise about them is validated, or not made',
    ],
  ],
]

test.each(lies)('the published cases catch an adapter that %s', async (_adapter, honestPart, lie, caughtBy) => {
  const file = join(packed.project, 'dist/adapter.js')
  const honest = await readFile(file, 'utf8')
  try {
    const lying = honest.replace(honestPart, lie)
    expect(lying).not.toBe(honest)
    await writeFile(file, lying)
    const caught = (await conform(packed.project)).match(/^not ok \d+ - .*$/gm) ?? []
    for (const name of caughtBy) expect(caught).toContainEqual(expect.stringContaining(name))
  } finally {
    await writeFile(file, honest)
  }
})

test('from a mounted folder, its adapter brings a write to its proof beside the default one', async () => {
  const [hers, theirs] = await Promise.all([create(ines, 'Rui Prado'), create(amara, 'Greta Lindqvist')])
  expect(theirs).toMatchObject({ status: 202 })
  await pollUntil(ines, hers.body['id'], ['succeeded'])
  await pollUntil(amara, theirs.body['id'], ['succeeded'])
  expect(bank.countArrivals(theirs.body['id'])).toBe(1)
  expect(bank.countArrivals(hers.body['id'])).toBe(0)
  const { entries } = (await fake.ask('GET', '/control/ledger')) as { entries: { client_reference: string }[] }
  expect(entries.map(({ client_reference }) => client_reference)).toEqual([hers.body['id']])
})

test('an answer that its bank lost is proven by its lookup', async () => {
  bank.order('drop_reply')
  const lost = await create(amara, 'Wendell Ortiz')
  await pollUntil(amara, lost.body['id'], ['succeeded'])
  const { rows } = await database.query(
    `SELECT evidence ->> 'read' AS read FROM operations.history WHERE operation_id = $1 AND evidence IS NOT NULL`,
    [lost.body['id']],
  )
  expect(rows).toEqual([{ read: 'payee_by_external_id' }])
  expect(bank.countArrivals(lost.body['id'])).toBe(1)
})

test('a kind that it does not declare is refused to its owner before anything is written, and not to others', async () => {
  const card = { body: { type: 'virtual', currency: 'EUR' } }
  const refused = await amara.request('POST', '/v1/cards', { key: crypto.randomUUID(), ...card })
  expect(refused).toMatchObject({ status: 403, body: { code: 'capability_unavailable' } })
  const made = await ines.request('POST', '/v1/cards', { key: crypto.randomUUID(), ...card })
  expect(made.status).toBe(202)
})
