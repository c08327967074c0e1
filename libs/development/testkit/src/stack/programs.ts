/** Commands that start the programs of a stack: from their sources, or from bundles as in the images. */

import { join } from 'node:path'

export const root = join(import.meta.dirname, '../../../../..')

export const servicesFolder = join(root, 'services')

/** The module of all services, and the program that runs it, in their folder. */
export const systemModule = 'system.cjs'
export const systemProgram = 'main.cjs'

/** Bundles to start instead of the sources. */
export type Bundles = {
  /** Holds a folder for each service, as `pnpm bundle` makes it. */
  folder: string
  /** More arguments of node, placed before the program. */
  nodeArguments?: readonly string[]
  /** The user that runs the programs (only if we are root). */
  user?: { uid: number; gid: number }
}

/** The arguments and options with which `startChild` starts a program. The program's own arguments follow `args`. */
export type ProgramStart = { args: string[]; options: { cwd: string; user?: { uid: number; gid: number } } }

/** Telemetry is loaded first. */
export function programOf(name: string, bundles: Bundles | undefined): ProgramStart {
  if (!bundles) {
    const args = ['--import', '@financial-agents/runtime/telemetry', 'src/main.ts']
    return { args, options: { cwd: join(servicesFolder, name) } }
  }
  const { nodeArguments = [], user } = bundles
  const cwd = join(bundles.folder, name)
  const args = [...nodeArguments, '--require', join(cwd, 'telemetry.cjs'), join(cwd, 'main.cjs')]
  return { args, options: { cwd, ...(user ? { user } : {}) } }
}
