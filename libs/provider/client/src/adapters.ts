/**
 * The adapters of an installation. `PROVIDER_ADAPTERS` names them; each is built in (`http`, `increase`) or an npm package, which is
 * found in the image or in a mounted folder.
 *
 * Invariant: an adapter of another port version, a missing package and a missing variable end the start with one line.
 */

import { createRequire } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { type ProviderAdapter, portVersion } from '@financial-agents/provider-port/adapter'
import type { Provider } from '@financial-agents/provider-port/port'
import { ConfigError } from '@financial-agents/runtime/config'
import { findContradiction, withKindsExecutedHere } from './executed-here.ts'
import { findMissingMember, measured } from './measured.ts'
import { everyProvider, type OpenedAdapter, type RoutedProvider, routed } from './routed.ts'

export type AdaptersOptions = {
  /** The environment of the process: the adapters' own variables are in it. */
  readonly environment: Readonly<Record<string, string | undefined>>
  readonly connections: number
  readonly connectTimeoutMs: number
}

type Named = { readonly name: string; readonly package: string }

const builtIn: Readonly<Record<string, () => Promise<{ default: ProviderAdapter }>>> = {
  http: () => import('@financial-agents/provider-http/package'),
  increase: () => import('@financial-agents/provider-increase/package'),
}

const namePattern = /^[a-z][a-z0-9-]{0,62}$/
const packagePattern = /^(?:@[a-z0-9-~][a-z0-9-._~]*\/)?[a-z0-9-~][a-z0-9-._~]*$/

/**
 * The names of the adapters and their packages. Without the variable there is one adapter, `http`, for every binding.
 * @throws ConfigError
 */
export function readAdapterNames(text: string | undefined): readonly [Named, ...Named[]] {
  if (text === undefined || text.trim() === '') return [{ name: everyProvider, package: 'http' }]
  const named = text.split(',').map((part): Named => {
    const [name = '', found = '', ...more] = part.trim().split('=')
    if (!namePattern.test(name) || !packagePattern.test(found) || more.length > 0)
      throw new ConfigError(
        'configuration: PROVIDER_ADAPTERS (write name=package, separated by commas, such as acme=http)',
      )
    return { name, package: found }
  })
  if (new Set(named.map(({ name }) => name)).size < named.length)
    throw new ConfigError('configuration: PROVIDER_ADAPTERS (names an adapter twice)')
  return named as [Named, ...Named[]]
}

/**
 * Opens the adapters of the environment as one port, with metrics. No connection is made before the first call.
 * @throws ConfigError in one line that says what to do
 */
export async function openAdapters(options: AdaptersOptions): Promise<RoutedProvider> {
  const { environment } = options
  const opened: OpenedAdapter[] = []
  for (const named of readAdapterNames(environment['PROVIDER_ADAPTERS'])) {
    const adapter = await load(named, environment['PROVIDER_ADAPTERS_PATH'])
    const provider = withKindsExecutedHere(measured(open(named, adapter, options)), adapter)
    // A variable of the adapter may leave out some of its kinds.
    const kinds = adapter.kinds.filter((kind) => provider.supports(kind))
    opened.push({ name: named.name, kinds, provider })
  }
  return routed(opened as [OpenedAdapter, ...OpenedAdapter[]])
}

async function load({ name, package: found }: Named, folder: string | undefined): Promise<ProviderAdapter> {
  const fail = (why: string) => new ConfigError(`PROVIDER_ADAPTERS: ${why} (adapter ${name}, package ${found})`)
  const { default: adapter } = await (builtIn[found]?.() ?? importFrom(folder, name, found, fail))
  if (typeof adapter?.open !== 'function' || !Array.isArray(adapter.kinds))
    throw fail('the default export of the package is not an adapter')
  if (adapter.portVersion !== portVersion)
    throw fail(
      `the package is written for version ${String(adapter.portVersion)} of the port, and this is version ${portVersion}`,
    )
  const contradiction = findContradiction(adapter)
  if (contradiction !== undefined) throw fail(contradiction)
  return adapter
}

async function importFrom(
  folder: string | undefined,
  name: string,
  found: string,
  fail: (why: string) => ConfigError,
): Promise<{ default: ProviderAdapter }> {
  if (folder === undefined) throw fail('set PROVIDER_ADAPTERS_PATH to the folder in which the package is installed')
  let file: string
  try {
    // Node first searches the folder of this adapter, and then the folder of all adapters.
    file = createRequire(pathToFileURL(join(folder, name, 'adapters.cjs'))).resolve(found)
  } catch {
    throw fail(`the package is not installed in ${folder}`)
  }
  try {
    const loaded = (await import(pathToFileURL(file).href)) as { default: ProviderAdapter }
    // A CommonJS package keeps its default export in a member.
    const inner = (loaded.default as unknown as { default?: ProviderAdapter } | undefined)?.default
    return { default: inner ?? loaded.default }
  } catch (error) {
    throw fail(`the package cannot be loaded: ${(error as Error).message.split('\n', 1)[0] ?? ''}`)
  }
}

function open({ name, package: found }: Named, adapter: ProviderAdapter, options: AdaptersOptions): Provider {
  const { environment, connections, connectTimeoutMs } = options
  const prefix = name === everyProvider ? 'PROVIDER_' : `PROVIDER_${name.toUpperCase().replaceAll('-', '_')}__`
  let provider: Provider
  try {
    provider = adapter.open({ variables: variablesOf(environment, prefix), connections, connectTimeoutMs })
  } catch (error) {
    // Compares the name, because a package may bring its own copy of the port, with a class of its own.
    if (!(error instanceof Error) || error.name !== 'AdapterError') throw error
    throw new ConfigError(`configuration: ${prefix}${error.message}`)
  }
  const missing = findMissingMember(provider)
  if (missing !== undefined)
    throw new ConfigError(`PROVIDER_ADAPTERS: the adapter has no member ${missing} (adapter ${name}, package ${found})`)
  return provider
}

/** The variables with this prefix that have a value, without the prefix. */
function variablesOf(environment: AdaptersOptions['environment'], prefix: string): Record<string, string> {
  return Object.fromEntries(
    Object.entries(environment).flatMap(([name, value]) =>
      name.startsWith(prefix) && value ? [[name.slice(prefix.length), value]] : [],
    ),
  )
}
