/**
 * The command `images`: builds the image of every service and tool as <registry>/<name>:<tag>, with docker, podman or buildah.
 * Shared layers are built once.
 */

import { execFileSync, spawnSync } from 'node:child_process'
import { defineCommand, UsageError } from '@financial-agents/runtime/command'
import { runCommand } from '@financial-agents/runtime/program'
import { findPrograms, root } from './images/bundle-services.ts'
import { readManifest } from './images/packages.ts'

const builders = ['docker', 'podman', 'buildah'] as const

export const command = defineCommand({
  summary: 'build the image of every service and of the conformance kit, as <registry>/<name>:<tag>',
  usage: [
    ['images', 'all of them'],
    ['images --service <name>', 'this one; more of them where it is repeated'],
  ],
  optionMeanings: [
    ['--registry <address>', "stands before the service's name (financial-agents)"],
    ['--tag <tag>', 'also what --version of the programs prints (the version of this repository)'],
    ['--source <url>', 'where the sources are, for the label of that name'],
    ['--build-arg <name>=<value>', 'for deploy/Dockerfile, for example BASE; may be repeated'],
    ['--push', 'push each image'],
  ],
  options: {
    service: { type: 'string', multiple: true },
    registry: { type: 'string' },
    tag: { type: 'string' },
    source: { type: 'string' },
    'build-arg': { type: 'string', multiple: true },
    push: { type: 'boolean' },
  },
  run: async ({ values }) => {
    const all = await findPrograms()
    const services = values.service ?? all
    const unknown = services.filter((name) => !all.includes(name))
    if (unknown.length > 0) throw new UsageError(`no service is called ${unknown.join(', ')}: ${all.join(', ')}`)
    const builder = builders.find((name) => spawnSync(name, ['--version'], { stdio: 'ignore' }).status === 0)
    if (!builder) throw new Error(`nothing here builds images: install one of ${builders.join(', ')}`)
    const version = values.tag ?? (await readManifest(root)).version ?? ''
    const given = values['build-arg'] ?? []
    const common = [...labels(version, values.source ?? ''), ...given].flatMap((value) => ['--build-arg', value])
    for (const service of services) {
      const image = `${values.registry ?? 'financial-agents'}/${service}:${version}`
      const args = ['--file', 'deploy/Dockerfile', '--tag', image, '--build-arg', `SERVICE=${service}`, ...common, '.']
      // Podman and docker cache layers by default.
      execute(builder, ['build', ...(builder === 'buildah' ? ['--layers'] : []), ...args])
      if (values.push) execute(builder, ['push', image])
      process.stdout.write(`${image}\n`)
    }
    return undefined
  },
})

/** The version, the commit and its time. A rebuild of the same commit gives the same labels. */
function labels(version: string, source: string): string[] {
  const [revision = '', created = ''] = git('log', '-1', '--format=%H %cI').split(' ')
  const changed = git('status', '--porcelain') === '' ? '' : '-changed'
  return [`VERSION=${version}`, `REVISION=${revision}${changed}`, `CREATED=${created}`, `SOURCE=${source}`]
}

function git(...args: string[]): string {
  return execFileSync('git', args, { cwd: root, encoding: 'utf8' }).trim()
}

/** @throws Error if the program fails. The program prints the reason itself. */
function execute(program: string, args: readonly string[]): void {
  const { status } = spawnSync(program, args, { cwd: root, stdio: ['ignore', 'inherit', 'inherit'] })
  if (status !== 0) throw new Error(`${program} ${args[0]} failed`)
}

if (import.meta.main) runCommand('images', command)
