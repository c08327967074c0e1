/**
 * Writes every page of the site as Markdown into one folder: the pages of `pages`, those that derive from the contract's tables, and
 * those that the repository already has. Nothing that stands in a table or in another document is written a second time.
 */

import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fromClone } from './from-clone.ts'
import { amountPages } from './pages-of/amounts.ts'
import { authoredPages } from './pages-of/authored.ts'
import { clientApiPages } from './pages-of/client-api.ts'
import { codePages } from './pages-of/codes.ts'
import { errorPages } from './pages-of/errors.ts'
import { includedPages } from './pages-of/included.ts'
import { paginationPages } from './pages-of/pagination.ts'
import { recipePages } from './pages-of/recipes.ts'
import { routePages } from './pages-of/routes.ts'
import { statePages } from './pages-of/states.ts'
import type { DocPage } from './site.ts'

/** Returns every page, each path once. @throws Error if two pages have one path */
export function allPages(): DocPage[] {
  const pages = [
    ...authoredPages(),
    ...recipePages(),
    ...routePages(),
    ...amountPages(),
    ...paginationPages(),
    ...errorPages(),
    ...codePages(),
    ...statePages(),
    ...includedPages(),
    ...clientApiPages(),
  ].map(fromClone)
  const paths = new Set<string>()
  for (const { path } of pages) {
    if (paths.has(path)) throw new Error(`two pages have the path ${path}`)
    paths.add(path)
  }
  return pages
}

/** Writes the pages into the folder, which is made anew. */
export function writePages(pages: readonly DocPage[], folder: string): void {
  rmSync(folder, { recursive: true, force: true })
  for (const page of pages) {
    const file = join(folder, `${page.path}.md`)
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, textOf(page))
  }
}

function textOf({ title, description, body, order, label }: DocPage): string {
  const sidebar = { ...(order === undefined ? {} : { order }), ...(label === undefined ? {} : { label }) }
  const head = { title, description, sidebar }
  // JSON is YAML.
  return `---\n${JSON.stringify(head)}\n---\n\n${body.trim()}\n`
}
