/**
 * Builds `dist`: the command, the module, and one file with the services, their migrations and all that they import. `npm pack` and `npm
 * publish` run it (`prepack`).
 */

import { spawnSync } from 'node:child_process'
import { chmodSync, cpSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { bundledPackages, distinct, root } from '@financial-agents/deploy/images/bundle-services'
import { buildSystem } from '@financial-agents/testkit/system-bundle'
import { build } from 'esbuild'

const folder = import.meta.dirname
const dist = join(folder, 'dist')
const { version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { version: string }

rmSync(dist, { recursive: true, force: true })
cpSync(join(root, 'LICENSE'), join(folder, 'LICENSE'))
const { metafile } = await buildSystem({
  folder: dist,
  file: 'system.cjs',
  version,
  // Sandboxes take no server from a container.
  external: ['testcontainers'],
  more: `import { systemOf } from './system.ts'
    import { run as runProgram } from ${JSON.stringify(join(folder, 'src/program.ts'))}
    export const run = () => runProgram(systemOf(load), __filename)`,
})
await build({
  absWorkingDir: folder,
  entryPoints: ['src/main.ts', 'src/sandbox.ts'],
  outdir: dist,
  platform: 'node',
  format: 'esm',
  target: 'node24',
  banner: {},
})
writeFileSync(join(dist, 'main.js'), `#!/usr/bin/env node\n${readFileSync(join(dist, 'main.js'), 'utf8')}`)
chmodSync(join(dist, 'main.js'), 0o755)

const packages = distinct(await bundledPackages(Object.values(metafile.outputs)[0]))
const licences = packages.map(({ name, version, folder: inside, manifest }) => {
  const file = readdirSync(inside).find((entry) => /^licen[cs]e/i.test(entry))
  return `${name} ${version}\n\n${file === undefined ? `Licence: ${manifest.license}` : readFileSync(join(inside, file), 'utf8').trim()}\n`
})
writeFileSync(join(dist, 'LICENSES.txt'), licences.toSorted().join(`\n${'-'.repeat(80)}\n\n`))

const tsc = join(root, 'node_modules/typescript/bin/tsc')
const declared = spawnSync(process.execPath, [tsc, '-p', join(folder, 'tsconfig.build.json')], { stdio: 'inherit' })
process.exitCode = declared.status ?? 1
