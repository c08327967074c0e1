/**
 * Rebuilds `main.cjs` of bundles when their sources change. The file is written under another name and renamed, so that
 * a starting process reads either the old or the new file. The copied files beside it change only with an installation,
 * and are not watched.
 */

import { readFile, rename, writeFile } from 'node:fs/promises'
import { basename, dirname } from 'node:path'
import { context, type OutputFile, type Plugin } from 'esbuild'
import { type Bundling, root } from './bundle-services.ts'
import { servicesOptions } from './esbuild-options.ts'

/** Runs until the process ends. Calls `log` for each rebuilt bundle and for sources that do not parse. */
export async function watchServices(bundling: Bundling, log: (line: string) => void): Promise<never> {
  const rewritten: Plugin = {
    name: 'rewritten',
    setup: (build) => {
      build.onEnd(async ({ outputFiles = [], errors }) => {
        if (errors.length > 0) return log(`not bundled: ${errors.map(({ text }) => text).join('; ')}`)
        for (const file of outputFiles) if (await rewrite(file)) log(`${basename(dirname(file.path))}: bundled again`)
        return undefined
      })
    },
  }
  const options = { ...servicesOptions(root, bundling), outdir: bundling.out }
  const watched = await context({ ...options, write: false, plugins: [rewritten] })
  await watched.watch()
  return new Promise(() => {})
}

async function rewrite({ path, text }: OutputFile): Promise<boolean> {
  if ((await readFile(path, 'utf8').catch(() => undefined)) === text) return false
  await writeFile(`${path}.new`, text)
  await rename(`${path}.new`, path)
  return true
}
