/** What is unsettled, in sums, and what is under review. */

import type { ConsolePage } from '../http/console-page.ts'
import { freshAnswer } from './fresh-answer.ts'
import { overviewView } from './views/overview.ts'

const reviewsShown = '10'

export const overviewPage: ConsolePage = {
  method: 'GET',
  path: '/ops',
  scope: 'ops:read',
  look: 'viewOverview',
  answer: async ({ overview, api, publicUrl }) => {
    const [sums, { items, next_cursor }] = await Promise.all([
      overview(),
      api.listOperations({ review: 'true', limit: reviewsShown }),
    ])
    const reviews = { items, more: next_cursor !== null }
    return freshAnswer(overviewView({ overview: sums, reviews, publicUrl, now: new Date() }))
  },
}
