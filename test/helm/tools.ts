/**
 * The programs that these tests need. The project's set-up finds them and builds missing ones while other tests run;
 * this file waits for them. If a program is not available, the tests of the file are skipped with the reason.
 */

import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import type { ToolName } from '@financial-agents/servers/tool-table'
import { beforeAll, beforeEach, inject } from 'vitest'
import { failedNote } from './failed-note.ts'

/** The results of the set-up: programs, and the definitions of custom resources. */
export type Prepared = ToolName | 'resource-definitions'

declare module 'vitest' {
  export interface ProvidedContext {
    /** The folder in which the set-up notes its results. */
    prepared: string
  }
}

/** The time in which Go builds all of them on a small machine. */
export const longestBuildMs = 30 * 60_000
const lookPauseMs = 50

export type ToolPath = { path: string; missing?: undefined } | { path?: undefined; missing: string }

/**
 * Waits for the set-up's note of this name and returns it.
 * @throws Error if the set-up ended without it
 */
export async function prepared<Note>(name: string): Promise<Note> {
  const folder = inject('prepared')
  const file = join(folder, `${name}.json`)
  while (!existsSync(file)) {
    if (!existsSync(folder) || existsSync(join(folder, failedNote)))
      throw new Error(`the set-up of these tests ended without ${name}: its error is at the start of the output`)
    await delay(lookPauseMs)
  }
  return JSON.parse(readFileSync(file, 'utf8')) as Note
}

const found = new Map<Prepared, ToolPath>()

/** Call this at the top of a file or of a `describe`. Its tests wait for these programs, and are skipped without them. */
export function needTools(...names: Prepared[]): void {
  beforeAll(async () => {
    for (const name of names) found.set(name, await prepared<ToolPath>(name))
  }, longestBuildMs)
  beforeEach((context) => {
    const missing = names.map((name) => found.get(name)?.missing).find((reason) => reason !== undefined)
    if (missing !== undefined) context.skip(missing)
  })
}

/** Returns the path of a program that the file has requested. */
export function toolPath(name: Prepared): string {
  const path = found.get(name)?.path
  if (path === undefined) throw new Error(`say needTools('${name}') at the top of the file`)
  return path
}
