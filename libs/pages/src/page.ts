/**
 * The layout of every page: header with the name of the product, one heading, the main part, footer. Language, viewport and
 * colour schemes are the same everywhere, and so is the one stylesheet, inlined.
 *
 * Invariant: a page has one h1, its title, and no script in it; one that runs a file of this origin names it.
 */

import { type Html, html } from './html.ts'
import { stylesheet } from './stylesheet.ts'

/** The product as readers of its pages know it. */
const productName = 'Financial Agents'

/** What a page says, and where in the layout. */
export type Page = {
  /** The heading, and the title of the window. */
  title: string
  /** What stands below the heading. */
  main: Html
  /** A sentence or two right below the heading. */
  lead?: Html | string | undefined
  /** A message about what just happened (`notice` of parts.ts), above the heading. */
  notice?: Html | undefined
  /** Something that was sent is refused below; the title says so first, since it is what is heard first. */
  refused?: boolean
  /** For pages with tables; `full` for those with many columns. Else lines stay short. */
  wide?: boolean | 'full'
  /** Whose pages these are, beside the name of the product. */
  area?: string | undefined
  /** Ways to the other pages of the area, below the header's first line. */
  navigation?: Html | undefined
  /** In place of what pages for owners say at the end. */
  footer?: Html | undefined
  /** At the end of the header: who is signed in, and the way out. */
  headerEnd?: Html | undefined
  /** Where a page of the environment is not about real money, this line says so on top. */
  environmentNote?: string | undefined
  /** An address to which the browser goes on at once, where it has no script to do so. */
  refreshTo?: string | undefined
  /** Of this origin, beside the one that is inlined; the page needs the right `application`. */
  stylesheets?: readonly string[]
  /** Of this origin, run in this order once the page is there; the page needs the right `scripts` or `application`. */
  scripts?: readonly string[]
}

/** The page as it is sent. The stylesheet stands in it byte for byte: its hash is what the browser checks. */
export function renderPage(page: Page): string {
  const { title, refused, wide, area, navigation, headerEnd, environmentNote, refreshTo } = page
  const { scripts = [], stylesheets = [] } = page
  const head = html`<meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
${refreshTo ? html`<meta http-equiv="refresh" content="0; url=${refreshTo}">` : ''}
<title>${refused ? 'Error: ' : ''}${title}${area ? ` · ${area}` : ''} · ${productName}</title>
${stylesheets.map((href) => html`<link rel="stylesheet" href="${href}">`)}${scripts.map((src) => html`<script src="${src}" defer></script>`)}`
  const body = html`<a class="skip" href="#main">Skip to the content</a>
<header class="top">${environmentNote ? html`<p class="environment">${environmentNote}</p>` : ''}<div class="bar"><span class="brand">${mark}${productName}${area ? html` <span class="area">${area}</span>` : ''}</span>${headerEnd}</div>${navigation}</header>
<main id="main">
${mainPart(page)}
</main>
<footer class="end"><div class="bar">${page.footer ?? footer}</div></footer>`
  return `<!doctype html>
<html lang="en">
<head>
${head.toString()}
<style>${stylesheet}</style>
</head>
<body class="${wide === 'full' ? 'full' : wide ? 'wide' : 'narrow'}">
${body.toString()}
</body>
</html>
`
}

/** What stands between header and footer, from the message to the end: what a page that runs a file asks for anew. */
export function renderMain(page: Page): string {
  return mainPart(page).toString()
}

function mainPart({ title, notice, lead, main }: Page): Html {
  return html`${notice}
<h1>${title}</h1>
${lead ? html`<p class="lead">${lead}</p>` : ''}
${main}`
}

const mark = html`<svg class="mark" viewBox="0 0 24 24" width="24" height="24" aria-hidden="true" focusable="false"><path d="M12 2 4 5v6c0 5 3.4 8.9 8 11 4.6-2.1 8-6 8-11V5z" fill="currentColor"/><path class="tick" d="m8.2 12 2.7 2.7 5-5.2" fill="none" stroke-width="2" stroke-linecap="round" stroke-linejoin="round"/></svg>`

const footer = html`<p>You can end what an application may do for you at any time on <a href="/account">your account page</a>.</p>`
