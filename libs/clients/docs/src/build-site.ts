/**
 * Builds the site: writes the pages, has Astro render them, and finishes what it rendered. The folder `build/site` is the whole site:
 * any web server can serve it at /docs.
 */

import { spawnSync } from 'node:child_process'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { buildSync } from 'esbuild'
import { finishSite } from './finish-site.ts'
import { tryData } from './pages-of/try-operations.ts'
import { builtFolder, contentFolder, siteFolder } from './site.ts'
import { allPages, writePages } from './write-pages.ts'

/** Builds the site anew; returns the number of its pages. @throws Error with the end of Astro's output */
export function buildSite(): number {
  const pages = allPages()
  writePages(pages, contentFolder)
  const astro = join(dirname(createRequire(import.meta.url).resolve('astro/package.json')), 'bin/astro.mjs')
  // Vite reads BASE_URL, MODE and others from the environment, and a test runner sets them. The build therefore gets
  // its own.
  const env = {
    PATH: process.env['PATH'],
    HOME: process.env['HOME'],
    NODE_ENV: 'production',
    ASTRO_TELEMETRY_DISABLED: '1',
    DOCS_BUILD_FOLDER: builtFolder,
  }
  const options = { cwd: join(import.meta.dirname, '..'), env }
  const built = spawnSync(process.execPath, [astro, 'build'], { ...options, encoding: 'utf8' })
  if (built.status !== 0)
    throw new Error(`astro build failed: ${`${built.stdout}\n${built.stderr}`.trim().slice(-3_000)}`)
  buildTry()
  finishSite(pages)
  return pages.length
}

/** Writes the script of the page "Try it": one file, with the published client and the contract's examples inside. */
function buildTry(): void {
  buildSync({
    stdin: {
      contents: `import { start } from './main.ts'\nvoid start(${JSON.stringify(tryData())})\n`,
      resolveDir: join(import.meta.dirname, '../try'),
      loader: 'ts',
    },
    bundle: true,
    minify: true,
    format: 'esm',
    platform: 'browser',
    target: 'es2022',
    conditions: ['@financial-agents/source'],
    outfile: join(siteFolder, 'try.js'),
    logLevel: 'silent',
  })
}
