/** How the programs of a stack are started: from their sources, or from bundles as images have them. */

import { join } from 'node:path'

const services = join(import.meta.dirname, '../../../../services')

/** Bundles in place of the sources. */
export type Bundles = {
  /** Has a folder for each service, as `pnpm bundle` makes it. */
  folder: string
  /** More arguments of node, before those of the program. */
  nodeArguments?: readonly string[]
  /** Who runs them (only where we are root). */
  user?: { uid: number; gid: number }
}

/** What `startChild` needs to start a program; arguments of its own follow `args`. */
export type ProgramStart = { args: string[]; options: { cwd: string; user?: { uid: number; gid: number } } }

/** The start of a program, telemetry first. */
export function programOf(name: string, bundles: Bundles | undefined): ProgramStart {
  if (!bundles) {
    const args = ['--import', '@financial-agents/runtime/telemetry', 'src/main.ts']
    return { args, options: { cwd: join(services, name) } }
  }
  const { nodeArguments = [], user } = bundles
  const cwd = join(bundles.folder, name)
  const args = [...nodeArguments, '--require', join(cwd, 'telemetry.cjs'), join(cwd, 'main.cjs')]
  return { args, options: { cwd, ...(user ? { user } : {}) } }
}
