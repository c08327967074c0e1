/**
 * The documents that the repository already has: the operator's guide, the runbooks, the descriptions of the published packages and their
 * changes. A link to another document of the site leads there; a link into the repository becomes its text.
 */

import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { addressOf, type DocPage, root } from '../site.ts'

const changesPath = 'reference/changes'
/** The published packages, whose changes are one page. */
const packages = [
  ['libs/clients/typescript/CHANGELOG.md', 'Client for TypeScript'],
  ['libs/clients/python/CHANGELOG.md', 'Client for Python'],
  ['libs/clients/cli/CHANGELOG.md', 'Command line'],
  ['libs/clients/mcp/CHANGELOG.md', 'MCP server'],
] as const

/** Shorter names for the sidebar. */
const labels: Readonly<Record<string, string>> = {
  'reference/client': 'Client for TypeScript',
  'reference/client-python': 'Client for Python',
  'reference/cli': 'Command line',
  'reference/mcp': 'MCP server',
  'reference/sandbox': 'Sandbox',
  'reference/fake-provider': 'Fake provider',
  'how-to/coding-agents': 'Skill for coding agents',
}

/** The documents, by file, with the path of their page. */
function documents(): Map<string, string> {
  const found = new Map<string, string>()
  for (const [folder, path] of [
    ['deploy/guide', 'operate/guide'],
    ['deploy/runbooks', 'operate/runbooks'],
  ] as const)
    for (const file of readdirSync(join(root, folder)))
      if (file.endsWith('.md')) found.set(`${folder}/${file}`, `${path}/${slugOf(file)}`)
  found.set('libs/clients/typescript/README.md', 'reference/client')
  found.set('libs/clients/python/README.md', 'reference/client-python')
  found.set('libs/clients/cli/README.md', 'reference/cli')
  found.set('libs/clients/mcp/README.md', 'reference/mcp')
  found.set('libs/development/sandbox/README.md', 'reference/sandbox')
  found.set('services/fake-provider/README.md', 'reference/fake-provider')
  found.set('libs/clients/typescript/skills/financial-agents-client/SKILL.md', 'how-to/coding-agents')
  for (const [file] of packages) found.set(file, changesPath)
  found.set('libs/provider/port/README.md', 'operate/provider')
  found.set('deploy/metrics.md', 'operate/metrics')
  return found
}

function slugOf(file: string): string {
  const name = file.slice(0, -3)
  return name === 'README' ? 'overview' : name.toLowerCase()
}

/** Returns a page for each document, and one page with all changes. */
export function includedPages(): DocPage[] {
  const known = documents()
  const single = [...known].filter(([, path]) => path !== changesPath)
  const pages = single.map(([file, path]): DocPage => {
    const text = textOf(file)
    const [, title = file] = /^# (.+)$/m.exec(text) ?? []
    const body = text.replace(/^# .+\n/m, '')
    return {
      path,
      title: title.replaceAll('`', ''),
      description: firstSentence(body),
      body: withLinks(body, file, known),
      ...(labels[path] === undefined ? {} : { label: labels[path] }),
      ...(path.endsWith('/overview') ? { order: 0, label: 'Overview' } : {}),
    }
  })
  return [...pages, changes(known)]
}

/** Returns a document without its head and its comments. */
function textOf(file: string): string {
  return readFileSync(join(root, file), 'utf8')
    .replace(/^---\n.*?\n---\n/s, '')
    .replaceAll(/<!--.*?-->\n?/gs, '')
}

/** The changes of all packages, each under its name. */
function changes(known: ReadonlyMap<string, string>): DocPage {
  const parts = packages.map(([file, name]) => {
    const body = textOf(file)
      .replace(/^# .+\n/m, '')
      .replaceAll(/^(#+ )/gm, '#$1')
    return `## ${name}\n\n${withLinks(body.trim(), file, known)}`
  })
  return {
    path: changesPath,
    title: 'Changes',
    description: 'The changes of the clients, the command line and the MCP server, newest first.',
    order: 7,
    body: parts.join('\n\n'),
  }
}

/** The path of a page that people write, by its file. */
function authoredPathOf(file: string): string | undefined {
  return /^libs\/clients\/docs\/pages\/(.+)\.md$/.exec(file)?.[1]
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
    const linked = join(dirname(file), relative)
    const path = known.get(linked) ?? authoredPathOf(linked)
    return path === undefined ? text : `[${text}](${addressOf(path)}${anchor ? `#${anchor}` : ''})`
  })
}
