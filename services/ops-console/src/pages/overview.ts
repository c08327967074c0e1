/** What is unsettled, in sums. */

import { html } from '@financial-agents/pages/html'
import { facts } from '@financial-agents/pages/parts'
import type { ConsolePage } from '../http/console-page.ts'

export const overviewPage: ConsolePage = {
  method: 'GET',
  path: '/ops',
  scope: 'ops:read',
  look: 'viewOverview',
  answer: async ({ overview }) => {
    const { counts } = await overview()
    return { view: { title: 'Overview', main: html`${facts(Object.entries(counts))}` } }
  },
}
