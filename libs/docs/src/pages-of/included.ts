/**
 * The documents that the repository already has: the operator's guide, the runbooks, the client's own description and its changes.
 * A link to another document of the site leads there; a link into the repository becomes its text.
 */

import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { addressOf, type DocPage, root } from '../site.ts'

/** The documents, by file, with the path of their page. */
function documents(): Map<string, string> {
  const found = new Map<string, string>()
  for (const [folder, path] of [
    ['deploy/guide', 'operate/guide'],
    ['deploy/runbooks', 'operate/runbooks'],
  ] as const)
    for (const file of readdirSync(join(root, folder)))
      if (file.endsWith('.md')) found.set(`${folder}/${file}`, `${path}/${slugOf(file)}`)
  found.set('libs/client/README.md', 'reference/client')
  found.set('libs/client/CHANGELOG.md', 'reference/changes')
  found.set('libs/client-python/README.md', 'reference/client-python')
  found.set('libs/provider/README.md', 'operate/provider')
  found.set('deploy/metrics.md', 'operate/metrics')
  return found
}

function slugOf(file: string): string {
  const name = file.slice(0, -3)
  return name === 'README' ? 'overview' : name.toLowerCase()
}

/** Returns their pages. */
export function includedPages(): DocPage[] {
  const known = documents()
  return Array.from(known, ([file, path]) => {
    const text = readFileSync(join(root, file), 'utf8').replaceAll(/<!--.*?-->\n?/gs, '')
    const [, title = file] = /^# (.+)$/m.exec(text) ?? []
    const body = text.replace(/^# .+\n/m, '')
    return {
      path,
      title: title.replaceAll('`', ''),
      description: firstSentence(body),
      body: withLinks(body, file, known),
      ...(path.endsWith('/overview') ? { order: 0, label: 'Overview' } : {}),
    }
  })
}

function firstSentence(body: string): string {
  const paragraph = body.split('\n\n').find((part) => /^\s*[A-Z`]/.test(part)) ?? ''
  const plain = paragraph
    .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replaceAll(/[`*\n]/g, ' ')
    .trim()
  return /^.+?[.:](?= |$)/.exec(plain)?.[0].replace(/:$/, '.') ?? plain
}

function withLinks(body: string, file: string, known: ReadonlyMap<string, string>): string {
  return body.replaceAll(/\[([^\]]+)\]\(([^)\s]+)\)/g, (whole, text: string, target: string) => {
    if (/^(?:https?:|#)/.test(target)) return whole
    const [relative = '', anchor] = target.split('#')
    const path = known.get(join(dirname(file), relative))
    return path === undefined ? text : `[${text}](${addressOf(path)}${anchor ? `#${anchor}` : ''})`
  })
}
