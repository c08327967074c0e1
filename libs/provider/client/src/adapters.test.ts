/** Adapters are found by their names, open with their own variables, and a wrong one ends the start with one line. */

import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { portVersion } from '@financial-agents/provider-port/adapter'
import { ConfigError } from '@financial-agents/runtime/config'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openAdapters } from './adapters.ts'
import { memberNames } from './measured.ts'

/** The source of a port with these members. Every other member answers nothing. */
const portWith = (members: string) =>
  `({ ...Object.fromEntries(${JSON.stringify(memberNames)}.map((name) => [name, async () => ({})])), deadlines: null, ${members} })`

/** A port that is an instance of a class, and whose members need it. */
const classOfPort = `class Port {
  deadlines = null
  reason = 'provider_unreachable'
  supports(kind) { return this.reason !== undefined && kind === 'transfer' }
  mayAskApproval() { return this.reason === undefined }
  async close() { await this.assets() }
  ${memberNames
    .filter((name) => !['supports', 'deadlines', 'mayAskApproval', 'close'].includes(name))
    .map((name) => `async ${name}() { return { type: 'unavailable', reason: this.reason } }`)
    .join('\n')}
}`

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'adapters-'))
  const adapter = (version: number) => `{
    portVersion: ${version},
    kinds: ['transfer'],
    open: ({ variables }) => {
      if (!variables.KEY) throw Object.assign(new Error('KEY (give the key)'), { name: 'AdapterError' })
      return ${portWith(`supports: (kind) => kind === 'transfer'`)}
    },
  }`
  await install('module-bank', `export default ${adapter(portVersion)}`)
  await install(
    '@acme/common-bank',
    `module.exports = { __esModule: true, default: ${adapter(portVersion)} }`,
    'commonjs',
  )
  await install('old-bank', `export default ${adapter(portVersion - 1)}`)
  await install('no-bank', `export default { hello: 'world' }`)
  await install(
    'class-bank',
    `${classOfPort}\nexport default { portVersion: ${portVersion}, kinds: ['transfer'], open: () => new Port() }`,
  )
  await install(
    'partial-bank',
    `export default { portVersion: ${portVersion}, kinds: ['transfer'], open: () => ${portWith('lookup: undefined')} }`,
  )
  await install('broken-bank', `import 'nothing-of-this-name'\nexport default {}`)
})
afterAll(() => rm(folder, { recursive: true }))

async function install(name: string, text: string, type = 'module', of = ''): Promise<void> {
  const home = join(folder, of, 'node_modules', name)
  await mkdir(home, { recursive: true })
  await writeFile(join(home, 'package.json'), JSON.stringify({ name, version: '1.0.0', type, exports: './index.js' }))
  await writeFile(join(home, 'index.js'), text)
}

const open = (variables: Record<string, string>) =>
  openAdapters({
    environment: { PROVIDER_ADAPTERS_PATH: folder, ...variables },
    connections: 1,
    connectTimeoutMs: 1_000,
  })

test('without names one adapter serves every binding', async () => {
  const port = await open({ PROVIDER_URL: 'http://127.0.0.1:9' })
  expect(port.of('any')).toBeDefined()
  await port.close()
})

test('several are open at once, each with its own variables, as a module or as CommonJS', async () => {
  const port = await open({
    PROVIDER_ADAPTERS: 'one=module-bank, second-bank=@acme/common-bank, plain=http',
    PROVIDER_ONE__KEY: 'k1',
    PROVIDER_SECOND_BANK__KEY: 'k2',
    PROVIDER_PLAIN__URL: 'http://127.0.0.1:9',
  })
  expect([...port.kinds.keys()]).toEqual(['one', 'second-bank', 'plain'])
  expect(port.kinds.get('one')).toEqual(['transfer'])
  expect(port.of('second-bank')?.supports('transfer')).toBe(true)
  expect(port.of('third')).toBeUndefined()
  await port.close()
})

test('an adapter with a folder of its own gets its package from there, and every other from the common folder', async () => {
  await install(
    'module-bank',
    `export default { portVersion: ${portVersion}, kinds: ['card_create'], open: () => ${portWith('supports: () => true')} }`,
    'module',
    'own',
  )
  const port = await open({ PROVIDER_ADAPTERS: 'own=module-bank,other=module-bank', PROVIDER_OTHER__KEY: 'k' })
  expect(port.kinds.get('own')).toEqual(['card_create'])
  expect(port.kinds.get('other')).toEqual(['transfer'])
  await port.close()
})

test('an adapter may be an instance of a class', async () => {
  const port = await open({ PROVIDER_ADAPTERS: 'one=class-bank' })
  expect(port.kinds.get('one')).toEqual(['transfer'])
  expect(await port.assets({ timeoutMs: 1_000 })).toEqual({ type: 'unavailable', reason: 'provider_unreachable' })
  await port.close()
})

test('the kinds of a provider behind the default adapter are those that the operator names', async () => {
  const port = await open({
    PROVIDER_ADAPTERS: 'some=http,every=http',
    PROVIDER_SOME__URL: 'http://127.0.0.1:9',
    PROVIDER_SOME__KINDS: 'beneficiary_create, transfer',
    PROVIDER_EVERY__URL: 'http://127.0.0.1:9',
  })
  expect(port.kinds.get('some')).toEqual(['beneficiary_create', 'transfer'])
  expect(port.of('some')?.supports('card_create')).toBe(false)
  expect(port.of('some')?.mayAskApproval('mandate_create')).toBe(false)
  expect(port.of('every')?.supports('card_create')).toBe(true)
  await port.close()
})

test.each([
  ['no list', { PROVIDER_ADAPTERS: 'one' }, /PROVIDER_ADAPTERS \(write name=package/],
  ['a path instead of a package', { PROVIDER_ADAPTERS: 'one=../x' }, /PROVIDER_ADAPTERS \(write name=package/],
  ['a name twice', { PROVIDER_ADAPTERS: 'one=http,one=http' }, /names an adapter twice/],
  [
    'a package that is not there',
    { PROVIDER_ADAPTERS: 'one=absent' },
    /not installed in .* \(adapter one, package absent\)/,
  ],
  [
    'another version of the port',
    { PROVIDER_ADAPTERS: 'one=old-bank' },
    /written for version 0 of the port, and this is version 1/,
  ],
  ['a package that is no adapter', { PROVIDER_ADAPTERS: 'one=no-bank' }, /is not an adapter/],
  [
    'a package that does not load',
    { PROVIDER_ADAPTERS: 'one=broken-bank' },
    /cannot be loaded: .*nothing-of-this-name/,
  ],
  [
    'a port without one of its members',
    { PROVIDER_ADAPTERS: 'one=partial-bank' },
    /the adapter has no member lookup \(adapter one, package partial-bank\)/,
  ],
  ['a missing variable', { PROVIDER_ADAPTERS: 'one=module-bank' }, /configuration: PROVIDER_ONE__KEY \(give the key\)/],
  [
    'a kind that is none',
    { PROVIDER_ADAPTERS: 'one=http', PROVIDER_ONE__URL: 'http://127.0.0.1:9', PROVIDER_ONE__KINDS: 'secret' },
    /PROVIDER_ONE__KINDS \(give some of beneficiary_create, /,
  ],
  ['a missing address', {}, /configuration: PROVIDER_URL \(give the address of the provider\)/],
  [
    'no address',
    { PROVIDER_ADAPTERS: 'one=http', PROVIDER_ONE__URL: 'secret' },
    /PROVIDER_ONE__URL \(give the address/,
  ],
])('%s ends the start with one line', async (_what, variables, message) => {
  const error = await open(variables as Record<string, string>).catch((thrown: unknown) => thrown)
  expect(error).toBeInstanceOf(ConfigError)
  expect((error as Error).message).toMatch(message)
  expect((error as Error).message).not.toMatch(/\n|secret/)
})

test('the built-in adapter for Increase opens with a key and an environment, and declares what it does', async () => {
  const variables = { PROVIDER_ADAPTERS: 'bank=increase', PROVIDER_BANK__ENVIRONMENT: 'sandbox' }
  await expect(open(variables)).rejects.toThrow('PROVIDER_BANK__API_KEY (give the API key of Increase, from a secret)')
  const port = await open({ ...variables, PROVIDER_BANK__API_KEY: 'sandbox_key' })
  const bank = port.of('bank')
  expect(bank?.deadlines).toBeNull()
  expect(port.kinds.get('bank')?.every((kind) => bank?.supports(kind))).toBe(true)
  await port.close()
})
