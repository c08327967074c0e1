/**
 * Loads the adapter, or the harness, that a package or a file default-exports. A package is resolved from the working
 * directory.
 */

import { createRequire } from 'node:module'
import { isAbsolute, join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { UsageError } from '@financial-agents/runtime/command'
import type { OpenAdapterHarness } from './cases/adapter-harness.ts'
import type { OpenAdapter } from './run.ts'

/** @param name a package, or the path of a file that begins with `.` or `/` */
export async function openAdapterOf(name: string): Promise<OpenAdapter> {
  const adapter = await load('--adapter', name)
  if (typeof adapter === 'function') return adapter as OpenAdapter
  if (isPackage(adapter)) return ({ baseUrl, ...limits }) => adapter.open({ variables: { URL: baseUrl }, ...limits })
  throw new UsageError(
    `--adapter ${name}: its default export has to make the adapter: a function, or an object with open`,
  )
}

export async function openHarnessOf(name: string): Promise<OpenAdapterHarness> {
  const harness = await load('--harness', name)
  if (typeof harness === 'function') return harness as OpenAdapterHarness
  throw new UsageError(`--harness ${name}: its default export has to be a function that opens the harness`)
}

async function load(option: string, name: string): Promise<unknown> {
  let file: string
  try {
    const isFile = name.startsWith('.') || isAbsolute(name)
    file = isFile ? resolve(name) : createRequire(pathToFileURL(join(process.cwd(), 'here.cjs'))).resolve(name)
  } catch {
    throw new UsageError(`${option} ${name}: no such package in ${process.cwd()}`)
  }
  try {
    const loaded = (await import(pathToFileURL(file).href)) as { default?: unknown }
    // A CommonJS package keeps its default export in a member.
    const inner = (loaded.default as { default?: unknown } | undefined)?.default
    return inner ?? loaded.default
  } catch (error) {
    throw new UsageError(`${option} ${name}: it cannot be loaded: ${(error as Error).message.split('\n', 1)[0] ?? ''}`)
  }
}

/** The form of an adapter package. Its variable `URL` is the provider's address. */
type AdapterPackage = {
  readonly open: (settings: {
    readonly variables: Readonly<Record<string, string>>
    readonly connections: number
    readonly connectTimeoutMs: number
  }) => ReturnType<OpenAdapter>
}

function isPackage(value: unknown): value is AdapterPackage {
  return typeof value === 'object' && value !== null && 'open' in value && typeof value.open === 'function'
}
