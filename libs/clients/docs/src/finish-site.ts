/**
 * Finishes what Astro has rendered: moves style attributes into one stylesheet, gives each page its content security policy, and puts
 * each page as Markdown, `llms.txt`, `llms-full.txt` and `sitemap.xml` beside them.
 *
 * Invariant: a page runs only scripts of this site and the inline scripts whose hashes its policy names; it has no style attributes.
 */

import { createHash } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { placeholderBaseUrl } from '@financial-agents/contract/openapi/origin'
import { addressOf, base, type DocPage, isForOperators, siteFolder } from './site.ts'

const stylesheet = 'attributes.css'

/** Rewrites the rendered pages of the site in their folder, and adds the files that are made of them. */
export function finishSite(pages: readonly DocPage[]): void {
  const classes = new Map<string, string>()
  const files = readdirSync(siteFolder, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.html'))
  for (const file of files) {
    const path = join(siteFolder, file)
    writeFileSync(path, withPolicy(withoutStyleAttributes(readFileSync(path, 'utf8'), classes)))
  }
  const rules = Array.from(classes, ([style, name]) => `.${name}{${style}}`)
  writeFileSync(join(siteFolder, stylesheet), rules.join('\n'))
  findTokensByClass()
  writeMarkdown(pages)
  writeSitemap(pages)
}

/**
 * Replaces each style attribute by a class. A policy that permits these attributes would have to permit any style
 * attribute.
 */
function withoutStyleAttributes(html: string, classes: Map<string, string>): string {
  const moved = html.replaceAll(
    /<([a-z][\w-]*)((?:\s+[^\s"'<>/=]+(?:=(?:"[^"]*"|'[^']*'|[^\s"'<>]+))?)*)\s*(\/?)>/g,
    (tag, name: string, attributes: string, end: string) => {
      const [found, style = ''] = /\sstyle="([^"]*)"/.exec(attributes) ?? []
      if (found === undefined) return tag
      const known = classes.get(style) ?? `st-${createHash('sha256').update(style).digest('hex').slice(0, 10)}`
      classes.set(style, known)
      const rest = attributes.replace(found, '')
      const merged = /\sclass="/.test(rest)
        ? rest.replace(/\sclass="/, ` class="${known} `)
        : `${rest} class="${known}"`
      return `<${name}${merged}${end}>`
    },
  )
  // The keyboard can scroll wide code from the beginning, and not only after a script has run.
  const reachable = moved.replaceAll('<pre data-language=', '<pre tabindex="0" data-language=')
  return reachable.replace('</head>', `<link rel="stylesheet" href="${base}/${stylesheet}"></head>`)
}

/** Lets the stylesheet of code blocks find the coloured tokens by their new class instead of their style attribute. */
function findTokensByClass(): void {
  const byAttribute = /span\[style\^=['"]?--['"]?\]:not\(\[class\]\)/g
  const folder = join(siteFolder, '_astro')
  const files = readdirSync(folder).filter((file) => file.endsWith('.css'))
  const changed = files.filter((file) => {
    const text = readFileSync(join(folder, file), 'utf8')
    const rewritten = text.replaceAll(byAttribute, 'span[class^="st-"]')
    if (rewritten !== text) writeFileSync(join(folder, file), rewritten)
    return rewritten !== text
  })
  if (changed.length === 0)
    throw new Error('the stylesheet of the code blocks has changed: no token would have its colour')
}

function withPolicy(html: string): string {
  const inline = [...html.matchAll(/<script(?![^>]*\ssrc=)(?![^>]*application\/)[^>]*>(.*?)<\/script>/gs)]
  const scripts = [
    ...new Set(inline.map(([, text = '']) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`)),
  ]
  const styles = [
    ...new Set(
      [...html.matchAll(/<style[^>]*>(.*?)<\/style>/gs)].map(
        ([, text = '']) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`,
      ),
    ),
  ]
  const policy = [
    "default-src 'none'",
    ["script-src 'self' 'wasm-unsafe-eval'", ...scripts].join(' '),
    ["style-src 'self'", ...styles].join(' '),
    "img-src 'self' data:",
    "font-src 'self'",
    "connect-src 'self'",
    "worker-src 'self'",
    "form-action 'none'",
    "base-uri 'none'",
  ].join('; ')
  return html.replace(/<head>/, `<head><meta http-equiv="content-security-policy" content="${policy}">`)
}

function writeMarkdown(pages: readonly DocPage[]): void {
  const nameOf = (path: string) => `${path}.md`
  for (const { path, title, description, body } of pages) {
    const file = join(siteFolder, nameOf(path))
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, markdownOf({ title, description, body }))
  }
  const lines = pages.map(({ path, title, description }) => `- [${title}](${base}/${nameOf(path)}): ${description}`)
  const head = `# Financial Agents API

> An API through which an agent acts for one person's money: every write a durable operation, submitted to the provider at most once.

[All of them in one file](${base}/llms-full.txt). Every page is also Markdown: \`${addressOf('understand/at-most-once')}\` is \`${base}/${nameOf('understand/at-most-once')}\`.
`
  writeFileSync(join(siteFolder, 'llms.txt'), `${head}\n${lines.join('\n')}\n`)
  const full = usersFirst(pages).map((page) => `<!-- ${addressOf(page.path)} -->\n\n${markdownOf(page)}`)
  writeFileSync(join(siteFolder, 'llms-full.txt'), full.join('\n'))
}

const markdownOf = ({ title, description, body }: Pick<DocPage, 'title' | 'description' | 'body'>) =>
  `# ${title}\n\n> ${description}\n\n${body.trim()}\n`

/** A reader that takes only the beginning gets the pages of those who use the API. */
function usersFirst(pages: readonly DocPage[]): DocPage[] {
  return pages.toSorted((one, other) => Number(isForOperators(one.path)) - Number(isForOperators(other.path)))
}

/** The addresses have the origin of the document's examples. The gateway puts its own in its place. */
function writeSitemap(pages: readonly DocPage[]): void {
  const entries = pages.map(({ path }) => `<url><loc>${placeholderBaseUrl}${addressOf(path)}</loc></url>`)
  const text = `<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n${entries.join('\n')}\n</urlset>\n`
  writeFileSync(join(siteFolder, 'sitemap.xml'), text)
}
