/**
 * The search prefers the pages of those who use the API to those of operators: a runbook has the same words, and many of them. It is
 * found by its own name all the same.
 */

import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { AstroIntegration } from 'astro'
import { isForOperators } from './site.ts'

/** The weight of these pages, from 0 to 10. A paragraph weighs 1, and headings up to 7. */
const weight = 0.1

/** Put it before Starlight, which makes the index of the search from the pages. */
export const weighPages: AstroIntegration = {
  name: 'weigh-pages',
  hooks: {
    'astro:build:done': ({ dir }) => {
      const folder = fileURLToPath(dir)
      const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
      for (const file of files.filter((name) => isForOperators(name) && name.endsWith('.html'))) {
        const path = join(folder, file)
        const html = readFileSync(path, 'utf8')
        const weighed = html.replaceAll(/<(main|h[1-6])(?=[\s>])/g, `<$1 data-pagefind-weight="${weight}"`)
        writeFileSync(path, weighed)
      }
    },
  },
}
