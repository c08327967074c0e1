/**
 * The pages that problem types and failure codes point to. Made once from the catalogues; nothing of a request is ever
 * written into one.
 */

import { failureCodes } from '@financial-agents/contract/failure-codes'
import { problemCatalogue } from '@financial-agents/contract/problem-catalogue'
import { html } from '@financial-agents/pages/html'
import { renderPage } from '@financial-agents/pages/page'
import { facts } from '@financial-agents/pages/parts'

/** Path → HTML. */
export function createPages(): ReadonlyMap<string, string> {
  const pages = new Map<string, string>()
  const problems = Object.entries(problemCatalogue)
  const failures = Object.entries(failureCodes)
  const titles = problems.map(([code, entry]) => [code, entry.title] as const)
  pages.set('/problems', indexPage('Problem codes', '/problems', titles))
  pages.set('/failure-codes', indexPage('Failure codes of operations', '/failure-codes', failures))
  for (const [code, entry] of problems) {
    const rows: [string, string][] = [
      ['HTTP status', String(entry.status)],
      ['Repeating the identical request can safely succeed', entry.retryable ? 'yes' : 'no'],
      ['A write may have reached the provider', entry.submission_uncertain ? 'yes: never submit it again' : 'no'],
    ]
    pages.set(`/problems/${code}`, codePage({ code, title: entry.title, lead: entry.description, rows }, '/problems'))
  }
  for (const [code, lead] of failures) {
    const title = 'Failure code of an operation'
    pages.set(`/failure-codes/${code}`, codePage({ code, title, lead, rows: [] }, '/failure-codes'))
  }
  return pages
}

type Code = { code: string; title: string; lead: string; rows: readonly [string, string][] }

function codePage({ code, title, lead, rows }: Code, index: string): string {
  const all = facts([['Code', html`<code>${code}</code>`], ...rows])
  return renderPage({ title, lead, main: html`<div class="card">${all}</div><p><a href="${index}">All codes</a></p>` })
}

function indexPage(title: string, path: string, codes: readonly (readonly [string, string])[]): string {
  const rows = codes.map(
    ([code, says]) =>
      html`<tr><th scope="row"><code>${code}</code></th><td><a href="${path}/${code}">${says}</a></td></tr>`,
  )
  const head = html`<thead><tr><th scope="col">Code</th><th scope="col">Meaning</th></tr></thead>`
  return renderPage({
    title,
    wide: true,
    main: html`<div class="card"><table>${head}<tbody>${rows}</tbody></table></div>`,
  })
}
