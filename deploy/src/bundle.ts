/**
 * The command `bundle`: a folder for each service and tool, as its image has it at /app. With `--watch` the command keeps
 * running, and makes `main.cjs` again whenever one of its sources changes.
 */

import { spawnSync } from 'node:child_process'
import { join, resolve } from 'node:path'
import { defineCommand, UsageError } from '@financial-agents/runtime/command'
import { runCommand } from '@financial-agents/runtime/program'
import { bundleServices, findPrograms, root } from './images/bundle-services.ts'
import { readManifest } from './images/packages.ts'
import { watchServices } from './images/watch-services.ts'

export const command = defineCommand({
  summary: 'make a folder for each service and for the conformance kit, as its image has it at /app',
  usage: [
    ['bundle', 'all of them'],
    ['bundle --service <name>', 'this one; more of them where it is repeated'],
  ],
  optionMeanings: [
    ['--out <folder>', 'where the folders go (deploy/dist)'],
    ['--image-version <version>', 'what --version of the programs prints (the version of this repository)'],
    ['--watch', 'go on: make main.cjs again whenever a source of it changes'],
  ],
  options: {
    service: { type: 'string', multiple: true },
    out: { type: 'string' },
    'image-version': { type: 'string' },
    watch: { type: 'boolean' },
  },
  run: async ({ values }) => {
    const all = await findPrograms()
    const services = values.service ?? all
    const unknown = services.filter((name) => !all.includes(name))
    if (unknown.length > 0) throw new UsageError(`no service is called ${unknown.join(', ')}: ${all.join(', ')}`)
    const out = resolve(values.out ?? join(root, 'deploy/dist'))
    const version = values['image-version'] ?? (await readManifest(root)).version ?? ''
    const documentation = services.includes('gateway') ? buildDocumentation() : undefined
    await bundleServices({ services, out, version, documentation })
    for (const service of services) log(`${service}: bundled`)
    if (values.watch) await watchServices({ services, out, version }, log)
    return undefined
  },
})

/** Builds the documentation, which the gateway serves; returns its folder. @throws Error if it is not built; the command says why */
function buildDocumentation(): string {
  const { status } = spawnSync(process.execPath, [join(root, 'libs/clients/docs/src/build.ts')], { stdio: 'inherit' })
  if (status !== 0) throw new Error('the documentation is not built')
  return join(root, 'libs/clients/docs/build/site')
}

function log(line: string): void {
  process.stdout.write(`${line}\n`)
}

if (import.meta.main) runCommand('bundle', command)
