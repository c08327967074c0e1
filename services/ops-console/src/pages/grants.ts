/** The list of grants, with the filters of the address. */

import type { ConsolePage } from '../http/console-page.ts'
import { freshAnswer } from './fresh-answer.ts'
import { orWrongFilter } from './or-wrong-filter.ts'
import { grantFilters, grantsView } from './views/grants.ts'

/** Few enough for a phone. The address may ask for others. */
const rowsShown = '25'

export const grantsPage: ConsolePage = {
  method: 'GET',
  path: '/ops/grants',
  scope: 'ops:read',
  answer: ({ api, query, grantActivity, session }) =>
    orWrongFilter(
      async () => {
        const { items, next_cursor: nextCursor } = await api.listGrants({ limit: rowsShown, ...query })
        const activity = await grantActivity(items.map(({ id }) => id))
        const maySuspend = session.scopes.includes('ops:suspend')
        return freshAnswer(grantsView({ items, nextCursor, activity, query, maySuspend, now: new Date() }))
      },
      { title: 'Grants', way: 'grants', form: grantFilters(query) },
    ),
}
