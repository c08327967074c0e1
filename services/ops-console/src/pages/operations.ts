/** The list of operations, with the filters of the address. */

import type { ConsolePage } from '../http/console-page.ts'
import { freshAnswer } from './fresh-answer.ts'
import { orWrongFilter } from './or-wrong-filter.ts'
import { operationFilters, operationsView } from './views/operations.ts'

/** Few enough for a phone. The address may ask for others. */
const rowsShown = '25'

export const operationsPage: ConsolePage = {
  method: 'GET',
  path: '/ops/operations',
  scope: 'ops:read',
  answer: ({ api, query, publicUrl }) =>
    orWrongFilter(
      async () => {
        const { items, next_cursor: nextCursor, counts } = await api.listOperations({ limit: rowsShown, ...query })
        return freshAnswer(operationsView({ items, nextCursor, counts, query, publicUrl, now: new Date() }))
      },
      { title: 'Operations', way: 'operations', form: operationFilters(query) },
    ),
}
