/**
 * Answers for lists whose address may be written by hand. If the API refuses a filter, the page shows the reason beside
 * it.
 */

import texts from '../../messages/en.json' with { type: 'json' }
import { ApiRefusal } from '../api/api-client.ts'
import { timeFilters } from '../api/entered-times.ts'
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
    const fields = (error.problem.fields ?? []).map(({ path, message }) => ({
      path,
      message: (timeFilters as readonly string[]).includes(path) ? texts.operations.times : message,
    }))
    return { status: 422, view: wrongFilterView({ ...page, fields }) }
  }
}
