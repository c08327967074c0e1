/** The published client on the runtimes that it names: packed, unpacked into an empty project, and run by each that the machine has. */

import { copyFile } from 'node:fs/promises'
import { join } from 'node:path'
import { packClient, projectWith } from '../journeys/client/packed.ts'
import type { Generator } from './languages.ts'

let tarball: Promise<string> | undefined

/** A runtime: its command, and the arguments that run a file. */
function runtime(name: string, command: string, args: readonly string[]): Generator {
  return {
    name: `@financial-agents/client on ${name}`,
    needs: [[command, '--version']],
    build: async () => {
      tarball ??= packClient()
      const project = await projectWith(await tarball)
      await copyFile(join(import.meta.dirname, 'programs/client.mjs'), join(project, 'client.mjs'))
      return { command, args: [...args, 'client.mjs'], cwd: project }
    },
  }
}

/** Browsers are in test/pages. */
export const runtimes: readonly Generator[] = [
  runtime('Node', process.execPath, []),
  runtime('Deno', 'deno', ['run', '--allow-all', '--node-modules-dir=manual']),
  runtime('Bun', 'bun', ['run']),
]
