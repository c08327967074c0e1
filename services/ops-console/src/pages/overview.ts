/** The overview: sums of the unsettled operations, and those under review. */

import type { ConsolePage } from '../http/console-page.ts'
import { freshAnswer } from './fresh-answer.ts'
import { overviewView } from './views/overview.ts'

const reviewsShown = '10'

export const overviewPage: ConsolePage = {
  method: 'GET',
  path: '/ops',
  scope: 'ops:read',
  look: 'viewOverview',
  answer: async ({ overview, clientNames, api, publicUrl }) => {
    const [sums, { items, next_cursor }] = await Promise.all([
      overview(),
      api.listOperations({ review: 'true', limit: reviewsShown }),
    ])
    const names = await clientNames(sums.oldest.map(({ client_id }) => client_id))
    const reviews = { items, more: next_cursor !== null }
    return freshAnswer(overviewView({ overview: sums, names, reviews, publicUrl, now: new Date() }))
  },
}
