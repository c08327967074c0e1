/**
 * Builds `dist`: one file for each entry and the chunks that they share, with declarations, and the licence beside it. `npm pack` and
 * `npm publish` run it (`prepack`). Nothing in the repository needs `dist`: it imports the sources.
 */

import { spawnSync } from 'node:child_process'
import { cpSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { build } from 'esbuild'

const folder = import.meta.dirname
const root = join(folder, '../../..')
const source = '@financial-agents/source'
const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as {
  exports: Record<string, { [source]?: string }>
}
const dist = join(folder, 'dist')

rmSync(dist, { recursive: true, force: true })
cpSync(join(root, 'LICENSE'), join(folder, 'LICENSE'))
await build({
  absWorkingDir: folder,
  entryPoints: Object.values(manifest.exports).flatMap((entry) => entry[source] ?? []),
  outdir: dist,
  outbase: 'src',
  bundle: true,
  splitting: true,
  packages: 'external',
  platform: 'neutral',
  external: ['node:*'],
  format: 'esm',
  target: 'es2022',
  sourcemap: true,
  chunkNames: 'chunks/[hash]',
  logLevel: 'warning',
})
// A chunk has no side effects. An import for side effects alone only makes bundlers warn.
for (const file of readdirSync(dist, { recursive: true, encoding: 'utf8' })) {
  if (!file.endsWith('.js')) continue
  const text = readFileSync(join(dist, file), 'utf8')
  writeFileSync(join(dist, file), text.replace(/^import "[.]{1,2}[/][^"]+";\n/gm, ''))
}

const tsc = join(root, 'node_modules/typescript/bin/tsc')
const declared = spawnSync(process.execPath, [tsc, '-p', join(folder, 'tsconfig.build.json')], { stdio: 'inherit' })
process.exitCode = declared.status ?? 1
