/** Finds operations of any owner and client for operators, as many as fit one message easily. */

import type { FindOperationsRequest, FoundOperations } from '@financial-agents/bus/messages/operator'
import type { Database } from '@financial-agents/postgres/database'
import { listOperatorOperations } from '../store/operator-list.ts'

const maxOperations = 500

export function createFindOperations(db: Database) {
  return (request: FindOperationsRequest): Promise<FoundOperations> =>
    listOperatorOperations(db, { ...request, limit: Math.min(request.limit, maxOperations) })
}
