/**
 * An adapter in an image of its own, installed by the chart. The image's folder is laid out as its Dockerfile lays it out, and
 * the init container's command copies it. Bundles of the services run with exactly the variables that the chart renders. The
 * folders stand for the image and for the volume; no registry and no container runtime takes part.
 */

import { execFile } from 'node:child_process'
import { chmod, mkdir, mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { amara as amaraToken } from '@financial-agents/provider-http/testing/test-users'
import type { ApiClient } from '@financial-agents/testkit/client'
import { type FakeProvider, startFakeProvider } from '@financial-agents/testkit/fake-provider'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type MadeBundles, makeBundles } from '../images/bundles.test-helper.ts'
import { type Bank, startBank } from '../journeys/third-party/bank.ts'
import { compile, installAdapter, type Packed, packPort, remove } from '../journeys/third-party/packed.ts'
import { clientOf, create, pollUntil, settledResource, startTestStack, type TestStack } from '../stack.test-helper.ts'
import { profile } from './cases.ts'
import { type Container, type Pod, parseManifests, podsOf } from './manifests.ts'
import { helmTemplate } from './render.ts'
import { needTools, toolPath } from './tools.ts'

needTools('helm')

const scopes = 'beneficiaries:read beneficiaries:write operations:read spending:withdraw services:read'

/** Stands for the root of the container: the image's folder and the volume are in it. */
let root: string
let pods: readonly Pod[]
let packed: Packed
let bank: Bank
let fake: FakeProvider
let made: MadeBundles
let stack: TestStack
let database: pg.Client
let amara: ApiClient

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'financial-agents-adapter-image-'))
  await chmod(root, 0o755)
  ;[packed, fake, bank] = await Promise.all([packPort(), startFakeProvider(), startBank(new Set([amaraToken]))])
  pods = await render()
  await layOutImage()
  await mkdir(join(root, 'adapters/acme'), { recursive: true })
  // The kubelet creates an emptyDir with this mode.
  await chmod(join(root, 'adapters/acme'), 0o777)
  made = await makeBundles([join(root, 'adapters')])
  for (const container of initContainersOf('submitter')) await runAsImageUser(container.command ?? [])
  stack = await startTestStack({
    bundles: made.bundles,
    enabledCapabilities: ['transfers.execute'],
    environment: Object.fromEntries(pods.map(({ component, spec }) => [component, adapterVariables(spec.containers)])),
  })
  // The seeds bind every owner to the first provider. No service has asked for credentials yet.
  database = new pg.Client({ connectionString: stack.postgres.adminUrl })
  await database.connect()
  const moved = await database.query(
    `UPDATE onboarding.bindings SET provider = 'acme' WHERE owner_id = '01980000-0000-7000-8000-000000000002'`,
  )
  expect(moved.rowCount).toBe(1)
  amara = await clientOf(stack, 'amara-agent', scopes)
})
afterAll(async () => {
  await database?.end()
  await stack?.close()
  await Promise.all([fake?.stop(), bank?.close(), made?.remove()])
  if (packed) await remove(packed)
  if (root) await rm(root, { recursive: true })
})

/** The pods of the chart that reach the provider, for the values that an operator writes. */
async function render(): Promise<readonly Pod[]> {
  const adapters = {
    fake: { package: 'http', env: { URL: fake.url } },
    acme: {
      package: '@acme/bank-adapter',
      image: { registry: 'registry.example.com', repository: 'acme/bank-adapter', tag: '1.0.0' },
      existingSecret: 'acme-bank',
      secrets: { URL: 'address' },
    },
  }
  const set = {
    'provider.url': '',
    'provider.adapters': adapters,
    'provider.firstAdapter': 'fake',
    'provider.deviceAuthentication': 'acme',
    'provider.networkPolicy.ports': [443, Number(new URL(fake.url).port)],
    // The folders of the container, below this machine's folder.
    'provider.adaptersPath': join(root, 'adapters'),
    'provider.adapterImages.path': join(root, 'image/adapter'),
  }
  const { code, stdout, stderr } = await helmTemplate({ helm: toolPath('helm'), values: profile('production'), set })
  expect(code, stderr).toBe(0)
  return podsOf(parseManifests(stdout)).filter(({ owner, spec }) =>
    Boolean(owner.kind === 'Deployment' && spec.volumes?.some(({ name }) => name.startsWith('adapter-'))),
  )
}

/** Does what the Dockerfile of the guide does: `npm install --prefix /adapter`, and files that anybody may read. */
async function layOutImage(): Promise<void> {
  await compile(packed.project)
  const installed = await installAdapter(packed)
  await mkdir(join(root, 'image'))
  await promisify(execFile)('cp', ['-R', installed, join(root, 'image/adapter')])
  for (const path of [join(root, 'image/adapter'), ...(await pathsBelow(join(root, 'image/adapter')))])
    await chmod(path, (await stat(path)).isDirectory() ? 0o555 : 0o444)
  await writeFile(join(root, 'image/unrelated'), 'not of the adapter')
}

const pathsBelow = async (folder: string) =>
  (await readdir(folder, { recursive: true })).map((entry) => join(folder, entry))

const initContainersOf = (component: string): readonly Container[] =>
  pods.find((pod) => pod.component === component)?.spec.initContainers ?? []

async function runAsImageUser([program = '', ...args]: readonly string[]): Promise<void> {
  await promisify(execFile)(program, args, { cwd: '/', env: { PATH: process.env.PATH }, ...made.bundles.user })
}

/** The variables of adapters as the container has them. The Secret has one key. */
function adapterVariables(containers: readonly Container[]): Record<string, string> {
  const secret: Readonly<Record<string, string>> = { 'acme-bank/address': bank.url }
  return Object.fromEntries(
    (containers[0]?.env ?? [])
      .filter(({ name }) => /^PROVIDER_(?:ADAPTERS|[A-Z]+__)/.test(name))
      .map(({ name, value, valueFrom }) => {
        const key = valueFrom?.secretKeyRef
        return [name, (key ? secret[`${key.name}/${key.key}`] : value) ?? '']
      }),
  )
}

test('every service that reaches a provider has the copy, the mount and the variables, and no other has', () => {
  expect(pods.map(({ component }) => component).toSorted()).toEqual([
    'beneficiaries',
    'cards',
    'catalog',
    'onboarding',
    'operations',
    'reconciler',
    'spending',
    'submitter',
  ])
  for (const { spec } of pods) {
    expect(spec.initContainers?.map(({ command }) => command)).toEqual([
      ['cp', '-R', `${root}/image/adapter/.`, `${root}/adapters/acme`],
    ])
    expect(spec.containers[0]?.volumeMounts).toContainEqual({
      name: 'adapter-acme',
      mountPath: `${root}/adapters/acme`,
      readOnly: true,
    })
    expect(adapterVariables(spec.containers)).toEqual({
      PROVIDER_ADAPTERS: 'fake=http,acme=@acme/bank-adapter',
      PROVIDER_ADAPTERS_PATH: `${root}/adapters`,
      PROVIDER_FAKE__URL: fake.url,
      PROVIDER_ACME__URL: bank.url,
    })
  }
})

test('a payment reaches the bank through the adapter of the image, once, and a lost answer is proven', async () => {
  const made = await create(amara, 'Rui Prado')
  expect(made.status, JSON.stringify(made.body)).toBe(202)
  await pollUntil(amara, made.body['id'], ['succeeded'])
  await settledResource(amara, `/v1/beneficiaries/${made.body['resource_id']}`, 'active')
  const pay = (amount: string) =>
    amara.request('POST', '/v1/spending-account/withdrawals', {
      key: crypto.randomUUID(),
      body: { beneficiary_id: made.body['resource_id'], amount, currency: 'EUR' },
    })
  const paid = await pay('12.50')
  expect(paid.status, JSON.stringify(paid.body)).toBe(202)
  await pollUntil(amara, paid.body['id'], ['succeeded'])
  expect(bank.countArrivals(paid.body['id'])).toBe(1)
  bank.order('drop_reply')
  const lost = await pay('13.50')
  await pollUntil(amara, lost.body['id'], ['succeeded'])
  expect(bank.countArrivals(lost.body['id'])).toBe(1)
  const { rows } = await database.query(
    `SELECT evidence ->> 'read' AS read FROM operations.history WHERE operation_id = $1 AND evidence IS NOT NULL ORDER BY sequence`,
    [lost.body['id']],
  )
  expect(rows.at(-1)).toEqual({ read: 'payment_by_external_id' })
})
