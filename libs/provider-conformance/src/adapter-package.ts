/** Loads the adapter that a package or a file default-exports. */

import { isAbsolute, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { UsageError } from '@financial-agents/runtime/command'
import type { OpenAdapter } from './run.ts'

/** @param name a package, or the path of a file that begins with `.` or `/` */
export async function openAdapterOf(name: string): Promise<OpenAdapter> {
  const isFile = name.startsWith('.') || isAbsolute(name)
  const specifier = isFile ? pathToFileURL(resolve(name)).href : name
  const loaded = (await import(specifier).catch(() => {
    throw new UsageError(`--adapter ${name}: no such package or file`)
  })) as { default?: unknown }
  const adapter = loaded.default
  if (typeof adapter === 'function') return adapter as OpenAdapter
  if (isPackage(adapter)) return ({ baseUrl, ...limits }) => adapter.open({ variables: { URL: baseUrl }, ...limits })
  throw new UsageError(
    `--adapter ${name}: its default export has to make the adapter: a function, or an object with open`,
  )
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
