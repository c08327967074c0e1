/** The page of the provider: its answers to submissions by kind, in the last hour and over 7 or 30 days. */

import type { ConsolePage } from '../http/console-page.ts'
import { freshAnswer } from './fresh-answer.ts'
import { providerView } from './views/provider.ts'

export const providerPage: ConsolePage = {
  method: 'GET',
  path: '/ops/provider',
  scope: 'ops:read',
  look: 'viewProvider',
  answer: async ({ providerHealth, query, links }) => {
    const days = query['days'] === '30' ? 30 : 7
    return freshAnswer(providerView({ health: await providerHealth(days), days, links, now: new Date() }))
  },
}
