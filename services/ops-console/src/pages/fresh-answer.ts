/** The answer of a page that refreshes itself: it loads the console's one script. */

import type { Page } from '@financial-agents/pages/page'
import type { PageAnswer } from '../http/console-page.ts'
import { refreshScript } from './assets.ts'

export function freshAnswer(view: Page): PageAnswer {
  return { view: { ...view, scripts: [refreshScript.path] }, rights: { forms: true, scripts: true } }
}
