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
  if (typeof loaded.default !== 'function') {
    throw new UsageError(`--adapter ${name}: its default export has to be a function that makes the adapter`)
  }
  return loaded.default as OpenAdapter
}
