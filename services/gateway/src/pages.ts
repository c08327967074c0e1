/**
 * The pages to which problem types and failure codes point: what happened, what to do, the routes that answer it, and
 * an example. They are built from the catalogues and the route table, and contain nothing of a request. The texts of
 * the catalogues are shown in English on the pages of every language.
 */

import { routePagePath } from '@financial-agents/contract/documentation-paths'
import { problemExample } from '@financial-agents/contract/examples'
import { failureCodes } from '@financial-agents/contract/failure-codes'
import { type ProblemCode, problemCatalogue, problemCodes } from '@financial-agents/contract/problem-catalogue'
import { nextStepOf } from '@financial-agents/contract/problem-next-step'
import { problemsOf } from '@financial-agents/contract/problems-of'
import type { Route } from '@financial-agents/contract/route'
import { routes } from '@financial-agents/contract/routes'
import { type Html, html } from '@financial-agents/pages/html'
import type { Page } from '@financial-agents/pages/page'
import { facts, notice } from '@financial-agents/pages/parts'
import type { Reader } from '@financial-agents/pages/reader'
import type { Site, SitePage } from './site.ts'

const table = Object.entries(routes as Record<string, Route>)
const referencePath = '/docs/reference/all-routes/'

export function createPages(baseUrl: string, site: Pick<Site, 'page'>): Map<string, SitePage> {
  const pages = new Map<string, SitePage>()
  const add = (path: string, make: (reader: Reader) => Page) => pages.set(path, site.page(make))
  const titles = problemCodes.map((code) => [code, problemCatalogue[code].title] as const)
  const failures = Object.entries(failureCodes)
  add('/problems', (reader) => indexPage('problemCodes', '/problems', titles, reader))
  add('/failure-codes', (reader) => indexPage('failureCodes', '/failure-codes', failures, reader))
  for (const code of problemCodes) add(`/problems/${code}`, (reader) => problemPage(baseUrl, code, reader))
  for (const [code, lead] of failures) add(`/failure-codes/${code}`, (reader) => failurePage(code, lead, reader))
  return pages
}

/** A text of the contract, marked as English where the page is not. */
function inEnglish(text: string, { language }: Reader): Html {
  return language === 'en' ? html`${text}` : html`<span lang="en" dir="ltr">${text}</span>`
}

function problemPage(baseUrl: string, code: ProblemCode, reader: Reader): Page {
  const { title, description, status, retryable, submission_uncertain } = problemCatalogue[code]
  const say = reader.say('codes')
  const rows: [string, Html | string][] = [
    [say('code'), html`<code>${code}</code>`],
    [say('status'), String(status)],
    [say('repeatable'), say(retryable ? 'yes' : 'no')],
    [say('mayHaveReached'), say(submission_uncertain ? 'yesNeverAgain' : 'no')],
  ]
  const body = JSON.stringify(problemExample(baseUrl, code), null, 2)
  return {
    title,
    titleLanguage: reader.language === 'en' ? undefined : 'en',
    lead: inEnglish(description, reader),
    main: html`${submission_uncertain ? notice('warning', say('uncertain')) : ''}
<div class="card">${facts(rows)}</div>
<h2>${say('whatToDo')}</h2>
<p>${say(nextStepOf(code))}</p>
<h2>${say('whichRoutes')}</h2>
${answeringRoutes(code, reader)}
<h2>${say('looksLike')}</h2>
<pre tabindex="0" dir="ltr" aria-label="${say('example')}"><code>${body}</code></pre>
<p><a href="/problems">${say('allProblems')}</a> · <a href="${referencePath}">${say('reference')}</a></p>`,
  }
}

function answeringRoutes(code: ProblemCode, reader: Reader): Html {
  const say = reader.say('codes')
  const answering = table.filter(([, row]) => problemsOf(row).includes(code))
  if (answering.length === table.length) return html`<p>${say('everyRoute')}</p>`
  const items = answering.map(
    ([name, { area, method, path, summary }]) =>
      html`<li><a href="${routePagePath(name, { area })}"><code>${method} ${path}</code></a> <span class="soft">${inEnglish(summary, reader)}</span></li>`,
  )
  if (answering.length <= 8) return html`<ul class="routes">${items}</ul>`
  const counted = say('someRoutes', { some: answering.length, all: table.length })
  return html`<details><summary>${counted}</summary><ul class="routes">${items}</ul></details>`
}

const codeElement = { code: (text: Html) => html`<code>${text}</code>` }

function failurePage(code: string, lead: string, reader: Reader): Page {
  const say = reader.say('codes')
  const route = html`<a href="${routePagePath('getOperation', routes.getOperation)}"><code>GET /v1/operations/{id}</code></a>`
  return {
    title: say('failureTitle'),
    lead: inEnglish(lead, reader),
    main: html`<div class="card">${facts([
      [say('code'), html`<code>${code}</code>`],
      [say('whereItStands'), say.rich('inOperation', {}, codeElement)],
    ])}</div>
<h2>${say('whatToDo')}</h2>
<p>${say.rich('stateDecides', {}, codeElement)}</p>
<p>${say.rich('showsIt', { route })}</p>
<p><a href="/failure-codes">${say('allFailures')}</a> · <a href="${referencePath}">${say('reference')}</a></p>`,
  }
}

function indexPage(
  title: 'problemCodes' | 'failureCodes',
  path: string,
  codes: readonly (readonly [string, string])[],
  reader: Reader,
): Page {
  const say = reader.say('codes')
  const rows = codes.map(
    ([code, says]) =>
      html`<tr><th scope="row"><code>${code}</code></th><td><a href="${path}/${code}">${inEnglish(says, reader)}</a></td></tr>`,
  )
  const head = html`<thead><tr><th scope="col">${say('code')}</th><th scope="col">${say('meaning')}</th></tr></thead>`
  return {
    title: say(title),
    wide: true,
    lead: say.rich('indexLead', {}, { a: (text) => html`<a href="${referencePath}">${text}</a>` }),
    main: html`<div class="card"><table>${head}<tbody>${rows}</tbody></table></div>`,
  }
}
