/** The places of the site: its address below the origin, and the folders in which it is built. */

import { join } from 'node:path'
import { documentationRoot } from '@financial-agents/contract/documentation-paths'

export const root = join(import.meta.dirname, '../../../..')
/** The path of the site. */
export const base = documentationRoot
/** Everything that is built. `DOCS_BUILD_FOLDER` names another folder for a build beside this one. */
export const builtFolder = process.env['DOCS_BUILD_FOLDER'] ?? join(import.meta.dirname, '../build')
/** The pages as Markdown, before Astro renders them. */
export const contentFolder = join(builtFolder, 'content')
/** The finished site. */
export const siteFolder = join(builtFolder, 'site')

/** A page before it is rendered. */
export type DocPage = {
  /** The path below the site, without a slash at either end; `index` is the first page. */
  path: string
  title: string
  description: string
  /** Markdown. Links to other pages are absolute. */
  body: string
  /** The position in its part of the sidebar; by title if absent. */
  order?: number
  /** A shorter name for the sidebar. */
  label?: string
}

/** True for the pages of those who run the service. */
export const isForOperators = (path: string): boolean => path.startsWith('operate/')

export function addressOf(path: string): string {
  return path === 'index' ? `${base}/` : `${base}/${path}/`
}
