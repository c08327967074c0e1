/** The form for a search, and its matches, each as a link to its list. */

import { html } from '@financial-agents/pages/html'
import type { Page } from '@financial-agents/pages/page'
import texts from '../../../messages/en.json' with { type: 'json' }
import { paths } from '../links.ts'
import { ways } from './ways.ts'

/** `isCertain`: false if nothing was found so far, and older operations are left to be searched. */
export type Match = { word: string; path: string; isCertain: boolean }

export type SearchFacts = {
  /** The text that was searched for; empty if there was none yet. */
  asked: string
  matches: readonly Match[]
  isTooLong?: boolean
  /** The address of the logs about the text, if logs are configured. */
  logs?: string | null
}

export function searchView({ asked, matches, isTooLong = false, logs = null }: SearchFacts): Page {
  const certain = matches.filter(({ isCertain }) => isCertain)
  const further = matches.filter(({ isCertain }) => !isCertain)
  return {
    title: 'Search',
    lead: texts.search.lead,
    wide: true,
    refused: isTooLong,
    navigation: ways(undefined, asked),
    main: html`<section id="found" aria-label="Matches">${
      asked === ''
        ? html`<p class="none">${texts.search.enterId}</p>`
        : isTooLong
          ? html`<p class="none">${texts.search.tooLong}</p>`
          : html`${
              certain.length === 0
                ? html`<p class="none">Nothing has the id <span class="id">${asked}</span>.</p>`
                : html`<p><span class="id">${asked}</span> is:</p><ul>${certain.map(({ word, path }) => html`<li><a href="${path}">${word}</a></li>`)}</ul>`
            }${
              further.length === 0
                ? ''
                : html`<p>${texts.search.lookedThrough} Go on further back:</p><ul>${further.map(({ word, path }) => html`<li><a href="${path}">${word}</a></li>`)}</ul>`
            }<p>Requests are found by their id in the logs${logs === null ? html`, of which this console has no address (<code>LOG_URL_TEMPLATE</code>).` : html`: <a href="${logs}">look there</a>.`}</p>`
    }</section>
<p class="pages"><a href="${paths.operations}">All operations</a></p>`,
  }
}
