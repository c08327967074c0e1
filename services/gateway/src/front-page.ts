/**
 * The page at `/`, for a person who opens the address of the API: what this is, where to go, and in a development environment the
 * first lines to run. It contains nothing of a request.
 *
 * Invariant: where money is real, no line invites anybody to try the API.
 */

import { documentationUrl } from '@financial-agents/contract/capabilities'
import { environmentNote } from '@financial-agents/pages/environment-note'
import { type Html, html } from '@financial-agents/pages/html'
import { renderPage } from '@financial-agents/pages/page'
import { pageHeaders } from '@financial-agents/pages/page-headers'
import type { GatewayConfig } from './config.ts'
import type { Stored } from './stored.ts'

/** The configuration that the page shows. */
type Shown = Pick<
  GatewayConfig,
  | 'ENVIRONMENT'
  | 'PUBLIC_BASE_URL'
  | 'CONSOLE_BASE_URL'
  | 'ENABLED_CAPABILITIES'
  | 'FIRST_CLIENT_ID'
  | 'DOCUMENTATION_URL'
>

/** A line to copy, and what it does. */
type Line = readonly [command: string, effect: string]

/** Builds the page. A program gets another answer at this path, so the page varies with `Accept`. */
export function createFrontPage(config: Shown): Stored {
  const isReal = config.ENVIRONMENT === 'production'
  const body = renderPage({
    title: 'Financial Agents API',
    lead: 'Software acts here for one person’s money, as far as that person has allowed it. Every payment and every other write is an operation that is submitted to the provider at most once.',
    environmentNote: environmentNote(config.ENVIRONMENT),
    main: html`${where(config)}${isReal ? '' : firstLines(config)}`,
  })
  return { headers: [...Object.entries(pageHeaders()).flat(), 'Vary', 'Accept'], body }
}

function where(config: Shown): Html {
  const { ENVIRONMENT, PUBLIC_BASE_URL, CONSOLE_BASE_URL } = config
  const forOwners = link('/account', 'Your account', 'See what applications may do for you, and end it at any time.')
  const forDevelopers = [
    link(documentationUrl(config), 'Documentation', 'Every route, what it takes and what it answers.'),
    link('/problems', 'Problem codes', 'What each refusal means, and what to do.'),
    link('/failure-codes', 'Failure codes', 'Why an operation did not succeed.'),
    link('/v1/openapi.json', 'OpenAPI document', 'The same as data, for generators of clients.'),
  ]
  // Owners have no use for the console, and operators know its address.
  const consoleUrl = `${CONSOLE_BASE_URL ?? PUBLIC_BASE_URL}/ops`
  const forOperators =
    ENVIRONMENT === 'production'
      ? ''
      : link(consoleUrl, 'Operators’ console', 'See what is unsettled, and suspend a grant.')
  return html`<h2>For owners</h2><ul class="routes">${forOwners}</ul>
<h2>For developers</h2><ul class="routes">${forDevelopers}</ul>
${forOperators === '' ? '' : html`<h2>For operators</h2><ul class="routes">${forOperators}</ul>`}`
}

function link(href: string, name: string, says: string): Html {
  return html`<li><a href="${href}">${name}</a> <span class="soft">${says}</span></li>`
}

function firstLines({ PUBLIC_BASE_URL, ENABLED_CAPABILITIES, FIRST_CLIENT_ID }: Shown): Html {
  const programs: Line[] = [
    [`curl -s ${PUBLIC_BASE_URL}/v1/metadata`, 'answers without credentials: the addresses of this environment'],
  ]
  const lead = html`<h2 id="first-lines">First lines to copy</h2>`
  if (FIRST_CLIENT_ID === undefined) return html`${lead}${lines(programs)}`
  const api = ` --api ${PUBLIC_BASE_URL}`
  const pays = ENABLED_CAPABILITIES.includes('transfers.execute')
  const recipes: Line[] = [
    [`npx -y pnpm@12 recipe look-around${api}`, 'signs in, then reads accounts and activity'],
    [
      `npx -y pnpm@12 recipe ${pays ? 'pay' : 'wait'}${api}`,
      pays ? 'adds a payee and pays once' : 'adds a payee, and handles every outcome',
    ],
    [`npx -y pnpm@12 recipe${api}`, 'lists every recipe'],
  ]
  const commands: Line[] = [
    [
      `npx -y pnpm@12 cli login --base-url ${PUBLIC_BASE_URL} --client-id ${FIRST_CLIENT_ID}`,
      'signs the command line in, once',
    ],
    ['npx -y pnpm@12 cli accounts', 'lists accounts; --help names every command'],
  ]
  return html`${lead}
<p>In the clone of the repository that runs this environment. A recipe is a file of <code>libs/client/recipes</code>: run it, then copy it.</p>
${lines([...recipes, ...commands, ...programs])}
<h2>Your own agent</h2>
<p>The client id <code>${FIRST_CLIENT_ID}</code> is registered here for any agent of yours: it signs in as a device, with every scope, and needs no key of its own. The owner is any person of the fake provider, without a password.</p>
<p>The first lines of its program are <code>libs/client/recipes/agent.ts</code>. The documentation says how a project of yours gets the client.</p>`
}

function lines(rows: readonly Line[]): Html {
  return html`${rows.map(
    ([command, effect]) =>
      html`<p class="soft">${effect}:</p><pre tabindex="0" aria-label="${`Command: ${effect}`}"><code>${command}</code></pre>`,
  )}`
}
