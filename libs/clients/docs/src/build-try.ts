/** Builds the script of the page "Try it": one file of the site, with the published client and the contract's examples inside. */

import { join } from 'node:path'
import { buildSync } from 'esbuild'
import { tryData } from './pages-of/try-operations.ts'
import { siteFolder } from './site.ts'

/** Writes the script into the site. @throws esbuild's error */
export function buildTry(): void {
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
