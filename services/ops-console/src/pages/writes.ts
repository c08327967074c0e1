/** The page of writes: why they are closed, the lost time, and the next step. The banner of every page leads here. */

import type { ConsolePage } from '../http/console-page.ts'
import { freshAnswer } from './fresh-answer.ts'
import { paths } from './links.ts'
import { writesView } from './views/writes.ts'

export const writesPage: ConsolePage = {
  method: 'GET',
  path: paths.writes,
  scope: 'ops:read',
  look: 'viewWrites',
  answer: async ({ writes, links }) => freshAnswer(writesView({ writes: await writes(), links, now: new Date() })),
}
