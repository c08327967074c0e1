/** Every relative link of every committed page leads to an existing file or folder, and to a heading of that page. */

import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { expect, test } from 'vitest'

const root = join(import.meta.dirname, '../..')
const committed = execFileSync('git', ['ls-files', '*.md'], { cwd: root, encoding: 'utf8' }).trim().split('\n')
// Links of the documentation site are addresses. `test/docs` follows them on the rendered pages.
const pages = committed.filter((file) => !file.startsWith('libs/clients/docs/pages/'))

const proseOf = (file: string) =>
  readFileSync(join(root, file), 'utf8')
    .replaceAll(/^```.*?^```$/gms, '')
    .replaceAll(/``.+?``/g, '')

/**
 * Returns the anchors that GitHub gives to headings: lower case, words joined by hyphens, and a number for a repeated
 * name.
 */
function anchorsOf(file: string): Set<string> {
  const anchors = new Set<string>()
  for (const [, heading = ''] of proseOf(file).matchAll(/^#{1,6} +(.+)$/gm)) {
    const words = heading.replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1').toLowerCase()
    const anchor = words.replaceAll(/[^\p{L}\p{N} _-]/gu, '').replaceAll(' ', '-')
    let unique = anchor
    for (let count = 1; anchors.has(unique); count += 1) unique = `${anchor}-${count}`
    anchors.add(unique)
  }
  return anchors
}

function linksOf(file: string): string[] {
  const targets = [...proseOf(file).matchAll(/\]\(<?([^()\s>]+)>?\)|^\[[^\]]+\]:\s*(\S+)/gm)]
  return targets.map(([, inline, reference]) => inline ?? reference ?? '').filter((to) => !/^[a-z]+:/i.test(to))
}

/** Returns the reason why a link is broken; undefined if it is not. */
function brokenBecause(file: string, link: string): string | undefined {
  const [path = '', anchor] = link.split('#')
  const target = path === '' ? file : relative(root, join(root, dirname(file), decodeURI(path)))
  if (target.startsWith('..') || !existsSync(join(root, target))) return `${link}: no such file`
  if (anchor !== undefined && target.endsWith('.md') && !anchorsOf(target).has(anchor))
    return `${link}: no such heading`
  return undefined
}

test.each(pages)('%s: every link leads somewhere', (file) => {
  expect(
    linksOf(file)
      .map((link) => brokenBecause(file, link))
      .filter(Boolean),
  ).toEqual([])
})
