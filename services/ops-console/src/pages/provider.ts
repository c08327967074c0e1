/** The page of the provider: its answers to submissions and reads by kind, in the last hour and over 7 or 30 days. */

import type { ConsolePage } from '../http/console-page.ts'
import { freshAnswer } from './fresh-answer.ts'
import { providerView } from './views/provider.ts'

export const providerPage: ConsolePage = {
  method: 'GET',
  path: '/ops/provider',
  scope: 'ops:read',
  look: 'viewProvider',
  answer: async ({ providerHealth, readHealth, query, links }) => {
    const days = query['days'] === '30' ? 30 : 7
    const [health, reads] = [await providerHealth(days), await readHealth(days)]
    return freshAnswer(providerView({ health, reads, days, links, now: new Date() }))
  },
}
