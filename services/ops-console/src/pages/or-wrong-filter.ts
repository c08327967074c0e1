/**
 * Answers for lists whose address may be written by hand. If the API refuses a filter, the page shows the reason beside
 * it.
 */

import { ApiRefusal } from '../api/api-client.ts'
import type { PageAnswer } from '../http/console-page.ts'
import { type WrongFilter, wrongFilterView } from './views/wrong-filter.ts'

export async function orWrongFilter(
  list: () => Promise<PageAnswer>,
  page: Omit<WrongFilter, 'fields'>,
): Promise<PageAnswer> {
  try {
    return await list()
  } catch (error) {
    if (!(error instanceof ApiRefusal) || error.problem.code !== 'validation_failed') throw error
    return { status: 422, view: wrongFilterView({ ...page, fields: error.problem.fields ?? [] }) }
  }
}
