/**
 * The layout of every page: a header with the installation's name, one heading, the main part, and a footer. All pages share
 * the language, the viewport, the colour schemes and the one inlined stylesheet.
 *
 * Invariant: a page has exactly one h1, its title, and no inline script. A page that runs script files of this origin
 * lists them.
 */

import { type Branding, unbranded } from './branding.ts'
import { type Html, html } from './html.ts'
import { type Language, nameOf } from './language.ts'
import { pagePaths } from './page-paths.ts'
import { englishReader, type Reader } from './reader.ts'

/** The address at which the same page has another language. */
export type LanguageLink = { language: Language; href: string }

/** The contents of a page, by their place in the layout. */
export type Page = {
  /** English by default. */
  reader?: Reader | undefined
  /** The ways to the same page in other languages, in the footer. None by default. */
  languages?: readonly LanguageLink[] | undefined
  /** The heading, and the title of the browser window. */
  title: string
  /** The language of the heading, if it is not the reader's: it quotes a text that has one language. */
  titleLanguage?: Language | undefined
  /** The content below the heading and the lead. */
  main: Html
  /** One or two sentences directly below the heading. */
  lead?: Html | string | undefined
  /** The tasks that wait for the reader, above everything else of the main part. */
  first?: Html | undefined
  /** A message about what just happened (`notice` of parts.ts), above the heading. */
  notice?: Html | undefined
  /**
   * True if the page refuses something that the reader sent. The window title then begins with "Error", because screen
   * readers read the title first.
   */
  refused?: boolean
  /** Wider lines for pages with tables; `full` for tables with many columns. Other pages have short lines. */
  wide?: boolean | 'full'
  /** The name of the area, shown beside the product's name. */
  area?: string | undefined
  /** Links to the other pages of the area, below the header's first line. */
  navigation?: Html | undefined
  /** Replaces the default footer of the owner's pages. */
  footer?: Html | undefined
  /** The end of the header: the name of the signed-in person and the link to sign out. */
  headerEnd?: Html | undefined
  /** A line at the top that says that this environment does not move real money. */
  environmentNote?: string | undefined
  /** An address that a browser without scripts opens at once. */
  refreshTo?: string | undefined
  /**
   * Script files of this origin, run in this order after the page has loaded. The page needs the right `scripts`.
   */
  scripts?: readonly string[]
}

/**
 * Renders the page as it is sent. The page contains the stylesheet byte for byte, because the browser checks its hash.
 * The headers of the page must therefore use the same branding.
 */
export function renderPage(page: Page, branding: Branding = unbranded): string {
  const { title, refused, wide, area, navigation, headerEnd, environmentNote, refreshTo } = page
  const { scripts = [], reader = englishReader } = page
  const { language, direction } = reader
  const say = reader.say('frame')
  const head = html`<meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
${refreshTo ? html`<meta http-equiv="refresh" content="0; url=${refreshTo}">` : ''}
<title>${refused ? say('error', { title }) : title}${area ? ` · ${area}` : ''} · ${branding.name}</title>
${scripts.map((src) => html`<script src="${src}" defer></script>`)}`
  const body = html`<a class="skip" href="#main">${say('skip')}</a>
<header class="top">${environmentNote ? html`<p class="environment">${environmentNote}</p>` : ''}<div class="bar"><span class="brand">${brand(branding)}${area ? html` <span class="area">${area}</span>` : ''}</span>${headerEnd}</div>${navigation}</header>
<main id="main">
${mainPart(page)}
</main>
<footer class="end"><div class="bar">${page.footer ?? footer(reader)}${brandLinks(branding, reader)}${languageLinks(page, reader)}</div></footer>`
  return `<!doctype html>
<html lang="${language}" dir="${direction}">
<head>
${head.toString()}
<style>${branding.stylesheet}</style>
</head>
<body class="${wide === 'full' ? 'full' : wide ? 'wide' : 'narrow'}">
${body.toString()}
</body>
</html>
`
}

/**
 * Renders the part between header and footer, from the notice to the end. Scripts fetch this part to refresh a page.
 */
export function renderMain(page: Page): string {
  return mainPart(page).toString()
}

function mainPart({ first, title, titleLanguage, notice, lead, main }: Page): Html {
  const heading = titleLanguage === undefined ? title : html`<span lang="${titleLanguage}" dir="ltr">${title}</span>`
  return html`${first}${notice}
<h1>${heading}</h1>
${lead ? html`<p class="lead">${lead}</p>` : ''}
${main}`
}

const mark = html`<svg class="mark" viewBox="0 0 24 24" width="24" height="24" aria-hidden="true" focusable="false"><path d="M12 2 4 5v6c0 5 3.4 8.9 8 11 4.6-2.1 8-6 8-11V5z" fill="currentColor"/><path class="tick" d="m8.2 12 2.7 2.7 5-5.2" fill="none" stroke-width="2" stroke-linecap="round" stroke-linejoin="round"/></svg>`

/** Renders the logo and the name. A name of the operator's is isolated from the text direction of the page. */
function brand({ name, logo }: Branding): Html {
  const picture = logo === undefined ? mark : html`<img class="logo" src="${logo}" alt="" height="32">`
  return name === unbranded.name ? html`${picture}${name}` : html`${picture}<bdi>${name}</bdi>`
}

/** The operator's pages: help, privacy and terms, as far as they are configured. */
function brandLinks({ support, privacy, terms }: Branding, { say }: Reader): Html | string {
  const words = say('frame')
  const links = [
    [support, words('support')] as const,
    [privacy, words('privacy')] as const,
    [terms, words('terms')] as const,
  ].filter(([href]) => href !== undefined)
  if (links.length === 0) return ''
  const items = links.map(([href, label]) => html`<li><a href="${href}">${label}</a></li>`)
  return html`<nav class="links" aria-label="${words('about')}"><ul>${items}</ul></nav>`
}

function footer(reader: Reader): Html {
  const toAccount = (text: Html) => html`<a href="${pagePaths.account}">${text}</a>`
  return html`<p>${reader.say('frame').rich('footer', {}, { a: toAccount })}</p>`
}

function languageLinks({ languages = [] }: Page, { language, say }: Reader): Html | string {
  if (languages.length < 2) return ''
  const links = languages.map(({ language: one, href }) =>
    one === language
      ? html`<li><span aria-current="true" lang="${one}">${nameOf(one)}</span></li>`
      : html`<li><a href="${href}" lang="${one}" hreflang="${one}" rel="nofollow">${nameOf(one)}</a></li>`,
  )
  return html`<nav class="languages" aria-label="${say('frame')('language')}"><ul>${links}</ul></nav>`
}
