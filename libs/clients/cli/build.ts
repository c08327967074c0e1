/**
 * Builds `dist`: the program as one file, with all that it imports except the optional keychain, and the licences of
 * these packages. `npm pack` and `npm publish` run it (`prepack`). The repository runs the sources.
 */

import { chmodSync, cpSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { build } from 'esbuild'

const folder = import.meta.dirname
const root = join(folder, '../../..')
const dist = join(folder, 'dist')

rmSync(dist, { recursive: true, force: true })
cpSync(join(root, 'LICENSE'), join(folder, 'LICENSE'))
const { metafile } = await build({
  absWorkingDir: folder,
  entryPoints: { 'financial-agents': 'src/main.ts' },
  outdir: dist,
  bundle: true,
  conditions: ['@financial-agents/source'],
  external: ['@napi-rs/keyring'],
  platform: 'node',
  format: 'esm',
  target: 'node20',
  minifySyntax: true,
  banner: { js: '#!/usr/bin/env node' },
  metafile: true,
  logLevel: 'warning',
})

chmodSync(join(dist, 'financial-agents.js'), 0o755)

const packages = new Set(
  Object.keys(metafile.inputs).flatMap((file) => /.*node_modules[/](?:@[^/]+[/])?[^/]+(?=[/])/.exec(file)?.[0] ?? []),
)
const licences = [...packages].toSorted().map((path) => {
  const inside = join(folder, path)
  const { name, version, license } = JSON.parse(readFileSync(join(inside, 'package.json'), 'utf8')) as Record<
    string,
    string
  >
  const file = readdirSync(inside).find((entry) => /^licen[cs]e/i.test(entry))
  const text =
    file && existsSync(join(inside, file)) ? readFileSync(join(inside, file), 'utf8').trim() : `Licence: ${license}`
  return `${name} ${version}\n\n${text}\n`
})
writeFileSync(join(dist, 'LICENSES.txt'), licences.join(`\n${'-'.repeat(80)}\n\n`))
