/** The parts of the site in the order of a reader: learn, do, try, look up, understand, run. A text is one page. */

import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const parts = [
  ['Tutorials', 'tutorials'],
  ['How-to guides', 'how-to'],
  'try',
  ['Understand', 'understand'],
  ['Reference', 'reference'],
  ['Operate', 'operate'],
] as const

/** Labels of folders below the parts. */
const labels: Readonly<Record<string, string>> = {
  routes: 'Routes',
  'client-api': 'Client API',
  runbooks: 'Runbooks',
  guide: 'Guide',
}

type Entry = { slug: string } | { label: string; items: Entry[]; collapsed: boolean }

export function sidebarOf(folder: string): Entry[] {
  return parts.map((part) => {
    if (typeof part === 'string') return { slug: part }
    const [label, directory] = part
    return { label, items: itemsOf(folder, directory), collapsed: directory === 'operate' }
  })
}

/** The pages of a folder in their order, then its folders as groups. */
function itemsOf(folder: string, directory: string): Entry[] {
  const entries = readdirSync(join(folder, directory), { withFileTypes: true })
  const pages = entries
    .filter((entry) => entry.isFile())
    .map(({ name }) => ({ slug: `${directory}/${name.slice(0, -3)}`, order: orderOf(join(folder, directory, name)) }))
    .toSorted((one, other) => one.order - other.order || (one.slug < other.slug ? -1 : 1))
  const groups = entries
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => ({
      label: labels[name] ?? name,
      items: itemsOf(folder, `${directory}/${name}`),
      collapsed: true,
    }))
  return [...pages.map(({ slug }) => ({ slug })), ...groups]
}

/** The head of a written page is one line of JSON. */
function orderOf(file: string): number {
  const [, head = ''] = readFileSync(file, 'utf8').split('\n')
  return (JSON.parse(head) as { sidebar: { order?: number } }).sidebar.order ?? Number.MAX_SAFE_INTEGER
}
