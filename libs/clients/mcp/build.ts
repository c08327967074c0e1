/**
 * Builds `dist` of the package: one file for the command and one for the library, with declarations, and the licence beside it. `npm pack`
 * and `npm publish` run it (`prepack`). Nothing in the repository needs `dist`: it imports the sources.
 */

import { spawnSync } from 'node:child_process'
import { chmodSync, cpSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { build } from 'esbuild'

const folder = import.meta.dirname
const root = join(folder, '../../..')
const dist = join(folder, 'dist')

rmSync(dist, { recursive: true, force: true })
cpSync(join(root, 'LICENSE'), join(folder, 'LICENSE'))
await build({
  absWorkingDir: folder,
  entryPoints: ['src/mcp.ts', 'src/main.ts'],
  outdir: dist,
  outbase: 'src',
  bundle: true,
  splitting: true,
  packages: 'external',
  platform: 'node',
  format: 'esm',
  target: 'es2022',
  sourcemap: true,
  chunkNames: 'chunks/[hash]',
  logLevel: 'warning',
})
chmodSync(join(dist, 'main.js'), 0o755)

const tsc = join(root, 'node_modules/typescript/bin/tsc')
const declared = spawnSync(process.execPath, [tsc, '-p', join(folder, 'tsconfig.build.json')], { stdio: 'inherit' })
process.exitCode = declared.status ?? 1
