/** Lists whose address was written by hand: what the API refuses of the filters is said beside them. */

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
