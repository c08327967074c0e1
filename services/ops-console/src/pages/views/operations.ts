/** The list of operations: counts, filters, rows. The address contains the whole query. */

import { kindWords } from '@financial-agents/operation-machine/kind-words'
import { operationKinds } from '@financial-agents/operation-machine/kinds'
import type { OperationState } from '@financial-agents/operation-machine/machine'
import { operationStates } from '@financial-agents/operation-machine/machine'
import { filterForm, selectField } from '@financial-agents/pages/fields'
import { html } from '@financial-agents/pages/html'
import type { Page } from '@financial-agents/pages/page'
import { textField } from '@financial-agents/pages/parts'
import { duration } from '@financial-agents/pages/times'
import { operationsPath, pager, paths } from '../links.ts'
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
<section id="by-state" aria-label="By state">${stateTiles({ counts, query })}</section>
${operationFilters(query)}
<section id="found" aria-label="Operations">${operationTable({
      operations: items,
      publicUrl,
      now,
      none: isFiltered ? 'No operation matches.' : 'There is no operation yet.',
      caption: 'Operations, newest first',
    })}</section>
${pager(paths.operations, query, nextCursor)}`,
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
      options: operationKinds.map((kind) => [kind, kindWords[kind].operator]),
      value: query['kind'],
    }),
    textField({ name: 'client_id', label: 'Client id', value: query['client_id'] ?? '', attributes: idAttributes }),
    textField({ name: 'grant_id', label: 'Grant', value: query['grant_id'] ?? '', attributes: idAttributes }),
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
  return filterForm({ action: paths.operations, fields, clear })
}

/** For fields with ids, which no dictionary contains. */
export const idAttributes = { maxlength: '200', autocomplete: 'off', autocapitalize: 'none', spellcheck: 'false' }
