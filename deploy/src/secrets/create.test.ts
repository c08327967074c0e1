/**
 * The Secrets of an installation as the command makes them: values that the services accept, shared only between the
 * intended components, and never printed.
 */

import { execFile } from 'node:child_process'
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { publicKeyOf } from '@financial-agents/bus/nkey'
import { userNames } from '@financial-agents/bus/topology'
import { base64Key } from '@financial-agents/runtime/config'
import { callCommand } from '@financial-agents/runtime/program'
import { sealingKeys } from '@financial-agents/runtime/sealing'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import type { z } from 'zod'
import { command } from '../create-secrets.ts'
import { readSecrets, type Secrets } from './manifests.ts'
import { publicKeyVariables, verifierVariable } from './names.ts'
import { schemaOwners, secretOwners, variablesOf } from './table.ts'

const run = promisify(execFile)
const root = join(import.meta.dirname, '../../..')

let folder: string
let output: string
let secrets: Secrets

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'create-secrets-'))
  output = await create('--postgres-host', 'db.example')
  secrets = await readSecrets(join(folder, 'secrets'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

const call = (args: readonly string[]) =>
  callCommand('create-secrets', command, ['--out', join(folder, 'secrets'), ...args])

async function create(...args: string[]): Promise<string> {
  const { stdout, stderr } = await call(args)
  expect(stderr).toBe('')
  return stdout
}

const refusalOf = async (...args: string[]) => (await call(args)).stderr

const entries = (name: string) => secrets.get(`financial-agents-${name}`) as Record<string, string>
const contents = async () =>
  Promise.all(
    (await readdir(join(folder, 'secrets'))).toSorted().map((file) => readFile(join(folder, 'secrets', file), 'utf8')),
  )

describe('every component has what it takes', () => {
  test.each(secretOwners)(
    '%s takes each value as valid, and names no secret that is not in the table',
    async (owner) => {
      const exported = (await import(join(root, `services/${owner}/src/config.ts`))) as Record<string, unknown>
      const schema = Object.values(exported).find(isServiceConfig)
      if (!schema) throw new Error(`${owner} exports no configuration`)
      const names = variablesOf(owner).map(([name]) => name)
      const secretLooking = Object.keys(schema.shape).filter((name) =>
        /(_KEYS?|_SEED|_SECRET|DATABASE_URL)$/.test(name),
      )
      expect(secretLooking.toSorted()).toEqual(names.toSorted())
      for (const [name, value] of Object.entries(entries(owner)))
        expect((schema.shape[name] as z.ZodType).safeParse(value).success, name).toBe(true)
      const missing = variablesOf(owner).filter(([name, { optional }]) => !optional && !(name in entries(owner)))
      expect(missing).toEqual([])
    },
  )

  test('a value of another shape would not be taken', () => {
    expect(base64Key(32).safeParse('c2hvcnQ=').success).toBe(false)
    expect(sealingKeys.safeParse('id:c2hvcnQ=').success).toBe(false)
  })
})

function isServiceConfig(value: unknown): value is z.ZodObject {
  return value !== null && typeof value === 'object' && 'shape' in value && 'NATS_NKEY_SEED' in (value.shape as object)
}

describe('a value is shared by those who need it and is nobody else’s', () => {
  // biome-ignore format: a table
  const shared = {
    PAYLOAD_KEYS: ['operations', 'submitter', 'beneficiaries', 'cards', 'spending', 'onboarding'],
    CREDENTIAL_KEYS: ['operations', 'submitter', 'reconciler', 'beneficiaries', 'cards', 'spending', 'onboarding', 'catalog'],
    REQUEST_HASH_KEY: ['gateway', 'operations'],
    ACTIVITY_KEY: ['cards', 'spending'],
  } as const

  test.each(Object.entries(shared))('%s is one and the same', (name, owners) => {
    expect(secretOwners.filter((owner) => name in entries(owner)).toSorted()).toEqual([...owners].toSorted())
    expect(new Set(owners.map((owner) => entries(owner)[name])).size).toBe(1)
  })

  test('everything else is different', () => {
    const others = secretOwners.flatMap((owner) =>
      Object.entries(entries(owner)).flatMap(([name, value]) => (name in shared ? [] : [value])),
    )
    const all = [...others, ...Object.keys(shared).map((name) => entries(shared[name as keyof typeof shared][0])[name])]
    expect(new Set(all).size).toBe(all.length)
  })
})

test('NATS knows the public key of every seed, and a next one of which nobody has the seed', () => {
  for (const user of userNames) {
    const [current, next] = publicKeyVariables(user)
    expect(entries('nats')[current]).toBe(publicKeyOf(entries(user)['NATS_NKEY_SEED'] as string))
    expect(entries('nats')[next]).toMatch(/^U[A-Z2-7]{55}$/)
  }
  expect(Object.keys(entries('nats'))).toHaveLength(2 * userNames.length)
  expect(JSON.stringify(entries('nats'))).not.toMatch(/"SU/)
})

test('the Secret of the roles script has a verifier of each password, and no password', () => {
  for (const service of schemaOwners) {
    const url = new URL(entries(service)['DATABASE_URL'] as string)
    const owner = new URL(entries(`${service}-migrations`)['DATABASE_URL'] as string)
    expect([url.host, url.pathname, url.search]).toEqual([
      'db.example:5432',
      '/financial_agents',
      '?sslmode=verify-full',
    ])
    expect(owner.username).toBe(`${url.username}_owner`)
    expect(owner.password).not.toBe(url.password)
    for (const { username, password } of [url, owner]) {
      expect(entries('postgres')[verifierVariable(username)]).toMatch(/^SCRAM-SHA-256\$4096:/)
      expect(JSON.stringify(entries('postgres'))).not.toContain(password)
    }
  }
})

test('the folder and its files are readable by their owner alone', async () => {
  const mode = async (path: string) => (await stat(path)).mode & 0o777
  expect(await mode(join(folder, 'secrets'))).toBe(0o700)
  const files = await readdir(join(folder, 'secrets'))
  expect(files).toHaveLength(26)
  for (const file of files) expect(await mode(join(folder, 'secrets', file))).toBe(0o600)
})

test('nothing of any value is printed', () => {
  expect(output).toContain('financial-agents-gateway: written')
  const values = [...secrets.values()].flatMap((each) => Object.values(each))
  for (const value of values)
    for (const part of value.split(/[:,]/).filter((text) => text.length > 20)) expect(output).not.toContain(part)
})

test('a second run changes nothing', async () => {
  const before = await contents()
  expect(await create('--postgres-host', 'db.example')).toContain('nothing was changed')
  expect(await refusalOf('--postgres-host', 'another.example')).toContain('has another address than was given')
  expect(await contents()).toEqual(before)
})

describe('where something is missing', () => {
  test('it is added when that is asked for, and what is there stays', async () => {
    await rm(join(folder, 'secrets/financial-agents-cards.yaml'))
    expect(await refusalOf('--postgres-host', 'db.example')).toContain('not complete: financial-agents-cards')
    await create('--postgres-host', 'db.example', '--add')
    const after = await readSecrets(join(folder, 'secrets'))
    const cards = after.get('financial-agents-cards') as Record<string, string>
    for (const name of ['PAYLOAD_KEYS', 'CREDENTIAL_KEYS', 'ACTIVITY_KEY'])
      expect(cards[name]).toBe(entries('cards')[name])
    expect(cards['CURSOR_KEY']).not.toBe(entries('cards')['CURSOR_KEY'])
    expect(after.get('financial-agents-spending')).toEqual(entries('spending'))
    secrets = after
  })

  test('a repository that would take it is refused', async () => {
    const repository = await mkdtemp(join(tmpdir(), 'create-secrets-git-'))
    await run('git', ['init', '--quiet'], { cwd: repository })
    const refusal = refusalOf('--postgres-host', 'db.example', '--out', join(repository, 'in-it'))
    expect(await refusal).toContain('git repository that does not ignore it')
    expect(await readdir(repository)).not.toContain('in-it/financial-agents-gateway.yaml')
    await rm(repository, { recursive: true })
  })

  test('a file of somebody else’s is not overwritten', async () => {
    const file = join(folder, 'secrets/own.yaml')
    await writeFile(file, 'kind: ConfigMap\n')
    expect(await refusalOf('--postgres-host', 'db.example')).toContain(
      'own.yaml is not a Secret that this command wrote',
    )
    await rm(file)
  })
})

describe('replacing a key', () => {
  const value = async (name: string, variable: string) =>
    (await readSecrets(join(folder, 'secrets'))).get(`financial-agents-${name}`)?.[variable] ?? ''
  const rotate = (what: string, step: string) => create('--rotate', what, '--step', step)

  test('a ring has the new key second, then first, then alone, at everybody who shares it', async () => {
    const former = await value('cards', 'PAYLOAD_KEYS')
    expect(await rotate('PAYLOAD_KEYS', 'add')).toMatch(/Roll out and wait for: .*submitter/)
    const [first, added] = (await value('submitter', 'PAYLOAD_KEYS')).split(',')
    expect(first).toBe(former)
    await rotate('PAYLOAD_KEYS', 'switch')
    expect(await value('operations', 'PAYLOAD_KEYS')).toBe(`${added},${former}`)
    await rotate('PAYLOAD_KEYS', 'drop')
    for (const owner of ['operations', 'submitter', 'beneficiaries', 'cards', 'spending', 'onboarding'])
      expect(await value(owner, 'PAYLOAD_KEYS')).toBe(added)
  })

  test.each(['CREDENTIAL_KEYS', 'NONCE_KEY'])(
    'a repeated step of %s changes nothing, and no step is left out',
    async (what) => {
      const ring = async () => [await value('gateway', 'NONCE_KEY'), await value('onboarding', 'CREDENTIAL_KEYS')]
      const step = async (name: string) => {
        await rotate(what, name)
        const made = await ring()
        await rotate(what, name)
        expect(await ring()).toEqual(made)
      }
      await step('add')
      expect(await refusalOf('--rotate', what, '--step', 'drop')).toContain('still used: switch comes first')
      await step('switch')
      expect(await refusalOf('--rotate', what, '--step', 'add')).toContain('two keys already')
      await step('drop')
      expect(await refusalOf('--rotate', what, '--step', 'switch')).toContain('add comes first')
    },
  )

  test('what is kept for long is sealed anew before the former key may go: the command says so', async () => {
    await rotate('notifier/SEALING_KEYS', 'add')
    const switched = await rotate('notifier/SEALING_KEYS', 'switch')
    expect(switched).toContain('Then, after the command re-encrypt of notifier: --step drop')
    await rotate('notifier/SEALING_KEYS', 'drop')
  })

  test('a seed is let in before it is used, and the former one until it is not', async () => {
    const known = async () => [await value('nats', 'NKEY_GATEWAY'), await value('nats', 'NKEY_GATEWAY_NEXT')]
    const used = async () => publicKeyOf(await value('gateway', 'NATS_NKEY_SEED'))
    const former = await used()
    await rotate('gateway/NATS_NKEY_SEED', 'add')
    const [, next] = await known()
    expect([await used(), (await known())[0]]).toEqual([former, former])
    await rotate('gateway/NATS_NKEY_SEED', 'add')
    expect((await known())[1]).toBe(next)
    await rotate('gateway/NATS_NKEY_SEED', 'switch')
    await rotate('gateway/NATS_NKEY_SEED', 'switch')
    expect([await used(), await known()]).toEqual([next, [former, next]])
    await rotate('gateway/NATS_NKEY_SEED', 'drop')
    expect((await known())[0]).toBe(next)
    expect(await known()).not.toContain(former)
  })

  test('the gateway’s nonces are made with one key and taken with two', async () => {
    const former = await value('gateway', 'NONCE_KEY')
    await rotate('NONCE_KEY', 'add')
    expect([await value('gateway', 'NONCE_KEY'), await value('gateway', 'NONCE_OTHER_KEY')]).toEqual([
      former,
      expect.any(String),
    ])
    await rotate('NONCE_KEY', 'switch')
    expect(await value('gateway', 'NONCE_OTHER_KEY')).toBe(former)
    await rotate('NONCE_KEY', 'drop')
    expect(await value('gateway', 'NONCE_OTHER_KEY')).toBe('')
  })

  test('a dropped entry is removed from the cluster too: an entry removed from `stringData` would stay', async () => {
    for (const text of await contents()) expect(Object.keys(parse(text) as object)).not.toContain('stringData')
  })

  test.each([
    ['CREDENTIAL_KEYS', 'switch', 'add comes first'],
    ['SEALING_KEYS', 'add', 'say whose'],
    ['PAIRWISE_KEY', 'add', 'no ring'],
    ['NOTHING', 'add', 'no component'],
    ['CREDENTIAL_KEYS', 'twice', '--step must be'],
  ])('%s by %s is refused', async (what, step, why) => {
    expect(await refusalOf('--rotate', what, '--step', step)).toContain(why)
  })
})
