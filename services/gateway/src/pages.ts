/**
 * The pages to which problem types and failure codes point: what happened, what to do, the routes that answer it, and
 * an example. They are built once from the catalogues and the route table, and contain nothing of a request.
 */

import { routePagePath } from '@financial-agents/contract/documentation-paths'
import { problemExample } from '@financial-agents/contract/examples'
import { failureCodes } from '@financial-agents/contract/failure-codes'
import { type ProblemCode, problemCatalogue, problemCodes } from '@financial-agents/contract/problem-catalogue'
import { problemsOf } from '@financial-agents/contract/problems-of'
import type { Route } from '@financial-agents/contract/route'
import { routes } from '@financial-agents/contract/routes'
import { type Html, html } from '@financial-agents/pages/html'
import { type Page, renderPage } from '@financial-agents/pages/page'
import { pageHeaders } from '@financial-agents/pages/page-headers'
import { facts, notice } from '@financial-agents/pages/parts'
import type { Stored } from './stored.ts'

const headers = Object.entries(pageHeaders()).flat()
const table = Object.entries(routes as Record<string, Route>)

/** Builds the pages, by path. */
export function createPages(baseUrl: string): Map<string, Stored> {
  const pages = new Map<string, Stored>()
  const add = (path: string, page: Page) => pages.set(path, { headers, body: renderPage(page) })
  const titles = problemCodes.map((code) => [code, problemCatalogue[code].title] as const)
  const failures = Object.entries(failureCodes)
  add('/problems', indexPage('Problem codes', '/problems', titles))
  add('/failure-codes', indexPage('Failure codes of operations', '/failure-codes', failures))
  for (const code of problemCodes) add(`/problems/${code}`, problemPage(baseUrl, code))
  for (const [code, lead] of failures) add(`/failure-codes/${code}`, failurePage(code, lead))
  return pages
}

function problemPage(baseUrl: string, code: ProblemCode): Page {
  const { title, description, status, retryable, submission_uncertain } = problemCatalogue[code]
  const rows: [string, Html | string][] = [
    ['Code', html`<code>${code}</code>`],
    ['HTTP status', String(status)],
    ['Repeating the identical request can safely succeed', retryable ? 'yes' : 'no'],
    ['A write may have reached the provider', submission_uncertain ? 'yes: never submit it again' : 'no'],
  ]
  const body = JSON.stringify(problemExample(baseUrl, code), null, 2)
  return {
    title,
    lead: description,
    main: html`${submission_uncertain ? notice('warning', uncertain) : ''}
<div class="card">${facts(rows)}</div>
<h2>What to do</h2>
<p>${nextStep(code)}</p>
<h2>Which routes answer it</h2>
${answeringRoutes(code)}
<h2>What it looks like</h2>
<pre tabindex="0" aria-label="Example"><code>${body}</code></pre>
<p><a href="/problems">All problem codes</a> · <a href="/docs/reference/all-routes/">API reference</a></p>`,
  }
}

const uncertain = 'The write may have been accepted. Sending it again with another key could do it twice.'

function nextStep(code: ProblemCode): string {
  const { status, retryable, submission_uncertain } = problemCatalogue[code]
  if (submission_uncertain)
    return 'Look for the operation with the key of the request. Where there is one, follow it by reading it. Where there is none, repeat the identical request with the same key: it is accepted once at most.'
  if (code === 'use_dpop_nonce') return 'Repeat the request with a new proof that holds the nonce of this answer.'
  if (retryable) return 'Wait, then repeat the identical request; a keyed write with the same Idempotency-Key.'
  if (status >= 500)
    return 'Do not repeat it blindly: look whether it was done first. Name the request_id of the answer to whoever helps; it finds the cause in our logs.'
  if (status === 401) return 'Inspect WWW-Authenticate, obtain what it asks for, and send the request with a new proof.'
  if (status === 403)
    return 'Repeating it changes nothing by itself: something has to be allowed, confirmed or enabled first.'
  if (status === 404) return 'Look for the identifier with the route that lists such things.'
  if (status === 409) return 'As things stand, repeating it answers the same. Read how they stand, and decide anew.'
  return 'Correct the request. As it is, it will be refused again.'
}

function answeringRoutes(code: ProblemCode): Html {
  const answering = table.filter(([, row]) => problemsOf(row).includes(code))
  if (answering.length === table.length) return html`<p>Every route of the API.</p>`
  const items = answering.map(
    ([name, { area, method, path, summary }]) =>
      html`<li><a href="${routePagePath(name, { area })}"><code>${method} ${path}</code></a> <span class="soft">${summary}</span></li>`,
  )
  if (answering.length <= 8) return html`<ul class="routes">${items}</ul>`
  return html`<details><summary>${answering.length} of ${table.length} routes</summary><ul class="routes">${items}</ul></details>`
}

function failurePage(code: string, lead: string): Page {
  return {
    title: 'Failure code of an operation',
    lead,
    main: html`<div class="card">${facts([
      ['Code', html`<code>${code}</code>`],
      [
        'Where it stands',
        html`<code>failure_code</code> of an operation, with the same in words as <code>failure_detail</code>`,
      ],
    ])}</div>
<h2>What to do</h2>
<p>The <code>state</code> of the operation decides. <code>failed</code> and <code>cancelled</code> are final: to try again is a new intention, with a new Idempotency-Key. While it is <code>indeterminate</code>, the provider may have accepted the write: keep reading the operation, and send nothing again.</p>
<p><a href="${routePagePath('getOperation', routes.getOperation)}"><code>GET /v1/operations/{id}</code></a> shows it.</p>
<p><a href="/failure-codes">All failure codes</a> · <a href="/docs/reference/all-routes/">API reference</a></p>`,
  }
}

function indexPage(title: string, path: string, codes: readonly (readonly [string, string])[]): Page {
  const rows = codes.map(
    ([code, says]) =>
      html`<tr><th scope="row"><code>${code}</code></th><td><a href="${path}/${code}">${says}</a></td></tr>`,
  )
  const head = html`<thead><tr><th scope="col">Code</th><th scope="col">Meaning</th></tr></thead>`
  return {
    title,
    wide: true,
    lead: html`Each has a page. Where they are met, the <a href="/docs/reference/all-routes/">API reference</a> says.`,
    main: html`<div class="card"><table>${head}<tbody>${rows}</tbody></table></div>`,
  }
}
