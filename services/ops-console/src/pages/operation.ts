/** The page of one operation, with its whole history. */

import type { ConsolePage } from '../http/console-page.ts'
import { freshAnswer } from './fresh-answer.ts'
import { operationView } from './views/operation.ts'

export const operationPage: ConsolePage = {
  method: 'GET',
  path: '/ops/operations/:operation_id',
  scope: 'ops:read',
  answer: async ({ api, params, links, publicUrl }) => {
    const operation = await api.getOperation(params['operation_id'] ?? '')
    return freshAnswer(operationView({ operation, links, publicUrl, now: new Date() }))
  },
}
