/** The pages that people write: Markdown with a title and a description at its head, in the folder `pages`. */

import { readdirSync, readFileSync } from 'node:fs'
import { join, sep } from 'node:path'
import type { DocPage } from '../site.ts'

const folder = join(import.meta.dirname, '../../pages')

/** @throws Error that names a page without a head */
export function authoredPages(): DocPage[] {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.md'))
  return files.map((file) => {
    const text = readFileSync(join(folder, file), 'utf8')
    const [, head = '', body = ''] = /^---\n(.*?)\n---\n(.*)$/s.exec(text) ?? []
    const member = (name: string) => new RegExp(`^${name}: (.+)$`, 'm').exec(head)?.[1]
    const [title, description, order] = [member('title'), member('description'), member('order')]
    if (!title || !description) throw new Error(`${file} needs a title and a description`)
    const path = file.slice(0, -3).split(sep).join('/')
    return { path, title, description, body, ...(order === undefined ? {} : { order: Number(order) }) }
  })
}
