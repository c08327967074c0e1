/** The view of any error. */

import { errorPage, type ErrorFacts as Facts } from '@financial-agents/pages/error-page'
import type { View } from './view.ts'

export type ErrorFacts = Facts & { status?: number }

export function errorView({ status = 400, ...facts }: ErrorFacts): View {
  return { status, page: errorPage(facts) }
}
