/**
 * The page at `/`, for a person who opens the address of the API: what this is, where to go, and in a development environment the
 * first lines to run. It contains nothing of a request.
 *
 * Invariant: where money is real, no line invites anybody to try the API.
 */

import { documentationUrl } from '@financial-agents/contract/capabilities'
import { unbranded } from '@financial-agents/pages/branding'
import { type Html, html } from '@financial-agents/pages/html'
import type { Say } from '@financial-agents/pages/messages'
import type { Reader } from '@financial-agents/pages/reader'
import type { GatewayConfig } from './config.ts'
import type { Site, SitePage } from './site.ts'

/** The configuration that the page shows. */
type Shown = Pick<
  GatewayConfig,
  | 'ENVIRONMENT'
  | 'PUBLIC_BASE_URL'
  | 'CONSOLE_BASE_URL'
  | 'ENABLED_CAPABILITIES'
  | 'FIRST_CLIENT_ID'
  | 'DOCUMENTATION_URL'
  | 'BRAND_NAME'
>

type Words = Say<'front'>

/** A line to copy, and what it does. */
type Line = readonly [command: string, effect: string]

/** A program gets another answer at this path, so the page varies with `Accept`. */
export function createFrontPage(config: Shown, site: Pick<Site, 'page'>): SitePage {
  const isReal = config.ENVIRONMENT === 'production'
  const make = (reader: Reader) => {
    const say = reader.say('front')
    return {
      title: `${config.BRAND_NAME ?? unbranded.name} API`,
      lead: say('lead'),
      main: html`${where(config, say)}${isReal ? '' : firstLines(config, say)}`,
    }
  }
  return site.page(make, 'Accept')
}

function where(config: Shown, say: Words): Html {
  const { ENVIRONMENT, PUBLIC_BASE_URL, CONSOLE_BASE_URL } = config
  const forOwners = link('/account', say('account'), say('accountMore'))
  const forDevelopers = [
    link(documentationUrl(config), say('documentation'), say('documentationMore')),
    link('/problems', say('problems'), say('problemsMore')),
    link('/failure-codes', say('failures'), say('failuresMore')),
    link('/v1/openapi.json', say('openapi'), say('openapiMore')),
  ]
  // Owners have no use for the console, and operators know its address.
  const consoleUrl = `${CONSOLE_BASE_URL ?? PUBLIC_BASE_URL}/ops`
  const forOperators = ENVIRONMENT === 'production' ? '' : link(consoleUrl, say('console'), say('consoleMore'))
  return html`<h2>${say('forOwners')}</h2><ul class="routes">${forOwners}</ul>
<h2>${say('forDevelopers')}</h2><ul class="routes">${forDevelopers}</ul>
${forOperators === '' ? '' : html`<h2>${say('forOperators')}</h2><ul class="routes">${forOperators}</ul>`}`
}

function link(href: string, name: string, says: string): Html {
  return html`<li><a href="${href}">${name}</a> <span class="soft">${says}</span></li>`
}

const codeElement = { code: (text: Html) => html`<code>${text}</code>` }

function firstLines({ PUBLIC_BASE_URL, ENABLED_CAPABILITIES, FIRST_CLIENT_ID }: Shown, say: Words): Html {
  const programs: Line[] = [[`curl -s ${PUBLIC_BASE_URL}/v1/metadata`, say('answersOpenly')]]
  const lead = html`<h2 id="first-lines">${say('firstLines')}</h2>`
  if (FIRST_CLIENT_ID === undefined) return html`${lead}${lines(programs, say)}`
  const api = ` --api ${PUBLIC_BASE_URL}`
  const pays = ENABLED_CAPABILITIES.includes('transfers.execute')
  const recipes: Line[] = [
    [`npx -y pnpm@12 recipe look-around${api}`, say('looksAround')],
    [`npx -y pnpm@12 recipe ${pays ? 'pay' : 'wait'}${api}`, say(pays ? 'pays' : 'waits')],
    [`npx -y pnpm@12 recipe${api}`, say('listsRecipes')],
  ]
  const commands: Line[] = [
    [`npx -y pnpm@12 cli login --base-url ${PUBLIC_BASE_URL} --client-id ${FIRST_CLIENT_ID}`, say('signsIn')],
    ['npx -y pnpm@12 cli accounts', say('listsAccounts')],
  ]
  return html`${lead}
<p>${say.rich('inTheClone', {}, codeElement)}</p>
${lines([...recipes, ...commands, ...programs], say)}
<h2>${say('yourAgent')}</h2>
<p>${say.rich('clientId', { id: html`<code>${FIRST_CLIENT_ID}</code>` })}</p>
<p>${say.rich('program', {}, codeElement)}</p>`
}

function lines(rows: readonly Line[], say: Words): Html {
  return html`${rows.map(
    ([command, effect]) =>
      html`<p class="soft">${effect}:</p><pre tabindex="0" dir="ltr" aria-label="${say('command', { effect })}"><code>${command}</code></pre>`,
  )}`
}
