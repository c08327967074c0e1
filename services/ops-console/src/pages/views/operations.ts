/** The list of operations: counts, filters, rows. The address contains the whole query. */

import { failureCodeNames } from '@financial-agents/contract/failure-codes'
import { kindFacts, operationKinds } from '@financial-agents/contract/kinds'
import type { OperationState } from '@financial-agents/contract/machine'
import { operationStates } from '@financial-agents/contract/machine'
import { filterForm, selectField } from '@financial-agents/pages/fields'
import { type Html, html } from '@financial-agents/pages/html'
import type { Page } from '@financial-agents/pages/page'
import { textField } from '@financial-agents/pages/parts'
import { duration } from '@financial-agents/pages/times'
import texts from '../../../messages/en.json' with { type: 'json' }
import { operationsPath, pager, paths, withQuery } from '../links.ts'
import { stateWords } from '../words.ts'
import { freshLine } from './fresh.ts'
import { type ListedOperation, operationTable } from './operation-table.ts'
import { stateTiles } from './state-tiles.ts'
import { ways } from './ways.ts'

type Query = Readonly<Record<string, string>>

export type OperationsPage = {
  items: readonly ListedOperation[]
  nextCursor: string | null
  counts: Readonly<Record<OperationState, number>>
  /** The query of the address. */
  query: Query
  publicUrl: string
  now: Date
}

export function operationsView({ items, nextCursor, counts, query, publicUrl, now }: OperationsPage): Page {
  const isFiltered = Object.keys(query).some((name) => name !== 'cursor')
  return {
    title: 'Operations',
    wide: 'full',
    navigation: ways('operations'),
    main: html`${freshLine(now)}
<section id="by-state" aria-label="By state">${stateTiles({ counts, query, now })}</section>
${operationFilters(query)}
<section id="found" aria-label="Operations">${operationTable({
      operations: items,
      publicUrl,
      now,
      none:
        nextCursor !== null
          ? texts.operations.noMatchSoFar
          : isFiltered
            ? texts.operations.noMatch
            : texts.operations.none,
      caption: 'Operations, newest first',
    })}</section>
${pager(paths.operations, query, nextCursor)}
${csvLink(paths.operationsCsv, query)}`,
  }
}

const ages = [60, 300, 900, 3_600, 86_400, 604_800]

export function operationFilters(query: Query) {
  const asked = Number(query['min_age_seconds'])
  const seconds = [...new Set(Number.isInteger(asked) && asked > 0 ? [...ages, asked] : ages)].toSorted((a, b) => a - b)
  const fields = [
    selectField({
      name: 'state',
      label: 'State',
      none: 'Any',
      options: operationStates.map((state) => [state, stateWords[state].word]),
      value: query['state'],
    }),
    selectField({
      name: 'kind',
      label: 'Kind',
      none: 'Any',
      options: operationKinds.map((kind) => [kind, kindFacts[kind].operatorWord]),
      value: query['kind'],
    }),
    textField({ name: 'client_id', label: 'Client id', value: query['client_id'] ?? '', attributes: idAttributes }),
    selectField({
      name: 'review',
      label: 'Review',
      none: 'Any',
      options: [
        ['true', 'Under review'],
        ['false', 'Not under review'],
      ],
      value: query['review'],
    }),
    selectField({
      name: 'min_age_seconds',
      label: 'Age',
      none: 'Any',
      options: seconds.map((bound) => [String(bound), `${duration(bound * 1_000)} or more`]),
      value: query['min_age_seconds'],
    }),
  ]
  const clear = operationsPath(query) !== paths.operations
  return filterForm({ action: paths.operations, fields: [...fields, moreFilters(query)], clear })
}

const textFilters = [
  ['grant_id', 'Grant'],
  ['same_owner_as', 'Same owner as grant'],
  ['owner', 'Customer at the provider'],
  ['mandate_id', 'Mandate'],
  ['resource_id', 'Resource'],
  ['upstream_reference', 'Provider’s reference'],
  ['trace_id', 'Trace'],
  ['amount_from', 'Amount from'],
  ['amount_to', 'Amount to'],
  ['created_from', 'Created from (UTC)'],
  ['created_until', 'Created until (UTC)'],
  ['ended_from', 'Ended from (UTC)'],
  ['ended_until', 'Ended before (UTC)'],
] as const

/** The filters that are rarely entered by hand. They are shown while one of them applies. */
function moreFilters(query: Query): Html {
  const isUsed = [...textFilters.map(([name]) => name), 'failure_code', 'max_age_seconds'].some((name) => query[name])
  const youngest = query['max_age_seconds'] ?? ''
  return html`<details class="more"${isUsed ? html` open` : ''}><summary>More filters</summary><div class="fields">${selectField(
    {
      name: 'failure_code',
      label: 'Failure code',
      none: 'Any',
      options: failureCodeNames.map((code) => [code, code]),
      value: query['failure_code'],
    },
  )}${selectField({
    name: 'max_age_seconds',
    label: 'At most as old as',
    none: 'Any',
    options: [...new Set([...ages.map(String), youngest].filter((bound) => Number(bound) > 0))]
      .toSorted((a, b) => Number(a) - Number(b))
      .map((bound) => [bound, duration(Number(bound) * 1_000)]),
    value: youngest,
  })}${textFilters.map(([name, label]) => textField({ name, label, value: query[name] ?? '', attributes: idAttributes }))}</div>
<p class="soft small">${texts.operations.times} ${texts.operations.slowFilters}</p></details>`
}

/** Links to the list as a file, with the same filters, from its beginning. */
export function csvLink(path: string, query: Query): Html {
  const { cursor: _place, ...filters } = query
  return html`<p class="pages"><a href="${withQuery(path, filters)}" download>These as CSV, the newest 1,000</a></p>`
}

/** The attributes of fields for ids, which no dictionary contains. */
export const idAttributes = { maxlength: '200', autocomplete: 'off', autocapitalize: 'none', spellcheck: 'false' }
