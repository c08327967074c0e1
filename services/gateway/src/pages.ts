/**
 * The pages that problem types and failure codes point to: plain HTML, without script, readable in light and dark. Made
 * once from the catalogues; nothing of a request is ever written into one.
 */

import { createHash } from 'node:crypto'
import { failureCodes } from '@financial-agents/contract/failure-codes'
import { problemCatalogue } from '@financial-agents/contract/problem-catalogue'
import type { GatewayConfig } from './config.ts'

const style = `:root{color-scheme:light dark}
body{font:1rem/1.6 system-ui,sans-serif;max-width:42rem;margin:3rem auto;padding:0 1rem}
h1{font-size:1.5rem;line-height:1.25}
code{font:0.95em ui-monospace,monospace}
dt{font-weight:600;margin-top:.75rem}dd{margin:0}`

const styleHash = createHash('sha256').update(style).digest('base64')

/** Nothing but the one style sheet. */
export const pageHeaders: readonly string[] = [
  'Content-Type',
  'text/html; charset=utf-8',
  'Content-Security-Policy',
  `default-src 'none'; style-src 'sha256-${styleHash}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
  'Referrer-Policy',
  'no-referrer',
]

/** Path → HTML. */
export function createPages(): ReadonlyMap<string, string> {
  const pages = new Map<string, string>()
  const problems = Object.entries(problemCatalogue)
  const failures = Object.entries(failureCodes)
  pages.set(
    '/problems',
    indexPage(
      'Problem codes',
      '/problems',
      problems.map(([code, entry]) => [code, entry.title]),
    ),
  )
  pages.set('/failure-codes', indexPage('Failure codes of operations', '/failure-codes', failures))
  for (const [code, entry] of problems) {
    const facts: [string, string][] = [
      ['HTTP status', String(entry.status)],
      ['Repeating the identical request can safely succeed', entry.retryable ? 'yes' : 'no'],
      ['A write may have reached the provider', entry.submission_uncertain ? 'yes: never submit it again' : 'no'],
    ]
    pages.set(`/problems/${code}`, codePage(code, entry.title, entry.description, facts, '/problems'))
  }
  for (const [code, description] of failures) {
    pages.set(
      `/failure-codes/${code}`,
      codePage(code, 'Failure code of an operation', description, [], '/failure-codes'),
    )
  }
  return pages
}

/** Where readers are sent: the configured documentation, else the pages here. */
export function documentationUrl(config: GatewayConfig): string {
  return config.DOCUMENTATION_URL ?? `${config.PUBLIC_BASE_URL}/problems`
}

function codePage(code: string, title: string, description: string, facts: [string, string][], index: string): string {
  const list = facts.map(([term, value]) => `<dt>${escape(term)}</dt><dd>${escape(value)}</dd>`).join('')
  return page(
    code,
    `<h1>${escape(title)}</h1><p><code>${escape(code)}</code></p><p>${escape(description)}</p>${
      list && `<dl>${list}</dl>`
    }<p><a href="${index}">All codes</a></p>`,
  )
}

function indexPage(title: string, path: string, codes: readonly (readonly [string, string])[]): string {
  const list = codes.map(
    ([code, says]) => `<dt><a href="${path}/${code}"><code>${escape(code)}</code></a></dt><dd>${escape(says)}</dd>`,
  )
  return page(title, `<h1>${escape(title)}</h1><dl>${list.join('')}</dl>`)
}

/** A whole page; `main` is HTML. */
export function page(title: string, main: string): string {
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1"><title>${escape(title)}</title><style>${style}</style></head>
<body><main>${main}</main></body></html>
`
}

export function escape(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')
}
